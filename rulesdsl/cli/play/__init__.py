"""`rulesdsl play`: a game in the terminal."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import (
    FILE,
    GAME,
    house_option,
    language_option,
    open_named_game,
    pairs,
    setting_options,
)
from rulesdsl.cli.begun import same_game
from rulesdsl.cli.output import console, waiting

if TYPE_CHECKING:
    from interpreter.keeping.signing import Signer
    from interpreter.playing.session import Session
    from rulesdsl.cli.play.loop import Evening


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--seat", "seats", multiple=True, metavar="NAME=WHO",
              help="human, easy, club, strong, random, greedy or mcts; all=WHO for everybody.")  # fmt: skip
@click.option(
    "--seed",
    metavar="TEXT",
    help="The same seed gives the same dice (default: a new one, printed; between people: none).",
)
@setting_options
@house_option
@click.option("--save", "save_file", type=FILE, metavar="FILE",
              help="Keep the game in FILE; go on with it if it is there.")  # fmt: skip
@click.option("--resume", metavar="NAME", is_flag=False, flag_value="",
              help="Go on with a kept game: a part of its name, or last; alone it lists them.")  # fmt: skip
@click.option(
    "--recover", is_flag=True, help="Go on with a damaged save up to the damage; the rest is put aside."
)
@click.option("--watch", type=FILE, metavar="FILE",
              help="Look on at the game in FILE while another program plays it.")  # fmt: skip
@click.option(
    "--sign", type=FILE, metavar="FILE", help="Sign the game with this secret key when you leave it."
)
@click.option("--guided", is_flag=True, help="The guided first turn of the game, if it brings one.")
@click.option("--show", "shown", multiple=True, metavar="PARAGRAPH",
              help="Only the moments of a game between computers where this paragraph mattered.")  # fmt: skip
@click.option("--ask-always", is_flag=True, help="Ask also when there is only one option.")
@language_option
def play(
    game: str | None, seats: tuple[str, ...], seed: str | None, scenario: str | None,
    options: tuple[str, ...], readings: tuple[str, ...], house: tuple[Path, ...],
    save_file: Path | None, resume: str | None, recover: bool, watch: Path | None, sign: Path | None,
    guided: bool, shown: tuple[str, ...], ask_always: bool, language: str,
) -> None:  # fmt: skip
    """Play a game, alone against the computer, with others at one screen, or watch.

    Without --seat you take the first seat and the computer the others (club; without a terminal random,
    which is quicker). Choices can also be piped in, one in a line. Without a terminal, or when only computers
    sit at the table, the game plays itself to the end.
    """
    from interpreter.agents.seats import read_seats
    from rulesdsl.cli.play.keeping import Keeper
    from rulesdsl.cli.play.kept import find_kept
    from rulesdsl.cli.play.loop import Evening
    from rulesdsl.cli.play.seating import OPPONENT, QUICK_OPPONENT, fill_seats
    from rulesdsl.cli.play.tongue import speak

    speak(language)
    if watch is not None:
        if game or seats or save_file or seed or scenario or options or readings or house or recover:
            raise UsageError("--watch takes nothing beside it: the file says which game it is")
        _look_on(watch)
        return
    if shown:
        if save_file is not None or resume is not None or sign is not None or not game:
            raise UsageError("--show plays a game of its own: name the game, and nothing to keep it in")
        from rulesdsl.cli.play.showing import show_moments

        settings = pairs(options, "option") | pairs(readings, "reading")
        show_moments(game, house, scenario, settings, seats, seed or str(secrets.randbelow(10**9)), shown)
        return
    if resume is not None:
        if save_file is not None:
            raise UsageError("--resume and --save both name a game: give one of them")
        if not resume and not (resume := _ask_which_kept()):
            return
        save_file = find_kept(resume)
    named_file_exists = save_file is not None and os.path.lexists(save_file)
    settings, chosen_readings = pairs(options, "option"), pairs(readings, "reading")
    given_seed = seed or str(secrets.randbelow(10**9))

    named = game or ("" if named_file_exists else _ask_for_game())

    from rulesdsl.cli.play.tongue import t

    if guided:
        seats, seed, scenario = _as_guided(named, named_file_exists)
        given_seed = seed
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    opponent = OPPONENT if at_terminal else QUICK_OPPONENT
    signer = _signer(sign)

    def start() -> Session:
        from interpreter.agents.seats import HUMAN
        from interpreter.playing.session import Session
        from interpreter.running.dice import FRESH, fresh_draw

        opened = open_named_game(named, house)
        session = Session.start(opened, scenario, settings, chosen_readings, seed=given_seed)
        players = session.ruleset.seats
        # a wrong seat is told before anything is kept
        who = fill_seats(read_seats(seats, players), players, opponent)
        if seed is None and list(who.values()).count(HUMAN) > 1:
            return Session.start(
                opened, scenario, settings, chosen_readings, seed=fresh_draw(), dice=FRESH
            )  # fmt: skip
        return session

    with waiting(console(), t("reading the rulebook …"), at_terminal):
        keeper = Keeper.open(save_file, start, always=at_terminal, recover=recover)
    if keeper.resumed:
        try:
            same_game(keeper.session, game, scenario, settings | chosen_readings, house, seed)
        except BaseException:
            keeper.close()
            raise
    players = keeper.session.ruleset.seats
    keeper.signer = signer
    who = fill_seats(read_seats(seats, players), players, opponent)
    evening = Evening(keeper, who, console(), auto=not ask_always)
    alone = evening.nobody_came()
    for line in _opening(keeper.session, evening.seats.kinds, keeper.resumed, keeper.notice, alone):
        evening.say(line)
    _sit(evening)


def _as_guided(game: str, kept: bool) -> tuple[tuple[str, ...], str, str | None]:
    """Seats, seed and scenario of the guide that comes with a game."""
    from interpreter.serving.guide import guide_of

    guide = guide_of(game) if game and not kept else None
    if guide is None:
        raise UsageError("there is no guided first turn: name a game that brings one, and no kept game")
    return guide.seats, guide.seed, guide.scenario


def _sit(evening: Evening) -> None:
    """Run the evening; however it ends, say where the game is kept."""
    from interpreter.keeping.save_file import SaveError
    from rulesdsl.cli.play.loop import Quit
    from rulesdsl.cli.play.tongue import t

    try:
        evening.run()
        evening.keeper.sign()
    except (Quit, KeyboardInterrupt, SaveError) as stop:
        if evening.session.history and (evening.keeper.path or evening.lines.interactive):
            where = shlex.quote(str(evening.keeper.save()))
            evening.keeper.sign()
            again = f"{_program()} play {_how_to_go_on(evening, where)}"
            click.echo(f"\n{t('the game is kept; go on with:')}\n  {again}", err=True)
        if not isinstance(stop, Quit):
            raise
    finally:
        evening.keeper.close()


def _how_to_go_on(evening: Evening, where: str) -> str:
    """The shortest words that open this game again: its name when it is kept where games are kept, and the
    seats unless they are the usual ones."""
    from rulesdsl.cli.play.keeping import games_directory
    from rulesdsl.cli.play.seating import OPPONENT, fill_seats

    path, kinds = evening.keeper.path, evening.seats.kinds
    kept = path is not None and path.parent == games_directory()
    named = f"--resume {path.stem}" if kept and path is not None else f"--save {where}"
    usual = kinds == fill_seats({}, evening.session.ruleset.seats, OPPONENT)
    return " ".join([named, *([] if usual else (f"--seat {seat}={kind}" for seat, kind in kinds.items()))])


def _ask_which_kept() -> str:
    """No game was named: the kept ones are listed, and a person is asked."""
    from rulesdsl.cli.play.kept import kept_games, listing
    from rulesdsl.cli.play.tongue import t

    games = kept_games()
    if not games:
        raise UsageError(t("no game is kept yet: rulesdsl play begins one"))
    for number, line in enumerate(listing(games), 1):
        click.echo(f"{number:>3}  {line}")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return ""
    answer = str(click.prompt(t("Which game"), default="1"))
    return games[int(answer) - 1].stem if answer.isdecimal() and 0 < int(answer) <= len(games) else answer


def _signer(path: Path | None) -> Signer | None:
    if path is None:
        return None
    from interpreter.keeping.signing import Signer

    return Signer(path)


def _look_on(path: Path) -> None:
    from rulesdsl.cli.play.watching import Spectator

    with suppress(KeyboardInterrupt):  # the way to leave
        Spectator(path, console()).run()


def _program() -> str:
    """How this program is called from here: after `make play` it is not on the path."""
    if shutil.which("rulesdsl"):
        return "rulesdsl"
    return shlex.quote(sys.argv[0]) if Path(sys.argv[0]).name == "rulesdsl" else "python -m rulesdsl"


def _opening(
    session: Session, seats: dict[str, str], resumed: bool, notice: str, alone: bool
) -> list[str]:  # fmt: skip
    from interpreter.agents.seats import HUMAN
    from rulesdsl.cli.play.screen import dice_words
    from rulesdsl.cli.play.tongue import decisions, t

    names = dict(zip(session.ruleset.seats.ids, session.ruleset.seats.names, strict=True))
    sitting = ", ".join(f"{names[seat]}: {kind}" for seat, kind in seats.items())
    begun = t("going on after {}", decisions(len(session.history))) if resumed else dice_words(session)
    advice = f" {t('Type help for help.')}" if HUMAN in seats.values() else ""
    lines = [f"{session.game.full_title} ({begun}). {sitting}.{advice}"]
    if HUMAN in seats.values():
        lines += _who_you_are(session, [seat for seat, kind in seats.items() if kind == HUMAN])
    if list(seats.values()).count(HUMAN) > 1 and "dice" not in session.facts:
        lines.append(t("The dice follow from the seed: whoever knows it can know them beforehand."))
    if alone:
        lines.append(t("Nobody is here to play: the game plays itself."))
    return [*lines, notice] if notice else lines


def _who_you_are(session: Session, people: list[str]) -> list[str]:
    """What the game is about, who sits here, and what he wants."""
    from rulesdsl.cli.play.tongue import named, t

    source, telling = session.game.source, session.ruleset.program.telling
    about = named(source, source.game.summary)
    players, goals = session.ruleset.seats, dict(telling.goals)
    lines = [about] if about else []
    for seat in people:
        name = dict(zip(players.ids, players.names, strict=True))[seat]
        you = t("You are {}.", name) if len(people) == 1 else f"{name}:"
        lines.append(f"{you} {named(source, goals[seat])}" if seat in goals else you)
    return [line for line in lines if not line.endswith(":")]


def _ask_for_game() -> str:
    """No game was named: a person is asked, a script is told."""
    from rulesdsl.base.resources import shipped_games
    from rulesdsl.cli.play.tongue import t

    names = shipped_games()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(t("name a game: {}", ", ".join(names)))
    for number, name in enumerate(names, 1):
        click.echo(f"{number:>3}  {name}")
    answer = click.prompt(t("Which game"), default="1")
    return names[int(answer) - 1] if answer.isdecimal() and 0 < int(answer) <= len(names) else answer
