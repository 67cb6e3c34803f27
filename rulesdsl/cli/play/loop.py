"""The evening at the table: whose turn it is, what is shown, what is typed, until the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from interpreter.agents.sight import Sight
from interpreter.running.fuel import RunawayRule
from interpreter.saving.savefile import SaveError
from interpreter.session import IllegalChoice, Option
from interpreter.views import line_for
from rulesdsl.cli.output import waiting
from rulesdsl.cli.play import screen
from rulesdsl.cli.play.asides import aside
from rulesdsl.cli.play.boardgrid import is_picture
from rulesdsl.cli.play.commands import Typed, option_number, read_line
from rulesdsl.cli.play.keeping import Keeper, take_back
from rulesdsl.cli.play.lines import Lines
from rulesdsl.cli.play.optionlist import option_list
from rulesdsl.cli.play.seating import STAND_IN, Seats
from rulesdsl.cli.play.telling import choice_line, hanging, log_lines
from rulesdsl.cli.play.things import options_meant
from rulesdsl.diagnostics import UsageError

if TYPE_CHECKING:
    from interpreter.session import Session

WIDEST = 100
PROMPT = "> "
SLOW = "mcts"  # thinks long enough that one wonders


class Quit(Exception):
    """A player has had enough for today."""


class Evening:
    """One sitting. `seats` says who sits where; `auto` takes single options without asking."""

    def __init__(self, keeper: Keeper, seats: Mapping[str, str], console: Console, auto: bool = True) -> None:
        self.keeper = keeper
        self.seats = Seats(seats, str(keeper.session.facts["seed"]))
        self.console = console
        self.width = min(console.width, WIDEST)
        self.auto = auto
        self.lines = Lines(lambda text: self.say(text))
        self.shown_log = self.first_log = len(self.session.log)
        self.seen: dict[str, int] = {}  # how much of the log each person has seen, when a curtain hides it
        self.shown_turn: object = None
        self.shown_header: object = None
        self.shown_hand = ""
        self.last_human: str | None = None
        self.last_asked: tuple[str, str] = ("", "")  # whom and what, when a choice was last told

    @property
    def session(self) -> Session:
        return self.keeper.session

    def run(self) -> None:
        """Play to the end, or until `Quit`."""
        self.shown_log = 0 if not self.session.history else self.shown_log
        self.first_log = self.shown_log
        while not self.session.over:
            player = str(self.session.player)
            if player not in self.seats.kinds:
                self._take_empty_seat(player)
            if player in self.seats.agents:
                self._agent_decides(player)
            elif self.auto and len(self.session.options) == 1:
                self._take_single_option()
            else:
                self._person_decides(player)
        self._show_log(self.seats.onlooker)
        self.print(screen.ending(self.session))

    # ---- saying things
    def say(self, text: str | Text) -> None:
        self.console.print(text, width=self.width, style=None)

    def print(self, *things: object) -> None:
        for thing in things:
            self.console.print(thing, width=self.width)

    def _show_log(self, seat: str | None) -> None:
        """What has happened since something was last shown, as far as this seat may know."""
        seen = (line_for(entry, seat) for entry in self.session.log[self.shown_log :])
        lines = log_lines(entry for entry in seen if entry is not None)
        self.print(*hanging(lines, self.console, self.width))
        self.shown_log = len(self.session.log)

    # ---- deciding
    def _agent_decides(self, player: str) -> None:
        session = self.session
        sight = Sight.of(session.ruleset, session.machine)
        thinks = self.lines.interactive and self.seats.kinds[player].startswith(SLOW)
        with waiting(self.console, f"{screen.player_name(session, player)}: thinking …", thinks):
            index = self.seats.agents[player].choose(sight, len(session.history))
        option = next(o for o in session.options if o.index == index)
        self._take(option, Text() if screen.is_private(session) else self._told(option))

    def _take_single_option(self) -> None:
        option = self.session.options[0]
        hidden = screen.is_private(self.session) and self.seats.onlooker != self.session.player
        self._take(option, Text() if hidden else self._told(option, "the only option"))

    def _told(self, option: Option, remark: str = "") -> Text:
        prompt = self.session.prompt
        asked = ("", "") if prompt is None else (prompt.player, prompt.text)
        again, self.last_asked = asked == self.last_asked, asked
        return choice_line(self.session, option, again, remark)

    def _take(self, option: Option, said: Text) -> None:
        self._show_log(self.seats.onlooker)
        if said:
            self.print(*hanging([said], self.console, self.width))
        self.session.choose(option)
        self._show_log(self.seats.onlooker)

    def _person_decides(self, player: str) -> None:
        self._curtain(player)
        self._show_situation(player)
        shown = self.session.options
        self._ask(shown)
        while True:
            line = self.lines.read(PROMPT)
            if line is None:
                self._nobody_there()
                return
            try:
                done, shown_next = self._answer(read_line(line))
            except (UsageError, IllegalChoice, RunawayRule, SaveError) as error:
                self.say(str(error))
                continue
            if done:
                self.seen[player] = min(self.shown_log, len(self.session.log))
                self.last_human = player
                return
            if shown_next is not None:
                self._ask(shown_next)

    def _ask(self, shown: list[Option]) -> None:
        self.print(screen.question(self.session), option_list(self.session, shown, self.width))

    def _show_situation(self, player: str) -> None:
        """The board when it is small, at the beginning, and when a new turn begins; under it, where a long
        list does not push it off the screen, the header when something in it has changed."""
        session = self.session
        turn = session.view(player)["tracks"].get("turn")
        picture = is_picture(session, self.width)
        new_turn = turn != self.shown_turn
        self._show_log(player)
        if picture or new_turn or self.last_human is None:
            self.print(screen.board_panel(session, player, self.width))
        header = screen.header(session, player)
        if header is not None and header.renderable != self.shown_header:
            self.print(header)
            self.shown_header = header.renderable
        hand = screen.hand(session, player)
        if hand.plain and hand.plain != self.shown_hand:
            self.print(hand)
        self.shown_hand = hand.plain
        self.shown_turn = turn

    def _curtain(self, player: str) -> None:
        """When two people share the screen and hold secrets, the next one must not see the last one's."""
        program = self.session.ruleset.program
        secrets = bool(program.tokens) or bool(program.visibility)
        first = self.last_human is None and not self.session.history  # not so when a saved game is opened
        if not secrets or len(self.seats.people) < 2 or first or self.last_human == player:
            return
        name = screen.player_name(self.session, player)
        self.shown_header = self.shown_turn = None  # show everything again, and what this one has not seen
        self.shown_hand = ""
        self.shown_log = min(self.shown_log, self.seen.get(player, self.first_log))
        if self.lines.interactive:
            self._wipe()
            self.lines.read(f"{name}, it is your turn. The others look away. Press Enter. ")
            self._wipe()
        else:
            self.say(f"--- {name} ---")

    def _wipe(self) -> None:
        """Empty the screen, and what could be scrolled back to."""
        self.console.clear()
        self.console.file.write("\x1b[3J")
        self.console.file.flush()

    def _nobody_there(self) -> None:
        """No more lines: at a terminal that means quit, otherwise the game goes on by itself."""
        if self.lines.interactive:
            raise Quit
        people = self.seats.people
        self.seats.give_up(people)
        names = ", ".join(screen.player_name(self.session, seat) for seat in people)
        self.say(f"nobody answers: {names} will be played by {STAND_IN}")

    def nobody_came(self) -> bool:
        """Whether people were expected and none is there: then agents take their seats at once."""
        if not self.seats.people or self.lines.somebody_there():
            return False
        self.seats.give_up(self.seats.people)
        return True

    def _take_empty_seat(self, player: str) -> None:
        """A rule asks somebody who takes no part: a slip of its author, but the evening goes on."""
        self.seats.give_up([player])
        self.say(
            f"{screen.player_name(self.session, player)} takes no part, but is asked: {STAND_IN} answers"
        )

    # ---- answering
    def _answer(self, typed: Typed) -> tuple[bool, list[Option] | None]:
        """Do what was typed. True when a decision was taken (or taken back); and the options to list."""
        session = self.session
        everything = session.options
        match typed.word:
            case "number":
                option = option_number(everything, typed.rest)
                if option is None:
                    raise UsageError(f"there are options 1 to {len(everything)}")
                session.choose(option)
                return True, None
            case "name":
                found, sure = options_meant(session, typed.rest)
                if not sure:
                    return False, found
                self.say(Text(found[0].text, style="italic"))
                session.choose(found[0])
                return True, None
            case "undo":
                self._undo(force=typed.rest == "!")
                return True, None
            case "again":
                return False, everything
            case "quit":
                raise Quit
            case _:
                aside(self, typed)
                return False, None

    def _undo(self, force: bool) -> None:
        count = take_back(self.session, self.seats.people, force)
        self.shown_log = len(self.session.log)
        self.seen = {seat: min(seen, self.shown_log) for seat, seen in self.seen.items()}
        self.say(f"taken back: {count} decision{'s' if count > 1 else ''}")
