// One table: what is seen, what is asked, and the gestures that answer it.
// Long because it is one class: every gesture changes what the others may do.
import { Board } from "./board.js";
import { dot, el, toast } from "./dom.js";
import { Door } from "./net.js";
import { Orders } from "./orders.js";
import { Panes } from "./panes.js";
import { t, turnTold } from "./words.js";

const MANY = 12; // acts in the list before one may narrow it down

export class Table {
  constructor(table, token, key) {
    this.door = new Door(table, token);
    this.key = key;
    this.look = null;
    this.offer = null;
    this.draft = [];
    this.picked = []; // things that were clicked to make the draft
    this.chosen = null; // the first thing of a pair, waiting for the second
    this.busy = false;
    this.board = new Board(byId("stage"), byId("trays"), {
      click: (thing, event) => this.clicked(thing, event),
      ask: (thing, event) => this.asked(thing, event),
      hover: (thing, event) => this.hovered(thing, event),
      grab: (thing, event) => this.orders.grab(thing, event),
      drag: (thing, event) => this.orders.drag(event, thing),
      drop: (thing, event) => this.orders.drop(thing, event),
    });
    this.orders = new Orders(this);
    this.panes = new Panes(this);
    this.keys = (event) => this.pressed(event);
    document.addEventListener("keydown", this.keys);
    this.away = (event) => { if (!byId("popup").contains(event.target)) this.closePopup(); };
    document.addEventListener("pointerdown", this.away);
    this.tools();
    this.open();
  }

  leave() {
    this.door.hush();
    this.board.leave();
    document.removeEventListener("keydown", this.keys);
    document.removeEventListener("pointerdown", this.away);
    this.closePopup();
    byId("curtain").hidden = true;
  }

  async open() {
    const ground = await this.door.ask("ground");
    if (!ground.ok) {
      byId("ask").replaceChildren(el("p", { class: "error" }, ground.error));
      return;
    }
    this.names = ground.names;
    this.goals = ground.goals;
    await this.board.ground(ground);
    this.listen();
  }

  listen() {
    this.door.listen((look) => this.take(look), (state) => {
      document.body.classList.toggle("away", state === "away");
      if (state === "refused") byId("ask").replaceChildren(el("p", { class: "error" }, t("This link does not lead to a seat any more.")));
    });
  }

  // ---- a new look
  take(look) {
    // at one screen a reply may come for the seat that was left meanwhile: it is not for who sits here now
    if (look.seats.length > 1 && look.seat !== this.door.seat) return;
    if (this.look && look.seat === this.look.seat && look.at < this.look.at) return;
    const fresh = !this.look || look.at !== this.look.at || look.seat !== this.look.seat;
    const before = this.look;
    this.look = look;
    if (!fresh) return;
    this.started = this.started || performance.now();
    if (this.changeSeats(look)) return;
    const same = before && JSON.stringify(before.offer) === JSON.stringify(look.offer) && before.seat === look.seat;
    if (!same) { this.offer = look.offer; this.clear(); }
    this.draw(before);
    this.orders.next();
  }

  // At one screen: whose turn it is sits down. With secrets the curtain falls first.
  changeSeats(look) {
    if (look.seats.length < 2) return false;
    const wanted = look.asked.mine;
    if (wanted === null || wanted === this.door.seat) return false;
    if (!look.curtain) { this.sitDown(wanted); return true; }
    if (this.door.seat !== null) { this.sitDown(null); return true; }
    this.curtain(look);
    return false;
  }

  sitDown(seat) {
    this.door.seat = seat;
    this.look = null;
    this.offer = null;
    this.orders.drop_all();
    this.listen();
  }

  curtain(look) {
    const box = byId("curtain");
    const ready = el("button", { class: "primary", type: "button", onclick: () => { box.hidden = true; this.sitDown(look.asked.mine); } }, t("I am here, alone"));
    box.replaceChildren(el("div", {}, el("h2", {}, t("{0}, it is your turn.", look.asked.name)), el("p", {}, t("The others look away.")), ready));
    box.hidden = false;
    ready.focus();
  }

  draw(before) {
    const look = this.look;
    document.title = `${look.asked.mine ? "● " : ""}${look.game}`;
    byId("title").textContent = look.game;
    this.standing(look);
    this.board.position(look.board, look.seat, look.players);
    this.orders.draw();
    this.refresh();
    this.panes.update(look, before);
    byId("table").dataset.at = look.at;
    byId("table").dataset.seat = look.seat || "";
  }

