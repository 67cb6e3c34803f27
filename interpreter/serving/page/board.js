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
    this.kept = new Map(); // what a pile or a tray shows → its nodes: what has not changed is not drawn again
    this.glowing = new Set(); // counters that are lit or chosen just now
    this.view = null;
  }

  async ground(ground) {
    this.printed = ground;
    this.faces.clear();
    this.kept.clear();
    this.glowing.clear();
    this.zones.clear();
    this.stage.replaceChildren();
    if (!ground.svg) { this.stage.classList.add("empty"); return; }
    const sheet = drawn(ground.svg);
    sheet.removeAttribute("role");
    sheet.removeAttribute("aria-labelledby");
    sheet.setAttribute("aria-hidden", "true");
    // The printed map lies under what lies on it, in a drawing of its own: a counter that moves does not make the browser
    // look at every wood and every name again.
    this.under = svg("svg", { class: "map printed", preserveAspectRatio: "xMidYMid meet", "aria-hidden": "true" }, sheet);
    this.root = svg("svg", { class: "map above", preserveAspectRatio: "xMidYMid meet", role: "group", "aria-label": t("map") });
    this.layers = {};
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
    this.stage.append(this.under, this.root);
    this.width = ground.width;
    this.height = ground.height;
    this.fit();
    this.listen();
    this.watching = new ResizeObserver(() => this.resized());
    this.watching.observe(this.stage);
  }

  leave() {
    if (this.watching) this.watching.disconnect();
  }

  // ---- the window on the map
  fit() {
    const box = this.stage.getBoundingClientRect();
    this.room = { width: box.width, height: box.height };
    const scale = Math.min(box.width / this.width, box.height / this.height) || 1;
    const width = box.width / scale, height = box.height / scale;
    this.view = { x: (this.width - width) / 2, y: (this.height - height) / 2, width, height };
    this.least = scale * 0.8;
    this.whole = true; // until somebody moves it: then a window that changes its size shows the whole map again
    this.show();
  }

  show() {
    if (!this.root) return;
    const v = this.view;
    for (const drawing of [this.under, this.root]) drawing.setAttribute("viewBox", `${v.x} ${v.y} ${v.width} ${v.height}`);
    const scale = this.scale();
    this.under.classList.toggle("far", scale < 0.55);
    this.under.classList.toggle("very-far", scale < 0.33);
  }

  scale() {
    return this.stage.getBoundingClientRect().width / this.view.width;
  }

  zoom(factor, at = null) {
    if (!this.root) return;
    const box = this.stage.getBoundingClientRect();
    const px = at ? at.x - box.left : box.width / 2, py = at ? at.y - box.top : box.height / 2;
    this.whole = false;
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
    this.whole = false;
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

  // Another window, or boxes below that grew: the whole map stays whole, a part of it keeps its size and its middle.
  resized() {
    if (!this.root || !this.view) return;
    const box = this.stage.getBoundingClientRect(), before = this.room;
    if (!box.width || !box.height || (before && before.width === box.width && before.height === box.height)) return;
    if (this.whole || !before) { this.fit(); return; }
    this.room = { width: box.width, height: box.height };
    const scale = Math.max(before.width / this.view.width, 0.05);
    const middle = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    this.view.width = box.width / scale;
    this.view.height = box.height / scale;
    this.view.x = middle.x - this.view.width / 2;
    this.view.y = middle.y - this.view.height / 2;
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
    this.stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), { x: event.clientX, y: event.clientY });
      } else this.pan(-event.deltaX, 0);
    }, { passive: false });
    this.stage.addEventListener("pointerdown", (event) => {
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
    this.stage.addEventListener("pointermove", (event) => {
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
        if (!this.stage.hasPointerCapture(event.pointerId)) this.stage.setPointerCapture(event.pointerId);
        this.stage.classList.add("dragged");
        if (carried) this.calls.drag(under(event), event);
        else this.pan(dx, dy);
      }
    });
    const up = (event) => {
      clearTimeout(held);
      pointers.delete(event.pointerId);
      this.stage.classList.remove("dragged");
      if (carried && moved > 5) this.calls.drop(event.type === "pointerup" ? under(event) : null, event);
      carried = false;
      if (event.type === "pointerup" && moved <= 5 && event.button === 0) this.calls.click(thingAt(event), event);
    };
    this.stage.addEventListener("pointerup", up);
    this.stage.addEventListener("pointercancel", up);
    this.stage.addEventListener("pointerleave", (event) => { this.calls.hover(null, event); });
    this.stage.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.calls.ask(thingAt(event), event);
    });
    this.stage.addEventListener("keydown", (event) => {
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
    const kept = new Map();
    if (this.root) {
      if (board.marks !== this.markedWith) {
        this.layers.marks.replaceChildren(...(board.marks ? [...drawn(board.marks).childNodes] : []));
        for (const title of this.layers.marks.querySelectorAll("title")) title.remove();
        this.markedWith = board.marks;
      }
      const made = [];
      for (const pile of board.piles) {
        const { group, counters } = this.again(kept, `${pile.x} ${pile.y} ${pile.size}`, pile.pieces, board.backs, () => this.pile(pile, board.backs));
        const depth = counters.length - 1;
        counters.forEach((counter, level) => this.remember(pile.pieces[level].id, counter));
        pile.pieces.forEach((piece, level) => {
          this.pieces.set(piece.id, { ...piece, space: pile.space, pile });
          const at = Math.min(level, DEEPEST - 1);
          this.places.set(piece.id, { x: pile.x + at * SHIFT + pile.size / 2, y: pile.y + (depth - Math.min(at, depth)) * SHIFT + pile.size / 2, size: pile.size });
          if (level >= DEEPEST) this.remember(piece.id, group);
        });
        made.push(group);
      }
      inOrder(this.layers.piles, made);
    }
    this.showTrays(board, kept);
    this.kept = kept;
    this.arrows([]);
  }

  // What was drawn before for the same counters, or drawn now: writing is what takes a browser its time.
  again(kept, where, pieces, backs, draw) {
    const strange = pieces.filter((piece) => !this.printed.faces[piece.face]).map((piece) => backs[piece.face]);
    const shows = JSON.stringify([where, pieces, strange]);
    const found = this.kept.get(shows) || draw();
    this.kept.delete(shows); // two places that show the same are two
    kept.set(shows, found);
    return found;
  }

  pile(pile, backs) {
    const shown = pile.pieces.slice(0, DEEPEST), depth = shown.length - 1;
    const group = svg("g", { class: "pile", transform: `translate(${pile.x} ${pile.y})` });
    const counters = [];
    for (let level = depth; level >= 0; level--) {
      const holder = svg("g", { transform: `translate(${level * SHIFT} ${(depth - level) * SHIFT})` });
      counters[level] = this.counter(shown[level], pile.size, backs);
      holder.append(counters[level]);
      group.append(holder);
    }
    if (pile.pieces.length > 1) {
      const x = pile.size + depth * SHIFT - 1;
      group.append(svg("g", { class: "count", "pointer-events": "none" },
        svg("circle", { cx: x, cy: 2, r: 7.2 }), number(pile.pieces.length, x, 5.6)));
    }
    return { group, counters };
  }

  remember(thing, node) {
    if (!this.nodes.has(thing)) this.nodes.set(thing, []);
    this.nodes.get(thing).push(node);
  }

  // Boxes beside the map, each with its counters; empty ones are folded into one line.
  showTrays(board, kept) {
    const mine = (box) => Boolean(box.owner) && box.owner === this.seat;
    const full = board.boxes.filter((box) => box.piles.length).sort((a, b) => mine(b) - mine(a)), bare = board.boxes.filter((box) => !box.piles.length);
    const made = full.map((box) => {
      const owner = this.players.find((player) => player.id === box.owner);
      const where = JSON.stringify([box.space, box.name, owner, mine(box), box.piles.map((pile) => pile.length)]);
      const tray = this.again(kept, where, box.piles.flat(), board.backs, () => this.tray(box, owner, mine(box), board));
      if (box.space) this.remember(`space:${box.space}`, tray.head);
      box.piles.forEach((pile, place) => {
        for (const piece of pile) {
          this.pieces.set(piece.id, { ...piece, space: box.space, pile: { space: box.space, pieces: pile } });
          this.remember(piece.id, tray.faces[place]);
        }
      });
      return tray.section;
    });
    if (bare.length) {
      const line = this.again(kept, JSON.stringify(["bare", bare.map((box) => [box.space, box.name])]), [], {}, () => this.bareTrays(bare));
      bare.forEach((box, place) => this.remember(`space:${box.space}`, line.children[place]));
      made.push(line);
    }
    const hand = this.trays.querySelector("#hand"); // stays: boxes that come and go would make the map another size
    inOrder(this.trays, hand ? [hand, ...made] : made);
    this.trays.hidden = !made.length && !hand;
  }

  tray(box, owner, mine, board) {
    const section = el("section", { class: `tray${mine ? " mine" : ""}` });
    const many = box.piles.reduce((sum, pile) => sum + pile.length, 0);
    const head = el("button", { class: "tray-name", type: "button" }, owner ? dot(owner) : "", box.name || t("to be placed"), el("span", { class: "many" }, String(many)));
    if (box.space) { head.dataset.thing = `space:${box.space}`; this.listenTo(head); }
    const faces = box.piles.map((pile) => this.trayFace(pile, board));
    section.append(head, el("div", { class: "tray-row" }, ...faces));
    return { section, head, faces };
  }

  bareTrays(boxes) {
    const line = el("section", { class: "tray empty" });
    for (const box of boxes) {
      const head = el("button", { class: "tray-name", type: "button" }, box.name);
      head.dataset.thing = `space:${box.space}`;
      this.listenTo(head);
      line.append(head);
    }
    return line;
  }

  trayFace(pile, board) {
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
    this.listenTo(made);
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
    const glowing = new Map(); // node → how it is to be lit
    for (const thing of [...things, ...picked]) for (const node of this.nodes.get(thing) || []) glowing.set(node, [thing, picked.has(thing) ? "chosen" : "lit"]);
    for (const node of this.glowing) {
      if (glowing.has(node)) continue;
      node.classList.remove("lit", "chosen");
      if (node.namespaceURI.endsWith("svg")) for (const name of ["tabindex", "role", "aria-label"]) grip(node).removeAttribute(name);
    }
    for (const [node, [thing, how]] of glowing) {
      node.classList.remove(how === "lit" ? "chosen" : "lit");
      node.classList.add(how);
      if (node.namespaceURI.endsWith("svg")) {
        const held = grip(node);
        held.setAttribute("tabindex", 0);
        held.setAttribute("role", "button");
        held.setAttribute("aria-label", names(thing));
      }
    }
    this.glowing = new Set(glowing.keys());
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

// Children as they should be; those that are there already are left alone, so that nothing is laid out anew and none loses the focus.
function inOrder(parent, wanted) {
  const stay = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!stay.has(child)) child.remove();
  wanted.forEach((child, place) => { if (parent.childNodes[place] !== child) parent.insertBefore(child, parent.childNodes[place] || null); });
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
