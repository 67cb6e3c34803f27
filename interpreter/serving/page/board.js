// The map: pan, zoom, piles of counters, what is lit, arrows. It knows nothing of rules.
// Long because it is one class: all of it is drawn on one picture that moves.
import { dot, drawn, el, svg } from "./dom.js";
import { t } from "./words.js";

const SHIFT = 3.5, DEEPEST = 5;
const MANY = 30; // spaces that are lit before they are lit softly

export class Board {
  constructor(stage, trays, calls) {
    this.stage = stage;
    this.trays = trays;
    this.calls = calls; // click(thing, event), ask(thing, event), hover(thing or null, event); grab, drag, drop(thing, event)
    this.faces = new Map();
    this.zones = new Map();
    this.nodes = new Map(); // thing → elements that show it
    this.places = new Map(); // piece → centre
    this.view = null;
  }

  async ground(ground) {
    this.printed = ground;
    this.faces.clear();
    this.zones.clear();
    this.stage.replaceChildren();
    if (!ground.svg) { this.stage.classList.add("empty"); return; }
    const sheet = drawn(ground.svg);
    sheet.removeAttribute("role");
    sheet.removeAttribute("aria-labelledby");
    sheet.setAttribute("aria-hidden", "true");
    this.root = svg("svg", { class: "map", preserveAspectRatio: "xMidYMid meet", role: "group", "aria-label": t("map") });
    this.layers = {};
    this.root.append(sheet);
    for (const name of ["lights", "aims", "marks", "orders", "arrows", "piles", "focus"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    this.layers.arrows.setAttribute("pointer-events", "none");
    this.layers.orders.setAttribute("pointer-events", "none");
    this.layers.marks.setAttribute("pointer-events", "none");
    this.layers.focus.setAttribute("pointer-events", "none");
    this.root.prepend(svg("defs", {}, arrowHead()));
    for (const zone of sheet.querySelectorAll("g.zone")) {
      const thing = `space:${zone.id.replace(/^zone-/, "")}`;
      const title = zone.querySelector("title");
      zone.dataset.thing = thing;
      zone.dataset.words = title ? title.textContent : "";
      if (title) title.remove();
      this.zones.set(thing, zone);
    }
    for (const title of sheet.querySelectorAll("title")) title.remove();
    if (ground.paper) this.stage.style.background = ground.paper;
    this.stage.append(this.root);
    this.width = ground.width;
    this.height = ground.height;
    this.fit();
    this.listen();
  }

  // ---- the window on the map
  fit() {
    const box = this.stage.getBoundingClientRect();
    const scale = Math.min(box.width / this.width, box.height / this.height) || 1;
    const width = box.width / scale, height = box.height / scale;
    this.view = { x: (this.width - width) / 2, y: (this.height - height) / 2, width, height };
    this.least = scale * 0.8;
    this.show();
  }

  show() {
    if (!this.root) return;
    const v = this.view;
    this.root.setAttribute("viewBox", `${v.x} ${v.y} ${v.width} ${v.height}`);
    const scale = this.scale();
    this.root.classList.toggle("far", scale < 0.55);
    this.root.classList.toggle("very-far", scale < 0.33);
  }

  scale() {
    return this.stage.getBoundingClientRect().width / this.view.width;
  }

  zoom(factor, at = null) {
    if (!this.root) return;
    const box = this.stage.getBoundingClientRect();
    const px = at ? at.x - box.left : box.width / 2, py = at ? at.y - box.top : box.height / 2;
    const now = this.scale(), next = Math.min(6, Math.max(this.least, now * factor));
    const v = this.view;
    const x = v.x + px / now, y = v.y + py / now;
    v.width = box.width / next;
    v.height = box.height / next;
    v.x = x - px / next;
    v.y = y - py / next;
    this.keepInside();
    this.show();
  }

  pan(dx, dy) {
    if (!this.root) return;
    const scale = this.scale();
    this.view.x -= dx / scale;
    this.view.y -= dy / scale;
    this.keepInside();
    this.show();
  }

  keepInside() {
    const v = this.view, spareX = v.width * 0.5, spareY = v.height * 0.5;
    v.x = Math.max(-spareX, Math.min(this.width - v.width + spareX, v.x));
    v.y = Math.max(-spareY, Math.min(this.height - v.height + spareY, v.y));
  }

  resized() {
    if (!this.root || !this.view) return;
    const box = this.stage.getBoundingClientRect();
    if (!box.width) return;
    const scale = Math.max(this.oldWidth ? this.oldWidth / this.view.width : this.scale(), 0.05);
    const middle = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    this.view.width = box.width / scale;
    this.view.height = box.height / scale;
    this.view.x = middle.x - this.view.width / 2;
    this.view.y = middle.y - this.view.height / 2;
    this.oldWidth = box.width;
    this.show();
  }

  // Bring things into sight, gently: only when they are not.
  reveal(things) {
    if (!this.root) return;
    const points = things.map((thing) => this.centre(thing)).filter(Boolean);
    if (!points.length) return;
    const v = this.view;
    const inside = points.every((p) => p.x > v.x && p.y > v.y && p.x < v.x + v.width && p.y < v.y + v.height);
    if (inside) return;
    const x = points.reduce((sum, p) => sum + p.x, 0) / points.length;
    const y = points.reduce((sum, p) => sum + p.y, 0) / points.length;
    v.x = x - v.width / 2;
    v.y = y - v.height / 2;
    this.keepInside();
    this.show();
  }

  listen() {
    const pointers = new Map();
    let moved = 0, held = null, spread = 0, carried = false;
    this.root.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), { x: event.clientX, y: event.clientY });
      } else this.pan(-event.deltaX, 0);
    }, { passive: false });
    this.root.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
      // a finger moves the map; a mouse takes hold of what it may send somewhere
      carried = event.pointerType !== "touch" && event.button === 0 && pointers.size === 1 && this.calls.grab(thingAt(event), event);
      spread = distance(pointers);
      clearTimeout(held);
      if (event.pointerType !== "mouse") {
        held = setTimeout(() => {
          if (moved < 8 && pointers.size === 1) { moved = 99; this.calls.ask(thingAt(event), event); }
        }, 550);
      }
    });
    this.root.addEventListener("pointermove", (event) => {
      const was = pointers.get(event.pointerId);
      if (!was) { this.calls.hover(thingAt(event), event); return; }
      const dx = event.clientX - was.x, dy = event.clientY - was.y;
      moved += Math.abs(dx) + Math.abs(dy);
      was.x = event.clientX;
      was.y = event.clientY;
      if (pointers.size === 2) {
        const now = distance(pointers), middle = centreOf(pointers);
        if (spread > 0) this.zoom(now / spread, middle);
        spread = now;
        this.pan(dx / 2, dy / 2);
      } else if (moved > 5) {
        if (!this.root.hasPointerCapture(event.pointerId)) this.root.setPointerCapture(event.pointerId);
        this.root.classList.add("dragged");
        if (carried) this.calls.drag(under(event), event);
        else this.pan(dx, dy);
      }
    });
    const up = (event) => {
      clearTimeout(held);
      pointers.delete(event.pointerId);
      this.root.classList.remove("dragged");
      if (carried && moved > 5) this.calls.drop(event.type === "pointerup" ? under(event) : null, event);
      carried = false;
      if (event.type === "pointerup" && moved <= 5 && event.button === 0) this.calls.click(thingAt(event), event);
    };
    this.root.addEventListener("pointerup", up);
    this.root.addEventListener("pointercancel", up);
    this.root.addEventListener("pointerleave", (event) => { this.calls.hover(null, event); });
    this.root.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.calls.ask(thingAt(event), event);
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.calls.click(thingAt(event), event);
      }
    });
  }

  // A counter that is taken out of an opened pile, outside the map itself.
  hold(thing, event) {
    if (event.pointerType === "touch" || event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY };
    let far = false;
    const move = (now) => {
      far = far || Math.hypot(now.clientX - from.x, now.clientY - from.y) > 8;
      if (far && this.calls.grab(thing, { shiftKey: true })) move.going = true;
      if (move.going) this.calls.drag(under(now), now);
    };
    const up = (now) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", up);
      if (move.going) this.calls.drop(under(now), now);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", up);
  }

  // ---- what lies there
  face(key, backs) {
    let found = this.faces.get(key);
    if (!found) {
      const text = this.printed.faces[key] || backs[key];
      found = text ? drawn(text).firstElementChild : svg("g");
      found.removeAttribute("transform");
      if (this.printed.faces[key] || key.split("/").length > 2) this.faces.set(key, found);
    }
    return found.cloneNode(true);
  }

  counter(piece, size, backs) {
    const scale = size / this.printed.face;
    const made = svg("g", { class: `piece${piece.turned ? " turned" : ""}`, "data-thing": piece.id });
    made.dataset.words = piece.words;
    const printed = this.face(piece.face, backs);
    printed.setAttribute("aria-hidden", "true"); // what is printed there is said in words by the label of its grip
    made.append(printed);
    if (piece.turned) made.append(svg("rect", { class: "cover", x: 0, y: 0, width: this.printed.face, height: this.printed.face, rx: 3 }));
    (piece.marks || []).slice(0, 3).forEach((mark, index) => made.append(chip(mark, this.printed.face, index)));
    made.append(svg("rect", { class: "grip", x: 0, y: 0, width: this.printed.face, height: this.printed.face }));
    made.setAttribute("transform", `scale(${scale})`);
    return made;
  }

  // `seat` is who looks, `players` whose colours boxes have.
  position(board, seat = null, players = []) {
    this.seat = seat;
    this.players = players;
    this.nodes.clear();
    this.places.clear();
    this.pieces = new Map();
    this.piles = board.piles;
    if (this.root) {
      this.layers.marks.replaceChildren(...(board.marks ? [...drawn(board.marks).childNodes] : []));
      for (const title of this.layers.marks.querySelectorAll("title")) title.remove();
      const made = [];
      for (const pile of board.piles) {
        const shown = pile.pieces.slice(0, DEEPEST), depth = shown.length - 1;
        const group = svg("g", { class: "pile", transform: `translate(${pile.x} ${pile.y})` });
        for (let level = depth; level >= 0; level--) {
          const holder = svg("g", { transform: `translate(${level * SHIFT} ${(depth - level) * SHIFT})` });
          const counter = this.counter(shown[level], pile.size, board.backs);
          holder.append(counter);
          group.append(holder);
          this.remember(shown[level].id, counter);
        }
        pile.pieces.forEach((piece, level) => {
          this.pieces.set(piece.id, { ...piece, space: pile.space, pile });
          const at = Math.min(level, DEEPEST - 1);
          this.places.set(piece.id, { x: pile.x + at * SHIFT + pile.size / 2, y: pile.y + (depth - Math.min(at, depth)) * SHIFT + pile.size / 2, size: pile.size });
          if (level >= DEEPEST) this.remember(piece.id, group);
        });
        if (pile.pieces.length > 1) {
          const x = pile.size + depth * SHIFT - 1;
          group.append(svg("g", { class: "count", "pointer-events": "none" },
            svg("circle", { cx: x, cy: 2, r: 7.2 }), number(pile.pieces.length, x, 5.6)));
        }
        made.push(group);
      }
      this.layers.piles.replaceChildren(...made);
    }
    this.showTrays(board);
    this.arrows([]);
  }

  remember(thing, node) {
    if (!this.nodes.has(thing)) this.nodes.set(thing, []);
    this.nodes.get(thing).push(node);
  }

  // Boxes beside the map, each with its counters; empty ones are folded into one line.
  showTrays(board) {
    const mine = (box) => Boolean(box.owner) && box.owner === this.seat;
    const full = board.boxes.filter((box) => box.piles.length).sort((a, b) => mine(b) - mine(a)), bare = board.boxes.filter((box) => !box.piles.length);
    const made = full.map((box) => {
      const tray = el("section", { class: `tray${mine(box) ? " mine" : ""}` });
      const owner = this.players.find((player) => player.id === box.owner);
      const head = el("button", { class: "tray-name", type: "button" }, owner ? dot(owner) : "", box.name || t("to be placed"), el("span", { class: "many" }, String(box.piles.reduce((sum, pile) => sum + pile.length, 0))));
      if (box.space) { head.dataset.thing = `space:${box.space}`; this.remember(`space:${box.space}`, head); }
      const row = el("div", { class: "tray-row" });
      for (const pile of box.piles) row.append(this.trayPile(pile, board, box.space));
      tray.append(head, row);
      return tray;
    });
    if (bare.length) {
      const line = el("section", { class: "tray empty" });
      for (const box of bare) {
        const head = el("button", { class: "tray-name", type: "button" }, box.name);
        head.dataset.thing = `space:${box.space}`;
        this.remember(`space:${box.space}`, head);
        line.append(head);
      }
      made.push(line);
    }
    this.trays.replaceChildren(...made);
    this.trays.hidden = !made.length;
    for (const node of this.trays.querySelectorAll("[data-thing]")) this.listenTo(node);
  }

  trayPile(pile, board, space) {
    const size = 40, top = pile[0];
    const face = this.printed.face;
    const picture = svg("svg", { width: size, height: size, viewBox: `-1 -1 ${face + 3} ${face + 3}` });
    picture.append(this.counter(top, face, board.backs));
    picture.setAttribute("aria-hidden", "true");
    const made = el("div", { class: "tray-piece" }, picture);
    made.dataset.thing = top.id;
    made.dataset.words = top.words;
    if (pile.length > 1) made.append(el("span", { class: "many", "aria-hidden": "true" }, String(pile.length)));
    made.append(el("button", { type: "button", class: "grip", "aria-label": top.words + (pile.length > 1 ? t(", {0} of them", pile.length) : "") }));
    for (const piece of pile) {
      this.pieces.set(piece.id, { ...piece, space, pile: { space, pieces: pile } });
      this.remember(piece.id, made);
    }
    return made;
  }

  listenTo(node) {
    node.addEventListener("click", (event) => { event.stopPropagation(); this.calls.click(node.dataset.thing, event); });
    node.addEventListener("contextmenu", (event) => { event.preventDefault(); this.calls.ask(node.dataset.thing, event); });
    node.addEventListener("pointerenter", (event) => this.calls.hover(node.dataset.thing, event));
    node.addEventListener("pointerleave", (event) => this.calls.hover(null, event));
  }

  // ---- what is lit
  // `about`: what is asked about, without being an answer.
  light(things, picked, names, about = []) {
    if (this.root) {
      const rings = [];
      for (const thing of about) {
        const zone = this.zones.get(thing);
        if (zone && !things.has(thing)) rings.push(svg("path", { d: zone.querySelector(".ground").getAttribute("d"), class: "about", "data-thing": thing }));
      }
      for (const [thing, zone] of this.zones) {
        const lit = things.has(thing), chosen = picked.has(thing);
        if (!lit && !chosen) continue;
        const ground = zone.querySelector(".ground");
        rings.push(svg("path", { d: ground.getAttribute("d"), class: chosen ? "lit chosen" : "lit", "data-thing": thing,
          tabindex: 0, role: "button", "aria-label": names(thing) }));
      }
      this.layers.lights.replaceChildren(...rings);
      this.layers.lights.classList.toggle("many", rings.length > MANY);
    }
    for (const [thing, nodes] of this.nodes) {
      for (const node of nodes) {
        node.classList.remove("lit", "chosen");
        if (node.namespaceURI.endsWith("svg")) for (const name of ["tabindex", "role", "aria-label"]) grip(node).removeAttribute(name);
      }
    }
    for (const thing of [...things, ...picked]) {
      for (const node of this.nodes.get(thing) || []) {
        node.classList.add(picked.has(thing) ? "chosen" : "lit");
        if (node.namespaceURI.endsWith("svg")) {
          const held = grip(node);
          held.setAttribute("tabindex", 0);
          held.setAttribute("role", "button");
          held.setAttribute("aria-label", names(thing));
        }
      }
    }
  }

  centre(thing) {
    if (this.places.has(thing)) return this.places.get(thing);
    const piece = this.pieces && this.pieces.get(thing);
    const space = this.printed.spaces[(piece ? piece.space : thing.replace(/^space:/, "")) || ""];
    return space ? { x: space.x, y: space.y, size: space.room } : null;
  }

  // Rings around things somebody points at elsewhere (the log, the list).
  point(things) {
    if (!this.root) return;
    const rings = [];
    for (const thing of things) {
      const zone = this.zones.get(thing);
      if (zone) rings.push(svg("path", { d: zone.querySelector(".ground").getAttribute("d"), class: "pointed" }));
      const at = this.places.get(thing);
      if (at) rings.push(svg("rect", { x: at.x - at.size / 2 - 3, y: at.y - at.size / 2 - 3, width: at.size + 6, height: at.size + 6, rx: 6, class: "pointed" }));
    }
    this.layers.focus.replaceChildren(...rings);
    for (const [thing, nodes] of this.nodes) {
      for (const node of nodes) if (!node.namespaceURI.endsWith("svg")) node.classList.toggle("pointed", things.includes(thing));
    }
  }

  arrows(ways, fresh = false) {
    if (!this.root) return;
    this.layers.arrows.replaceChildren(...ways.flatMap((way) => arrow(way.points.map((thing) => this.centre(thing)), way.kind)));
    this.layers.arrows.classList.toggle("fresh", fresh);
  }

  // What was ordered and waits to be done.
  planned(ways) {
    if (this.root) this.layers.orders.replaceChildren(...ways.flatMap((way) => arrow(way.points.map((thing) => this.centre(thing)), way.kind)));
  }

  // An arrow from a counter to the hand that holds it.
  pull(thing, event = null) {
    if (!this.root) return;
    const from = thing ? this.centre(thing) : null, box = this.stage.getBoundingClientRect();
    const to = from && { x: this.view.x + (event.clientX - box.left) / this.scale(), y: this.view.y + (event.clientY - box.top) / this.scale() };
    this.layers.arrows.replaceChildren(...(from ? arrow([from, to], "planned") : []));
  }

  // Where what is in the hand may go.
  aim(things) {
    if (!this.root) return;
    const zones = things.map((thing) => [thing, this.zones.get(thing)]).filter(([, zone]) => zone);
    this.layers.aims.replaceChildren(...zones.map(([thing, zone]) =>
      svg("path", { d: zone.querySelector(".ground").getAttribute("d"), class: "aim", "data-thing": thing })));
  }
}