  standing(look) {
    const parts = [];
    if (look.standing.turn) parts.push(el("span", { class: "turn" }, turnTold(look.standing.turn)));
    if (look.standing.phases.length) parts.push(el("span", { class: "phase" }, look.standing.phases[look.standing.phases.length - 1]));
    for (const one of look.standing.watched) if (one.value) parts.push(el("span", { class: "watched" }, `${one.label} ${one.value}`));
    for (const player of look.players) {
      const score = look.standing.scores[player.id];
      const held = look.hand.held[player.id];
      const words = [player.name];
      if (score !== undefined) words.push(` ${score}`);
      const watched = look.standing.watched.filter((one) => player.id in one.of).map((one) => `${one.label} ${one.of[player.id]}`);
      if (watched.length === 1) words.push(` ${watched[0]}`);
      const chip = el("span", { class: `player${look.asked.of === player.id ? " asked" : ""}${look.seat === player.id ? " me" : ""}` },
        dot(player), words.join(""), held ? el("small", { title: t("tokens in hand") }, ` ▮${held}`) : "");
      const holdings = look.standing.holdings[player.id] || [];
      chip.title = [player.who === "human" ? t("a person") : t("computer ({0})", player.who), ...watched, ...holdings].join(", ");
      parts.push(chip);
    }
    byId("standing").replaceChildren(...parts);
  }

  // ---- the question
  clear() {
    this.draft = [];
    this.picked = [];
    this.chosen = null;
    this.filter = "";
    this.orders.forget();
    this.closePopup();
  }

  // Everything that can be clicked now: thing → acts.
  clickable() {
    const found = new Map();
    if (!this.offer) return found;
    const known = new Set([...this.picked, ...((this.offer.prompt && this.offer.prompt.things) || [])]);
    for (const act of this.offer.acts) {
      if (act.kind === "all") continue;
      const [first, second] = stages(act);
      let group = first.filter((thing) => !thing.startsWith("entry:"));
      if (this.chosen !== null) {
        if (!first.includes(this.chosen)) continue;
        group = second;
      } else if (!group.length || (second.length && group.every((thing) => known.has(thing)))) group = second;
      for (const thing of group) {
        if (thing.startsWith("entry:")) continue;
        if (!found.has(thing)) found.set(thing, []);
        found.get(thing).push(act);
      }
    }
    return found;
  }

  refresh() {
    const lit = this.clickable();
    const picked = new Set(this.picked);
    if (this.chosen !== null) picked.add(this.chosen);
    this.lit = lit;
    this.board.light(new Set(lit.keys()), picked, (thing) => this.labelled(thing), (this.offer && this.offer.prompt && this.offer.prompt.things) || []);
    this.showAsk();
    this.panes.hand(this.look, lit);
  }

  labelled(thing) {
    const acts = (this.lit && this.lit.get(thing)) || [];
    const piece = this.board.pieces && this.board.pieces.get(thing);
    const name = piece ? piece.words : this.name(thing);
    return acts.length === 1 ? `${name}: ${acts[0].text}` : name;
  }

  name(thing) {
    return (this.names && this.names[thing]) || thing.replace(/^\w+:/, "").replace(/_/g, " ");
  }

  showAsk() {
    const box = byId("ask"), look = this.look, parts = [];
    if (look.over) parts.push(this.ending(look));
    else if (!this.offer) parts.push(this.waiting(look));
    else {
      const prompt = this.offer.prompt;
      const me = look.players.find((player) => player.id === look.seat);
      parts.push(el("p", { class: "who" }, me ? dot(me) : "", me ? me.name : "", ...watchedOf(look, me), look.trouble ? ` · ${look.trouble}` : ""));
      if (prompt) {
        parts.push(el("h2", {}, capital(prompt.text), prompt.rule ? this.ruleLink(prompt.rule, prompt.title) : ""));
      }
      if (this.draft.length) parts.push(this.draftLine());
      parts.push(this.orders.line());
      parts.push(...this.actList());
    }
    const focused = document.activeElement && box.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    box.replaceChildren(...parts);
    if (focused !== null && focused !== undefined) {
      const again = [...box.querySelectorAll("[data-act]")].find((node) => node.dataset.act === focused);
      (again || box.querySelector("button.act") || box).focus?.();
    }
  }

