// Beside the map: the log, a rule, odds, what stands against something, talk, seats.
import { dot, drawn, el, paragraphs, toast } from "./dom.js";
import { t } from "./words.js";

const TABS = [["log", "Log"], ["rule", "Rule"], ["about", "Look"], ["talk", "Talk"]];

export class Panes {
  constructor(table) {
    this.table = table;
    this.pane = document.getElementById("pane");
    this.tab = "log";
    this.kept = {};
    const nav = document.getElementById("tabs");
    nav.replaceChildren(...TABS.map(([id, words]) => el("button", { type: "button", role: "tab", id: `tab-${id}`, onclick: () => this.show(id) }, t(words))));
    this.step = -1;
  }

  show(tab) {
    this.tab = tab;
    for (const [id] of TABS) document.getElementById(`tab-${id}`).setAttribute("aria-selected", String(id === tab));
    this.pane.setAttribute("aria-labelledby", `tab-${tab}`);
    document.body.dataset.tab = tab;
    if (tab === "log") this.log();
    else if (tab === "talk") this.talk();
    else this.pane.replaceChildren(...(this.kept[tab] || [el("p", { class: "quiet" }, tab === "rule" ? t("Click on a number of a paragraph.") : t("Click on something on the map, or with the right button (a long press) on what cannot be chosen."))]));
  }

  keep(tab, ...parts) {
    this.kept[tab] = parts;
    this.show(tab);
    this.pane.scrollTop = 0;
  }

  update(look, before) {
    if (before && look.talk.length > before.talk.length && this.tab !== "talk") document.getElementById("tab-talk").classList.add("news");
    if (this.tab === "log" || this.tab === "talk") this.show(this.tab);
    this.guide(look);
  }

  guide(look) {
    const box = document.getElementById("guide"), guide = look.guide;
    box.hidden = !guide;
    if (!guide) { box.replaceChildren(); return; }
    const lit = (guide.things || []).length ? [el("button", { type: "button", class: "quiet", onclick: () => { this.table.board.point(guide.things); this.table.board.reveal(guide.things); } }, t("Show me"))] : [];
    box.replaceChildren(el("h3", {}, t("{0} of {1}: {2}", guide.step, guide.steps, guide.title)), ...guide.text.split("\n\n").map((part) => el("p", {}, part)),
      el("p", { class: "buttons" }, ...lit, guide.rule ? this.table.ruleLink(guide.rule, "") : ""));
    if ((guide.things || []).length) this.table.board.point(guide.things);
  }

  // ---- the log
  things(ids) {
    const names = this.table.names || {};
    return ids.flatMap((id) => (id.includes(":") ? [id] : ["piece", "space", "player", "token"].map((kind) => `${kind}:${id}`).filter((thing) => thing in names)));
  }

  line(entry) {
    const things = this.things(entry.things || []);
    const node = el("li", { class: `line k-${entry.kind}`, tabindex: things.length ? 0 : null });
    this.words(node, entry);
    const rules = (entry.rules || []).slice(0, 3);
    for (const rule of rules) node.append(" ", this.table.ruleLink(rule, ""));
    const detail = (entry.parts || []).flatMap((part) => part.detail || []);
    if (detail.length) node.append(el("details", { class: "sums" }, el("summary", {}, t("sums")), ...detail.map((text) => el("div", {}, text))));
    if (things.length) {
      const show = () => this.table.board.point(things), hide = () => this.table.board.point([]);
      node.addEventListener("pointerenter", show);
      node.addEventListener("pointerleave", hide);
      node.addEventListener("focus", show);
      node.addEventListener("blur", hide);
      node.addEventListener("click", () => this.table.board.reveal(things));
    }
    return node;
  }

  // The name of who did it in his colour, rolls set apart.
  words(node, entry) {
    let text = entry.text;
    const player = this.table.look && this.table.look.players.find((one) => one.id === entry.who);
    if (player && text.startsWith(`${player.name}: `)) {
      node.append(dot(player), el("b", {}, `${player.name}: `));
      text = text.slice(player.name.length + 2);
    }
    for (const roll of (entry.parts || []).filter((part) => part.kind === "roll")) {
      const at = text.indexOf(roll.text);
      if (at < 0) continue;
      node.append(text.slice(0, at), el("span", { class: "roll" }, roll.text));
      text = text.slice(at + roll.text.length);
    }
    node.append(text);
  }

