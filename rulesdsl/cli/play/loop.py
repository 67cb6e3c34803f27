"""The evening at the table: whose turn it is, what is shown, what is typed, until the game is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from interpreter.acts.performing import perform, undo_act
from interpreter.acts.rest import rest_for_me, scope_of
from interpreter.acts.story import story
from interpreter.agents.sight import Sight
from interpreter.compiling.decision_points import TravelSite
from interpreter.keeping.save_file import SaveError
from interpreter.playing.session import IllegalChoice, Option
from interpreter.playing.views import line_for
from interpreter.running.fuel import RunawayRule
from interpreter.serving.guide import guide_for, word_now
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.output import waiting
from rulesdsl.cli.play import screen
from rulesdsl.cli.play.asides import aside
from rulesdsl.cli.play.boardgrid import is_picture
from rulesdsl.cli.play.commands import named_by_number, read_line
from rulesdsl.cli.play.completing import complete_with
from rulesdsl.cli.play.keeping import Keeper
from rulesdsl.cli.play.lines import Lines
from rulesdsl.cli.play.numbers import DONE_WORDS, Numbers, way_out
from rulesdsl.cli.play.optionlist import option_list
from rulesdsl.cli.play.paging import in_pages
from rulesdsl.cli.play.seating import STAND_IN, Seats
from rulesdsl.cli.play.spoken import act_meant, answers_in, is_destination, reachable
from rulesdsl.cli.play.telling import choice_line, hanging, log_lines, story_lines
from rulesdsl.cli.play.things import options_meant, short
from rulesdsl.cli.play.tongue import decisions, t
from rulesdsl.language.conventions import TURN

if TYPE_CHECKING:
    from interpreter.playing.session import Session

WIDEST = 100
PROMPT = "> "
FEW = 8  # options that are listed again every time
AROUND = 5  # rows of a screen for a question of two lines, the prompt, and what is said above it


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
        self.numbers = Numbers()
        self.shown_log = len(self.session.log)
        self.told: dict[str | None, int] = {}  # how many decisions have been told to whom
        self.broken: set[str] = set()  # invariants whose breach was told
        self.first_told = len(self.session.history)
        self.shown_turn: object = None
        self.shown_header: list[str] = []
        self.shown_hand = ""
        self.last_human: str | None = None
        self.last_question: tuple[object, ...] = ()
        self.last_listed: set[str] = set()
        self.last_asked: tuple[str, str] = ("", "")  # whom and what, when a choice was last told
        self.guide = guide_for(keeper.session)
        self.last_word = 0  # the step of the guide that was said last

    @property
    def session(self) -> Session:
        return self.keeper.session

    def run(self) -> None:
        """Play to the end, or until `Quit`."""
        self.shown_log = 0 if not self.session.history else self.shown_log
        self.first_told = len(self.session.history) or -1  # -1: from the very beginning
        complete_with(self._names)
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
        self._tell(self.seats.onlooker)
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

    def _tell(self, seat: str | None) -> None:
        """What has happened since something was last told to this seat: for people one line an act, a page
        at a time; when only computers play, the log as it grows."""
        if not self.seats.people:
            self._show_log(seat)
            return
        since = self.told.get(seat, self.first_told)
        lines = story_lines(self.session, story(self.session, seat, since))
        self.told[seat] = len(self.session.history)
        self.shown_log = len(self.session.log)
        rows = list(hanging(lines, self.console, self.width))
        if not self.lines.interactive:
            self.print(*rows)
            return
        in_pages(rows, self.console.height, self.print, self.lines.read)

    def _names(self) -> list[str]:
        """What Tab may complete now."""
        return [option.text for option in self.session.options]

    # ---- deciding
    def _agent_decides(self, player: str) -> None:
        session = self.session
        sight = Sight.of(session.ruleset, session.machine)
        thinks = self.lines.interactive and bool(self.seats.people)
        with waiting(self.console, t("{}: thinking …", screen.player_name(session, player)), thinks):
            index = self.seats.agents[player].choose(sight, len(session.history))
        option = next(o for o in session.options if o.index == index)
        self._take(option, Text() if screen.is_private(session) else self._told(option))

    def _take_single_option(self) -> None:
        option = self.session.options[0]
        hidden = screen.is_private(self.session) and self.seats.onlooker != self.session.player
        self._take(option, Text() if hidden else self._told(option, t("the only option")))

    def _told(self, option: Option, remark: str = "") -> Text:
        prompt = self.session.prompt
        asked = ("", "") if prompt is None else (prompt.player, prompt.text)
        again, self.last_asked = asked == self.last_asked, asked
        return choice_line(self.session, option, again, remark)

    def _take(self, option: Option, said: Text) -> None:
        if self.seats.people:  # they are told afterwards, one line an act
            self.session.choose(option)
            self._tell_broken()
            return
        self._show_log(self.seats.onlooker)
        if said:
            self.print(*hanging([said], self.console, self.width))
        self.session.choose(option)
        self._show_log(self.seats.onlooker)
        self._tell_broken()

    def _tell_broken(self) -> None:
        """What the rulebook says is always so, and with the house rules no longer is: once each."""
        from interpreter.measuring.always import broken_now, told

        for broken in broken_now(self.session, self.broken):
            self.say(told(self.session.game, broken))

    def _person_decides(self, player: str) -> None:
        self._curtain(player)
        self._show_situation(player)
        self._guide(player)
        self._ask(self.session.options, briefly=True)
        while True:
            line = self.lines.read(PROMPT)
            if line is None:
                self._nobody_there()
                return
            try:
                done, shown_next = self._answer(line)
            except (UsageError, IllegalChoice, RunawayRule, SaveError) as error:
                self.say(str(error))
                continue
            if done:
                self.last_human = player
                return
            if shown_next is not None:
                self._ask(shown_next)

    def _ask(self, shown: list[Option], briefly: bool = False) -> None:
        """The question with its options; when it is asked on among the same ones, `briefly`."""
        session = self.session
        numbers = dict(self.numbers.of(session))
        question = (session.machine.pending and session.machine.pending.site, session.prompt)
        listed = {option.key for option in shown}
        again = briefly and question == self.last_question and listed < self.last_listed
        self.last_question, self.last_listed = question, self.last_listed | listed if again else listed
        if again and len(shown) > FEW:
            out = [option for option in shown if numbers[option.key] == 0]
            self.print(screen.question(session), option_list(session, out, self.width, numbers))
            others = t("the others as before ({}): Enter lists them", len(shown) - len(out))
            self.print(Text(f"      {others}", style="dim"))
            return
        rows = max(0, self.console.height - AROUND) if self.lines.interactive else 0
        self.print(screen.question(session), option_list(session, shown, self.width, numbers, rows))
        if isinstance(session.site, TravelSite) and briefly:
            reach = reachable(session, self.width)
            self.print(*hanging([reach], self.console, self.width) if reach else [])

    def _show_situation(self, player: str) -> None:
        """The board when it is small, at the beginning, and when a new turn begins; under it, where a long
        list does not push it off the screen, the header when something in it has changed."""
        session = self.session
        turn = session.view(player)["tracks"].get(TURN)
        picture = is_picture(session, self.width)
        new_turn = turn != self.shown_turn
        self._tell(player)
        if picture or new_turn or self.last_human is None:
            self.print(screen.board_panel(session, player, self.width))
        lines = screen.header_lines(session, player)
        if lines and lines[:2] != self.shown_header[:2]:
            self.print(screen.header(session, player))
        else:  # the same turn and phase: only what has changed
            self.print(*(Text(f"  {line}", style="dim") for line in lines if line not in self.shown_header))
        self.shown_header = lines
        hand = screen.hand(session, player)
        if hand.plain and hand.plain != self.shown_hand:
            self.print(hand)
        self.shown_hand = hand.plain
        self.shown_turn = turn

    def _guide(self, player: str) -> None:
        """In a guided game, what is to be known at this question; each word once."""
        word = word_now(self.guide, self.session, player, typed=True) if self.guide is not None else None
        if word is not None and word["step"] != self.last_word:
            self.last_word = word["step"]
            self.print(screen.guide_panel(word, self.width))

    def _curtain(self, player: str) -> None:
        """When two people share the screen and hold secrets, the next one must not see the last one's."""
        program = self.session.ruleset.program
        secrets = bool(program.tokens) or bool(program.visibility)
        first = self.last_human is None and not self.session.history  # not so when a saved game is opened
        if not secrets or len(self.seats.people) < 2 or first or self.last_human == player:
            return
        name = screen.player_name(self.session, player)
        self.shown_header, self.shown_turn = [], None  # show everything again, and what this one has not seen
        self.shown_hand = ""
        if self.lines.interactive:
            self._wipe()
            self.lines.read(t("{}, it is your turn. The others look away. Press Enter. ", name))
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
        self.say(t("nobody answers: {} will be played by {}", names, STAND_IN))

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
            t(
                "{} takes no part, but is asked: {} answers",
                screen.player_name(self.session, player),
                STAND_IN,
            )
        )

    # ---- answering
    def _answer(self, line: str) -> tuple[bool, list[Option] | None]:
        """Do what was typed. True when a decision was taken (or taken back); and the options to list."""
        typed = read_line(line)
        match typed.word:
            case "number" | "name" | "done":
                return self._choose_all(answers_in(typed.rest) if typed.rest else [line])
            case "undo":
                self._undo(force=typed.rest == "!")
                return True, None
            case "rest":
                self._rest()
                return True, None
            case "again":
                return False, self.session.options
            case "quit":
                raise Quit
            case _:
                aside(self, typed)
                return False, None

    def _choose_all(self, answers: Sequence[str]) -> tuple[bool, list[Option] | None]:
        """Every answer of a line, one after the other; all of them are one gesture, taken back together."""
        session, player, start = self.session, str(self.session.player), len(self.session.history)
        for number, answer in enumerate(answers):
            try:
                keys, several = self._meant(answer)
            except UsageError as error:
                if not number:
                    raise
                self.say(f'"{short(answer)}": {error}')
                break
            if several is not None:
                return number > 0, None if number else several
            stopped = perform(session, player, keys).stopped
            if stopped:
                self.say(t("the rest was left: {}", stopped))
            while self.auto and session.player == player and len(session.options) == 1:
                session.choose(session.options[0])
            if session.player != player or stopped:
                if number + 1 < len(answers):
                    self.say(t("not done any more: {}", "; ".join(answers[number + 1 :])))
                break
        self._tell_broken()
        for moment in session.history[start:]:
            moment.act = start + 1 if moment.who == player else 0
        return True, None

    def _meant(self, answer: str) -> tuple[tuple[str, ...], list[Option] | None]:
        """The keys an answer means, or the options it might mean."""
        session = self.session
        if answer.casefold() in DONE_WORDS:
            out = way_out(session)
            if out is None:
                raise UsageError(t("this has to be decided: there is nothing to end here"))
            return (out.key,), None
        if answer.isdecimal():
            option = named_by_number(session, answer) or self.numbers.option(session, answer)
            if option is not None:
                return (option.key,), None
        try:
            found, sure = options_meant(session, answer)
        except UsageError:
            found, sure = [], False
        if sure and not is_destination(answer):
            self.say(Text(found[0].text, style="italic"))
            return (found[0].key,), None
        act = act_meant(session, answer)
        if act is not None:
            self.say(Text(act.text, style="italic"))
            return act.keys, None
        if sure:
            return (found[0].key,), None
        if found:
            return (), found
        if answer.isdecimal():
            last = max(self.numbers.of(session).values(), default=0)
            raise UsageError(t("there are options 1 to {}", last))
        options_meant(session, answer)  # tells why nothing is called so
        raise AssertionError

    def _rest(self) -> None:
        """The computer does the rest of what is going on."""
        player, part = str(self.session.player), scope_of(self.session)
        with waiting(self.console, t("{}: the computer goes on for you …", part), self.lines.interactive):
            count = rest_for_me(self.session, player)
        self.say(t("{}: {} taken for you; undo takes them back", part, decisions(count)))

    def _undo(self, force: bool) -> None:
        count = undo_act(self.session, self.seats.people, insisting=force)
        kept, log = len(self.session.history), self.session.log
        if log and log[-1].kind == "undo":  # what was insisted upon is told
            self.say(log[-1].text)
        self.told = {seat: min(told, kept) for seat, told in self.told.items()}
        self.say(t("taken back: {}", decisions(count)))
