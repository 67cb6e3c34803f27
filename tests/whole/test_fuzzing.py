"""Generated programs: a small share of those of `make bars`, the programs that once showed something, and
the generator itself."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from tests.fuzzing import corpus, harnesses
from tests.fuzzing.commands import commands
from tests.fuzzing.covering import node_classes, node_counts
from tests.fuzzing.generated import game_of
from tests.fuzzing.known import reason
from tests.fuzzing.shrinking import failing, shrunk, written
from tests.fuzzing.trials import TRIALS, Found, amended
from tests.fuzzing.trying import PLAYED, REFUSED, numbered, tried, tried_in
from tests.fuzzing.twinned import twins

PROGRAMS = range(48)
PARTS = 4  # so that several processes share the work
# Nodes that no author can write, with what makes them.
NOT_WRITTEN = {
    "PlayableE": "the engine itself puts it into the windows of tokens",
}


@pytest.mark.parametrize("part", range(PARTS))
def test_programs_play_the_same_in_every_way(part: int) -> None:
    answers = []
    for number in PROGRAMS[part::PARTS]:
        try:
            answers.append(tried(number))
        except Found as found:
            if not reason(found.kind):
                raise Found(f"program {number}: {found.kind}", found.words) from found
            answers.append(PLAYED)
    assert answers.count(REFUSED) <= 0.4 * len(answers)


@pytest.mark.parametrize("entry", corpus.entries(), ids=lambda entry: entry.name)
def test_the_corpus_shows_nothing_any_more(entry: corpus.Entry, tmp_path: Path) -> None:
    directory = written(entry.files, tmp_path)
    answer = tried_in(directory, entry.disciplined, 1, [*TRIALS, amended, twins, commands])
    assert answer == (REFUSED if "refused" in entry.name else PLAYED)


# ---- the generator -----------------------------------------------------------------------------------
def test_a_seed_makes_one_program_and_a_size_makes_it_larger() -> None:
    assert game_of(11, 2) == game_of(11, 2)
    assert game_of(11, 2).files != game_of(12, 2).files
    lengths = [sum(len(t) for n in range(8) for t in game_of(n, size).files.values()) for size in (1, 2, 4)]
    assert lengths == sorted(lengths)


def test_every_sort_of_node_is_generated() -> None:
    counts = node_counts(range(100, 185))
    missing = {name for name in node_classes() if counts[name] < 1}
    assert missing == set(NOT_WRITTEN), missing


# What the second edition of the language says its own way, as it must stand in some generated chapter.
PHRASES = (
    r"define \w+(: \w+)? is \w+ =",
    r"define \w+(: \w+)? is \w+ (to|of|from|by|with|over) \w+",
    r"define \w+(: \w+)? \w+ \w+(: \w+)? =",
    r"= if .+: .+\n    otherwise",
    r" is \w+ (of|from|by|with|over) ",
    r" that is (not )?\w+",
    r" that does not \w+ [(\w]",
    r"(units|unit|leader|corps) of \w+",
    r" is \w+ or \w+",
    r"\(\w+, \w+ and \w+\)",
    r'repeatedly chooses .+ until "',
    r"\nalways \w+: ",
    r"\nweigh it\(",
    r"chooses a number as \w+ from \d",
    r"remember the position as ",
    r"put .+ (on top|at the bottom)\n",
    r"shuffle ",
)


def test_phrases_of_the_second_edition_are_generated() -> None:
    text = "\n".join(t for n in range(100, 200) for t in numbered(n).files.values())
    assert [phrase for phrase in PHRASES if not re.search(phrase, text)] == []


def test_what_a_rule_tells_for_a_moment_is_open_and_what_it_lets_slip_is_not(tmp_path: Path) -> None:
    """The trial of twins can fail: only lines about what a player may see excuse that his logs differ."""
    entry = next(one for one in corpus.entries() if one.name == "told_between_two_decisions")
    telling = entry.files["rules/01.md"]
    slipping = telling.replace("set sign to plan", 'if plan: note "the plan stands"')
    assert slipping != telling
    for name, chapter in (("telling", telling), ("slipping", slipping)):
        directory = written({**entry.files, "rules/01.md": chapter}, tmp_path / name)
        if name == "telling":
            assert tried_in(directory, True, 1, [twins]) == PLAYED
        else:
            with pytest.raises(Found, match="leak"):
                tried_in(directory, True, 1, [twins])


# ---- the trials can fail -----------------------------------------------------------------------------
def test_a_failing_program_is_made_small() -> None:
    programs = (numbered(number).files for number in count())
    rolling = next(files for files in programs if any("roll 1d6" in text for text in files.values()))
    files = {path: text for path, text in rolling.items() if path.endswith(".md")}

    def kind(directory: Path) -> str:
        chapters = [path.read_text(encoding="utf-8") for path in (directory / "rules").glob("*.md")]
        return "rolls" if any("roll 1d6" in text for text in chapters) and len(chapters) > 1 else ""

    small = shrunk(files, failing("rolls", kind), seconds=20)
    assert failing("rolls", kind)(small)
    assert sum(map(len, small.values())) < 100


def test_bytes_that_nobody_wrote_are_refused_or_sound() -> None:
    for kind in harnesses.OWN:
        for content in (
            b"",
            b"\x00",
            b"\xff\xfe",
            b"```rules\n",
            *(seed[: len(seed) // 2] for seed in harnesses.seeds(kind)),
        ):
            harnesses.fed(kind, content)


def test_a_hang_is_found() -> None:
    def hang() -> None:
        with harnesses.in_time("a loop", 0.05):
            while True:
                pass

    with pytest.raises(Found, match="hang in a loop"):
        hang()
