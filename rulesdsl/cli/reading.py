"""`rulesdsl list` and `rulesdsl rule`: what there is to play, and what a paragraph says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from rulesdsl.cli.arguments import GAME, game_directory, house_option, json_option, paragraph_argument
from rulesdsl.cli.output import console, print_json
from rulesdsl.diagnostics import Diagnostic, RulebookError, UsageError, did_you_mean, errors
from rulesdsl.resources import GAME_FILE, data_dir, shipped_games

if TYPE_CHECKING:
    from rulesdsl import syntax as sx
    from rulesdsl.changes import Change
    from rulesdsl.data.gamefile import GameFile
    from rulesdsl.loader import GameSource
    from rulesdsl.source import SourceFile


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of `rulesdsl list`."""

    name: str
    title: str
    summary: str
    players: tuple[str, ...]
    scenarios: tuple[str, ...]
    house: tuple[str, ...]
    seats: Mapping[str, tuple[str, ...]]  # by scenario, as `--seat` names them


@click.command("list")
@json_option
def list_games(as_json: bool) -> None:
    """The games that came with this installation, with their scenarios and house rules.

    With --json also who sits at the table in each scenario.
    """
    games = [_listed(name) for name in shipped_games()]
    if as_json:
        keys = Listed.__dataclass_fields__
        told = [replace(game, seats=_seats(game)) for game in games]
        print_json({"games": [{key: getattr(game, key) for key in keys} for game in told]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for game in games:
        scenarios = f" Scenarios: {', '.join(game.scenarios)}." if len(game.scenarios) > 1 else ""
        house = f" House rules: {', '.join(game.house)}." if game.house else ""
        table.add_row(game.name, f"{game.title}. {game.summary}{scenarios}{house}")
    console().print(table)


def _listed(name: str) -> Listed:
    """Only `game.yaml` is read: a list must not wait for rulebooks, nor fail because of one."""
    from rulesdsl.cache import remembered
    from rulesdsl.limits import DEFAULT
    from rulesdsl.textfile import read_source

    directory = data_dir("games") / name
    scenarios = tuple(sorted(path.stem for path in (directory / "scenarios").glob("*.yaml")))
    house = tuple(sorted(path.stem for path in (directory / "house").glob("*.md")))
    try:
        file = read_source(directory / GAME_FILE, DEFAULT.yaml_file_bytes)
        game, _ = remembered("build_game_file", file, lambda: _game_file(file))
    except RulebookError:
        game = None
    if game is None:
        return Listed(
            name, name, f'its {GAME_FILE} has errors: see "rulesdsl check {name}"', (), scenarios, house, {}
        )
    seats = dict.fromkeys(scenarios, tuple(p.id for p in game.players))
    names = tuple(p.name for p in game.players)
    return Listed(name, game.title, game.summary, names, scenarios, house, seats)


def _game_file(file: SourceFile) -> tuple[GameFile | None, list[Diagnostic]]:
    from rulesdsl.data.gamefile import build_game_file
    from rulesdsl.data.yamlfile import load_yaml

    return build_game_file(load_yaml(file))


def _seats(game: Listed) -> Mapping[str, tuple[str, ...]]:
    """Who takes part in each scenario. Few rulebooks say so, and only those need to be read.

    Of one with mistakes nothing is told.
    """
    from rulesdsl.checker.seating import TAKES_PART
    from rulesdsl.gametexts import read_texts

    directory = data_dir("games") / game.name
    files, unreadable = read_texts(directory)
    if not unreadable and not any(TAKES_PART in file.text for file in files if file.path.suffix == ".md"):
        return game.seats
    from importlib.util import find_spec

    from rulesdsl.cache import remembered_for, stamp_of

    back_end = find_spec("interpreter")
    if unreadable or back_end is None:
        return {}
    # Rules are run to find out, so the answer depends on what runs them, too.
    stamp = stamp_of(*(Path(folder) for folder in back_end.submodule_search_locations or ()))
    return remembered_for(f"seats-{stamp[:16]}", files, lambda: _seats_by_the_rules(directory))


def _seats_by_the_rules(directory: Path) -> Mapping[str, tuple[str, ...]]:
    from interpreter.game import open_game

    try:
        opened = open_game(str(directory))
    except RulebookError:
        return {}
    return {
        name: opened.ruleset({}, scenario).seats.ids for name, scenario in opened.source.scenarios.items()
    }


@click.command()
@click.argument("game", type=GAME)
@paragraph_argument
@house_option
@json_option
def rule(game: str, paragraph: tuple[str, ...], house: tuple[Path, ...], as_json: bool) -> None:
    """Print one PARAGRAPH of a rulebook: its prose, its rules and its examples.

    A PARAGRAPH is named by its number (7.2.2, annex 2) or by words of its title.
    """
    source = _as_written(game, house)
    paragraphs = {p.id: p for chapter in source.chapters for p in chapter.paragraphs}
    found = find_paragraph(paragraphs, " ".join(paragraph))
    if as_json:
        print_json({
            "rule": found.id, "title": found.title, "prose": prose_of(found),
            "rules": [f.text for f in found.fences if f.kind == "rules"],
            "examples": [f.text for f in found.fences if f.kind == "example"],
            "changed_by": changed_by(source.changes, found.id),
            "file": found.span.file.shown, "line": found.span.line,
        })  # fmt: skip
        return
    screen = console()
    screen.print(heading(found, source.changes), style="bold")
    screen.print()
    text = paragraph_text(found)
    # in a file or a pipe lines stay as they were written
    screen.print("\n".join(set_anew(text, screen.width)) if screen.is_terminal else text, soft_wrap=True)


def _as_written(game: str, house: tuple[Path, ...] = ()) -> GameSource:
    """A game to read; one with mistakes can be read, too, but not house rules that could not be applied."""
    from rulesdsl.loader import load_game

    source, problems = load_game(game_directory(game))
    if source is not None and house:
        from rulesdsl.amendments import apply_house_rules

        source, problems = apply_house_rules(source, house)
        if errors(problems):
            raise RulebookError(problems)
    if source is None:
        raise RulebookError(problems)
    return source


def changed_by(changes: Iterable[Change], paragraph: str) -> list[str]:
    """The titles of the house rules that changed a paragraph or brought it."""
    found = (change for change in changes if (change.kind, change.subject) == ("paragraph", paragraph))
    return list(dict.fromkeys(change.title for change in found))


def heading(paragraph: sx.Paragraph, changes: Iterable[Change]) -> str:
    """Its number and title, and which house rules had a hand in it."""
    titles = changed_by(changes, paragraph.id)
    by = f"  (house rules: {', '.join(titles)})" if titles else ""
    return f"{paragraph.id} {paragraph.title}".strip() + by


def find_paragraph(paragraphs: dict[str, sx.Paragraph], wanted: str) -> sx.Paragraph:
    """The paragraph with this number, whatever the spelling (`Annex 2`, `annex 2`, `8.3.2.`), or with these
    words in its title."""
    plain = wanted.strip().rstrip(".").casefold()
    for identity, paragraph in paragraphs.items():
        if identity.casefold() == plain:
            return paragraph
    words = plain.split()
    titled = [
        p for p in paragraphs.values() if words and all(word in p.title.casefold() for word in words)
    ]  # fmt: skip
    if len(titled) == 1:
        return titled[0]
    below = [identity for identity in paragraphs if identity.startswith(f"{plain}.")]
    hint = did_you_mean(wanted, paragraphs)
    if titled:
        named = ", ".join(f"{p.id} {p.title}" for p in titled[:6])
        hint = f"there are {named}{' …' if len(titled) > 6 else ''}"
    if below:
        hint = f"there are {', '.join(below[:6])}{' …' if len(below) > 6 else ''}"
    raise UsageError(f"there is no paragraph {wanted}" + (f"; {hint}" if hint else ""))


def prose_of(paragraph: sx.Paragraph) -> str:
    """The words of a paragraph without its blocks."""
    lines = [line for line in paragraph.prose.split("\n") if not line.startswith("\x00")]
    return "\n".join(lines).strip("\n")


def paragraph_text(paragraph: sx.Paragraph, examples: bool = True) -> str:
    """A paragraph as it stands in its chapter: prose, and the blocks set off by four spaces.

    Without `examples` the sentences that lead to them are left out, too: those between a block and one.
    """
    out: list[str] = []
    after_block = 0  # where the prose after the last block begins
    for line in paragraph.prose.split("\n"):
        if not line.startswith("\x00"):
            out.append(line)
            continue
        fence = paragraph.fences[int(line[1:])]
        if fence.kind == "example" and not examples:
            del out[_caption(out, after_block) :]
        else:
            out += [f"    {row}".rstrip() for row in fence.text.strip("\n").split("\n")]
        after_block = len(out)
    return re.sub("\n{3,}", "\n\n", "\n".join(out).strip("\n"))


def _caption(lines: list[str], after_block: int) -> int:
    """Where the sentence that leads to an example begins. What stands before the first block is the rule
    itself; remarks in italics and lists say something of their own."""
    start = end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    first = end
    while first > after_block and lines[first - 1]:
        first -= 1
    if after_block and first < end and not re.match(r"[-*]|\d+\. ", lines[first]):
        start = first
    return start


def set_anew(text: str, width: int) -> list[str]:
    """A paragraph for this width: prose is filled; lists keep their items, rules their lines."""
    lines: list[str] = []
    for block in text.split("\n\n"):
        if block.startswith("    "):
            lines += [line for row in block.split("\n") for line in _hanging(row, width)]
        else:
            for item in re.split(r"\n(?=[-*] |\d+\. )", block):
                lines += _hanging(" ".join(item.split()), width)
        lines.append("")
    return lines[:-1]


def _hanging(text: str, width: int) -> list[str]:
    indent = len(text) - len(text.lstrip())
    mark = re.match(r"[-*] |\d+\. ", text)
    hang = " " * (indent + (len(mark[0]) if mark else 8 if indent else 0))
    return wrap(text, width, subsequent_indent=hang, drop_whitespace=True, break_long_words=False) or [""]