  waiting(look) {
    const who = look.asked.name;
    const words = look.trouble ? look.trouble : look.seats.length > 1 && look.asked.mine ? t("The curtain is drawn.") : who ? t("{0} decides", who) : t("The others decide");
    return el("p", { class: `waiting${look.asked.computer ? " computer" : ""}` }, words, look.asked.computer ? el("span", { class: "dots", "aria-hidden": "true" }, " …") : "");
  }

  ending(look) {
    const result = look.result || { names: [], reason: "" };
    const verdict = result.names.length ? t("Won by {0}", result.names.join(t(" and "))) : result.outcome === "drawn" ? t("Drawn") : t("Nobody wins");
    return el("div", { class: "ending" }, el("h2", {}, verdict), el("p", {}, result.reason, result.rule ? this.ruleLink(result.rule, "") : ""));
  }

  draftLine() {
    const chips = this.picked.map((thing) => el("button", { type: "button", class: "chip", title: t("leave it out"), onclick: () => this.unpick(thing) }, this.name(thing), " ×"));
    const row = el("p", { class: "draft" }, ...chips);
    if (this.offer.complete) row.append(el("button", { type: "button", class: "primary", dataset: { act: "do" }, onclick: () => this.perform(this.draft) }, t("Do it ⏎")));
    row.append(el("button", { type: "button", class: "quiet", onclick: () => this.drop() }, t("Esc: not so")));
    return row;
  }

  actList() {
    const acts = this.offer.acts.filter((act) => this.chosen === null || act.first.includes(this.chosen));
    const parts = [];
    const ways = acts.filter((act) => act.kind === "done"), all = acts.filter((act) => act.kind === "all");
    const rest = acts.filter((act) => act.kind !== "done" && act.kind !== "all");
    if (rest.length > MANY) {
      const input = el("input", { type: "search", placeholder: t("{0} ways: type a part of a name  ( / )", rest.length), "aria-label": t("narrow the list"), value: this.filter || "" });
      input.addEventListener("input", () => { this.filter = input.value; fill(); });
      parts.push(input);
    }
    const list = el("div", { class: "acts", role: "list" });
    const fill = () => {
      const wanted = (this.filter || "").toLowerCase().split(/\s+/).filter(Boolean);
      const shown = rest.filter((act) => wanted.every((word) => act.text.toLowerCase().includes(word)));
      list.replaceChildren(...this.grouped(shown.slice(0, 200)));
    };
    fill();
    parts.push(list);
    const foot = el("div", { class: "ways" });
    for (const act of all) foot.append(this.actButton(act, "all"));
    for (const act of ways) foot.append(this.actButton(act, "done"));
    if (this.offer.held && !this.draft.length) {
      const held = this.offer.held;
      foot.append(el("button", { type: "button", class: "act held", title: t("not yet: click to see why"), onclick: () => this.panes.whyNot(`entry:${held}`, null) }, capital(held), el("small", {}, ` ${t("not yet: why?")}`)));
    }
    if (this.offer.rest && !this.draft.length && rest.length) {
      foot.append(el("button", { type: "button", class: "quiet rest", title: t("the computer decides for you until this part is over"), onclick: () => this.restForMe() }, t("The rest for me: {0}", t(this.offer.rest))));
    }
    if (foot.children.length) parts.push(foot);
    return parts;
  }

  // Acts of one thing in one line: its modes beside each other.
  grouped(acts) {
    const rows = [];
    for (let i = 0; i < acts.length; i++) {
      const act = acts[i];
      if (act.kind !== "mode" && act.kind !== "together") { rows.push(this.actRow(act)); continue; }
      const modes = [act], about = headOf(act);
      while (i + 1 < acts.length && acts[i + 1].kind === act.kind && acts[i + 1].keys[0] === act.keys[0] && headOf(acts[i + 1]) === about) modes.push(acts[++i]);
      const head = capital(about);
      const row = el("div", { class: "row modes", role: "listitem" }, el("span", { class: "head" }, head));
      for (const mode of modes) {
        const button = this.actButton(mode, "mode", mode.text.slice(mode.text.lastIndexOf(": ") + 2));
        row.append(button);
      }
      this.pointing(row, act);
      rows.push(row);
    }
    return rows;
  }