  log() {
    const look = this.table.look;
    if (!look) return;
    const old = this.older && this.olderFor === look.seat ? this.older : null;
    const lines = old && old.at === look.at ? old.lines : look.log;
    const list = el("ol", { class: "log", "aria-label": t("log") }, ...lines.map((entry) => this.line(entry)));
    const more = lines === look.log && !look.log_whole
      ? [el("button", { type: "button", class: "quiet", onclick: () => this.earlier() }, t("earlier …"))] : [];
    const whole = more.length ? [] : [this.welcome(look)];
    this.pane.replaceChildren(...more, ...whole, list);
    this.pane.scrollTop = this.pane.scrollHeight;
  }

  // Above the first line of the log: what this is, who one is and what one wants.
  welcome(look) {
    const me = look.players.find((player) => player.id === look.seat), goal = me && (this.table.goals || {})[me.id];
    return el("div", { class: "welcome" }, el("p", {}, look.summary),
      me ? el("p", {}, dot(me), el("b", {}, t("You play {0}.", me.name)), goal ? ` ${goal}` : "") : "",
      el("p", { class: "quiet" }, t("What is lit can be clicked, or dragged to where it shall go; a right click says why not.")));
  }

  async earlier() {
    const look = this.table.look;
    const reply = await this.table.door.ask("log");
    if (!reply.ok) { toast(reply.error, true); return; }
    this.older = { at: look.at, lines: reply.lines };
    this.olderFor = look.seat;
    this.log();
    this.pane.scrollTop = 0;
  }

  // ---- what happened since my last decision
  async replay() {
    const reply = await this.table.door.ask("since");
    if (!reply.ok) { toast(reply.error, true); return; }
    if (!reply.lines.length) { toast(t("nothing has happened since your last decision")); return; }
    this.steps = withWays(reply);
    this.step = -1;
    this.drawSteps();
    this.table.board.arrows(this.steps.flatMap((step) => step.ways), true);
  }

  go(number) {
    this.step = Math.max(0, Math.min(this.steps.length - 1, number));
    const step = this.steps[this.step];
    const things = this.things(step.line.things || []);
    this.drawSteps();
    this.table.board.arrows(step.ways, true);
    this.table.board.point(things);
    this.table.board.reveal(things);
  }

  drawSteps() {
    const at = this.step;
    const bar = el("p", { class: "buttons stepper" },
      el("button", { type: "button", onclick: () => this.go(at - 1), disabled: at <= 0 || null, "aria-label": t("step back") }, "◁"),
      el("button", { type: "button", class: "primary", onclick: () => this.go(at + 1), disabled: at >= this.steps.length - 1 || null, id: "step-on", "aria-label": t("next step") }, at < 0 ? t("Step through ▷") : "▷"),
      el("span", {}, at < 0 ? t("{0} things happened", this.steps.length) : t("{0} of {1}", at + 1, this.steps.length)),
      el("button", { type: "button", class: "quiet", onclick: () => { this.table.board.arrows([]); this.table.board.point([]); this.show("log"); } }, t("Close")));
    const list = el("ol", { class: "log steps" });
    this.steps.forEach((step, number) => {
      const node = this.line(step.line);
      node.classList.toggle("now", number === at);
      node.addEventListener("click", () => this.go(number));
      list.append(node);
    });
    this.keep("about", el("h3", {}, t("Since your last decision")), bar, list);
    const now = this.pane.querySelector(".now");
    if (now) now.scrollIntoView({ block: "nearest" });
  }

