// The list: games that are kept, games that can be begun, a game that came by mail.
import { el, toast } from "./dom.js";
import { send } from "./net.js";
import { t } from "./words.js";

const WHO = [
  ["human", "a person"], ["easy", "computer: easy"], ["club", "computer: club player"], ["strong", "computer: strong"], ["random", "computer: at random"],
];

export class Lobby {
  constructor(root, key) {
    this.root = root;
    this.key = key;
    document.title = t("rulesdsl: games");
    this.draw();
  }

  leave() { this.root.replaceChildren(); }

  async ask(what, more = {}) { return send(this.key, { do: what, ...more }); }

  async draw() {
    const [games, kept] = await Promise.all([this.ask("games"), this.ask("kept")]);
    if (!games.ok) {
      this.root.replaceChildren(el("main", { class: "lobby" }, el("h1", {}, t("The table")),
        el("p", {}, games.code === "token" ? t("This address lacks its key. Open the one that “rulesdsl table” has printed, or the link you were given.") : games.error)));
      return;
    }
    const page = el("main", { class: "lobby" }, el("h1", {}, t("What shall we play?")));
    if (kept.ok && kept.kept.length) page.append(this.keptList(kept.kept));
    page.append(el("h2", {}, t("Begin a game")));
    const list = el("div", { class: "cards" });
    for (const game of games.games) {
      list.append(el("button", { class: "card", type: "button", onclick: () => this.choose(game.game) },
        el("strong", {}, game.title), el("span", {}, game.summary), el("small", {}, game.players.join(" · "))));
    }
    page.append(list, this.mail());
    this.root.replaceChildren(page);
  }

  keptList(kept) {
    const block = el("section", {}, el("h2", {}, t("Go on")));
    const list = el("div", { class: "cards" });
    kept.slice(0, 30).forEach((game, number) => {
      const when = new Date(game.touched * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      list.append(el("button", { class: `card kept${game.trouble ? " bad" : ""}`, type: "button", disabled: Boolean(game.trouble) || null,
        onclick: () => this.goOn(game.name), autofocus: number === 0 },
        el("strong", {}, game.title || game.name), el("span", {}, game.trouble || t("{0} decisions", game.decisions)), el("small", {}, when)));
    });
    block.append(list);
    return block;
  }

  mail() {
    const input = el("input", { type: "file", id: "mail", accept: ".save,.journal,text/plain" });
    input.addEventListener("change", async () => {
      const file = input.files[0];
      if (!file) return;
      const reply = await this.ask("receive", { text: await file.text() });
      if (reply.ok) this.sit(reply); else toast(reply.error, true);
    });
    return el("section", {}, el("h2", {}, t("A game that came by mail")),
      el("label", { for: "mail" }, t("Open the file that was sent to you; send it back when you have moved (menu, “Send as a file”). ")), input);
  }

  async choose(name) {
    const told = await this.ask("game", { game: name });
    if (!told.ok) { toast(told.error, true); return; }
    const form = el("form", { class: "lobby setup" });
    const scenario = el("select", { id: "scenario" }, ...told.scenarios.map((entry) => el("option", { value: entry.id, selected: entry.id === told.scenario }, entry.title)));
    const seats = told.players.map((player, number) => {
      const select = el("select", { id: `seat-${player.id}`, dataset: { seat: player.id } }, ...WHO.map(([kind, words]) => el("option", { value: kind, selected: kind === (number ? "club" : "human") }, t(words))));
      return el("p", {}, el("label", { for: `seat-${player.id}` }, player.name), select);
    });
    const house = told.house.map((rule) => el("p", {}, el("label", {}, el("input", { type: "checkbox", value: rule.id, name: "house" }), ` ${rule.title}`)));
    form.append(el("h1", {}, told.title), el("p", { class: "summary" }, told.summary));
    if (told.guide) form.append(el("p", {}, el("label", {}, el("input", { type: "checkbox", id: "guided" }), ` ${told.guide}`)));
    if (told.scenarios.length > 1) form.append(el("p", {}, el("label", { for: "scenario" }, t("Scenario")), scenario));
    form.append(el("h2", {}, t("Who sits where")), ...seats);
    form.append(el("p", {}, el("label", {}, el("input", { type: "radio", name: "where", value: "screen", checked: true }), t(" people share this screen"))),
      el("p", {}, el("label", {}, el("input", { type: "radio", name: "where", value: "link" }), t(" every other person gets a link"))));
    if (house.length) form.append(el("details", {}, el("summary", {}, t("House rules")), ...house));
    form.append(el("p", { class: "buttons" }, el("button", { class: "primary", type: "submit" }, t("Sit down")), el("button", { type: "button", onclick: () => this.draw() }, t("Back"))));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const begin = form.querySelector("button.primary");
      begin.disabled = true;
      begin.textContent = t("reading the rulebook …");
      const who = Object.fromEntries([...form.querySelectorAll("select[data-seat]")].map((select) => [select.dataset.seat, select.value]));
      const rules = [...form.querySelectorAll("input[name=house]:checked")].map((box) => box.value);
      const guided = form.querySelector("#guided");
      const reply = await this.ask("begin", {
        game: name, seats: who, house: rules, by_link: form.querySelector("input[value=link]").checked,
        guided: Boolean(guided && guided.checked),
        ...(told.scenarios.length > 1 ? { scenario: scenario.value } : {}),
      });
      if (reply.ok) { this.sit(reply); return; }
      begin.disabled = false;
      begin.textContent = t("Sit down");
      toast(reply.error, true);
    });
    this.root.replaceChildren(el("main", {}, form));
    form.querySelector("select, button").focus();
  }

  async goOn(name) {
    toast(t("opening the game, every decision is checked …"));
    const reply = await this.ask("go_on", { name });
    if (reply.ok) this.sit(reply); else toast(reply.error, true);
  }

  sit(reply) {
    location.hash = `table=${encodeURIComponent(reply.table)}&token=${reply.token}`;
  }
}