  actRow(act) {
    const button = this.actButton(act, "act");
    const more = el("button", { type: "button", class: "more", title: t("odds, why"), "aria-label": t("more about {0}", act.text), onclick: (event) => { event.stopPropagation(); this.more(act, event.currentTarget); } }, "⋯");
    const row = el("div", { class: "row", role: "listitem" }, button, more);
    this.pointing(row, act);
    return row;
  }

  actButton(act, kind, words = null) {
    const text = words !== null ? words : act.kind === "all" ? allOf(act) : act.text;
    const button = el("button", { type: "button", class: `act ${kind}`, dataset: { act: act.id }, onclick: () => this.take_act(act) }, capital(text));
    if (act.preview.cost) button.append(el("small", {}, ` ${act.preview.cost}${act.preview.stops ? ` · ${act.preview.stops}` : ""}`));
    else if (act.preview.then === "dice") button.append(el("small", { title: t("dice follow") }, " ⚄"));
    if (act.further) button.append(el("small", {}, " …"));
    if (kind === "done") button.append(el("kbd", {}, "d"));
    if (text !== act.text) { button.setAttribute("aria-label", act.text); button.title = act.text; }
    return button;
  }

  pointing(node, act) {
    const show = () => this.preview(act), hide = () => this.preview(null);
    node.addEventListener("pointerenter", show);
    node.addEventListener("pointerleave", hide);
    node.addEventListener("focusin", show);
    node.addEventListener("focusout", hide);
  }

  preview(act) {
    this.board.point(act ? [...act.first, ...act.second] : []);
    const way = act && act.preview.way.length ? [{ points: [...act.first.slice(0, 1), ...act.preview.way.map((space) => `space:${space}`)], kind: "planned" }] : [];
    this.board.arrows(way);
  }

  // ---- gestures
  clicked(thing, event) {
    this.closePopup();
    this.tip(null);
    if (!this.look || this.busy) return;
    if (this.orders.aims) {
      const is_aim = this.orders.aims.found.has(this.orders.spaceOf(thing));
      if (is_aim) { this.orders.follow(thing, event); return; }
      this.orders.forget();
    }
    if (thing === null) { if (this.chosen !== null) { this.chosen = null; this.refresh(); } return; }
    if (this.picked.includes(thing)) { this.unpick(thing); return; }
    if (thing === this.chosen) { this.chosen = null; this.refresh(); return; }
    const pile = this.pileOf(thing);
    const alike = pile && thing.startsWith("piece:") ? this.alike(this.litOf(pile)) : null;
    if (alike) { this.use(alike, event); return; }
    const acts = this.lit ? this.lit.get(thing) : null;
    if (pile && pile.length > 1 && this.litOf(pile).length !== 1 && !(acts && thing.startsWith("space:"))) { this.fan(pile, event); return; }
    if (!acts && pile) {
      const lit = this.litOf(pile);
      if (lit.length === 1) { this.use(lit[0], event); return; }
    }
    if (!acts && thing.startsWith("piece:")) {
      const piece = this.board.pieces.get(thing);
      const under = piece ? `space:${piece.space}` : "";
      if (this.lit && this.lit.has(under)) { this.use(under, event); return; }
    }
    if (acts) this.use(thing, event);
    else this.panes.about(thing);
  }

  // The counters that lie together with a thing: those of its pile, or all of a space.
  pileOf(thing) {
    const piece = this.board.pieces && this.board.pieces.get(thing);
    if (piece) return piece.pile.pieces.map((one) => one.id);
    if (!thing.startsWith("space:")) return null;
    const found = [];
    for (const [id, one] of this.board.pieces || []) if (`space:${one.space}` === thing) found.push(id);
    return found.length ? found : null;
  }

  // Of counters that look the same either will do.
  alike(things) {
    if (things.length < 2) return null;
    const looks = things.map((thing) => {
      const piece = this.board.pieces.get(thing);
      return [this.board.printed.faces[piece.face], piece.turned, (piece.marks || []).join()].join("|");
    });
    return looks.every((one) => one === looks[0]) ? things[0] : null;
  }

  litOf(things) { return this.lit ? things.filter((thing) => this.lit.has(thing)) : []; }

