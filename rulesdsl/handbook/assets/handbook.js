// Search, and light or dark. Everything is in this directory: nothing is fetched, nothing is sent.
"use strict";
(() => {
  const { fold } = window.handbookSearch;
  const index = window.handbookSearch.build(window.handbookIndex || [], window.handbookSynonyms || []);
  const find = (query) => window.handbookSearch.find(index, query);
  window.handbookFind = (query) => find(query).map((entry) => entry.number || entry.title);
  const field = document.getElementById("search");
  const hits = document.getElementById("hits");
  let chosen = -1;

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
      item.textContent = hits.dataset.nothing;
      hits.append(item);
    }
    open(Boolean(query.trim()));
    if (found.length) select(0);
  }
  function excerpt(entry, words) {
    const body = fold(entry.words);
    const at = Math.max(0, ...words.filter((word) => word.length > 3).map((word) => body.indexOf(word.slice(0, 5))));
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
  // Three ways to read. What opens is the first; a link into what is hidden shows it.
  const WAYS = ["rules", "mechanics", "everything"];
  const way = () => (WAYS.includes(root.dataset.way) ? root.dataset.way : "rules");
  function read(as, keep) {
    root.dataset.way = as;
    for (const button of document.querySelectorAll(".ways button")) button.setAttribute("aria-pressed", String(button.dataset.way === as));
    if (keep) { try { localStorage.setItem("handbook-way", as); } catch { /* a page without a memory */ } }
  }
  try { root.dataset.way = localStorage.getItem("handbook-way") || "rules"; } catch { root.dataset.way = "rules"; }
  read(way(), false);
  for (const button of document.querySelectorAll(".ways button")) button.addEventListener("click", () => read(button.dataset.way, true));
  // On a phone the contents are closed, the text comes first.
  if (matchMedia("(max-width: 760px)").matches) document.querySelector("nav.contents details")?.removeAttribute("open");
  // A link to something that is folded away opens it.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let box = target; box; box = box.parentElement) {
      if (box.tagName === "DETAILS") box.open = true;
      const needs = box.classList.contains("layer") ? (box.classList.contains("everything") ? 2 : 1) : 0;
      if (needs > WAYS.indexOf(way())) read(WAYS[needs], false);
    }
    if (target) target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  unfold();
})();
