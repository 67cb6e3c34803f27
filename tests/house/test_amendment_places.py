"""Mistakes in house rules: told where they were made, once, however the document looks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, UsageError, render
from rulesdsl.base.limits import DEFAULT
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files, find_house_rule, read_house_files
from rulesdsl.house.draft import paragraphs_of
from tests.kit.house_rules import FORD, amends, applied, document, files, printed, refused

# ---- the place of a mistake is in the house rule -----------------------------------------------------------
BLAMED = [
    (amends("1", "piece unit\n    printed movement: flag"), "    printed movement: flag"),
    (amends("1", "space zone\n    printed points: terrain"), "    printed points: terrain"),
    (amends("1", "enum terrain: open, woods, walls, bog\nset hill.terrain = bog"), None),
    (amends("1", "record fight\n    target: unit"), "    target: unit"),
    (amends("4", "procedure lose_step(zone)\n    mark unit as moved"), "procedure lose_step(zone)"),
    (amends("3", 'action move_unit(zone) "go"'), 'action move_unit(zone) "go"'),
    (amends("1", "track turn: 1 to 20 = 1\ntrack score: number = 0"), None),
    ("## after 3.1 → 3.1a Twice\n```rules\ndefine steady(unit) = true\n```", "define steady(unit) = true"),
    ("## repeals 1", "## repeals 1"),
    (
        "## after 3.1 → 3.1a X\n```rules\nmodify fight.die\n    = 1 when target.terrain is walls\n"
        "modify fight.die\n    = 2 when target.terrain is woods\n```\n\n"
        + amends("1", "enum terrain: open, woods, walls\nenum ground: walls, woods"),
        None,
    ),
]


def _applied(names: Sequence[str | Path]) -> tuple[GameSource, list[Diagnostic]]:
    """House rules by name or file, over the printed game."""
    return apply_house_files(printed(), read_house_files(printed().directory, names))


@pytest.mark.parametrize(("text", "line"), BLAMED)
def test_every_error_stands_in_the_house_rule(text: str, line: str | None) -> None:
    source, problems = apply_house_files(printed(), files(document(text)))
    _, more = check(source)
    found = [p for p in (*problems, *more) if p.severity == "error"]
    assert found or line is None
    for problem in found:
        assert problem.span.file.shown == "a.md", render(problem)
    assert line is None or line in {p.span.file.line(p.span.line) for p in found}


def test_a_call_that_no_longer_fits_is_no_declaration() -> None:
    found = refused(document(amends("4", "procedure lose_step(unit, zone)\n    remove unit")))
    (told,) = {text for problem in found for text, _ in problem.also}
    assert told == "it is given something else here"


def test_a_hundred_counters_that_no_longer_fit_are_told_in_a_few_messages() -> None:
    found = refused(document(amends("1", "piece unit\n    printed movement: flag")))
    values = [p for p in found if p.code == "bad-value"]
    assert len(values) == 3
    assert [p.help for p in values if "more" in p.help] == ["write true or false; and 3 more like it"]


# ---- files -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["a\nb.md", "a\\b.md", "a\udcff.md"])
def test_a_name_that_no_save_could_keep_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(document("## repeals 4.2"), encoding="utf-8")
    with pytest.raises(UsageError, match="characters that no save can keep"):
        find_house_rule(FORD, tmp_path / name)


# ---- where a new paragraph stands --------------------------------------------------------------------------
STANDS = [
    ("3 → 3a", ["3", "3.1", "3.2", "3a", "4"]),
    ("3 → 3.0", ["3", "3.0", "3.1", "3.2", "4"]),
    ("3.2 → 3.3", ["3", "3.1", "3.2", "3.3", "4"]),
]


@pytest.mark.parametrize(("heading", "order"), STANDS)
def test_a_new_paragraph_stands_behind_all_of_the_one_it_names(heading: str, order: list[str]) -> None:
    """Unless its number says that it is a part of it: 3, 3a, 3.1 would be no order."""
    found = [*paragraphs_of(applied(document(f"## after {heading} New\nx")))]
    assert found[found.index("3") : found.index("4") + 1] == order


# ---- documents ---------------------------------------------------------------------------------------------
FRONTS = [
    ("**requires:** thick_woods", "", "house-requires", 3),
    ("**Requires**: thick_woods", "", "house-front", 3),
    ("", "requires: thick_woods", "house-front", 7),
    ("", "- conflicts: thick_woods", "house-front", 7),
    ("requires: a", "", "house-front", 3),
    ("conflicts: a", "", "house-front", 3),
]


@pytest.mark.parametrize(("front", "inside", "code", "line"), FRONTS)
def test_a_mention_is_never_taken_for_prose(front: str, inside: str, code: str, line: int) -> None:
    text = document(f"## amends 1\nMore.\n{inside}\n```rules\nset hill.points = 5\n```", front=front)
    (problem,) = refused(text)
    assert (problem.code, problem.span.line) == (code, line)


HEADINGS = [
    ("## amends §4.2\nx", "house-heading", 2, "write `## amends 4.2`"),
    ("## amends 4.2.\nx", "house-heading", 2, "write `## amends 4.2`"),
    ("## repeals 4.2\n# Another\n## repeals 3.2", "house-title", 3, None),
    ("# Another\n## repeals 3.2", "house-title", 2, None),
    ("## after 3.1 → 3.1 Rivers\nx", "house-number", 2, "give the new paragraph another number"),
    ("## amends 1\n```rules\nset r1.start = hill, mill\n```", "unknown-space", 4, None),
    ("## amends 1\n```rules\nset r1.strength = 3, 4\n```", "bad-value", 4, None),
]


@pytest.mark.parametrize(("text", "code", "line", "hint"), HEADINGS)
def test_one_mistake_one_message(text: str, code: str, line: int, hint: str | None) -> None:
    (problem,) = refused(f"# T\n{text}\n")
    assert (problem.code, problem.span.line) == (code, line)
    assert hint is None or problem.help == hint
    assert "('" not in problem.message
    assert "(3" not in problem.message


def test_a_block_with_nothing_but_a_comment_says_nothing() -> None:
    (problem,) = refused(document(amends("4.1", "# to be written")))
    assert (problem.code, problem.span.line) == ("house-empty", 5)


def test_house_rules_of_one_title_are_told_apart_by_their_files() -> None:
    (problem,) = refused(*[document(amends("1", "set hill.points = 5"), title="Hills")] * 2)
    assert problem.message == '"Hills" (a) and "Hills" (b) both change "points" of "hill"'


def test_what_is_in_the_paragraph_already_is_not_added_again() -> None:
    text = amends("4.2", 'modify fight.die\n    +1 when mover is steady "guards"')
    assert [p.code for p in refused(document(text))] == ["house-label"]
    bare = document("## replaces 2.1\n```rules\naction rest\nforbid rest when turn = 1\n```")
    base, _ = apply_house_files(printed(), files(bare))
    _, problems = apply_house_files(base, files(document(amends("2.1", "forbid rest  when turn = 1"))))
    assert [(p.code, p.message) for p in problems] == [("house-clash", '2.1 "Skirmishers" says this already')]


def test_house_rules_of_any_length_are_read_or_refused() -> None:
    chain = "\n".join(f"## after {f'3.1.{n - 1}' if n > 1 else '3.1'} → 3.1.{n} N\nx" for n in range(1, 2000))
    after = applied(document(chain))
    numbers = [p.id for chapter in after.chapters for p in chapter.paragraphs]
    assert numbers[numbers.index("3.1") :][:2000] == ["3.1", *(f"3.1.{n}" for n in range(1, 2000))]
    many = "\n".join(f"## after 3.1 → 3.1.{n} N\nx" for n in range(DEFAULT.rules + 1))
    (problem,) = refused(document(many))
    assert (problem.code, problem.span.file.shown) == ("too-many-rules", "a.md")


def test_a_directory_is_no_house_rule(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a directory"):
        find_house_rule(printed().directory, tmp_path)
    (tmp_path / "b.md").write_text("\ufeff" + document("## repeals 4.2"), encoding="utf-8")
    source, problems = apply_house_files(
        printed(), read_house_files(printed().directory, [tmp_path / "b.md", tmp_path / "." / "b.md"])
    )
    assert problems == []
    assert [rule.name for rule in source.house] == ["b"]


def test_a_link_to_a_house_rule_is_no_second_one(tmp_path: Path) -> None:
    """It counts once, under a name that the order of `--house` does not decide."""
    (tmp_path / "one.md").write_text(document(amends("1", "set hill.points = 3")))
    (tmp_path / "two.md").symlink_to(tmp_path / "one.md")
    names = [tmp_path / "one.md", tmp_path / "two.md"]
    found = [_applied(order)[0].house for order in (names, names[::-1])]
    assert [len(house) for house in found] == [1, 1]
    assert found[0][0].name == found[1][0].name
