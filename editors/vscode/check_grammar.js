// Every shipped chapter through the grammars as VS Code reads them (vscode-textmate): inside of a fence every statement
// begins with a coloured word, every sign has a colour, and outside of fences nothing has. `make vscode` runs this.
const fs = require("fs");
const path = require("path");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const { OnigScanner, OnigString, loadWASM } = require("vscode-oniguruma");

const ROOT = path.join(__dirname, "..", "..", "games");
const FILES = { "source.rules": "rules", "markdown.rules.codeblock": "markdown" };
// a keyword, or a class of which something is said: `unit may be pinned`
const BEGINS = ["keyword.control.rules", "entity.name.class.rules"];
const CONTINUES = /^(and|or|where|despite)\b/;

function chapters(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return chapters(place);
    return entry.name.endsWith(".md") ? [place] : [];
  });
}

function faults(grammar, file) {
  const found = [];
  let state = INITIAL;
  let fence = null;
  fs.readFileSync(file, "utf-8").split(/\r?\n/).forEach((line, number) => {
    const said = grammar.tokenizeLine(line, state);
    state = said.ruleStack;
    const border = /^(`{3,})(\w*)\s*$/.exec(line);
    if (border) {
      fence = fence === null ? border[2] : null;
      return;
    }
    const inside = fence === "rules" || fence === "example";
    for (const token of said.tokens) {
      const text = line.slice(token.startIndex, token.endIndex);
      const own = token.scopes[token.scopes.length - 1];
      const coloured = token.scopes.includes("meta.embedded.block.rules");
      const where = `${path.relative(ROOT, file)}:${number + 1}`;
      if (coloured !== inside && text.trim()) found.push(`${where}: "${text}" is taken for ${own}`);
      else if (inside && /[\w"]/.test(text) && own === "meta.embedded.block.rules")
        found.push(`${where}: "${text}" has no colour`);
      else if (fence === "rules" && token.startIndex === 0 && /^[a-z]/.test(line) && !CONTINUES.test(line) && !BEGINS.includes(own))
        found.push(`${where}: "${text}" begins a statement and is ${own}`);
    }
  });
  return found;
}

async function main() {
  await loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(__dirname, "syntaxes", `${FILES[scope]}.tmLanguage.json`);
      return FILES[scope] ? parseRawGrammar(fs.readFileSync(file, "utf-8"), file) : null;
    },
  });
  const grammar = await registry.loadGrammar("markdown.rules.codeblock");
  const files = chapters(ROOT);
  const wrong = files.flatMap((file) => faults(grammar, file));
  for (const one of wrong.slice(0, 20)) console.error(one);
  console.log(`${files.length} chapters, ${wrong.length} faults of the grammar`);
  process.exit(wrong.length || !files.length ? 1 : 0);
}

main();