  use(thing, event) {
    const acts = this.lit.get(thing);
    const begins = (act) => stages(act)[1].length > 0 && stages(act)[0].includes(thing);
    if (acts.length === 1 && (this.chosen !== null || !begins(acts[0]))) {
      const act = acts[0];
      if (event && event.pointerType === "touch" && act.kind === "move" && this.waitingFor !== act.id) {
        this.waitingFor = act.id;
        this.preview(act);
        toast(t("{0}: touch again to go", `${act.text}${act.preview.cost ? ` (${act.preview.cost})` : ""}`));
        return;
      }
      this.take_act(act);
      return;
    }
    const pairs = acts.filter(begins);
    if (pairs.length === acts.length && this.chosen === null && pairs.some((act) => stages(act)[1].some((other) => !other.startsWith("entry:")))) {
      this.chosen = thing;
      this.refresh();
      return;
    }
    this.menu(thing, acts, event);
  }

  menu(thing, acts, event) {
    const items = acts.map((act) => {
      const words = act.kind === "mode" ? act.text.slice(act.text.lastIndexOf(": ") + 2) : act.text;
      const row = el("div", { class: "row" }, this.actButton(act, "item", words));
      if (act.preview.then === "dice" || act.kind === "choose") row.append(el("button", { type: "button", class: "more", "aria-label": t("odds of {0}", act.text), onclick: () => { this.closePopup(); this.panes.odds(act.keys, act.text); } }, "%"));
      this.pointing(row, act);
      return row;
    });
    this.popup(this.name(thing), items, event);
    if (thing.startsWith("piece:")) this.orders.aim([thing]);
  }

  fan(pile, event) {
    const items = pile.map((id) => {
      const piece = this.board.pieces.get(id);
      const lit = this.lit && this.lit.has(id), chosen = this.picked.includes(id);
      const picture = this.picture(piece);
      const button = el("button", { type: "button", class: `fan${lit ? " lit" : ""}${chosen ? " chosen" : ""}`, "aria-pressed": chosen ? "true" : null,
        onclick: (click) => { this.closePopup(); if (chosen) this.unpick(id); else if (lit) this.use(id, click.clientX ? click : event); else this.panes.about(id); } },
        picture, el("span", {}, piece.words));
      button.addEventListener("contextmenu", (click) => { click.preventDefault(); this.closePopup(); this.asked(id, click); });
      button.addEventListener("pointerdown", (press) => this.board.hold(id, press));
      return button;
    });
    const whole = new Set(pile.flatMap((id) => (this.lit && this.lit.get(id)) || []).filter((act) => act.kind === "together"));
    if (whole.size) items.unshift(...this.grouped([...whole]));
    const piece = this.board.pieces.get(pile[0]);
    this.popup(piece.space ? this.name(`space:${piece.space}`) : "", items, event);
    const lit = this.litOf(pile);
    if (lit.length && !this.draft.length) this.orders.aim(lit);
  }

  picture(piece) {
    const size = this.board.printed.face;
    const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    holder.setAttribute("viewBox", `-1 -1 ${size + 4} ${size + 4}`);
    holder.setAttribute("width", "44");
    holder.setAttribute("height", "44");
    holder.setAttribute("aria-hidden", "true");
    holder.append(this.board.counter(piece, size, this.look.board.backs));
    return holder;
  }

  popup(title, items, event) {
    const box = byId("popup");
    box.replaceChildren(title ? el("h3", {}, title) : "", ...items);
    box.hidden = false;
    const at = event && event.clientX ? { x: event.clientX, y: event.clientY } : middleOf(event);
    const width = box.offsetWidth, height = box.offsetHeight;
    box.style.left = `${Math.max(6, Math.min(at.x + 8, innerWidth - width - 6))}px`;
    box.style.top = `${Math.max(6, Math.min(at.y + 8, innerHeight - height - 6))}px`;
    this.focusBefore = document.activeElement;
    const first = box.querySelector("button");
    if (first) first.focus({ preventScroll: true });
  }

  closePopup() {
    const box = byId("popup");
    if (box.hidden) return;
    box.hidden = true;
    box.replaceChildren();
    this.preview(null);
  }

  more(act, node) {
    const at = node.getBoundingClientRect();
    this.popup(act.text, [
      el("button", { type: "button", class: "act item", onclick: () => { this.closePopup(); this.panes.odds(act.keys, act.text); } }, t("What may come of it (odds)")),
      el("button", { type: "button", class: "act item", onclick: () => { this.closePopup(); this.panes.why(act); } }, t("Why it is offered")),
      el("button", { type: "button", class: "act item", onclick: () => { this.closePopup(); this.take_act(act); } }, t("Do it")),
    ], { clientX: at.left - 200, clientY: at.bottom });
  }

