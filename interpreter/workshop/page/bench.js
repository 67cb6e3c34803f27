// The bench: the rulebook, the house rule that is being written, and what follows from it.
import { el, toast } from "../dom.js";
import { t } from "../words.js";
import { makeEditor } from "./editing.js";
import { Forms } from "./forms.js";
import { packed } from "./link.js";
import { ask, download, nodes, ourKey } from "./net.js";
import { Weighing } from "./weighing.js";

const QUICK = 250, CALM = 1000; // milliseconds without a keystroke: before it is looked at, before it is proved

export class Bench {
  constructor(game, rule, others) {
    this.game = game;
    this.rule = rule;
    this.others = new Set(others);
    this.text = "";
    this.looked = null;
    this.proved = null;
    this.tab = "changes";
    this.asked = 0;
    this.timers = [];
  }

  leave() {
    this.timers.forEach(clearTimeout);
    if (this.weighing) this.weighing.leave();
    if (this.editor) this.editor.leave();
  }

  with(more = {}) { return { game: this.game, text: this.text, others: [...this.others], scenario: this.scenario(), ...more }; }

  scenario() { const found = document.getElementById("scenario"); return found ? found.value : ""; }

  heading() { const found = /^# +(.+)$/m.exec(this.text); return found ? found[1].trim().slice(0, 120) : t("My house rule"); }

  async open() {
    document.getElementById("title").textContent = t("reading the rulebook …");
    const told = await ask("open", { game: this.game });
    if (!told.ok) { document.getElementById("title").textContent = t(told.error); return; }
    this.told = told;
    document.title = `${told.title}: ${t("the workshop")}`;
    document.getElementById("title").textContent = told.title;
    document.getElementById("home").onclick = () => { location.hash = ""; };
    const kept = localStorage.getItem(this.place());
    this.text = this.rule ?? (told.file ? told.file.text : null) ?? kept ?? "";
    if (this.rule === null && told.file && !told.file.text && kept) this.text = kept;
    this.others = new Set([...this.others].filter((name) => told.house.some((rule) => rule.id === name)));
    this.drawBook();
    this.drawHead();
    this.drawTools();
    this.drawRooms();
    this.forms = new Forms(this);
    this.weighing = new Weighing(this);
    this.editor = await makeEditor(document.getElementById("editor"), told, this.text, (text) => this.typed(text));
    this.drawTabs();
    this.show(this.tab);
    this.consider();
    this.ready = true;
  }

  place() { return `rulesdsl workshop ${this.game}`; }

  // ---- typing
  typed(text) {
    if (text === this.text) return;
    this.text = text;
    localStorage.setItem(this.place(), text);
    this.stir();
  }

  stir() {
    this.timers.forEach(clearTimeout);
    this.proved = null;
    this.timers = [setTimeout(() => this.consider(), QUICK)];
  }

  async consider() {
    const mine = ++this.asked;
    const looked = await ask("consider", this.with());
    if (mine !== this.asked) return;
    this.looked = looked.ok ? looked : { sound: false, empty: false, problems: [{ severity: "error", message: t(looked.error), file: "", line: 1, also: [] }], html: "", paragraphs: [] };
    this.drawTabs();
    this.mark();
    this.refresh("changes", "wrong", "forms");
    document.getElementById("try").disabled = !this.looked.sound && !this.looked.empty;
    if (this.looked.sound) this.timers.push(setTimeout(() => this.prove(), CALM));
    else this.refresh("proof");
  }

  async prove() {
    const mine = this.asked;
    this.proved = { busy: true };
    this.refresh("proof");
    const proved = await ask("prove", this.with());
    if (mine !== this.asked || proved.late) return;
    this.proved = proved;
    this.drawTabs();
    this.refresh("proof");
  }

  // ---- the rulebook
  drawBook() {
    const root = document.getElementById("book");
    const find = el("input", { type: "search", id: "find", placeholder: t("find in the rulebook"), "aria-label": t("find in the rulebook") });
    const contents = el("select", { id: "contents", "aria-label": t("contents") }, el("option", { value: "" }, t("contents")));
    const list = el("div", { id: "paragraphs" });
    for (const chapter of this.told.chapters) {
      const group = el("optgroup", { label: chapter.title });
      list.append(el("h2", {}, chapter.title));
      for (const paragraph of chapter.paragraphs) {
        group.append(el("option", { value: anchor(paragraph.id) }, `${paragraph.id} ${paragraph.title}`));
        const section = el("article", { id: anchor(paragraph.id), dataset: { number: paragraph.id } },
          el("h3", {}, el("span", { class: "number" }, paragraph.id), ` ${paragraph.title}`));
        section.append(nodes(paragraph.html), el("p", { class: "amend" },
          el("button", { type: "button", class: "amend-this", onclick: () => this.draft({ amend: paragraph.id }) }, t("amend this")),
          el("button", { type: "button", class: "new-after quiet", onclick: () => this.draft({ after: paragraph.id }) }, t("new rule after it"))));
        list.append(section);
      }
      contents.append(group);
    }
    contents.addEventListener("change", () => this.scrollTo(contents.value));
    find.addEventListener("input", () => this.narrow(find.value));
    root.replaceChildren(el("div", { class: "book-tools" }, find, contents), list);
    root.addEventListener("click", (event) => this.followed(event));
    document.getElementById("pane").addEventListener("click", (event) => this.followed(event));
  }

  followed(event) {
    const link = event.target.closest("a[href^='#rule-']");
    if (!link) return;
    event.preventDefault();
    this.scrollTo(link.getAttribute("href").slice(1));
  }

  scrollTo(id) {
    const found = id && document.getElementById(id);
    if (!found) return;
    this.room("book");
    found.hidden = false;
    found.scrollIntoView({ block: "start" });
    found.classList.add("shown");
    setTimeout(() => found.classList.remove("shown"), 1600);
  }

  narrow(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of document.querySelectorAll("#paragraphs article")) {
      const text = section.textContent.toLowerCase();
      section.hidden = !wanted.every((word) => text.includes(word));
    }
    for (const head of document.querySelectorAll("#paragraphs h2")) head.hidden = wanted.length > 0;
  }

