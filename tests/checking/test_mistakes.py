"""Messages authors love: seeded one-token mistakes in shipped rulebooks and tables.

At least 98 % are reported on the right line, 97 % as a single error, and 95 % of misspelt names come
with the right suggestion. The test prints the figures. A change that leaves a valid game is no mistake
and is not counted.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, errors
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game, load_game
from rulesdsl.checking.checker import check

GAMES = ("race_for_berlin", "tutorial/skirmish", "tutorial/connect_four", "tutorial/breakthrough")
WANTED = 200
SEEDS = (1945, 3)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
TOKEN = re.compile(r'[A-Za-z_][A-Za-z0-9_]*|"[^"]*"|[0-9]+|[^\s\w]')


@dataclass(frozen=True)
class Mistake:
    kind: str
    file: SourceFile
    line: int
    before: str
    after: str
    found: tuple[Diagnostic, ...]
    name: str = ""

    @property
    def on_the_line(self) -> bool:
        places = [p.span for p in self.found] + [s for p in self.found for _, s in p.also]
        return any(s.file.path == self.file.path and s.line == self.line for s in places)

    @property
    def suggested(self) -> bool:
        """The right word is offered, or, for a misspelt declaration, named as what is missed."""
        told = rf'["`.]{re.escape(self.name)}["`.]'  # it may be a part, as in `combat.odds`
        return any(re.search(told, f"{p.help} {p.message}") for p in self.found)


def rule_lines(text: str) -> list[int]:
    """Line numbers (from 1) inside `rules` blocks that hold code."""
    found: list[int] = []
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            inside = line.strip() == "```rules"
        elif inside and line.strip() and not line.lstrip().startswith("#"):
            found.append(number)
    return found


def misspell(rng: random.Random, word: str) -> str:
    place = rng.randrange(1, len(word) - 1)
    match rng.randrange(3):
        case 0:
            return word[:place] + word[place + 1 :]
        case 1:
            return word[:place] + word[place] + word[place:]
        case _:
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def break_line(rng: random.Random, line: str) -> tuple[str, str, str] | None:
    """(kind, the line with one token wrong, the misspelt name)."""
    code = line.split("#")[0]
    words = list(WORD.finditer(re.sub(r'"[^"]*"', lambda m: " " * len(m[0]), code)))
    tokens = list(TOKEN.finditer(code))
    if not tokens:
        return None
    if rng.random() < 0.6 and words:
        word = rng.choice(words)
        wrong = misspell(rng, word[0])
        return "misspelt", line[: word.start()] + wrong + line[word.end() :], word[0]
    token = rng.choice(tokens)
    if rng.random() < 0.5:
        return "deleted", line[: token.start()] + line[token.end() :], ""
    return "doubled", line[: token.end()] + " " + line[token.start() :], ""


@pytest.mark.parametrize("seed", SEEDS)
def test_one_token_mistakes(seed: int) -> None:
    rng = random.Random(seed)
    mistakes: list[Mistake] = []
    sources = {}
    for name in GAMES:
        source, problems = load_game(data_dir("games") / name)
        assert source is not None
        assert not errors(problems)
        sources[name] = source
    while len(mistakes) < WANTED:
        source = sources[rng.choice(GAMES)]
        file = rng.choice([f for f in source.files if f.path.suffix == ".md" and rule_lines(f.text)])
        number = rng.choice(rule_lines(file.text))
        lines = list(file.lines)
        broken = break_line(rng, lines[number - 1])
        if broken is None or broken[1] == lines[number - 1]:
            continue
        kind, lines[number - 1], name = broken
        changed = SourceFile(file.path, "\n".join(lines), file.shown)
        files = [changed if f.path == file.path else f for f in source.files]
        game, problems = assemble_game(source.directory, files)
        assert game is not None
        _, found = check(game)
        wrong = tuple(errors([*problems, *found]))
        if wrong:
            mistakes.append(Mistake(kind, file, number, file.line(number), lines[number - 1], wrong, name))
    report(mistakes)


def report(mistakes: list[Mistake]) -> None:
    total = len(mistakes)
    right = sum(m.on_the_line for m in mistakes)
    single = sum(len(m.found) == 1 for m in mistakes)
    names = [m for m in mistakes if m.name]
    suggested = sum(m.suggested for m in names)
    print(f"\n{total} mistakes: {right / total:.1%} on the right line, {single / total:.1%} single errors")
    print(f"{len(names)} misspelt words: {suggested / len(names):.1%} with the right suggestion")
    for m in mistakes:
        if not m.on_the_line or len(m.found) > 1 or (m.name and not m.suggested):
            shown = [f"{p.span.line}: {p.message} ({p.help})" for p in m.found[:3]]
            place = f"{Path(m.file.shown).name}:{m.line}"
            print(f"- {m.kind} {place} {m.after.strip()[:90]!r} → {len(m.found)} {shown}")
    assert right / total >= 0.98
    assert single / total >= 0.97
    assert suggested / len(names) >= 0.95


if __name__ == "__main__":
    pytest.main([__file__, "-s"])
