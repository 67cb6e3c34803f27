"""`rulesdsl replay` and `rulesdsl verify`: saved games looked at again, and proved."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.published import published
from rulesdsl.cli.arguments import FILE, game_directory, house_files, house_option, json_option
from rulesdsl.cli.output import console, number_of, print_json

if TYPE_CHECKING:
    from interpreter.keeping.divergence import Divergence
    from interpreter.keeping.replay import Replay, Step
    from interpreter.playing.session import Session

SCHEMA_VERSION = 1
HELP = """\
Enter, n   the next decision            b      the one before
12         to decision 12               turn 3 to the first decision of turn 3
unit NAME  only what concerns a thing   all    everything again
seat NAME  as this player saw it        open   with everybody's secrets
view       the whole position           q      quit"""


@click.command()
@click.argument("save", type=FILE)
@click.option("--turn", metavar="N", help="Begin at the first decision of a turn.")
@click.option("--at", "number", type=click.IntRange(min=0), metavar="N", help="Begin at decision N.")
@click.option("--unit", metavar="ID", default="", help="Only what concerns this unit, space or token.")
@click.option("--seat", metavar="NAME", help="As this player saw it, without what was hidden from him.")
@click.option("--recover", is_flag=True, help="Open a damaged file up to the damage.")
@click.option(
    "--example", is_flag=True, help="Print the position (of --at N, or the last) as an example block."
)
@house_option
@json_option
def replay(
    save: Path, turn: str | None, number: int | None, unit: str, seat: str | None, recover: bool,
    example: bool, house: tuple[Path, ...], as_json: bool,
) -> int:  # fmt: skip
    """Look at a saved game again, decision by decision.

    In a terminal it waits for commands (h shows them); commands can also be piped in. Without either it
    prints everything. With --house it plays the same decisions under other rules, up to the first one
    that differs, and says which paragraph made the difference (exit code 1 when something differs).
    """
    from interpreter.keeping.replay import Replay

    shown = Replay.open(save, recover)
    if house:
        return _under_house_rules(shown, house, as_json)
    if example:
        from interpreter.measuring.drafted_examples import example_of

        place = shown.first_of_turn(turn) if turn is not None else number
        click.echo(f"```example\n{example_of(shown.at(len(shown) if place is None else place))}\n```")
        return 0
    if seat is not None:
        shown.look_from(seat)
    unit = shown.find_thing(unit) if unit else ""
    start = shown.first_of_turn(turn) if turn is not None else number or 0
    if as_json:
        print_json(_as_json(shown, unit, start))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        click.echo(f"{shown.session.game.full_title}, {number_of(len(shown), 'decision')}. h: help")
        _walk(shown, start, unit)
    elif not _walk(shown, start, unit):  # nobody is there, and no command was piped in
        for step in shown.steps(unit):
            if step.number >= start:
                click.echo(_step_text(shown, step))
    return 0


@click.command()
@click.argument("save", type=FILE)
@click.option("--key", type=FILE, metavar="FILE", help="The whole game must be signed by this public key.")
@json_option
def verify(save: Path, key: Path | None, as_json: bool) -> int:
    """Derive every decision of a saved game again from its rules, its dice and its choices, and say who has
    signed it.

    Exit code 1 when something is wrong; the first bad entry is named.
    """
    from interpreter.keeping.saves import verify as verify_save

    public = None
    if key is not None:
        from interpreter.keeping.signing import read_public

        public = read_public(key)
    report = verify_save(save, public)
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, **published(report), "ok": report.ok})
    elif report.ok:
        entries = number_of(report.verified, "entry").replace("entrys", "entries")
        house = f" with {', '.join(report.house)}" if report.house else ""
        click.echo(f"{save}: {report.game}{house}, {entries} derived again, all as written")
        click.echo(f"signed by {report.signed}" if report.signed else "nobody has signed it")
    else:
        click.echo(f"rulesdsl: {report.problem}", err=True)
    return 0 if report.ok else 1


def _walk(shown: Replay, place: int, unit: str) -> bool:
    """Follow commands until there are no more; whether there were any."""
    terminal = sys.stdin.isatty()
    asked = False
    if terminal:
        click.echo(_step_text(shown, shown.step(place)))
    while True:
        try:
            line = input("> " if terminal else "").strip()
        except EOFError:
            return asked
        if not asked and not terminal:
            click.echo(_step_text(shown, shown.step(place)))
        asked = True
        if line in ("q", "quit"):
            return True
        try:
            place, unit = _follow(shown, line, place, unit)
        except UsageError as error:
            click.echo(str(error), err=True)


def _follow(shown: Replay, line: str, place: int, unit: str) -> tuple[int, str]:
    """One command; the new place and the unit that is followed."""
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word:
        case "" | "n" | "next":
            place = _next(shown, place, unit, 1)
        case "b" | "back":
            place = _next(shown, place, unit, -1)
        case "turn" | "t":
            place = shown.first_of_turn(rest)
        case "unit" | "u":
            unit = shown.find_thing(rest)
            place = _next(shown, place - 1, unit, 1)
        case "all":
            unit = ""
        case "seat":
            shown.look_from(rest)
            place = min(place, len(shown))
        case "open":
            shown.look_from(None, all_seen=True)
        case "view":
            _show_position(shown.at(place), shown.seat)
            return place, unit
        case _ if word.isdecimal():
            shown.at(int(word))
            place = int(word)
        case _:
            click.echo(HELP)
            return place, unit
    click.echo(_step_text(shown, shown.step(place)))
    return place, unit


def _show_position(session: Session, seat: str | None) -> None:
    """For a person the board, for a program everything."""
    if not sys.stdout.isatty():
        print_json(session.view(seat))
        return
    from rulesdsl.cli.play import screen

    terminal = console()
    terminal.print(screen.board_panel(session, seat, terminal.width))
    header = screen.header(session, seat)
    if header is not None:
        terminal.print(header)


def _next(shown: Replay, place: int, unit: str, way: int) -> int:
    """The next decision in a direction that concerns the unit; stays at the last one."""
    number = place + way
    while 0 <= number <= len(shown):
        if not unit or unit in shown.step(number).things:
            return number
        number += way
    about = f" about {unit}" if unit else ""
    raise UsageError(f"there is nothing {'after' if way > 0 else 'before'} this{about}")


def _step_text(shown: Replay, step: Step) -> str:
    turn = f"{shown.track} {step.turn}, " if step.turn else ""
    players = shown.session.ruleset.program.world.universes["player"]
    who = f"{players.names[players.index[step.who]]}: " if step.who else ""
    paragraph = f" ({step.paragraph})" if step.paragraph else ""
    lines = _hanging(f"{step.number}/{len(shown)} {turn}{who}{step.text}{paragraph}")
    for paragraph, text in step.lines:
        lines += _hanging(f"    {paragraph:<8} {text}")
    result = shown.session.result
    if step.number == len(shown) and result is not None:
        winners = " and ".join(players.names[players.index[winner]] for winner in result.winners)
        verdict = f"won by {winners}" if winners else result.outcome
        lines.append(f"    the end: {verdict}" + (f" ({result.reason})" if result.reason else ""))
    return "\n".join(lines)


def _hanging(line: str) -> list[str]:
    """A line broken at words for the terminal; in a file or a pipe it stays whole."""
    width = get_terminal_size().columns if sys.stdout.isatty() else len(line) + 1
    return wrap(line, width, subsequent_indent=" " * 13, break_long_words=False) or [line]


def _as_json(shown: Replay, unit: str, start: int) -> dict[str, Any]:
    steps = [
        {
            "decision": s.number, "player": s.who, "key": s.key, "text": s.text, "rule": s.paragraph,
            "turn": s.turn,
            "log": [{"rule": paragraph, "text": text} for paragraph, text in s.lines],
        }
        for s in shown.steps(unit)
        if s.number >= start
    ]  # fmt: skip
    session = shown.session
    return {
        "schema_version": SCHEMA_VERSION, "game": session.facts["game"],
        "house": [rule.name for rule in session.game.source.house], "decisions": len(shown), "steps": steps,
    }  # fmt: skip


def _under_house_rules(shown: Replay, house: tuple[Path, ...], as_json: bool) -> int:
    from interpreter.keeping.divergence import replay_under
    from interpreter.playing.game import finish_game
    from rulesdsl.house.applying import read_house_files

    # The printed game is the one the save carries: what differs is then due to house rules alone.
    session = shown.session
    printed = session.game.printed
    directory = printed.directory if printed.directory.is_dir() else _installed(session.facts["game"])
    place = directory or printed.directory
    files = read_house_files(place, house_files(place, house))
    other = finish_game(printed, (), files)
    found = replay_under(session, other)
    if as_json:
        played, under = ([rule.name for rule in game.source.house] for game in (session.game, other))
        differs = None if found is None else published(found)
        print_json({"schema_version": SCHEMA_VERSION, "played": played, "under": under, "differs": differs})
        return 0 if found is None else 1
    click.echo(f"played: {session.game.full_title}\nunder:  {other.full_title}")
    if found is None:
        click.echo(f"all {number_of(len(shown), 'decision')} go the same way under these rules")
    else:
        click.echo(_divergence_text(shown, found))
    return 0 if found is None else 1


def _installed(name: str) -> Path | None:
    """Where shipped house rules would be; of a game that is not installed there is only a name."""
    try:
        return game_directory(name)
    except UsageError:
        return None


def _divergence_text(shown: Replay, found: Divergence) -> str:
    lines = [f"the same up to decision {found.number} of {len(shown)}, then:", f"  {found.what}"]
    lines += [f"  {c.paragraph} {c.title}: {c.what}" for c in found.causes]
    return "\n".join(lines)
