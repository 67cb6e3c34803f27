// Plays the games of the bar `interpreters` under Pyodide: node pyodide.mjs HOME ROOT COUNT
// HOME has node_modules/pyodide; ROOT is the checkout, mounted read and write. The digests go to stdout as one line of JSON.
import { createRequire } from "node:module";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { execFileSync } from "node:child_process";

const [home, root] = process.argv.slice(2, 4).map((path) => resolve(path));
const count = process.argv[4];
const require = createRequire(join(home, "package.json"));
const { loadPyodide } = require("pyodide");
const pyodide = await loadPyodide({ stdout: (text) => console.error(text), stderr: (text) => console.error(text) });
pyodide.mountNodeFS("/game", root);

// What we need, laid out by pip of the host. Of two packages the compiled part does not run here: pyyaml goes on without it,
// and for rpds (maps that never change, which only the schemas of data files use) a few lines of Python stand in.
const wheels = join(home, "site-packages");
try {
  readdirSync(wheels);
} catch {
  const needs = ["lark", "networkx", "jsonschema", "pyyaml", "click", "rich", "platformdirs"];
  execFileSync(process.env.HOST_PYTHON || "python3", ["-m", "pip", "install", "--quiet", "--target", wheels, ...needs]);
}
pyodide.mountNodeFS("/wheels", wheels);
const answer = await pyodide.runPythonAsync(`
import json, os, sys, types

class HashTrieMap(dict):
    def insert(self, key, value): return HashTrieMap({**self, key: value})
    def update(self, *more, **rest): return HashTrieMap({**self, **dict(*more, **rest)})
    def remove(self, key): return HashTrieMap({k: v for k, v in self.items() if k != key})
    def discard(self, key): return self.remove(key)
    @classmethod
    def convert(cls, value): return value if isinstance(value, cls) else cls(value)
    def __hash__(self): return hash(frozenset(self))

class HashTrieSet(frozenset):
    def insert(self, value): return HashTrieSet({*self, value})
    def update(self, *more): return HashTrieSet(self.union(*more))
    def remove(self, value): return HashTrieSet(self - {value})
    def discard(self, value): return HashTrieSet(self - {value})

class List(tuple):
    def push_front(self, value): return List((value, *self))
    def drop_first(self): return List(self[1:])
    @property
    def first(self): return self[0]
    @property
    def rest(self): return List(self[1:])

rpds = types.ModuleType("rpds")
rpds.HashTrieMap, rpds.HashTrieSet, rpds.List = HashTrieMap, HashTrieSet, List
sys.modules["rpds"] = rpds
sys.path[:0] = ["/game", "/wheels"]
os.environ["RULESDSL_NO_CACHE"] = "1"
from benchmarks.promises.interpreters import digests
json.dumps({"version": [sys.version.split()[0]], **digests(${Number(count)})})
`);
console.log(answer);
