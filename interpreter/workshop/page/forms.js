// Counters and tables as forms: a value that is changed becomes a line of the house rule, and the picture follows.
import { drawn, el, toast } from "../dom.js";
import { t } from "../words.js";
import { ask } from "./net.js";

export class Forms {
  constructor(bench) {
    this.bench = bench;
    this.chosen = null;
    this.asked = 0;
  }

  async draw(root) {
    const { told } = this.bench;
    const choose = el("select", { id: "form-of", "aria-label": t("counter or table") }, el("option", { value: "" }, t("choose a counter or a table")),
      this.group(t("Tables"), "table", told.tables), this.group(t("Counters"), "counter", told.counters));
    choose.value = this.chosen ? this.chosen.join("\t") : "";
    choose.addEventListener("change", () => { this.chosen = choose.value ? choose.value.split("\t") : null; this.draw(root); });
    if (!this.chosen) { root.replaceChildren(choose); return; }
    const mine = ++this.asked;
    const [kind, name] = this.chosen;
    const form = await ask("form", this.bench.with({ kind, name }));
    if (mine !== this.asked || this.bench.tab !== "forms") return;
    const focused = document.activeElement && document.activeElement.id;
    root.replaceChildren(choose, form.ok ? (form.kind === "table" ? this.table(form) : this.counter(form)) : el("p", { class: "problem error" }, t(form.error)));
    if (focused) document.getElementById(focused)?.focus();
  }

  group(label, kind, entries) {
    return entries.length ? el("optgroup", { label }, ...entries.map((one) => el("option", { value: `${kind}\t${one.id}` }, one.title))) : null;
  }

  field(id, value, printed, label, what) {
    const input = el("input", { type: "text", id, "aria-label": label, class: value === printed ? null : "changed", title: value === printed ? null : t("printed: {0}", printed), size: Math.max(3, value.length) });
    input.value = value;
    input.addEventListener("change", () => this.put(what, input.value));
    return input;
  }

  async put(what, value) {
    const [kind, name] = this.chosen;
    const reply = await this.bench.rewritten("put", { kind, name, what, value });
    if (!reply.ok) { toast(t(reply.error), true); this.bench.refresh("forms"); return; }
    this.bench.editor.set(reply.text);
    this.bench.typed(reply.text);
  }

  table(form) {
    const block = el("div", { class: "form" });
    const rows = form.keys.find((key) => key.axis === "rows");
    for (const page of form.pages) {
      const grid = el("table");
      if (page.label) grid.append(el("caption", {}, page.label));
      grid.append(el("tr", {}, el("th", {}, rows ? rows.name.replaceAll("_", " ") : ""), ...(form.columns.length ? form.columns : [t("result")]).map((name) => el("th", {}, name))));
      for (const row of page.rows) {
        grid.append(el("tr", {}, el("th", {}, row.label), ...row.cells.map((cell) => el("td", {}, ...cell.map((one) => this.cell(one))))));
      }
      block.append(el("div", { class: "wide" }, grid));
    }
    return block;
  }

  // A result, or one field of it with its name.
  cell(one) {
    const input = this.field(`cell-${one.labels.join("-")}`, one.value, one.printed, one.labels.join(", "), one.labels);
    return one.field ? el("label", { class: "of-cell" }, `${one.field.replaceAll("_", " ")} `, input) : input;
  }

  counter(form) {
    return el("div", { class: "form faces" }, ...form.faces.map((face, number) => el("figure", {},
      drawn(face.svg), el("figcaption", {}, form.faces.length > 1 ? t("face {0}", number + 1) : form.title),
      ...face.values.map((one) => el("label", {}, `${one.name.replaceAll("_", " ")} `,
        this.field(`value-${one.name}-${one.face}`, one.value, one.printed, t("{0}, face {1}", one.name, one.face), [one.name, String(one.face)]))))));
  }
}
