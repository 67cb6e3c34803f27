// Small words for making elements. Texts are always texts: nothing of a game becomes markup by itself.

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(made.dataset, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

// While a button is held down, nothing may be drawn anew: what is pressed and what is let go of must be the same
// thing, or the click is lost. News wait until the hand is at rest; a long drag does not hold them up.
const LONGEST = 1000;
let held = 0, waiting = [];
function atRest() { held = 0; const ready = waiting; waiting = []; for (const go of ready) go(); }
addEventListener("pointerdown", () => { held = performance.now(); }, true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(atRest, 30), true);

export function handAtRest() {
  const left = held ? LONGEST - (performance.now() - held) : 0;
  if (left <= 0) return null;
  return new Promise((done) => { waiting.push(done); setTimeout(done, left); });
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const parser = new DOMParser();

// The drawing of our own server, as nodes of this document: no script runs in what is parsed like that.
export function drawn(text) {
  const whole = text.startsWith("<svg") ? text : `<svg xmlns="${SVG}">${text}</svg>`;
  const root = parser.parseFromString(whole, "image/svg+xml").documentElement;
  return document.importNode(root, true);
}

export function toast(words, bad = false) {
  const box = document.getElementById("toast");
  box.textContent = words;
  box.classList.toggle("bad", bad);
  box.hidden = !words;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { box.hidden = true; }, bad ? 6000 : 3500);
}

// Text with numbers of paragraphs as buttons.
export function paragraphs(text, open) {
  const block = el("div", { class: "prose" });
  for (const part of text.split(/\n\s*\n/)) {
    const line = part.trim();
    if (!line) continue;
    if (line.startsWith("|")) block.append(grid(line));
    else if (/^[-*] /.test(line)) {
      const items = line.split(/\n(?=[-*] )/).map((item) => el("li", {}, plain(item.replace(/^[-*] /, ""))));
      block.append(el("ul", {}, ...items));
    } else block.append(el("p", {}, plain(line)));
  }
  return block;
}

function plain(text) {
  return text.replace(/\s+/g, " ").replace(/\*\*?([^*]+)\*\*?/g, "$1").replace(/`([^`]+)`/g, "$1");
}

function grid(text) {
  const rows = text.split("\n").filter((row) => !/^\|[\s:|-]+\|?$/.test(row.trim()));
  const made = el("table");
  rows.forEach((row, number) => {
    const cells = row.trim().replace(/^\||\|$/g, "").split("|");
    made.append(el("tr", {}, ...cells.map((cell) => el(number ? "td" : "th", {}, plain(cell.trim())))));
  });
  return el("div", { class: "wide" }, made);
}

// The colour of a player.
export function dot(player) {
  const made = el("i", { class: "dot", "aria-hidden": "true" });
  if (player.colour) made.style.background = player.colour;
  return made;
}