  // "Why not?" for what cannot be clicked; for what can, what may come of it.
  asked(thing, event) {
    if (thing === null || !this.look) return;
    const pile = this.pileOf(thing);
    const what = thing.startsWith("space:") || !pile ? thing : thing;
    if (this.look.offer && !(this.lit && this.lit.has(what))) this.panes.whyNot(what, this.chosen);
    else if (this.lit && this.lit.has(what)) {
      const acts = this.lit.get(what);
      if (acts.length === 1) this.panes.odds(acts[0].keys, acts[0].text);
      else this.menu(what, acts, event);
    } else this.panes.about(what);
  }

  hovered(thing, event) {
    if (thing === this.over) { if (thing) this.moveTip(event); return; }
    this.over = thing;
    if (thing === null) { this.tip(null); if (this.lit) this.preview(null); return; }
    const acts = this.lit && this.lit.get(thing);
    const piece = this.board.pieces && this.board.pieces.get(thing);
    const zone = this.board.zones.get(thing);
    const lines = [];
    if (piece) {
      const pile = piece.pile.pieces;
      lines.push(...(pile.length > 1 ? pile.map((one) => one.words).slice(0, 12) : [piece.words]));
    } else if (zone) lines.push(zone.dataset.words);
    else lines.push(this.name(thing));
    if (acts && acts.length === 1) {
      lines.push(`→ ${acts[0].text}${acts[0].preview.cost ? ` (${acts[0].preview.cost}${acts[0].preview.stops ? `, ${acts[0].preview.stops}` : ""})` : ""}`);
      this.preview(acts[0]);
    } else if (this.lit) this.preview(null);
    this.tip(lines, event);
  }

  tip(lines, event) {
    const box = byId("tip");
    if (!lines || (event && event.pointerType === "touch")) { box.hidden = true; return; }
    box.replaceChildren(...lines.map((line) => el("div", { class: line.startsWith("→") ? "do" : null }, line)));
    box.hidden = false;
    this.moveTip(event);
  }

  moveTip(event) {
    const box = byId("tip");
    if (box.hidden || !event) return;
    box.style.left = `${Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 6)}px`;
    box.style.top = `${Math.min(event.clientY + 18, innerHeight - box.offsetHeight - 6)}px`;
  }

  // ---- doing
  async take_act(act) {
    this.closePopup();
    this.waitingFor = null;
    if (act.further || act.series === "gather") {
      const known = new Set(this.picked);
      const news = [...act.first, ...(this.chosen !== null ? act.second : [])].filter((thing) => !known.has(thing) && !thing.startsWith("entry:"));
      await this.propose(act.keys, [...this.picked, ...news]);
    } else await this.perform(act.keys);
  }

  async propose(keys, picked) {
    const reply = await this.door.ask("offer", { draft: keys });
    if (!reply.ok) { toast(reply.error, true); return; }
    this.draft = keys;
    this.picked = picked;
    this.chosen = null;
    this.offer = reply.offer;
    if (!this.offer.acts.length) { await this.perform(keys); return; }
    this.refresh();
    this.board.reveal([...this.clickable().keys()].slice(0, 8));
  }

  async unpick(thing) {
    const place = this.picked.indexOf(thing);
    const id = thing.replace(/^\w+:/, "");
    const keys = this.draft.filter((key) => !key.split(":").pop().split("+").includes(id));
    if (place <= 0 || !keys.length || keys.length === this.draft.length) { this.drop(); return; }
    const reply = await this.door.ask("offer", { draft: keys });
    if (!reply.ok) { this.drop(); return; }
    this.draft = keys;
    this.picked = this.picked.filter((other) => other !== thing);
    this.offer = reply.offer;
    this.refresh();
  }

  drop() {
    this.clear();
    this.offer = this.look ? this.look.offer : null;
    if (this.look) this.refresh();
  }