  mark() {
    const touched = new Set(this.looked.paragraphs);
    for (const section of document.querySelectorAll("#paragraphs article")) section.classList.toggle("touched", touched.has(section.dataset.number));
  }

  // A change that the server makes to the text; if somebody typed meanwhile, it is made anew of what stands there now.
  async rewritten(what, more) {
    for (;;) {
      const { text } = this;
      const told = await ask(what, this.with(more));
      if (!told.ok || text === this.text) return told;
    }
  }

  async draft(what) {
    const told = await this.rewritten("draft", what);
    if (!told.ok) { toast(t(told.error), true); return; }
    this.room("work");
    this.editor.set(told.text, told.line);
    this.typed(told.text);
  }

  // ---- above the text
  drawHead() {
    const { told } = this;
    const parts = [];
    if (told.scenarios.length > 1) {
      parts.push(el("label", {}, `${t("scenario")} `, el("select", { id: "scenario" }, ...told.scenarios.map((one) => el("option", { value: one.id, selected: one.id === told.scenario }, one.title)))));
    }
    if (told.house.length) {
      const boxes = told.house.map((rule) => el("label", { class: "box" }, el("input", { type: "checkbox", value: rule.id, checked: this.others.has(rule.id) || null,
        onchange: (event) => { if (event.target.checked) this.others.add(rule.id); else this.others.delete(rule.id); this.stir(); } }), ` ${rule.title}`));
      parts.push(el("details", { class: "others" }, el("summary", {}, t("other house rules")), ...boxes));
    }
    if (told.file) parts.push(el("span", { class: "file" }, told.file.name));
    document.getElementById("head").replaceChildren(...parts);
  }

  drawTools() {
    const share = el("details", { class: "menu" }, el("summary", {}, t("Keep and share")),
      el("button", { type: "button", id: "as-file", onclick: () => this.asFile() }, this.told.file ? t("save {0}", this.told.file.name) : t("as a file")),
      el("button", { type: "button", id: "as-link", onclick: () => this.asLink() }, t("as a link")),
      el("button", { type: "button", id: "as-variant", onclick: () => this.asMade("variant", "application/yaml") }, t("as a variant")),
      el("button", { type: "button", id: "as-page", onclick: () => this.asMade("sheet", "text/html") }, t("as a page to print")),
      el("label", { class: "open-file" }, `${t("open a file")} `, el("input", { type: "file", id: "open-file", accept: ".md,text/markdown", onchange: (event) => this.opened(event) })));
    share.addEventListener("click", (event) => { if (event.target.closest("button")) share.open = false; });
    share.addEventListener("focusout", (event) => { if (!share.contains(event.relatedTarget) && event.relatedTarget) share.open = false; });
    document.getElementById("tools").replaceChildren(share,
      el("button", { type: "button", id: "try", class: "primary", onclick: () => this.tryIt() }, t("Try it")));
  }

