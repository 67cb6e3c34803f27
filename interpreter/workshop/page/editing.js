// Where the text is written: the editor that `make workshop` bundles, or a plain field; both answer the same.
import { el } from "../dom.js";
import { t } from "../words.js";
import { ourKey } from "./net.js";

export async function makeEditor(root, told, text, changed) {
  if (told.editor) {
    try {
      const { bundledEditor } = await import("./editor.js");
      const address = new URL("language", location.href);
      address.protocol = "ws:";
      address.hash = "";
      address.search = `?game=${encodeURIComponent(told.game)}`;
      const server = told.language ? { address: address.href, token: ourKey(), uri: told.uri } : null;
      const made = bundledEditor(root, text, changed, server);
      made.rich = true;
      return made;
    } catch (error) {
      console.warn("the bundled editor cannot be used", error);
    }
  }
  return plainField(root, text, changed);
}

function plainField(root, text, changed) {
  const field = el("textarea", { id: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": t("the house rule") });
  field.value = text;
  field.addEventListener("input", () => changed(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey) return; // Escape, then Tab, leaves the field
    if (field.dataset.leave) return;
    event.preventDefault();
    field.setRangeText("    ", field.selectionStart, field.selectionEnd, "end");
    changed(field.value);
  });
  field.addEventListener("keyup", (event) => { field.dataset.leave = event.key === "Escape" ? "yes" : ""; });
  root.replaceChildren(field, el("p", { class: "plain-note" },
    t("A plain field: with “make workshop” (or a wheel that was built with it) it becomes an editor with colours, completion and quick fixes. Everything below works all the same.")));
  return {
    rich: false,
    text: () => field.value,
    set(value, line) {
      field.value = value;
      changed(value);
      if (line) this.goto(line);
    },
    goto(line) {
      const rows = field.value.split("\n");
      const start = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
      field.focus();
      field.setSelectionRange(start, start + (rows[line - 1] || "").length);
      const height = parseFloat(getComputedStyle(field).lineHeight) || 20;
      field.scrollTop = Math.max(0, (line - 4) * height);
    },
    focus: () => field.focus(),
    leave() {},
  };
}
