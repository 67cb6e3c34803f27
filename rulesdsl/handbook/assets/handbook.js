// Search, and light or dark. Everything is in this directory: nothing is fetched, nothing is sent.
"use strict";
(() => {
  const entries = (window.handbookIndex || []).map(([address, number, title, words]) => ({
    address, number, title, words,
    head: fold(`${number} ${title}`), body: fold(words),
  }));
  const field = document.getElementById("search");
  const hits = document.getElementById("hits");
  let chosen = -1;

  function fold(text) {
    return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/ß/g, "ss");
  }

  // A place fits when it holds every word; titles count more than text, whole words more than parts.
  function find(query) {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const found = [];
    for (const entry of entries) {
      let score = 0;
      for (const word of words) {
        const part = weigh(entry, word);
        if (!part) { score = 0; break; }
        score += part;
      }
      if (score) found.push([score, entry]);
    }
    const best = fold(query.trim());
    return found.sort((a, b) => rank(b, best) - rank(a, best)).slice(0, 30).map(([, entry]) => entry);
  }
  function rank([score, entry], query) {
    return score + (fold(entry.number) === query ? 100 : 0) + (fold(entry.title) === query ? 50 : 0);
  }
  function weigh(entry, word) {
    const pattern = new RegExp(`(^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "u");
    if (pattern.test(entry.head)) return 12;
    if (entry.head.includes(word)) return 7;
    if (pattern.test(entry.body)) return 3;
    return entry.body.includes(word) ? 1 : 0;
  }

  function show(query) {
    const found = find(query);
    hits.textContent = "";
    chosen = -1;
    const words = fold(query).split(/\s+/).filter(Boolean);
    for (const [index, entry] of found.entries()) {
      const item = document.createElement("li");
      item.role = "option";
      item.id = `hit-${index}`;
      item.setAttribute("aria-selected", "false");
      const link = document.createElement("a");
      link.href = entry.address;
      const where = document.createElement("span");
      where.className = "where";
      where.textContent = entry.number;
      link.append(where, entry.title);
      const text = excerpt(entry, words);
      if (text) {
        const line = document.createElement("span");
        line.className = "words";
        highlight(line, text, words);
        link.append(line);
      }
      item.append(link);
      hits.append(item);
    }
    if (!found.length && query.trim()) {
      const item = document.createElement("li");
      item.className = "nothing";
      item.textContent = "Nothing found";
      hits.append(item);
    }
    open(Boolean(query.trim()));
    if (found.length) select(0);
  }
  function excerpt(entry, words) {
    const at = Math.max(0, ...words.map((word) => entry.body.indexOf(word)));
    const start = Math.max(0, entry.words.lastIndexOf(" ", Math.max(0, at - 40)));
    const text = entry.words.slice(start, start + 150);
    return (start ? "… " : "") + text + (start + 150 < entry.words.length ? " …" : "");
  }
  function highlight(element, text, words) {
    const pattern = new RegExp(`(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
    for (const part of text.split(pattern)) {
      if (part && words.includes(fold(part))) {
        const mark = document.createElement("mark");
        mark.textContent = part;
        element.append(mark);
      } else {
        element.append(part);
      }
    }
  }
  function open(yes) {
    hits.hidden = !yes;
    field.setAttribute("aria-expanded", String(yes));
    if (!yes) field.removeAttribute("aria-activedescendant");
  }
  function select(index) {
    const items = hits.querySelectorAll("li[role=option]");
    if (!items.length) return;
    chosen = (index + items.length) % items.length;
    items.forEach((item, n) => item.setAttribute("aria-selected", String(n === chosen)));
    items[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", items[chosen].id);
  }

  field.addEventListener("input", () => show(field.value));
  field.addEventListener("focus", () => { if (field.value.trim()) open(true); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { select(chosen + 1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { select(chosen - 1); event.preventDefault(); }
    else if (event.key === "Enter") {
      const link = hits.querySelector("li[aria-selected=true] a");
      if (link && !hits.hidden) { open(false); link.click(); }
    } else if (event.key === "Escape") { open(false); field.blur(); }
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".search")) open(false); });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName || "");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { field.focus(); field.select(); event.preventDefault(); }
    const turn = { "[": "prev", "]": "next" }[event.key];
    if (turn) document.querySelector(`.turn a[rel=${turn}]`)?.click();
  });

  // Light or dark: as the system has it, until somebody presses the button.
  const root = document.documentElement;
  const remember = {
    get() { try { return localStorage.getItem("handbook-look"); } catch { return null; } },
    set(look) { try { localStorage.setItem("handbook-look", look); } catch { /* a page without a memory */ } },
  };
  if (remember.get()) root.dataset.look = remember.get();
  document.getElementById("contrast").addEventListener("click", () => {
    const dark = root.dataset.look ? root.dataset.look === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.look = dark ? "light" : "dark";
    remember.set(root.dataset.look);
  });
  // A map can be brought nearer, with buttons or with + and - while it has the focus.
  for (const figure of document.querySelectorAll("figure.map")) {
    const drawing = figure.querySelector("svg");
    if (!drawing) continue;
    let times = 1;
    const zoom = (factor) => {
      times = Math.min(6, Math.max(1, times * factor));
      figure.classList.toggle("near", times > 1);
      drawing.style.maxWidth = drawing.style.minWidth = times > 1 ? `${100 * times}%` : "";
    };
    const row = document.createElement("div");
    row.className = "zoom";
    for (const [sign, factor, says] of [["+", 1.5, "Nearer"], ["−", 1 / 1.5, "Farther"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", says);
      button.addEventListener("click", () => zoom(factor));
      row.append(button);
    }
    figure.before(row);
    figure.addEventListener("keydown", (event) => {
      const factor = { "+": 1.5, "-": 1 / 1.5 }[event.key];
      if (factor) zoom(factor);
    });
  }
  // On a phone the contents are closed, the text comes first.
  if (matchMedia("(max-width: 760px)").matches) document.querySelector("nav.contents details")?.removeAttribute("open");
  // A link to something that is folded away opens it.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let box = target; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
  }
  addEventListener("hashchange", unfold);
  unfold();
})();