  async opened(event) {
    const file = event.target.files[0];
    if (file) { const text = await file.text(); this.editor.set(text, 1); this.typed(text); }
  }

  async asFile(sure = false) {
    if (!this.told.file) { download(`${slug(this.heading())}.md`, this.text, "text/markdown"); return; }
    const reply = await ask("save", { text: this.text, sure });
    if (!reply.ok) { toast(t(reply.error), true); return; }
    if (reply.asks) this.confirm(t(reply.asks), () => this.asFile(true));
    else toast(t("{0} is written", reply.name));
  }

  confirm(words, sure) {
    const box = el("dialog", { id: "sure" }, el("p", {}, words), el("p", { class: "buttons" },
      el("button", { type: "button", class: "primary", onclick: () => { box.close(); box.remove(); sure(); } }, t("write over it")),
      el("button", { type: "button", onclick: () => { box.close(); box.remove(); } }, t("leave it"))));
    document.body.append(box);
    box.showModal();
  }

  async asLink() {
    const address = new URL(location.href);
    address.hash = `game=${encodeURIComponent(this.game)}&rule=${await packed(this.text)}${this.others.size ? `&with=${[...this.others].join(",")}` : ""}`;
    this.link = address.href;
    const field = el("input", { type: "text", readonly: true, id: "link", value: this.link });
    const box = el("dialog", { id: "linked" }, el("p", {}, t("The whole house rule is in this address. Whoever has rulesdsl opens it with “rulesdsl workshop --link ADDRESS”; no server ever sees it.")), field,
      el("p", { class: "buttons" }, el("button", { type: "button", onclick: async () => { field.select(); try { await navigator.clipboard.writeText(this.link); toast(t("copied")); } catch (error) { document.execCommand("copy"); } } }, t("copy")),
        el("button", { type: "button", class: "primary", onclick: () => { box.close(); box.remove(); } }, t("close"))));
    document.body.append(box);
    box.showModal();
    field.select();
  }

  async asMade(what, type) {
    const reply = await ask(what, this.with({ title: this.heading() }));
    if (reply.ok) { download(reply.name, reply.text, type); toast(t("{0} is made", reply.name)); } else toast(t(reply.error), true);
  }

  async tryIt(moment = {}) {
    const button = document.getElementById("try");
    button.disabled = true;
    button.textContent = t("laying the table …");
    const reply = await ask("begin", this.with(moment));
    button.disabled = false;
    button.textContent = t("Try it");
    if (!reply.ok) { toast(t(reply.error), true); return; }
    const address = `../#key=${ourKey()}&table=${encodeURIComponent(reply.table)}&token=${reply.token}`;
    const box = el("dialog", { id: "laid" }, el("p", {}, t("The table is laid with the rules as they are now. Your text stays here.")), el("p", { class: "buttons" },
      el("a", { class: "button primary", id: "sit", href: address }, t("Sit down")), el("a", { class: "button", href: address, target: "_blank" }, t("in a new tab")),
      el("button", { type: "button", onclick: () => { box.close(); box.remove(); } }, t("not now"))));
    document.body.append(box);
    box.showModal();
  }

