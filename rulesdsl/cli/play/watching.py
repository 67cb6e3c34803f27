"""`rulesdsl play --watch FILE`: looking on while another program plays, with the eyes of a spectator."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.keeping.following import Follower
from interpreter.playing.session import IllegalChoice
from rulesdsl.cli.play import screen
from rulesdsl.cli.play.telling import choice_line, hanging, log_lines
from rulesdsl.cli.play.tongue import decisions, t
from rulesdsl.language.conventions import TURN

if TYPE_CHECKING:
    from rich.console import Console

    from interpreter.keeping.save_file import Entry

EVERY = 0.25  # seconds between two looks at the file
LAST_LINES = 12  # of the log, for somebody who comes late
WIDEST = 100


class Spectator:
    """Shows what everybody may see, and goes on with it as the journal grows."""

    def __init__(self, path: Path, console: Console) -> None:
        self.follower = Follower(path)
        self.console = console
        self.width = min(console.width, WIDEST)
        self.shown_log = 0
        self.shown_turn: object = None
        self.last_asked = ("", "")

    def run(self) -> None:
        """Until the game is over, or nobody plays it any more."""
        while (entry := self.follower.waiting()) is not None:
            self.follower.take(entry)
        self._arrive()
        while not self.follower.session.over:
            played = self.follower.played  # asked first: what was written before he left is still shown
            entry = self.follower.waiting()
            if entry is not None:
                self._show(entry)
            elif not played:
                self._say(t("nobody is playing this game now"))
                return
            else:
                time.sleep(EVERY)
        self.console.print(screen.ending(self.follower.session), width=self.width)

    def _arrive(self) -> None:
        session = self.follower.session
        self._say(t("{}, after {}: looking on", session.game.full_title, decisions(len(session.history))))
        lines = log_lines(session.log_of(None)[-LAST_LINES:])
        self._lines(lines)
        self.shown_log = len(session.log_of(None))
        self._board()

    def _show(self, entry: Entry) -> None:
        session = self.follower.session
        said = None if entry.undone or screen.is_private(session) else self._choice(entry)
        session = self.follower.take(entry)
        if entry.undone:
            self._say(t("taken back: {}", decisions(entry.undone)))
            self.shown_log = len(session.log_of(None))
        if said is not None:
            self._lines([said])
        log = session.log_of(None)
        self._lines(log_lines(log[self.shown_log :]))
        self.shown_log = len(log)
        if not session.over and session.view(None)["tracks"].get(TURN) != self.shown_turn:
            self._board()

    def _choice(self, entry: Entry) -> Text | None:
        session = self.follower.session
        try:
            option, prompt = session.find(entry.key), session.prompt
        except IllegalChoice:  # taking it tells what is wrong
            return None
        asked = ("", "") if prompt is None else (prompt.player, prompt.text)
        again, self.last_asked = asked == self.last_asked, asked
        return choice_line(session, option, again)

    def _board(self) -> None:
        session = self.follower.session
        self.shown_turn = session.view(None)["tracks"].get(TURN)
        self.console.print(screen.board_panel(session, None, self.width), width=self.width)
        header = screen.header(session, None)
        if header is not None:
            self.console.print(header, width=self.width)

    def _say(self, text: str) -> None:
        self.console.print(text, width=self.width)

    def _lines(self, lines: list[Text]) -> None:
        for line in hanging(lines, self.console, self.width):
            self.console.print(line, width=self.width)
