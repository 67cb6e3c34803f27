"""The mistakes of `testdata/mistakes/`: made one by one, and what is said about them.

`python -m tests.kit.author_mistakes` prints every one with its score: 3 the right line, one message, how to
repair it; 2 one of these is missing; 1 a flood, or nothing useful; 0 silent, or another place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, assemble_game, load_game
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files

DATA = Path(__file__).parents[1] / "testdata" / "mistakes"
SKIRMISH = data_dir("games") / "tutorial" / "skirmish"


@dataclass(frozen=True)
class Told:
    """A mistake, where it was made, what a message must say, and what was said."""

    text: str
    file: str
    line: int
    wanted: str
    found: tuple[Diagnostic, ...]

    @property
    def score(self) -> int:
        if not self.found:
            return 0
        spans = [p.span for p in self.found] + [s for p in self.found for _, s in p.also]
        if not any(s.file.path.name == self.file and s.line == self.line for s in spans):
            return 0
        helpful = any(self.wanted in f"{p.message}\n{p.help}" for p in self.found)
        if len(self.found) > 2 or (len(self.found) == 2 and not helpful):
            return 1
        return 3 if helpful and len(self.found) == 1 else 2


@cache
def skirmish() -> GameSource:
    source, problems = load_game(SKIRMISH)
    assert source is not None
    assert problems == []
    return source


def told() -> list[Told]:
    return [*map(_in_house_rule, _blocks("house.txt")), *map(_in_file, _blocks("files.txt"))]


def _blocks(name: str) -> list[tuple[str, str]]:
    text = (DATA / name).read_text("utf-8")
    parts = ("\n" + text).split("\n== ")[1:]
    return [
        (wanted.strip(), body.rstrip("\n")) for wanted, _, body in (part.partition("\n") for part in parts)
    ]


def _marked(body: str) -> tuple[list[str], int]:
    """The lines, and the number of the one that a message must point at."""
    lines = body.split("\n")
    line = next((number for number, text in enumerate(lines) if text.startswith(">")), 0)
    return [text.removeprefix(">") for text in lines], line


def _in_house_rule(block: tuple[str, str]) -> Told:
    wanted, body = block
    lines, line = _marked(body)
    heading = "## after 5.5 → 5.5a Try"
    if lines[0].startswith("@ "):
        heading, lines, line = f"## amends {lines[0][2:]}", lines[1:], max(line - 1, 0)
    above = ["# Try", "x", "", heading, "x", "", "```rules"]
    file = SourceFile(Path("try.md"), "\n".join([*above, *lines, "```", ""]))
    source, problems = apply_house_files(skirmish(), [file])
    if not any(p.severity == "error" for p in problems):
        problems = [*problems, *check(source)[1]]
    found = tuple(p for p in problems if p.severity == "error") or tuple(problems)
    return Told("\n".join(lines), "try.md", line + len(above) + 1, wanted, found)


def _in_file(block: tuple[str, str]) -> Told:
    """`file`, the line as it stands and as it is written by mistake."""
    wanted, body = block
    name, old, new = body.split("\n")
    files = []
    line = 0
    for file in skirmish().files:
        text = file.text
        if file.path.name == name:
            before, found, _ = text.partition(old)
            assert found, (name, old)
            line = before.count("\n") + 1
            text = text.replace(old, new.replace("\\n", "\n"), 1)
        files.append(SourceFile(file.path, text, file.shown))
    source, problems = assemble_game(SKIRMISH, files)
    if source is not None and not any(p.severity == "error" for p in problems):
        problems = [*problems, *check(source)[1]]
    found_now = tuple(p for p in problems if p.severity == "error") or tuple(problems)
    return Told(new, name, line, wanted, found_now)


if __name__ == "__main__":
    scores = []
    for one in told():
        scores.append(one.score)
        print(f"{one.score} [{one.wanted}] {one.text!r}")
        if one.score < 3:
            for problem in one.found[:3]:
                print(f"      {problem.span.line}: {problem.message} | {problem.help}")
    print(len(scores), sum(scores) / len(scores), scores.count(0))
