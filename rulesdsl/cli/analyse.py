"""`rulesdsl analyse`: a saved game looked at afterwards: the chances as a curve, and what cost most."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import FILE, json_option
from rulesdsl.cli.output import print_json

if TYPE_CHECKING:
    from interpreter.measuring.post_mortem import PostMortem
    from interpreter.playing.session import Session

SCHEMA_VERSION = 1


@click.command()
@click.argument("save", type=FILE)
@click.option("--seconds", type=click.FloatRange(min=0), default=30.0, show_default=True,
              help="How long to judge; decisions after which chances fell most come first.")  # fmt: skip
@click.option("--tries", type=click.IntRange(2, 10_000), default=24, show_default=True,
              help="How often lines are played on before one decision is judged.")  # fmt: skip
@click.option("--most", type=click.IntRange(min=0), default=10, show_default=True,
              help="How many decisions to name.")  # fmt: skip
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write the curve to this file.")
@json_option
def analyse(save: Path, seconds: float, tries: int, most: int, svg: Path | None, as_json: bool) -> int:
    """Look at a finished game: the chances after every decision, and the decisions that cost most.

    Chances are those the computer opponent reckons with, no more. A decision is judged by what its player
    could know when he made it.
    """
    from interpreter.keeping.saves import load
    from interpreter.measuring.post_mortem import post_mortem
    from rulesdsl.cli.simulate import progress_bar

    session = load(save)
    program = session.ruleset.program
    if not session.over and (program.tokens or program.visibility):
        raise UsageError("the game is not over, and an analysis would tell what is hidden from its players")
    choices = sum(moment.had_a_choice for moment in session.history)
    if not choices:
        raise UsageError("nobody has had a choice yet in this game")
    with progress_bar(choices) as advance:
        found = post_mortem(session, tries, seconds, lambda *_: advance())
    if svg is not None:
        from interpreter.measuring.chance_curve import as_svg
        from rulesdsl.base.writing import write_file

        drawn = as_svg(found.points, found.mistakes[:most], names_of(session), session.game.full_title)
        write_file(svg, drawn)
        click.echo(f"written: {svg}", err=True)
    if as_json:
        told = found.as_dict()
        print_json({"schema_version": SCHEMA_VERSION, "game": session.facts["game"], **told,
                    "mistakes": told["mistakes"][:most]})  # fmt: skip
        return 0
    for line in lines_of(session, found, most, max(20, min(100, get_terminal_size().columns) - 24)):
        click.echo(line)
    return 0


def names_of(session: Session) -> dict[str, str]:
    """Seat → the name of its player."""
    players = session.ruleset.seats
    return dict(zip(players.ids, players.names, strict=True))


def lines_of(session: Session, found: PostMortem, most: int, width: int) -> list[str]:
    from interpreter.measuring.chance_curve import in_letters

    names = names_of(session)
    wide = max(map(len, names.values()))
    ended = session.result.reason if session.result is not None else "not over"
    lines = [f"{session.game.full_title}: {len(session.history)} decisions, {ended}", "", "chances"]
    lines += [f"  {name:<{wide}}  {in_letters(found.points, p, width)}" for p, name in names.items()]
    named = found.mistakes[:most]
    lines += ["", "what cost most" if named else "no decision that was judged cost much"]
    for mistake in named:
        turn = f", turn {mistake.turn}" if mistake.turn is not None else ""
        lines.append(
            f"  {100 * mistake.cost:4.1f} %  {names.get(mistake.player, mistake.player)}, decision "
            f"{mistake.decision + 1}{turn}: {mistake.chosen}; better: {mistake.better}"
        )
    if found.looked_at < found.decisions:
        lines.append(
            f"  ({found.looked_at} of {found.decisions} decisions were judged; --seconds judges more)"
        )
    return lines
