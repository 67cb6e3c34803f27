// The editor of the workshop: CodeMirror 6 in a shadow tree (so that its styles need no inline style sheet), with the
// language server of rulesdsl behind a WebSocket. Without a server it is an editor all the same.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { LSPClient, LSPPlugin, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap, serverCompletion, serverDiagnostics } from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// ---- colours: headings and fences by themselves, names by what the server says they are
const markdown = StreamLanguage.define({
  name: "markdown",
  startState: () => ({ fenced: false }),
  token(stream, state) {
    if (stream.sol() && stream.match(/^(```|~~~)/)) { state.fenced = !state.fenced; stream.skipToEnd(); return "meta"; }
    if (!state.fenced && stream.sol() && stream.match(/^#+ /)) { stream.skipToEnd(); return "heading"; }
    if (!state.fenced) { stream.skipToEnd(); return null; }
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^\d+(:\d+)?/)) return "number";
    if (!stream.match(/^[A-Za-z_]\w*/)) stream.next();
    return null;
  },
});

const look = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "bold", color: "var(--accent)" },
  { tag: tags.meta, color: "var(--soft)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--text)" },
  { tag: tags.number, color: "var(--accent)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--ink)", fontSize: "14px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", Consolas, monospace', lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--line) 35%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--beam) 35%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "34rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-lsp-hover-tooltip": { padding: "0.3rem 0.6rem", maxHeight: "16rem", overflow: "auto" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".sem-keyword": { color: "var(--keyword)" }, ".sem-function, .sem-event, .sem-macro": { color: "var(--name)" },
  ".sem-property, .sem-enumMember, .sem-namespace": { color: "var(--name)" }, ".sem-class, .sem-type, .sem-enum": { color: "var(--keyword)", fontStyle: "italic" },
  ".sem-string": { color: "var(--text)" }, ".sem-number": { color: "var(--accent)" }, ".sem-comment": { color: "var(--soft)" },
});

const coloured = StateEffect.define();
const colours = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    let kept = marks.map(change.changes);
    for (const effect of change.effects) if (effect.is(coloured)) kept = effect.value;
    return kept;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function semantic(client, uri) {
  return ViewPlugin.fromClass(class {
    constructor(view) { this.view = view; client.initializing.then(() => this.later(50), () => {}); }
    update(update) { if (update.docChanged) this.later(350); }
    later(wait) { clearTimeout(this.timer); this.timer = setTimeout(() => this.ask(), wait); }
    destroy() { clearTimeout(this.timer); this.gone = true; }
    async ask() {
      const offered = client.serverCapabilities && client.serverCapabilities.semanticTokensProvider;
      if (!offered || this.gone) return;
      client.sync();
      const doc = this.view.state.doc;
      let told;
      try { told = await client.request("textDocument/semanticTokens/full", { textDocument: { uri } }); } catch (error) { return; }
      if (this.gone || !told || doc !== this.view.state.doc) return; // typed on: the next one will fit
      const marks = [];
      let line = 0, column = 0;
      for (let at = 0; at + 4 < told.data.length; at += 5) {
        column = told.data[at] ? told.data[at + 1] : column + told.data[at + 1];
        line += told.data[at];
        if (line >= doc.lines) break;
        const row = doc.line(line + 1), from = row.from + column, to = Math.min(row.to, from + told.data[at + 2]);
        if (from < to) marks.push(Decoration.mark({ class: `sem-${offered.legend.tokenTypes[told.data[at + 3]]}` }).range(from, to));
      }
      this.view.dispatch({ effects: coloured.of(Decoration.set(marks, true)) });
    }
  });
}

// ---- messages with their quick fixes
const SEVERITY = { 1: "error", 2: "warning", 3: "info", 4: "hint" };

function diagnosed(client, params) {
  const file = client.workspace.getFile(params.uri), view = file && file.getView(), plugin = view && LSPPlugin.get(view);
  if (!plugin || (params.version != null && params.version !== file.version)) return true;
  const place = (at) => plugin.unsyncedChanges.mapPos(plugin.fromPosition(at, plugin.syncedDoc));
  const found = params.diagnostics.map((item) => ({ from: place(item.range.start), to: place(item.range.end), severity: SEVERITY[item.severity || 1], message: item.message, item }));
  const shown = (extra) => setDiagnostics(view.state, found.map(({ item, ...rest }) => ({ ...rest, actions: extra.get(item) || [] })));
  view.dispatch(shown(new Map()));
  const doc = view.state.doc;
  fixes(client, params.uri, view, found.slice(0, 12).map((one) => one.item)).then((extra) => {
    if (extra.size && view.state.doc === doc) view.dispatch(shown(extra));
  }, () => {});
  return true;
}

async function fixes(client, uri, view, items) {
  const extra = new Map();
  for (const item of items) {
    if (!item.data || !item.data.fixes || !item.data.fixes.length) continue;
    const told = await client.request("textDocument/codeAction", { textDocument: { uri }, range: item.range, context: { diagnostics: [item] } });
    const ours = (told || []).filter((one) => one.kind === "quickfix" && one.edit && one.edit.changes && Object.keys(one.edit.changes).every((name) => name === uri));
    extra.set(item, ours.slice(0, 3).map((one) => ({ name: one.title, apply: () => changed(view, one.edit.changes[uri]) })));
  }
  return extra;
}

function changed(view, edits) {
  const plugin = LSPPlugin.get(view);
  view.dispatch({ changes: edits.map((edit) => ({ from: plugin.fromPosition(edit.range.start), to: plugin.fromPosition(edit.range.end), insert: edit.newText })), userEvent: "input.fix" });
}

// Markdown of our own server; all that could run or load something is taken out before it is shown.
function harmless(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const found of parsed.querySelectorAll("script, style, link, iframe, object, embed, img, form, meta, base")) found.remove();
  for (const found of parsed.querySelectorAll("*")) {
    for (const { name } of [...found.attributes]) if (name.startsWith("on") || name === "style" || name === "src" || (name === "href" && !found.getAttribute("href").startsWith("#"))) found.removeAttribute(name);
  }
  return parsed.body.innerHTML;
}

function socketTo(server) {
  return new Promise((done, failed) => {
    const socket = new WebSocket(server.address, ["rulesdsl", server.token]);
    const handlers = new Set();
    socket.onmessage = (event) => { for (const handler of [...handlers]) handler(event.data); };
    socket.onerror = () => failed(new Error("the language server does not answer"));
    socket.onopen = () => done({ socket, send: (message) => socket.send(message), subscribe: (handler) => handlers.add(handler), unsubscribe: (handler) => handlers.delete(handler) });
  });
}

export function bundledEditor(root, text, told, server) {
  const host = document.createElement("div");
  host.className = "host";
  root.replaceChildren(host);
  const shadow = host.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  place.style.height = "100%";
  shadow.append(place);
  let client = null, line = null;
  const extensions = [
    lineNumbers(), history(), drawSelection(), highlightActiveLine(), search({ top: true }), highlightSelectionMatches(), closeBrackets(), autocompletion(), lintGutter(),
    indentUnit.of("    "), EditorState.tabSize.of(4), markdown, syntaxHighlighting(look), theme, colours, EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "the house rule", spellcheck: "false", autocapitalize: "off" }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => { if (update.docChanged) told(update.state.doc.toString()); }),
  ];
  if (server) {
    client = new LSPClient({
      timeout: 15000, sanitizeHTML: harmless,
      notificationHandlers: { "textDocument/publishDiagnostics": diagnosed, "window/logMessage": () => true },
      extensions: [serverCompletion(), hoverTooltips(), serverDiagnostics(), keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap])],
    });
    extensions.push(client.plugin(server.uri, "markdown"), semantic(client, server.uri));
  }
  const view = new EditorView({ root: shadow, parent: place, state: EditorState.create({ doc: text, extensions }) });
  const made = {
    view,
    connected: false,
    text: () => view.state.doc.toString(),
    set(value, at) {
      if (value !== this.text()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
      if (at) this.goto(at);
    },
    goto(number) {
      const row = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: row.from, head: row.to }, effects: EditorView.scrollIntoView(row.from, { y: "start", yMargin: 60 }) });
      view.focus();
    },
    focus: () => view.focus(),
    leave() {
      if (line) line.socket.close();
      view.destroy();
    },
  };
  if (client) {
    socketTo(server).then((found) => {
      line = found;
      client.connect(line);
      return client.initializing;
    }).then(() => { made.connected = true; }, (error) => console.warn(error.message));
  }
  return made;
}