  // ---- what follows
  drawTabs() {
    const wrong = this.looked ? this.looked.problems.length : 0;
    const clashes = this.looked ? this.looked.problems.filter((one) => one.clash).length : 0;
    const broken = this.proved && !this.proved.busy && this.proved.ok ? this.proved.failed.length + this.proved.changed.length + this.proved.broken.length : 0;
    const tabs = [["changes", t("What changes"), this.looked && this.looked.paragraphs.length], ["wrong", clashes ? t("Clashes") : t("What is wrong"), wrong], ["proof", t("Examples"), broken],
      ["weigh", t("What does it do?"), 0], ["forms", t("Counters and tables"), 0]];
    const root = document.getElementById("tabs");
    const focused = document.activeElement && document.activeElement.id;
    root.replaceChildren(...tabs.map(([id, words, count]) => el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-selected": String(this.tab === id), onclick: () => this.show(id) },
      words, count ? el("span", { class: `count${id === "wrong" || id === "proof" ? " bad" : ""}` }, String(count)) : null)));
    if (focused && focused.startsWith("tab-")) document.getElementById(focused)?.focus();
  }

  show(id) {
    this.tab = id;
    this.drawTabs();
    this.refresh(id);
  }

  refresh(...which) {
    if (!which.includes(this.tab)) return;
    const root = document.getElementById("pane");
    root.className = this.tab;
    if (this.tab === "changes") this.drawChanges(root);
    if (this.tab === "wrong") this.drawWrong(root);
    if (this.tab === "proof") this.drawProof(root);
    if (this.tab === "weigh") this.weighing.draw(root);
    if (this.tab === "forms") this.forms.draw(root);
  }

  drawChanges(root) {
    const { looked } = this;
    if (!looked) { root.replaceChildren(el("p", { class: "note" }, t("looking …"))); return; }
    if (looked.empty) {
      root.replaceChildren(el("p", {}, t("Nothing is written yet. Find a paragraph of the rulebook and press “amend this”; or write a title (# My rule), a reason, and a section (## amends 5.4).")));
      return;
    }
    if (!looked.sound) {
      const first = looked.problems[0];
      root.replaceChildren(el("p", { class: "note" }, t("As it stands it cannot be read, so there is nothing to show.")), first ? this.problem(first) : null);
      return;
    }
    root.replaceChildren(nodes(looked.html));
  }

  problem(one) {
    const where = one.here ? t("line {0}", one.line) : `${one.file}:${one.line}`;
    return el("div", { class: `problem ${one.severity}` },
      one.here ? el("button", { type: "button", class: "where", onclick: () => { this.room("work"); this.editor.goto(one.line); } }, where) : el("span", { class: "where" }, where),
      el("span", { class: "message" }, one.message), one.help ? el("span", { class: "help" }, t("help: {0}", one.help)) : null,
      ...one.also.map((other) => el("span", { class: "also" }, `${other.label}: ${other.file}:${other.line}${other.text ? ` “${other.text.split("\n")[0]}”` : ""}`)));
  }

  drawWrong(root) {
    const problems = this.looked ? this.looked.problems : [];
    if (!problems.length) { root.replaceChildren(el("p", { class: "good" }, this.looked && this.looked.empty ? t("Nothing is written yet.") : t("Nothing is wrong, and nothing clashes."))); return; }
    root.replaceChildren(...problems.map((one) => this.problem(one)), this.looked.more ? el("p", {}, t("and {0} more", this.looked.more)) : "");
  }

  drawProof(root) {
    const { proved } = this;
    if (!this.looked || !this.looked.sound) { root.replaceChildren(el("p", { class: "note" }, t("Examples are run when nothing is wrong."))); return; }
    if (!proved || proved.busy) { root.replaceChildren(el("p", { class: "note" }, proved ? t("running the examples, and a few games for what must always be true …") : t("waiting for a pause …"))); return; }
    if (!proved.ok) { root.replaceChildren(el("p", { class: "problem error" }, t(proved.error))); return; }
    const list = (title, entries, kind) => entries.length ? [el("h3", {}, title), ...entries.map((one) => el("div", { class: `problem ${kind}` },
      el("span", { class: "where" }, t("{0}, example {1}", one.rule, one.number)), ...one.problems.map((words) => el("span", { class: "message" }, words))))] : [];
    const always = proved.broken.length ? [el("h3", {}, t("What must always be true, and is not")), ...proved.broken.map((words) => el("div", { class: "problem error" }, el("span", { class: "message" }, words)))]
      : [el("p", { class: "good" }, t("What must always be true held after every decision of {0} random games.", proved.asked))];
    root.replaceChildren(el("p", {}, t("{0} examples: {1} of yours fail, {2} printed ones no longer hold.", proved.examples, proved.failed.length, proved.changed.length)),
      ...list(t("Your own that fail"), proved.failed, "error"), ...list(t("Printed ones that no longer hold: is that what you want?"), proved.changed, "warning"), ...always);
  }

  // ---- on a narrow screen one part is shown at a time
  drawRooms() {
    const rooms = [["book", t("Rulebook")], ["work", t("Amendment")], ["follow", t("What follows")]];
    document.getElementById("rooms").replaceChildren(...rooms.map(([id, words]) => el("button", { type: "button", dataset: { room: id }, onclick: () => this.room(id) }, words)));
    this.room("book");
  }

  room(id) {
    const shop = document.getElementById("shop");
    shop.dataset.room = id;
    for (const button of document.querySelectorAll("#rooms button")) button.setAttribute("aria-pressed", String(button.dataset.room === id));
  }
}

function anchor(number) { return `rule-${number.replace(/[^\p{L}\p{N}._-]/gu, "-")}`; }

function slug(title) { return (title.toLowerCase().match(/[a-z0-9]+/g) || ["house_rule"]).join("_"); }
