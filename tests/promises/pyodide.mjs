// Plays games of the bar `interpreters` under Pyodide: node pyodide.mjs HOME ROOT COUNT GAME
// HOME has node_modules/pyodide and what we need in site-packages (the bar lays it out); ROOT is the checkout, mounted read and
// write. The digests go to stdout as one line of JSON, the version to stderr.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [home, root] = process.argv.slice(2, 4).map((path) => resolve(path));
const [count, game] = process.argv.slice(4, 6);
const require = createRequire(join(home, "package.json"));
const { loadPyodide } = require("pyodide");
const pyodide = await loadPyodide({ stdout: (text) => console.error(text), stderr: (text) => console.error(text) });
pyodide.mountNodeFS("/game", root);

// Of two packages the compiled part does not run here: pyyaml goes on without it, and for rpds (maps that never change, which
// only the schemas of data files use) a few lines of Python stand in.
pyodide.mountNodeFS("/wheels", join(home, "site-packages"));
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
os.chdir("/game")
os.environ["RULESDSL_NO_CACHE"] = "1"
from tests.promises.interpreters import digests
print(sys.version.split()[0])
json.dumps(digests(${Number(count)}, ${JSON.stringify(game)}))
`);
console.log(answer);
