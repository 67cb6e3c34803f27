// What does it do: a comparison that grows more certain while one watches, and stops when it is clear.
import { el, svg, toast } from "../dom.js";
import { t } from "../words.js";
import { ask } from "./net.js";

const EVERY = 800; // milliseconds between two looks, while it plays
const WIDE = 320, HIGH = 30, MARGIN = 0.05;

export class Weighing {
  constructor(bench) {
    this.bench = bench;
    this.id = null;
    this.state = null;
    this.moments = null;
    this.agent = "random";
  }

  leave() { clearTimeout(this.timer); if (this.running()) ask("stop", { id: this.id }); }

  running() { return this.id !== null && this.state !== null && !this.state.over; }

  async start() {
    this.state = { pairs: 0, over: false, clear: false, sentences: [] };
    this.id = null;
    this.bench.refresh("weigh");
    const reply = await ask("weigh", this.bench.with({ agent: this.agent }));
    if (!reply.ok) { this.state = null; toast(t(reply.error), true); this.bench.refresh("weigh"); return; }
    this.id = reply.id;
    this.of = this.bench.text;
    this.look();
  }

  async look() {
    clearTimeout(this.timer);
    const state = await ask("standing", { id: this.id });
    this.state = state.ok ? state : { ...this.state, over: true, error: state.error };
    this.bench.refresh("weigh");
    if (this.running()) this.timer = setTimeout(() => this.look(), EVERY);
  }

  async stop() {
    clearTimeout(this.timer);
    const state = await ask("stop", { id: this.id });
    if (state.ok) this.state = state;
    this.bench.refresh("weigh");
  }

  async show() {
    this.moments = { busy: true };
    this.bench.refresh("weigh");
    const { text } = this.bench;
    this.moments = await ask("moments", this.bench.with());
    this.momentsOf = text;
    this.bench.refresh("weigh");
  }

  draw(root) {
    const { bench, state } = this;
    const sound = bench.looked && bench.looked.sound;
    const who = el("select", { id: "agent", "aria-label": t("who plays") }, el("option", { value: "random" }, t("players who choose at random")), el("option", { value: "greedy" }, t("players who look one step ahead")),
      el("option", { value: "easy" }, t("opponents of level easy")), el("option", { value: "club" }, t("opponents of level club (slow: they think)")));
    who.value = this.agent;
    who.addEventListener("change", () => { this.agent = who.value; });
    const button = this.running() ? el("button", { type: "button", id: "stop", onclick: () => this.stop() }, t("Stop"))
      : el("button", { type: "button", id: "weigh", class: "primary", disabled: !sound || null, onclick: () => this.start() }, state ? t("Again") : t("Play both and compare"));
    const parts = [el("p", { class: "controls" }, button, who, el("button", { type: "button", id: "moments", disabled: !sound || null, onclick: () => this.show() }, t("one game's moments")))];
    if (state) parts.push(this.standing(state));
    if (this.moments) parts.push(this.told(this.moments));
    root.replaceChildren(...parts);
  }