  // ---- rules
  async rule(number) {
    const reply = await this.table.door.ask("rule", { rule: number });
    if (!reply.ok) { toast(reply.error, true); return; }
    const below = reply.below.map((entry) => el("li", {}, this.table.ruleLink(entry.id, entry.title), ` ${entry.title}`));
    const program = reply.program.length ? [el("details", {}, el("summary", {}, t("as a program")), ...reply.program.map((text) => el("pre", {}, text)))] : [];
    this.keep("rule", el("h3", {}, el("span", { class: "number" }, reply.id), ` ${reply.title}`), paragraphs(reply.prose),
      below.length ? el("ul", { class: "below" }, ...below) : "", ...program, el("p", {}, el("button", { type: "button", class: "quiet", onclick: () => this.contents() }, t("the whole rulebook"))));
  }

  async contents() {
    const reply = await this.table.door.ask("contents");
    if (!reply.ok) { toast(reply.error, true); return; }
    this.keep("rule", el("h3", {}, t("The rulebook")), el("ul", { class: "below" }, ...reply.paragraphs.map((entry) => el("li", {}, this.table.ruleLink(entry.id, entry.title), ` ${entry.title}`))));
  }

  // ---- questions
  clause(clause) {
    const words = [clause.label, clause.said].filter(Boolean).join(": ");
    return el("li", {}, words || clause.title, " ", clause.rule ? this.table.ruleLink(clause.rule, clause.title) : "", ...clause.readings.map((reading) => el("small", {}, t(" (reading {0})", reading))));
  }

  async whyNot(thing, chosen) {
    const things = chosen && chosen !== thing ? [chosen, thing] : [thing];
    const reply = await this.table.door.ask("why_not", { things });
    const name = this.table.name(thing);
    if (!reply.ok) { this.about(thing, reply.error); return; }
    if (reply.offered) { this.about(thing); return; }
    this.keep("about", el("h3", {}, t("Why not {0}?", name)), el("ul", { class: "clauses" }, ...reply.clauses.map((clause) => this.clause(clause))),
      el("p", {}, el("button", { type: "button", class: "quiet", onclick: () => this.about(thing) }, t("all about {0}", name))));
    this.table.board.point([thing]);
  }

  async why(act) {
    const reply = await this.table.door.ask("why", { key: act.keys[0] });
    if (!reply.ok) { toast(reply.error, true); return; }
    const parts = [el("h3", {}, t("Why {0}?", act.text)), el("p", {}, t("Offered by "), this.table.ruleLink(reply.rule, reply.title), ` ${reply.title}`)];
    if (reply.met.length) parts.push(el("h4", {}, t("It meets")), el("ul", { class: "clauses" }, ...reply.met.map((clause) => this.clause(clause))));
    if (reply.considered.length) parts.push(el("details", {}, el("summary", {}, t("What could have forbidden it, and does not")), el("ul", { class: "clauses" }, ...reply.considered.map((clause) => this.clause(clause)))));
    this.keep("about", ...parts);
  }

  async odds(keys, text) {
    this.keep("about", el("h3", {}, text), el("p", { class: "quiet" }, t("reckoning …")));
    const reply = await this.table.door.ask("odds", { keys });
    if (!reply.ok) { this.keep("about", el("h3", {}, text), el("p", {}, reply.error)); return; }
    const parts = [el("h3", {}, text)];
    if (reply.about.length) parts.push(el("p", { class: "quiet" }, reply.about.join("; ")));
    for (const note of reply.notes) parts.push(el("p", { class: "error" }, note));
    for (const sum of reply.sums) {
      const line = el("p", { class: "sum" }, el("b", {}, `${sum.name} ${sum.value}`));
      sum.parts.forEach((part, number) => line.append(number ? ", " : ": ", `${part.label} ${part.amount} `, part.rule ? this.table.ruleLink(part.rule, "") : ""));
      parts.push(line);
    }
    if (reply.always.length) parts.push(el("h4", {}, t("In every case")), el("ul", { class: "clauses" }, ...reply.always.map((change) => el("li", {}, change))));
    const chancy = reply.outcomes.length > 1;
    if (!chancy && !reply.always.length && !reply.single.length) parts.push(el("p", {}, t("Nothing about it is left to chance.")));
    if (chancy) {
      parts.push(el("h4", {}, t("What may come of it")), el("ul", { class: "odds" }, ...reply.outcomes.map((outcome) => bar(outcome,
        [outcome.results.join(", "), outcome.dice.length ? t("dice {0}", outcome.dice.join(", ")) : ""].filter(Boolean).join("; "), outcome.changes))));
      if (reply.single.length) parts.push(el("h4", {}, t("Each by itself")), el("ul", { class: "odds" }, ...reply.single.map((one) => bar(one, one.text, []))));
    }
    this.keep("about", ...parts);
  }

