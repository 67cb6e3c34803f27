"""`rulesdsl play --show 8.1.4`: a game between computers, only the moments at which a paragraph mattered."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from rulesdsl.base.diagnostics import UsageError, number_of
from rulesdsl.cli.arguments import open_named_game
from rulesdsl.cli.output import console

QUICK = "random"
MOST_LINES = 12  # of the log after one decision, beside those of the paragraph itself


def show_moments(
    game: str, house: tuple[Path, ...], scenario: str | None, settings: dict[str, str],
    given_seats: tuple[str, ...], seed: str, rules: tuple[str, ...],
) -> None:  # fmt: skip
    from interpreter.agents.seats import HUMAN, read_seats
    from interpreter.measuring.mattering import Mattered, known_paragraphs, mattering
    from interpreter.playing.session import Session

    session = Session.start(open_named_game(game, house), scenario, settings, seed=seed)
    players = session.ruleset.seats
    seats = dict.fromkeys(players.ids, QUICK) | read_seats(given_seats, players)
    if HUMAN in seats.values():
        raise UsageError("--show plays between computers: --seat NAME=random, greedy or mcts")
    wanted = known_paragraphs(session, rules)
    screen = console()
    titles = ", ".join(
        f"{paragraph} {session.game.program.paragraphs[paragraph].title}" for paragraph in wanted
    )
    screen.print(f"{session.game.full_title} (seed {seed}): {titles}", highlight=False, soft_wrap=True)

    def told(moment: Mattered) -> None:
        turn = f"turn {moment.turn}, " if moment.turn else ""
        head = Text(f"\n{turn}decision {moment.number}, {moment.player}: {moment.asked}", style="bold")
        head.append(f" → {moment.chosen}")
        screen.print(head, soft_wrap=True)
        for way in moment.ways:
            screen.print(Text(f"  {way}"), soft_wrap=True)
        for number, line in enumerate(moment.lines):
            own = number in moment.ours
            if own or number < MOST_LINES:
                screen.print(Text(f"  {'>' if own else ' '} {line.text}  ({line.paragraph})"), soft_wrap=True)

    count = 0
    for moment in mattering(session, seats, wanted):
        told(moment)
        count += 1
    decisions = number_of(len(session.history), "decision")
    what = number_of(count, "moment") if count else "it never had a say"
    screen.print(f"\n{what} in {decisions}", highlight=False)
    if session.over:
        from rulesdsl.cli.play.screen import ending

        screen.print(ending(session))