  standing(state) {
    const how = state.error ? t(state.error) : !state.over ? (state.pairs ? t("{0} pairs of games so far …", state.pairs) : t("reading the rulebook …")) : state.clear ? t("clear after {0} pairs of games", state.pairs) : t("stopped after {0} pairs of games", state.pairs);
    const block = el("div", { class: "standing" }, el("p", { class: `verdict${state.clear ? " good" : ""}`, id: "verdict" }, how));
    if (this.of !== undefined && this.of !== this.bench.text) block.append(el("p", { class: "note" }, t("(of the text as it was when it began)")));
    if (state.sentences.length && state.pairs) block.append(el("ul", { class: "sentences" }, ...state.sentences.map((words) => el("li", {}, words))));
    if (state.measures && state.measures.length) {
      const grid = el("table", { class: "measures" }, el("tr", {}, ...["", t("printed"), t("with it"), t("difference"), ""].map((words) => el("th", {}, words))));
      for (const one of state.measures) {
        grid.append(el("tr", { class: one.found ? "found" : null }, el("th", {}, one.name), el("td", {}, figure(one, one.before)), el("td", {}, figure(one, one.after)),
          el("td", {}, `${signed(one, one.difference)}${one.interval[0] === null ? "" : ` (${t("{0} to {1}", signed(one, one.interval[0]), signed(one, one.interval[1]))})`}${one.found ? " *" : ""}`), el("td", {}, bar(one))));
      }
      block.append(el("div", { class: "wide" }, grid), el("p", { class: "note" }, t("In brackets: where the difference lies, 95 % sure at every look: you may stop whenever you like. * more than luck, all lines together.")));
    }
    if (state.effects && state.effects.length) {
      block.append(el("h3", {}, t("How often it had a say ({0} games)", state.counted)), el("ul", { class: "effects" }, ...state.effects.map((one) => el("li", {},
        el("strong", {}, `${one.rule} ${one.title}${one.part ? `, ${one.part}` : ""}`), one.silent ? ` ${t("never had a say")}` : el("ul", {}, ...one.ways.map((way) => el("li", {}, said(way, state.ways))))))));
    }
    return block;
  }

  told(moments) {
    if (moments.busy) return el("p", { class: "note" }, t("playing a game …"));
    if (!moments.ok) return el("p", { class: "problem error" }, t(moments.error));
    return el("div", { class: "moments" }, el("h3", {}, t("One game (seed {0}): {1} moments in {2} decisions", moments.seed, moments.count, moments.decisions)),
      moments.count ? null : el("p", {}, t("It never had a say in this one.")),
      ...moments.moments.map((one) => el("details", { open: moments.moments.length <= 4 || null },
        el("summary", {}, `${one.turn ? `${t("turn {0}", one.turn)}, ` : ""}${one.player}: ${one.asked} → ${one.chosen}`),
        el("ul", {}, ...one.ways.map((words) => el("li", { class: "ours" }, words)), ...one.lines.map((line) => el("li", { class: line.ours ? "ours" : null }, `${line.text} (${line.rule})`))),
        this.momentsOf === this.bench.text ? el("button", { type: "button", class: "from-here", onclick: () => this.bench.tryIt({ seed: moments.seed, before: one.number }) }, t("play from here")) : null)));
  }
}

function share(one) { return one.kind === "wins" || one.kind === "drawn"; }
function figure(one, value) { return share(one) ? `${(100 * value).toFixed(1)} %` : value.toFixed(2); }
function signed(one, value) { const number = share(one) ? 100 * value : value; return `${number > 0 ? "+" : ""}${number.toFixed(share(one) ? 1 : 2)}`; }

function said(way, ways) {
  const often = Math.round(100 * way.games);
  if (way.how === "used") return t("used in {0} % of the games", often);
  return t("{0}: {1} times a game, in {2} % of the games", t(ways[way.how]), `${way.before ? `${way.before.toFixed(2)} → ` : ""}${way.after.toFixed(2)}`, often);
}

// Where the difference lies: a line for nothing, a band for what hardly matters, a beam for what is still possible.
function bar(one) {
  if (!share(one) || one.interval[0] === null) return "";
  const widest = 0.5, x = (value) => WIDE / 2 + Math.max(-1, Math.min(1, value / widest)) * (WIDE / 2 - 4);
  return svg("svg", { class: "bar", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("difference between {0} and {1} points", signed(one, one.interval[0]), signed(one, one.interval[1])) },
    svg("rect", { class: "band", x: x(-MARGIN), y: 2, width: x(MARGIN) - x(-MARGIN), height: HIGH - 4 }),
    svg("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: HIGH }),
    svg("rect", { class: one.found ? "beam found" : "beam", x: x(one.interval[0]), y: HIGH / 2 - 4, width: Math.max(2, x(one.interval[1]) - x(one.interval[0])), height: 8, rx: 4 }),
    svg("circle", { class: "dot-now", cx: x(one.difference), cy: HIGH / 2, r: 5 }));
}