  async perform(keys) {
    if (this.busy) return;
    this.busy = true;
    document.body.classList.add("busy");
    const begun = performance.now();
    const reply = await this.door.ask("act", { keys, at: this.look.at });
    this.busy = false;
    document.body.classList.remove("busy");
    if (!reply.ok) {
      if (reply.code === "stale" || reply.code === "turn") { const look = await this.door.ask("look"); if (look.ok) this.take(look); }
      toast(reply.error, reply.code !== "stale");
      this.drop();
      return;
    }
    this.take(reply);
    this.orders.next(); // the news may have been here before the reply
    if (reply.stopped) toast(t("The rest was not done: {0}.", reply.stopped));
    requestAnimationFrame(() => { (window.clicks = window.clicks || []).push(performance.now() - begun); });
  }

  async restForMe() {
    this.busy = true;
    toast(t("the computer decides for you …"));
    const reply = await this.door.ask("rest", { at: this.look.at });
    this.busy = false;
    if (!reply.ok) { toast(reply.error, true); return; }
    this.take(reply);
    toast(reply.done === 1 ? t("One decision was made for you; undo takes it back.")
      : t("{0} decisions were made for you; undo takes them back.", reply.done));
  }

  async undo(insist = false) {
    this.orders.drop_all();
    const reply = await this.door.ask("undo", insist ? { insist: true } : {});
    if (reply.ok) {
      if (reply.seat !== this.door.seat && this.look.seats.length > 1) this.sitDown(reply.seat);
      else this.take(reply);
      toast(reply.taken_back > 1 ? t("taken back: {0} decisions", reply.taken_back) : t("taken back: one decision"));
    } else if (/undo!/.test(reply.error)) {
      this.popup(t("Take it back all the same?"), [
        el("p", {}, reply.error.replace(/;.*$/, t(". The log will say so."))),
        el("button", { type: "button", class: "act item", onclick: () => { this.closePopup(); this.undo(true); } }, t("Yes, take it back")),
        el("button", { type: "button", class: "act item", onclick: () => this.closePopup() }, t("No")),
      ], { clientX: innerWidth / 2 - 120, clientY: 60 });
    } else toast(reply.error, true);
  }

  async hint() {
    if (!this.look || !this.look.offer) { toast(t("it is not you who is asked")); return; }
    toast(t("thinking …"));
    const reply = await this.door.ask("hint");
    if (!reply.ok) { toast(reply.error, true); return; }
    toast(t("The computer would: {0}", reply.text) + (reply.why ? ` (${reply.why})` : ""));
    const act = this.look.offer.acts.find((one) => one.keys[0] === reply.key);
    if (act) { this.board.point([...act.first, ...act.second]); this.board.reveal(act.first); }
  }

  ruleLink(rule, title) {
    return el("button", { type: "button", class: "rule", title: title || rule, onclick: (event) => { event.stopPropagation(); this.panes.rule(rule); } }, rule);
  }

  // ---- tools and keys
  tools() {
    const tool = (words, title, act, id) => el("button", { type: "button", id, title, "aria-label": title, onclick: act }, words);
    byId("tools").replaceChildren(
      tool("↶", t("Take back (u)"), () => this.undo(), "undo"),
      tool("✦", t("What would the computer do? (h)"), () => this.hint(), "hint"),
      tool("▷", t("What happened since my last decision (r)"), () => this.panes.replay(), "replay"),
      tool("⚙", t("Menu (m)"), (event) => this.openMenu(event), "menu"),
    );
    byId("zoom").replaceChildren(
      tool("+", t("Nearer (+)"), () => this.board.zoom(1.35), "nearer"),
      tool("−", t("Farther (−)"), () => this.board.zoom(1 / 1.35), "farther"),
      tool("⤢", t("Whole map (0)"), () => this.board.fit(), "fit"),
    );
    byId("home").onclick = () => { location.hash = this.key ? `key=${this.key}` : ""; };
    byId("home").hidden = !this.key;
  }

  openMenu(event) {
    const item = (words, act) => el("button", { type: "button", class: "act item", onclick: () => { this.closePopup(); act(); } }, words);
    const items = [
      item(t("What the signs mean"), () => this.panes.legend(this.board.printed.legend)),
      item(t("The rulebook"), () => this.panes.contents()),
      item(t("Keys and gestures"), () => this.panes.help()),
    ];
    if (this.look && this.look.host) {
      items.unshift(item(t("Seats and links"), () => this.panes.seats()));
      items.push(item(t("Send as a file (play by mail)"), () => this.saveFile()));
    }
    this.popup("", items, event);
  }

