"""A game as a player, an agent, a server or a notebook sees it.

    session = Session.start("tutorial/skirmish", seed=7)
    while not session.over:
        print(session.prompt.text, [option.text for option in session.options])
        session.choose(session.options[0])
    print(session.result)

At every moment there is one prompt for one player with a finite list of options, or the game is over.
Those who know python-chess will recognise the shape:

    board.legal_moves   session.options      board.push(move)     session.choose(option)
    board.turn          session.player       board.pop()          session.undo()
    board.copy()        session.copy()       board.move_stack     session.choices
    board.is_game_over  session.over         board.result()       session.result
    board.fen()         session.state        board._repr_svg_()   session._repr_svg_()

What a chess board does not need: `prompt` (what is asked, by which paragraph), `view(seat)`, `log_of(seat)`,
`barriers` (what an undo would take back that has been seen), `value`. What people
import as `rulesdsl.Session` also says why and keeps itself (`interpreter/api.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, Self

from interpreter.playing.game import Game, Setting, join_settings, open_game
from interpreter.playing.hearing import listening
from interpreter.playing.known_values import value_of
from interpreter.playing.log_lines import log_entry
from interpreter.playing.moments import IllegalChoice as IllegalChoice
from interpreter.playing.moments import LogEntry as LogEntry
from interpreter.playing.moments import Moment as Moment
from interpreter.playing.moments import Option as Option
from interpreter.playing.moments import Prompt as Prompt
from interpreter.playing.moments import Recorder as Recorder
from interpreter.playing.moments import Result as Result
from interpreter.playing.reveals import eyes_on
from interpreter.playing.sitting import Sitting
from interpreter.playing.standing import EVERYTHING
from interpreter.playing.views import log_of, view_of
from interpreter.running.dice import BY_SEED, FRESH, fresh_draw
from interpreter.running.state_json import dump_machine, state_hash
from rulesdsl.base.diagnostics import UsageError


class Session(Sitting):
    """One game in progress."""

    @classmethod
    def start(
        cls,
        game: str | Path | Game,
        scenario: str | None = None,
        options: Mapping[str, Setting] | None = None,
        readings: Mapping[str, Setting] | None = None,
        house: str | Path | Sequence[str | Path] = (),
        seed: int | str = 0,
        dice: str = BY_SEED,
    ) -> Self:
        """Begin a game and run it to its first decision.

        `game` is a name from `rulesdsl list`, a directory, or what `open_game` has returned; `house` are
        house rules, by name or by file. With `dice="fresh"` nobody can know them beforehand (see dice.py):
        the seed decides only what is rolled before the first decision. Raises `RulebookError` (all that is
        wrong), `UsageError`.
        """
        rules = [house] if isinstance(house, str | Path) else list(house)
        if isinstance(game, Game) and rules:
            raise UsageError("the game is open already: give the house rules to open_game")
        opened = game if isinstance(game, Game) else open_game(game, rules)
        chosen = opened.scenario(scenario)
        settings = join_settings(options or {}, readings or {})
        ruleset = opened.ruleset(settings, chosen)
        machine = ruleset.new_machine(chosen, str(seed), traced=True)
        facts = {
            "game": opened.program.game,
            "scenario": chosen.id if chosen is not None else None,
            "settings": settings,
            "house": [file.path.name for file in opened.house],
            "seed": str(seed),
            "rules": opened.program.content_hash,
        }
        if dice == FRESH:
            facts["dice"] = FRESH
        session = cls(opened, ruleset, machine, facts)
        session._run(lambda: machine.begin())
        return session

    # ---- what is done
    def choose(self, choice: Option | str | int, dice: str | None = None) -> None:
        """Decide. Anything that is not offered is refused and changes nothing.

        When this returns, the decision has been written down by the recorder, if there is one. `dice` is what
        was drawn for it when a recorded game is played again.
        """
        option = self.find(choice)
        before, who = self.machine.copy(), str(self.player)
        moment = Moment(before, len(self._log), who, option.key)
        past = len(self._history)
        try:
            self._history.append(moment)
            drawn = self._draw(past, dice)
            if self._run(lambda: self.machine.choose(option.index)) and drawn:
                moment.dice = self._drawn[past] = drawn
            else:
                self.machine.seed = before.seed
            if self.player != who:
                moment.barriers = (*moment.barriers, "player")
            if self.recorder is not None:
                self.recorder.chosen(self, who, option.key)
        except BaseException:  # an interrupt, too, must not leave half a decision behind
            self.machine, self._options = before, None
            del self._history[past:]
            del self._log[moment.log_length :]
            raise

    def _draw(self, past: int, dice: str | None) -> str:
        """Let the dice of this decision be decided now; nothing when they were by the seed of the game."""
        if self.facts.get("dice") != FRESH:
            return ""
        drawn = dice if dice is not None else self._drawn.get(past) or fresh_draw()
        self.machine.seed = drawn or f"{self.machine.seed}/nothing drawn"
        return self.machine.seed

    def dice_of(self, number: int) -> str | None:
        """What decides the dice after decision `number` (from 0) when it is made again."""
        if self.facts.get("dice") != FRESH:
            return None
        return self._history[number].dice or f"{self.facts['seed']}/{number}"

    def recall_dice(self, number: int, drawn: str) -> None:
        """A draw of a decision that was taken back: made again, it has the same dice."""
        self._drawn[number] = drawn

    def _run(self, act: Any) -> bool:
        """Run to the next decision; whether anything was left to chance on the way."""
        machine = self.machine
        machine.log, machine.watch = [], []
        decision, start = len(self._history), len(self._log)
        before = eyes_on(self)
        machine.rolls = []
        with listening(self.ruleset, machine.log) as heard:
            act()
        if any(after & ~had for had, after in zip(before, eyes_on(self), strict=True)):
            machine.watch.append("reveal")
        notes, ruleset = self.ruleset.full.blocks.notes, self.ruleset
        self._log += [
            log_entry(ruleset, notes[number], decision, machine.s, *line) for number, *line in machine.log
        ]
        if self._history:
            moment = self._history[-1]
            moment.barriers = tuple(dict.fromkeys(machine.watch)) or moment.barriers
            moment.rolls = tuple((start + line, state) for line, state in machine.rolls)
            moment.readings = tuple(replace(r, line=start + r.line) for r in heard.readings)
            moment.asked = frozenset(heard.asked)
        chance = "dice" in machine.watch or "chance" in machine.watch
        machine.log = machine.watch = machine.rolls = None
        self._options = None
        return chance

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` decisions (see `barriers` for what was revealed meanwhile)."""
        if not isinstance(count, int) or not 0 < count <= len(self._history):
            few = f"1 to {len(self._history)} decisions can be taken back, not {count!r}"
            raise IllegalChoice(few if self._history else "there is nothing left to take back")
        kept = self.machine, self._history, self._log
        moment = self._history[-count]
        log = self._log[: moment.log_length]
        told = [e for e in self._log[moment.log_length :] if e.kind == "undo"]  # is not untold (takeback.py)
        log += [replace(e, decision=len(self._history) - count) for e in told]
        back = moment.machine.copy(), self._history[:-count], log
        try:
            self._options = None
            self.remembered.clear()  # it is about moments that may be others from now on
            self.machine, self._history, self._log = back
            if self.recorder is not None:
                self.recorder.undone(self, count)
        except BaseException:
            self.machine, self._history, self._log = kept
            self._options = None
            raise

    @property
    def barriers(self) -> list[str]:
        """For each decision what came out after it that weighs most: "reveal", "dice", "chance", "player"
        or "" (all of it is in `history`)."""
        return [moment.barrier for moment in self._history]

    def remark(self, entry: LogEntry) -> None:
        """Add a line to the log that no rule has written."""
        self._log = [*self._log, entry]

    def copy(self) -> Self:
        """An independent session at the same point, with the same past; nobody records it."""
        other = type(self)(self.game, self.ruleset, self.machine.copy(), self.facts)
        other._history, other._log, other._options = self._history[:], self._log[:], self._options
        other._drawn = dict(self._drawn)
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session cannot be pickled: save it, or send its facts and choices")

    # ---- what can be seen
    @property
    def choices(self) -> list[str]:
        """The keys of all decisions so far: with the facts, they make this game again."""
        return [moment.key for moment in self._history]

    @property
    def history(self) -> Sequence[Moment]:
        """Every decision so far with the state before it."""
        return self._history

    @property
    def log(self) -> Sequence[LogEntry]:
        """Everything that has happened, secrets included (see `log_of`)."""
        return self._log

    def log_of(self, seat: str | None) -> list[LogEntry]:
        """The log as a seat may read it (None: somebody who looks on)."""
        self.known_seat(seat)
        return log_of(self, seat)

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as plain JSON values (secrets included: for saves, not for players)."""
        return {**self.facts, **dump_machine(self.machine)}

    @property
    def hash(self) -> str:
        """A fingerprint of the state: the same rules, seed and choices give the same."""
        return state_hash(self.machine)

    def view(self, seat: str | None) -> dict[str, Any]:
        """What a seat may know (None: what everybody may know)."""
        self.known_seat(seat)
        return view_of(self, seat)

    # ---- values (a `seat` is answered only what it may know; without one everything is told)
    def value(self, quantity: str, *arguments: str, seat: str | None = EVERYTHING) -> str:
        """The value of a quantity or define, in words, for things given by id or by name."""
        self.known_seat(seat)
        return value_of(self, quantity, arguments, seat)