  async about(thing, remark = "") {
    const reply = await this.table.door.ask("thing", { thing });
    if (!reply.ok) { if (remark) toast(remark, true); return; }
    const facts = reply.facts.map((fact) => el("tr", {}, el("th", { scope: "row" }, fact.name), el("td", {}, fact.value || t("yes"))));
    const offered = this.table.look && this.table.look.offer;
    this.keep("about", el("h3", {}, reply.name, el("small", {}, ` ${reply.kind}`)), remark ? el("p", {}, remark) : "", el("table", { class: "facts" }, ...facts),
      reply.rule ? el("p", {}, this.table.ruleLink(reply.rule, "")) : "",
      offered ? el("p", {}, el("button", { type: "button", class: "quiet", onclick: () => this.whyNot(thing, this.table.chosen) }, t("Why can I not choose it?"))) : "");
    this.table.board.point([thing]);
  }

  legend(text) {
    if (!text) { toast(t("there is nothing to explain")); return; }
    const picture = drawn(text);
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    this.keep("about", el("h3", {}, t("What the signs mean")), picture);
  }

  help() {
    const rows = [
      ["click", "choose what is lit; a pile opens"], ["drag a pile (Shift: one counter, Ctrl: a whole space)", "send it there: the way, the mode, the attack are found"], ["right click, long press", "why not? (of what is not lit), odds (of what is)"],
      ["wheel, pinch, + −", "nearer, farther; 0 the whole map; drag or arrows to move it"], ["n, p", "the next, the last thing that is lit; Enter chooses it"],
      ["a, ↑ ↓, /", "to the list; through it; narrow it down"], ["Enter, d, Esc", "do what is planned; done; not so"], ["u, h, r", "take back; hint; what happened since"],
      ["o", "odds of what has the focus in the list"], ["m, ?", "menu, this help"],
    ];
    this.keep("about", el("h3", {}, t("Keys and gestures")), el("table", { class: "facts" }, ...rows.map(([key, words]) => el("tr", {}, el("th", { scope: "row" }, t(key)), el("td", {}, t(words))))));
  }

