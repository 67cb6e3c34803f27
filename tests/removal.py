"""Proof by removal: without one line of its rules, does some example of a game fail?

    python tests/removal.py --game race_for_berlin [--kept FILE] [--missed] [--jobs 2] [--json]

Every `forbid`, `allow`, `stop` and `must`, and every line of a `modify`, is taken away, one at a time, and
the examples of the game are run without it; those of its own paragraph first, until one fails. An exception
to what was taken away (`allow … despite`) goes with it. A line is

    noticed      some example fails without it
    required     the game is no game without it: the checker says what is missing
    excused      no example notices, and `tests/testdata/removal/<game>.yaml` says why none can
    unnoticed    no example notices: it needs one, or it is redundant and goes

`--kept FILE` goes on where a run was stopped, as long as the game says the same. With `--missed` only the
lines are tried that the file does not know as noticed, also after the game was changed: for whoever is
writing examples. `--only WORDS` tries the lines that contain these words, `--only 7.1.4` those of one
paragraph.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

import yaml

from interpreter.measuring.examples import rules_for, run_example
from interpreter.playing.game import Game
from rulesdsl.base.diagnostics import Diagnostic, errors, summary
from rulesdsl.base.resources import find_game, shipped_games
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.checking.checker import check
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.amendments import print_line
from rulesdsl.language.printing.printer import print_rule
from rulesdsl.language.syntax.documents import of_opponent

EXCUSES = Path(__file__).parent / "testdata" / "removal"
MOST_EXCEPTIONS = 5  # to exceptions, one to another
WANTED = 0.98  # of the lines of a game that are not required


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the rules that can be taken away; `rule` and `part` count statements and their lines."""

    paragraph: str
    rule: int
    part: int | None
    place: str
    text: str

    @property
    def key(self) -> str:
        return f"{self.paragraph}: {self.text}"


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a game without one line."""

    key: str
    place: str
    outcome: str
    why: str = ""


def lines_of(source: GameSource) -> list[Line]:
    """All lines that can be taken away, in the order of the chapters; the opponent has no rules."""
    return [
        Line(paragraph.id, number, part, f"{source.relative_name(chapter.file)}:{line}", text)
        for chapter in source.chapters
        for paragraph in chapter.paragraphs
        if not of_opponent(paragraph.id)
        for number, rule in enumerate(paragraph.rules)
        for part, line, text in _parts(rule)
    ]


def _parts(rule: sx.Rule) -> Iterator[tuple[int | None, int, str]]:
    if isinstance(rule, (sx.Permission, sx.Must)):
        yield None, rule.span.line, " ".join(print_rule(rule).split())
    elif isinstance(rule, sx.Modify):
        head = print_rule(replace(rule, contributions=())).strip()
        for number, change in enumerate(rule.contributions):
            yield number, change.span.line, f"{head} {' '.join(print_line(change).split())}"


def without(source: GameSource, line: Line) -> GameSource:
    """The game without one line; a `modify` without any line goes as well."""
    return replace(
        source,
        chapters=tuple(
            replace(chapter, paragraphs=tuple(_shortened(p, line) for p in chapter.paragraphs))
            for chapter in source.chapters
        ),
    )


def _shortened(paragraph: sx.Paragraph, line: Line) -> sx.Paragraph:
    if paragraph.id != line.paragraph:
        return paragraph
    rules = list(paragraph.rules)
    gone = rules.pop(line.rule)
    if isinstance(gone, sx.Modify) and len(gone.contributions) > 1:
        left = tuple(c for number, c in enumerate(gone.contributions) if number != line.part)
        rules.insert(line.rule, replace(gone, contributions=left))
    return replace(paragraph, rules=tuple(rules))


def _exceptions_to_nothing(problems: Sequence[Diagnostic]) -> set[tuple[Path, int]]:
    """Where the `allow … despite` stand that are left over, if they are all that is wrong."""
    if any(problem.code != "nothing-to-except" for problem in problems):
        return set()
    return {(problem.span.file.path, problem.span.line) for problem in problems}


def _without_lines(source: GameSource, places: set[tuple[Path, int]]) -> GameSource:
    def kept(paragraph: sx.Paragraph) -> sx.Paragraph:
        rules = [r for r in paragraph.rules if (r.span.file.path, r.span.line) not in places]
        return replace(paragraph, rules=tuple(rules))

    chapters = [replace(c, paragraphs=tuple(map(kept, c.paragraphs))) for c in source.chapters]
    return replace(source, chapters=tuple(chapters))


def try_without(source: GameSource, line: Line, first: str = "") -> Found:
    """Check the game without the line and run its examples until one fails; `first` is likely to."""
    changed = without(source, line)
    program, problems = check(changed)
    for _ in range(MOST_EXCEPTIONS):
        left = _exceptions_to_nothing(errors(problems))
        if program is not None or not left:
            break
        changed = _without_lines(changed, left)  # an exception goes with what it was one to
        program, problems = check(changed)
    if program is None:
        return Found(line.key, line.place, "required", summary(errors(problems)[0]))
    game = Game(changed, program, (), changed)

    def distance(example: Any) -> tuple[bool, int]:
        name = f"example {example.number} of {example.paragraph}"
        near = takewhile(
            lambda pair: pair[0] == pair[1], zip(example.paragraph, line.paragraph, strict=False)
        )
        return name != first, -len(list(near))

    for example in sorted(program.examples, key=distance):
        if not run_example(game, rules_for(game, example), example).passed:
            return Found(line.key, line.place, "noticed", f"example {example.number} of {example.paragraph}")
    return Found(line.key, line.place, "unnoticed")


@lru_cache(maxsize=1)
def read_game(name: str) -> GameSource:
    source, problems = load_game(find_game(name))
    assert source is not None
    assert not errors(problems)
    return source


def failing(source: GameSource) -> list[str]:
    """The examples that fail with every line in its place: then nothing would be proved."""
    program, problems = check(source)
    if program is None:
        return [summary(problem) for problem in errors(problems)]
    game = Game(source, program, (), source)
    results = [run_example(game, rules_for(game, example), example) for example in program.examples]
    return [f"example {one.number} of {one.paragraph}" for one in results if not one.passed]


def excuses_of(name: str) -> dict[str, str]:
    """Line → why no example can notice that it is gone."""
    file = EXCUSES / f"{Path(name).name}.yaml"
    listed = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else []
    return {f"{entry['paragraph']}: {entry['line']}": entry["reason"] for entry in listed or ()}


def excused(name: str, results: Iterable[Found]) -> list[Found]:
    """The results, with what is said for lines that no example notices."""
    reasons = excuses_of(name)
    return [
        replace(one, outcome="excused", why=reasons[one.key])
        if one.outcome == "unnoticed" and one.key in reasons
        else one
        for one in results
    ]


def _work(job: tuple[str, Line, str]) -> Found:
    name, line, first = job
    return try_without(read_game(name), line, first)


def removals(
    name: str, lines: Sequence[Line], jobs: int = 1, likely: dict[str, str] | None = None
) -> Iterator[Found]:
    """Every line tried, as soon as it is."""
    work = [(name, line, (likely or {}).get(line.key, "")) for line in lines]
    if jobs == 1 or len(work) < 2:
        yield from map(_work, work)
        return
    with get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_work, work)


# ---- the command -------------------------------------------------------------------------------------
def _kept(file: Path | None) -> list[dict[str, str]]:
    if file is None or not file.exists():
        return []
    return [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines() if text.endswith("}")]


def run_game(name: str, options: argparse.Namespace) -> list[Found]:
    source = read_game(name)
    stamp = source.content_hash()
    kept = [entry for entry in _kept(options.kept) if entry["game"] == name]
    likely = {entry["key"]: entry["why"] for entry in kept if entry["outcome"] == "noticed"}
    known = {
        entry["key"]: Found(entry["key"], entry["place"], entry["outcome"], entry["why"])
        for entry in kept
        if entry["stamp"] == stamp or (options.missed and entry["outcome"] in ("noticed", "required"))
    }
    lines = [line for line in lines_of(source) if _wanted(line, options.only)]
    left = [line for line in lines if line.key not in known]
    if left and (broken := failing(source)):
        raise SystemExit(f"{name}: examples fail before anything is taken away: {', '.join(broken)}")
    results = {line.key: replace(known[line.key], place=line.place) for line in lines if line.key in known}
    for number, found in enumerate(removals(name, left, options.jobs, likely), 1):
        results[found.key] = found
        if options.kept is not None:
            with options.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"game": name, "stamp": stamp, **asdict(found)}) + "\n")
        if not options.json:
            print(f"{number}/{len(left)} {found.outcome:10} {found.place} {found.key[:90]}", file=sys.stderr)
    return excused(name, [results[line.key] for line in lines])


def _wanted(line: Line, words: str) -> bool:
    return not words or words == line.paragraph or words in line.text


def share(results: Sequence[Found]) -> float:
    """The lines some example notices, of those that could be taken away at all."""
    counts = Counter(one.outcome for one in results)
    tried = len(results) - counts["required"]
    return counts["noticed"] / tried if tried else 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description="Which lines of the rules does no example notice?")
    parser.add_argument("--game", action="append", choices=sorted(shipped_games()), metavar="GAME")
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--kept", type=Path, metavar="FILE")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    wrong = 0
    told: dict[str, Any] = {}
    for name in options.game or sorted(shipped_games()):
        results = run_game(name, options)
        counts = Counter(one.outcome for one in results)
        stale = sorted(set(excuses_of(name)) - {line.key for line in lines_of(read_game(name))})
        needless = [one.key for one in results if one.outcome == "noticed" and one.key in excuses_of(name)]
        wrong += counts["unnoticed"] + len(stale) + (share(results) < WANTED)
        told[name] = {
            "lines": len(results), **counts, "share": round(share(results), 4), "stale": stale,
            "needless": needless, "results": [asdict(one) for one in results],
        }  # fmt: skip
        if not options.json:
            for one in results:
                if one.outcome != "noticed":
                    print(f"{one.outcome:10} {one.place} {one.key}" + (f"\n    {one.why}" if one.why else ""))
            for key in (*stale, *needless):
                print(f"{'stale' if key in stale else 'needless'} reason: {key}")
            listed = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
            print(
                f"{name}: {len(results)} lines, {listed or 'nothing to try'} ({share(results):.1%} noticed)"
            )
    if options.json:
        print(json.dumps(told, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
