"""`rulesdsl play`: a game in the terminal."""

from __future__ import annotations

import secrets
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.cli.arguments import FILE, GAME, house_option, open_named_game, pairs, setting_options
from rulesdsl.cli.begun import same_game
from rulesdsl.cli.output import console, waiting
from rulesdsl.diagnostics import UsageError, number_of

if TYPE_CHECKING:
    from interpreter.session import Session
    from rulesdsl.cli.play.loop import Evening


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--seat", "seats", multiple=True, metavar="NAME=WHO",
              help="human, random, greedy, mcts, mcts:5s or mcts:500; all=WHO for everybody.")  # fmt: skip
@click.option(
    "--seed", metavar="TEXT", help="The same seed gives the same dice (default: a new one, printed)."
)
@setting_options
@house_option
@click.option("--save", "save_file", type=FILE, metavar="FILE",
              help="Keep the game in FILE; go on with it if it is there.")  # fmt: skip
@click.option(
    "--recover", is_flag=True, help="Go on with a damaged save up to the damage; the rest is put aside."
)
@click.option("--ask-always", is_flag=True, help="Ask also when there is only one option.")
def play(
    game: str | None, seats: tuple[str, ...], seed: str | None, scenario: str | None,
    options: tuple[str, ...], readings: tuple[str, ...], house: tuple[Path, ...],
    save_file: Path | None, recover: bool, ask_always: bool,
) -> None:  # fmt: skip
    """Play a game, alone against the computer, with others at one screen, or watch.

    Without --seat you take the first seat and the computer the others (greedy; without a terminal random,
    which is quicker). Choices can also be piped in, one in a line. Without a terminal, or when only computers
    sit at the table, the game plays itself to the end.
    """
    from interpreter.agents.seats import read_seats
    from rulesdsl.cli.play.keeping import Keeper
    from rulesdsl.cli.play.loop import Evening
    from rulesdsl.cli.play.seating import OPPONENT, QUICK_OPPONENT, fill_seats

    resumed = save_file is not None and save_file.exists()
    settings, chosen_readings = pairs(options, "option"), pairs(readings, "reading")
    given_seed = seed or str(secrets.randbelow(10**9))

    named = game or ("" if resumed else _ask_for_game())

    def start() -> Session:
        from interpreter.session import Session

        opened = open_named_game(named, house)
        session = Session.start(opened, scenario, settings, chosen_readings, seed=given_seed)
        read_seats(seats, session.ruleset.seats)  # a wrong seat is told before anything is kept
        return session

    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with waiting(console(), "reading the rulebook …", at_terminal):
        keeper = Keeper.open(save_file, start, always=at_terminal, recover=recover)
    if resumed:
        same_game(keeper.session, game, scenario, settings | chosen_readings, house, seed)
    players = keeper.session.ruleset.seats
    who = fill_seats(read_seats(seats, players), players, OPPONENT if at_terminal else QUICK_OPPONENT)
    evening = Evening(keeper, who, console(), auto=not ask_always)
    alone = evening.nobody_came()
    for line in _opening(keeper.session, evening.seats.kinds, resumed, keeper.notice, alone):
        evening.say(line)
    _sit(evening)


def _sit(evening: Evening) -> None:
    """Run the evening; however it ends, say where the game is kept."""
    from rulesdsl.cli.play.loop import Quit

    try:
        evening.run()
    except (Quit, KeyboardInterrupt) as stop:
        if evening.session.history and (evening.keeper.path or evening.lines.interactive):
            where = shlex.quote(str(evening.keeper.save()))
            seats = " ".join(f"--seat {seat}={kind}" for seat, kind in evening.seats.kinds.items())
            again = f"{_program()} play --save {where} {seats}"
            click.echo(f"\nthe game is kept; go on with:\n  {again}", err=True)
        if isinstance(stop, KeyboardInterrupt):
            raise
    finally:
        evening.keeper.close()


def _program() -> str:
    """How this program is called from here: after `make play` it is not on the path."""
    if shutil.which("rulesdsl"):
        return "rulesdsl"
    return shlex.quote(sys.argv[0]) if Path(sys.argv[0]).name == "rulesdsl" else "python -m rulesdsl"


def _opening(
    session: Session, seats: dict[str, str], resumed: bool, notice: str, alone: bool
) -> list[str]:  # fmt: skip
    from interpreter.agents.seats import HUMAN

    names = dict(zip(session.ruleset.seats.ids, session.ruleset.seats.names, strict=True))
    sitting = ", ".join(f"{names[seat]}: {kind}" for seat, kind in seats.items())
    begun = (
        f"going on after {number_of(len(session.history), 'decision')}"
        if resumed
        else f"seed {session.facts['seed']}"
    )
    advice = " Type help for help." if HUMAN in seats.values() else ""
    lines = [f"{session.game.full_title} ({begun}). {sitting}.{advice}"]
    if alone:
        lines.append("Nobody is here to play: the game plays itself.")
    return [*lines, notice] if notice else lines


def _ask_for_game() -> str:
    """No game was named: a person is asked, a script is told."""
    from rulesdsl.resources import shipped_games

    names = shipped_games()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"name a game: {', '.join(names)}")
    for number, name in enumerate(names, 1):
        click.echo(f"{number:>3}  {name}")
    answer = click.prompt("Which game", default="1")
    return names[int(answer) - 1] if answer.isdecimal() and 0 < int(answer) <= len(names) else answer
