// Which page this is: the list of games, or the bench for one of them. The key is remembered for this tab only.
import { el } from "../dom.js";
import { speak, t } from "../words.js";
import { Bench } from "./bench.js";
import { fr } from "./fr.js";
import { unpacked } from "./link.js";
import { ask, remember } from "./net.js";

let current = null;

async function start() {
  const told = new URLSearchParams(location.hash.slice(1));
  if (told.get("key")) remember(told.get("key"));
  if (told.get("language")) sessionStorage.setItem("language", told.get("language"));
  speak(told.get("language") || sessionStorage.getItem("language"), { fr });
  if (current && !told.get("key") && !told.get("rule") && told.get("game") === current.game) return;
  if (current) current.leave();
  current = null;
  const front = document.getElementById("front"), shop = document.getElementById("shop");
  const games = await ask("games");
  if (!games.ok) {
    front.hidden = false;
    shop.hidden = true;
    const lost = t("This address lacks its key. Open the one that “rulesdsl workshop” has printed; a link with a house rule is opened by “rulesdsl workshop --link ADDRESS”.");
    front.replaceChildren(el("main", { class: "front" }, el("h1", {}, t("The workshop")), el("p", {}, games.code === "token" ? lost : t(games.error))));
    return;
  }
  const wanted = told.get("game");
  const rule = told.get("rule") ? await unpacked(told.get("rule")) : null;
  const others = told.get("with") ? told.get("with").split(",") : [];
  // the key and the rule leave the address: what is copied from there opens no door
  history.replaceState(null, "", wanted ? `#game=${encodeURIComponent(wanted)}` : location.pathname);
  if (wanted && games.games.some((game) => game.game === wanted)) {
    front.hidden = true;
    shop.hidden = false;
    current = new Bench(wanted, rule, others);
    window.bench = current; // for whoever looks over our shoulder (tests, the console)
    await current.open();
    return;
  }
  shop.hidden = true;
  front.hidden = false;
  document.title = `rulesdsl: ${t("the workshop")}`;
  const cards = games.games.map((game) => el("button", { class: "card", type: "button", dataset: { game: game.game },
    onclick: () => { location.hash = `game=${encodeURIComponent(game.game)}`; } },
    el("strong", {}, game.title), el("span", {}, game.summary), el("small", {}, game.players.join(" · "))));
  front.replaceChildren(el("main", { class: "front" }, el("h1", {}, t("Which rulebook shall we change?")),
    el("p", {}, t("A house rule is a text of its own; no file of the game is touched. You see what it changes while you write, try it at the table, and find out what it does to the balance.")),
    el("div", { class: "cards" }, ...cards)));
}

window.addEventListener("hashchange", start);
start();