  // ---- people
  talk() {
    document.getElementById("tab-talk").classList.remove("news");
    const look = this.table.look;
    if (!look) return;
    const said = this.pane.querySelector("input[name=words]") ? this.pane.querySelector("input[name=words]").value : "";
    const lines = look.talk.map((line) => el("li", { class: line.note ? "note" : null }, el("b", {}, this.table.name(`player:${line.who}`)), line.note ? t(" (note)") : "", `: ${line.text}`));
    const form = el("form", { class: "talk" }, el("input", { name: "words", maxlength: 1000, placeholder: t("say something"), "aria-label": t("say something"), autocomplete: "off", value: said }),
      el("button", { type: "submit" }, t("Say")), el("button", { type: "button", onclick: () => this.say(form, true) }, t("Note to myself")));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.say(form, false); });
    this.pane.replaceChildren(el("ul", { class: "talk" }, ...lines), look.seat ? form : el("p", { class: "quiet" }, t("Who looks on says nothing.")));
    this.pane.scrollTop = this.pane.scrollHeight;
  }

  async say(form, note) {
    const input = form.querySelector("input");
    const reply = await this.table.door.ask("say", { text: input.value, note });
    if (!reply.ok) { toast(reply.error, true); return; }
    input.value = "";
    this.table.take(reply);
    this.talk();
    this.pane.querySelector("input").focus();
  }

  async seats() {
    const reply = await this.table.door.ask("links");
    if (!reply.ok) { toast(reply.error, true); return; }
    const look = this.table.look;
    const rows = look.players.map((player) => {
      const select = el("select", { "aria-label": t("who plays {0}", player.name) }, ...[["human", "a person"], ["easy", "computer: easy"], ["club", "computer: club player"], ["strong", "computer: strong"], ["random", "computer: at random"]].map(([kind, words]) => el("option", { value: kind, selected: kind === player.who }, t(words))));
      select.addEventListener("change", async () => {
        const answer = await this.table.door.ask("stand_in", { of: player.id, kind: select.value });
        if (!answer.ok) toast(answer.error, true);
      });
      return el("tr", {}, el("th", { scope: "row" }, player.name), el("td", {}, select));
    });
    const links = reply.doors.map((door) => {
      const address = `${location.origin}/#table=${encodeURIComponent(look.table)}&token=${door.token}`;
      const who = door.seats.length ? door.seats.map((seat) => this.table.name(`player:${seat}`)).join(", ") : t("who looks on");
      return el("p", {}, el("b", {}, who), el("input", { readonly: true, value: address, "aria-label": t("link for {0}", who), onfocus: (event) => event.target.select() }),
        el("button", { type: "button", onclick: () => { navigator.clipboard.writeText(address).then(() => toast(t("copied")), () => toast(t("select the link and copy it"))); } }, t("Copy")));
    });
    this.keep("about", el("h3", {}, t("Seats")), el("table", { class: "facts" }, ...rows), el("h3", {}, t("Links")), el("p", { class: "quiet" }, t("Whoever has a link sits there. Give it to nobody else.")), ...links);
  }

  // Tokens in hand stand above the trays, lit when they can be played.
  hand(look, lit) {
    const old = document.getElementById("hand"), trays = document.getElementById("trays");
    const tokens = look.hand;
    if (!tokens.mine.length && !Object.values(tokens.known).some((list) => list.length) && !tokens.spent.length) {
      if (old) old.remove();
      trays.hidden = !trays.children.length;
      return;
    }
    const token = (one, cls) => {
      const button = el("button", { type: "button", class: `token ${cls}${lit.has(one.id) ? " lit" : ""}`, onclick: (event) => { event.stopPropagation(); if (lit.has(one.id)) this.table.use(one.id, event); else this.rule(one.rule); } }, one.title);
      button.dataset.thing = one.id;
      button.addEventListener("contextmenu", (event) => { event.preventDefault(); this.table.asked(one.id, event); });
      return button;
    };
    const box = el("section", { class: "tray hand", id: "hand", "aria-label": t("tokens") }, ...tokens.mine.map((one) => token(one, "mine")));
    for (const [owner, list] of Object.entries(tokens.known)) if (list.length) box.append(el("span", { class: "tray-label" }, `${this.table.name(`player:${owner}`)}:`), ...list.map((one) => token(one, "known")));
    if (tokens.spent.length) box.append(el("details", {}, el("summary", {}, t("{0} played", tokens.spent.length)), ...tokens.spent.map((one) => token(one, "spent"))));
    if (old) old.replaceWith(box);
    else trays.prepend(box);
    trays.hidden = false;
  }
}

// A chance as a bar with its words.
function bar(outcome, words, changes) {
  const inner = el("i");
  inner.style.width = `${Math.max(1, Math.round(outcome.chance * 100))}%`;
  return el("li", {}, el("b", { title: outcome.share }, `${(outcome.chance * 100).toFixed(1)} %`), el("span", { class: "bar", "aria-hidden": "true" }, inner),
    el("span", { class: "what" }, words, ...changes.map((change) => el("div", { class: "change" }, change))));
}

// Each line with the arrows of what moved in it: pieces are followed from where they stood before.
function withWays(reply) {
  const places = { ...reply.before };
  return reply.lines.map((line) => {
    const ways = [];
    for (const part of line.parts) {
      const piece = part.things.find((thing) => thing.startsWith("piece:"));
      const spaces = part.things.filter((thing) => thing.startsWith("space:"));
      if (!piece || !spaces.length || !places[piece]) continue;
      const start = `space:${places[piece]}`;
      const points = spaces[0] === start ? spaces : [start, ...spaces];
      if (points.length > 1) ways.push({ points, kind: "past" });
      places[piece] = spaces[spaces.length - 1].slice(6);
    }
    return { line, ways };
  });
}