// What has the focus instead of a counter: nothing is written on it, so that its label may be in words.
function grip(node) { return node.querySelector(":scope > .grip") || node; }

function arrow(places, kind = "") {
  const points = places.filter(Boolean);
  if (points.length < 2) return [];
  const d = points.map((p, index) => `${index ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("");
  return [svg("path", { d, class: "arrow-rim" }), svg("path", { d, class: `arrow ${kind}`, "marker-end": "url(#arrow-head)" })];
}

// What lies under the pointer, also while the map holds it.
function under(event) {
  const node = document.elementFromPoint(event.clientX, event.clientY), found = node && node.closest("[data-thing]");
  return found ? found.dataset.thing : null;
}

function thingAt(event) {
  const node = event.target.closest ? event.target.closest("[data-thing]") : null;
  return node ? node.dataset.thing : null;
}

function distance(pointers) {
  const [a, b] = [...pointers.values()];
  return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}

function centreOf(pointers) {
  const [a, b] = [...pointers.values()];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function arrowHead() {
  return svg("marker", { id: "arrow-head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4.2, markerHeight: 4.2, orient: "auto" },
    svg("path", { d: "M0 0L10 5L0 10z", class: "arrow-tip" }));
}

function number(text, x, y) {
  const made = svg("text", { x, y, "text-anchor": "middle", "font-size": 10, "font-weight": "bold" });
  made.textContent = text;
  return made;
}

function chip(mark, size, index) {
  const reach = size * 0.15;
  const [x, y] = [[reach, size * 0.44], [size - reach, size * 0.44], [reach, reach]][index];
  const text = svg("text", { x, y: y + reach * 0.5, "text-anchor": "middle", "font-size": reach * 1.4, "font-weight": "bold" });
  text.textContent = mark.slice(0, 1).toUpperCase();
  return svg("g", { class: "chip", "aria-hidden": "true" }, svg("circle", { cx: x, cy: y, r: reach }), text);
}
