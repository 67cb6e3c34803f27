// Orders: a stack is taken in the hand and put where it shall go. What the rules ask first is answered on the way;
// what they ask later waits here, is drawn on the map, and is done when it is asked.
import { el, toast } from "./dom.js";
import { t } from "./words.js";

export class Orders {
  constructor(table) {
    this.table = table;
    this.waiting = []; // { pieces, to, asked, left }: `left` when another question has come since
    this.hand = null; // the pieces that are dragged
    this.going = 0; // questions about orders that are under way
    this.aims = null; // { pieces, found: place → orders, anywhere }
  }

  // What the hand takes with a counter: all of its pile that could be used, with Shift this one alone, with Ctrl
  // everything in its space.
  taken(thing, event) {
    const table = this.table;
    if (!table.offer || table.busy || table.draft.length || !thing || !thing.startsWith("piece:")) return [];
    const usable = new Set((table.offer.prompt && table.offer.prompt.things) || []);
    for (const act of table.offer.acts) for (const one of [...act.first, ...act.second]) usable.add(one);
    const all = event.ctrlKey || event.metaKey;
    const pile = table.pileOf(all ? this.spaceOf(thing) : thing) || [thing];
    if (!event.shiftKey) return pile.filter((id) => usable.has(id));
    return usable.has(thing) ? [thing] : pile.filter((id) => usable.has(id)).slice(0, 1); // or the next one under it
  }

  // ---- the hand
  grab(thing, event) {
    const pieces = this.taken(thing, event);
    this.hand = pieces.length ? { pieces, begun: false } : null;
    return this.hand !== null;
  }

  drag(event, place) {
    if (!this.hand) return;
    if (!this.hand.begun) {
      this.hand.begun = true;
      this.table.closePopup();
      this.aim(this.hand.pieces);
    }
    this.table.board.pull(this.hand.pieces[0], event);
    const to = this.spaceOf(place), found = to && this.aims ? this.aims.found.get(to) : null;
    const words = found ? found.map((order) => `→ ${order.text}${order.cost ? ` (${order.cost})` : ""}`) : [];
    this.table.tip([this.told(this.hand.pieces), ...words], event);
  }

  async drop(place, event) {
    const hand = this.hand;
    this.hand = null;
    this.table.board.pull(null);
    this.table.tip(null);
    this.forget();
    if (!hand || !hand.begun) return;
    this.going++;
    await this.send(hand.pieces, this.spaceOf(place), event);
    this.going--;
    await this.next();
  }

  spaceOf(thing) {
    if (!thing) return "";
    const piece = this.table.board.pieces && this.table.board.pieces.get(thing);
    return piece ? `space:${piece.space}` : thing.startsWith("space:") ? thing : "";
  }

  // ---- where they may go
  async aim(pieces) {
    const at = this.table.look.at, reply = await this.table.door.ask("orders", { pieces });
    if (!reply.ok || at !== this.table.look.at) return;
    const found = new Map();
    for (const order of reply.orders) if (order.to) found.set(order.to, [...(found.get(order.to) || []), order]);
    this.aims = { pieces, found, anywhere: reply.orders.some((order) => order.blind) };
    this.table.board.aim([...found.keys()]);
  }

  forget() {
    this.aims = null;
    this.table.board.aim([]);
  }

  // Whether a click is the second half of an order: a stack was opened, and this is where it may go.
  async follow(thing, event) {
    const aims = this.aims, to = this.spaceOf(thing);
    this.forget();
    if (!aims || !aims.found.has(to)) return false;
    await this.send(aims.pieces, to, event);
    return true;
  }

  async send(pieces, to, event) {
    const table = this.table;
    const here = pieces.map((id) => table.board.pieces.get(id)).filter(Boolean);
    if (!to || here.some((piece) => `space:${piece.space}` === to)) return;
    const reply = await table.door.ask("orders", { pieces, to });
    if (!reply.ok) { toast(reply.error, true); return; }
    if (!reply.orders.length) { toast(t("{0}: not to {1}", this.told(pieces), table.name(to)), true); table.panes.whyNot(to, pieces[0]); return; }
    if (reply.orders.length === 1) { await this.give(reply.orders[0]); return; }
    table.popup(table.name(to), reply.orders.map((order) => el("button", { type: "button", class: "act item", onclick: () => { table.closePopup(); this.give(order); } },
      order.text, el("small", {}, order.blind ? ` ${t("as far as the dice let it")}` : order.cost ? ` ${order.cost}` : ""))), event);
  }

  async give(order) {
    const table = this.table;
    if (order.draft.length) { await table.propose(order.draft, [order.to, ...order.pieces]); return; }
    if (order.later) this.waiting.push({ pieces: order.pieces, to: order.to, asked: this.asked(), left: false });
    await table.perform(order.keys);
  }

  asked() {
    const prompt = this.table.offer && this.table.offer.prompt;
    return prompt ? `${prompt.rule} ${prompt.text}` : "";
  }

  // ---- what waits
  // After every new look: whatever was ordered and can be done now is done.
  async next() {
    this.again = true;
    if (this.going) return;
    this.going++;
    while (this.again) {
      this.again = false;
      await this.whatWaits();
    }
    this.going--;
  }

  async whatWaits() {
    const table = this.table, prompt = table.offer && table.offer.prompt;
    if (!this.waiting.length || table.busy || table.draft.length || !prompt) return;
    const now = this.asked();
    this.waiting = this.waiting.filter((order) => !(order.left && order.asked === now));
    for (const order of this.waiting) if (order.asked !== now) order.left = true;
    for (const to of new Set(this.waiting.map((order) => order.to))) {
      const mine = this.waiting.filter((order) => order.to === to), pieces = mine.flatMap((order) => order.pieces);
      const reply = await table.door.ask("orders", { pieces, to });
      if (!reply.ok || table.busy) return;
      const found = reply.orders.find((order) => !order.later) || reply.orders.find((order) => order.blind);
      if (found) {
        if (!found.later) this.done(found.pieces, to);
        if (found.draft.length) await table.propose(found.draft, [to, ...found.pieces]);
        else await table.perform(found.keys);
        return;
      }
      const about = pieces.filter((id) => prompt.things.includes(id));
      if (about.length) { this.done(about, to); toast(t("{0}: not to {1}", this.told(about), table.name(to)), true); table.refresh(); }
    }
    this.draw();
  }

  done(pieces, to) {
    for (const order of this.waiting) if (order.to === to) order.pieces = order.pieces.filter((id) => !pieces.includes(id));
    this.waiting = this.waiting.filter((order) => order.pieces.length);
    this.draw();
  }

  drop_all() { this.waiting = []; this.forget(); this.draw(); }

  draw() {
    this.table.board.planned(this.waiting.flatMap((order) => order.pieces.map((id) => ({ points: [id, order.to], kind: "planned" }))));
  }

  told(pieces) {
    const names = pieces.map((id) => this.table.name(id));
    return names.length > 2 ? t("{0} and {1} more", names[0], names.length - 1) : names.join(", ");
  }

  // A line of what waits, in words; each can be taken back.
  line() {
    if (!this.waiting.length) return "";
    const chips = this.waiting.map((order) => el("button", { type: "button", class: "chip", title: t("leave it out"), onclick: () => { this.done(order.pieces, order.to); this.table.refresh(); } },
      `${this.told(order.pieces)} → ${this.table.name(order.to)} ×`));
    return el("p", { class: "draft waiting-orders" }, el("small", {}, t("ordered:")), ...chips);
  }
}