  async saveFile() {
    const reply = await this.door.ask("save");
    if (!reply.ok) { toast(reply.error, true); return; }
    const link = el("a", { href: URL.createObjectURL(new Blob([reply.text], { type: "text/plain" })), download: reply.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    toast(t("{0}: it holds the whole game, secrets included. The game is kept here, too.", reply.name));
  }

  pressed(event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "Escape") {
      if (!byId("popup").hidden) { this.closePopup(); this.orders.forget(); return; }
      if (typing) { event.target.blur(); return; }
      this.orders.drop_all();
      this.drop();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !byId("curtain").hidden) return;
    const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    const inList = event.target.closest && event.target.closest("#ask, #popup, #pane");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (inList && inList.id !== "pane") { this.stepFocus(inList, event.key === "ArrowDown" ? 1 : -1); event.preventDefault(); return; }
    }
    if (steps[event.key] && !inList) { this.board.pan(...steps[event.key]); event.preventDefault(); return; }
    const acts = {
      u: () => this.undo(), h: () => this.hint(), r: () => this.panes.replay(), m: () => this.openMenu({ clientX: innerWidth - 260, clientY: 48 }),
      "+": () => this.board.zoom(1.35), "=": () => this.board.zoom(1.35), "-": () => this.board.zoom(1 / 1.35), 0: () => this.board.fit(),
      n: () => this.nextLit(1), p: () => this.nextLit(-1), d: () => this.done(), "?": () => this.panes.help(), l: () => this.panes.show("log"),
      a: () => { const first = byId("ask").querySelector("button.act"); if (first) first.focus(); },
      "/": () => { const input = byId("ask").querySelector("input"); if (input) input.focus(); },
      o: () => { const id = event.target.dataset && event.target.dataset.act; const act = id && this.offer && this.offer.acts.find((one) => one.id === id); if (act) this.panes.odds(act.keys, act.text); },
      Enter: () => { if (this.offer && this.offer.complete && this.draft.length && !inList) this.perform(this.draft); else return false; return true; },
    };
    const act = acts[event.key];
    if (act && act() !== false) event.preventDefault();
  }

  stepFocus(box, by) {
    const all = [...box.querySelectorAll("button:not(.more), input")];
    const now = all.indexOf(document.activeElement);
    const next = all[(now + by + all.length) % all.length];
    if (next) next.focus();
  }

  nextLit(by) {
    const all = [...document.querySelectorAll("#stage [tabindex='0'], #trays .lit > .grip, #trays button.lit")];
    if (!all.length) return;
    const now = all.indexOf(document.activeElement);
    const next = all[(now + by + all.length) % all.length];
    next.focus();
    this.board.reveal([next.closest("[data-thing]").dataset.thing]);
  }

  done() {
    const act = this.offer && this.offer.acts.find((one) => one.kind === "done");
    if (act) this.take_act(act);
    else if (this.offer && this.offer.held) this.panes.whyNot(`entry:${this.offer.held}`, null);
  }
}

// What is clicked first and what second: an act about several things is begun with the first of them.
function stages(act) {
  if (act.second.length || act.first.length < 2) return [act.first, act.second];
  return [[act.first[0]], act.first.slice(1)];
}

// What a player of this game watches, as its rulebook says: activations left, support.
function watchedOf(look, player) {
  const found = look.standing.watched.filter((one) => player && player.id in one.of && one.of[player.id] !== "?");
  return found.length > 1 ? [el("small", {}, found.map((one) => ` · ${one.label} ${one.of[player.id]}`).join(""))] : [];
}

function byId(id) { return document.getElementById(id); }

// What an act is about, and (after the last colon) in which way.
function headOf(act) { return act.text.slice(0, act.text.lastIndexOf(": ")); }

function capital(text) { return text.slice(0, 1).toUpperCase() + text.slice(1); }

// "all (a, b, c)": how many are enough to read, the names are in the label.
function allOf(act) {
  const names = act.text.slice(act.text.indexOf("(") + 1, -1).split(", ");
  return names.length > 3 ? `${act.text.slice(0, act.text.indexOf("("))}(${names.length})` : act.text;
}

function middleOf(event) {
  const node = event && event.target && event.target.getBoundingClientRect ? event.target.getBoundingClientRect() : null;
  return node ? { x: node.left + node.width / 2, y: node.top + node.height / 2 } : { x: innerWidth / 2, y: innerHeight / 2 };
}
