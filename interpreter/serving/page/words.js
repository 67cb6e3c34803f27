// What the page itself says, in the language of who looks. English stands in the code; every other language has a file of
// its own with the same sentences (fr.js). What a game says is told in the language of its rulebook.
import { fr } from "./fr.js";

const LANGUAGES = { fr };

let spoken = {};
const printed = new Map(); // what index.html says, in English

// The language that was asked for (in the address, or before), else that of the browser. `more`: what another page of the
// house says besides, by language (the workshop has a fr.js of its own).
export function speak(wanted, more = {}) {
  const known = [wanted, ...(navigator.languages || [navigator.language])].filter(Boolean).map((tag) => tag.slice(0, 2).toLowerCase());
  const language = known.find((one) => one === "en" || one in LANGUAGES) || "en";
  spoken = { ...LANGUAGES[language], ...more[language] };
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-say]")) {
    for (const name of node.dataset.say.split(" ")) {
      const key = `${name} of ${node.id || node.dataset.say}`;
      if (!printed.has(key)) printed.set(key, node.getAttribute(name));
      node.setAttribute(name, t(printed.get(key)));
    }
  }
}

// A sentence of the page; {0}, {1} … are filled in.
export function t(sentence, ...parts) {
  const said = spoken[sentence] || sentence;
  return said.replace(/\{(\d)\}/g, (hole, number) => (Number(number) < parts.length ? String(parts[Number(number)]) : hole));
}

// "turn 3 of 10", as the table tells it.
export function turnTold(text) {
  const found = /^turn (\S+?)(?: of (\S+))?$/.exec(text);
  if (!found) return text;
  return found[2] ? t("turn {0} of {1}", found[1], found[2]) : t("turn {0}", found[1]);
}
