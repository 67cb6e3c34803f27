"""A game as a player, an agent, a server or a notebook sees it.

    session = Session.start("tutorial/skirmish", seed=7)
    while not session.over:
        print(session.prompt.text, [option.text for option in session.options])
        session.choose(session.options[0])
    print(session.result)

At every moment there is one prompt for one player with a finite list of options, or the game is over.
Those who know python-chess will recognise `copy`, `options` (legal moves), `choose` (push), `undo`
(pop) and `result`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.canonical import dump_machine, state_hash
from interpreter.game import Game, open_game
from interpreter.machine import Machine
from interpreter.ruleset import Ruleset
from interpreter.wording import (
    AnySite,
    note_text,
    option_key,
    option_text,
    out_key,
    out_text,
    prompt_text,
)

if TYPE_CHECKING:
    from interpreter.explain import Explanation, Reason, Refusal


@dataclass(frozen=True, slots=True)
class Option:
    """What may be chosen: `key` is stable and can be typed, `index` is its place (-1: the way out)."""

    key: str
    text: str
    rule: str
    index: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who decides, what is asked, by which paragraph."""

    player: str
    text: str
    rule: str
    title: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened, by which paragraph. `decision` is the number of the decision it followed."""

    rule: str
    text: str
    kind: str
    decision: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: winners' ids (nobody: empty), why, by which paragraph."""

    outcome: str
    winners: tuple[str, ...]
    reason: str
    rule: str


class IllegalChoice(Exception):
    """Something was chosen that is not among the options; nothing has changed."""


@dataclass(slots=True)
class _Moment:
    """What is needed to come back to a decision."""

    machine: Machine
    log_length: int
    key: str
    barrier: str


class Session:
    """One game in progress."""

    def __init__(self, game: Game, ruleset: Ruleset, machine: Machine, facts: Mapping[str, Any]) -> None:
        self.game = game
        self.ruleset = ruleset
        self.machine = machine
        self.facts = dict(facts)  # scenario, settings, house rules, seed: what made this game
        self._history: list[_Moment] = []
        self._log: list[LogEntry] = []
        self._options: list[Option] | None = None

    @classmethod
    def start(
        cls,
        game: str | Path | Game,
        scenario: str | None = None,
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        house: Sequence[Path] = (),
        seed: int | str = 0,
    ) -> Session:
        """Begin a game and run it to its first decision."""
        opened = game if isinstance(game, Game) else open_game(game, house)
        chosen = opened.scenario(scenario)
        settings = {**(options or {}), **(readings or {})}
        ruleset = opened.ruleset(settings, chosen)
        machine = ruleset.new_machine(chosen, str(seed), traced=True)
        facts = {
            "game": opened.program.game,
            "scenario": chosen.id if chosen is not None else None,
            "settings": settings,
            "seed": str(seed),
            "rules": opened.program.content_hash,
        }
        session = cls(opened, ruleset, machine, facts)
        session._run(lambda: machine.begin("game"))
        return session

    # ---- what is asked
    @property
    def over(self) -> bool:
        return self.machine.pending is None

    @property
    def result(self) -> Result | None:
        if self.machine.outcome is None or not self.over:
            return None
        outcome, winners, reason, rule = self.machine.outcome
        players = self.ruleset.program.world.universes["player"].ids
        return Result(outcome, tuple(p for i, p in enumerate(players) if winners >> i & 1), reason, rule)

    @property
    def site(self) -> AnySite:
        pending = self.machine.pending
        if pending is None:
            raise IllegalChoice("the game is over")
        return self.ruleset.full.blocks.sites[pending.site]

    @property
    def player(self) -> str | None:
        """Who decides now; None when the game is over."""
        pending = self.machine.pending
        return None if pending is None else self.ruleset.program.world.universes["player"].ids[pending.who]

    @property
    def prompt(self) -> Prompt | None:
        if self.over:
            return None
        site = self.site
        paragraph = self.ruleset.program.paragraphs.get(site.rule)
        return Prompt(str(self.player), prompt_text(site), site.rule, paragraph.title if paragraph else "")

    @property
    def options(self) -> list[Option]:
        """Everything that may be chosen now, in a fixed order, the way out last."""
        if self._options is None:
            pending = self.machine.pending
            self._options = []
            if pending is not None:
                site, program = self.site, self.ruleset.program
                for index, value in enumerate(pending.options):
                    key = option_key(program.world, site, value)
                    self._options.append(Option(key, option_text(program, site, value), site.rule, index))
                if pending.out:
                    self._options.append(Option(out_key(site), out_text(site), site.rule, -1))
        return self._options

    def find(self, choice: Option | str | int) -> Option:
        """The offered option that `choice` names: an option, a key, or a number counted from 0."""
        options = self.options
        if isinstance(choice, int):
            if 0 <= choice < len(options):
                return options[choice]
        else:
            key = choice.key if isinstance(choice, Option) else choice
            for option in options:
                if option.key == key:
                    return option
        raise IllegalChoice(f"{getattr(choice, 'key', choice)!r} is not offered")

    # ---- what is done
    def choose(self, choice: Option | str | int) -> None:
        """Decide. Anything that is not offered is refused and changes nothing."""
        option = self.find(choice)
        before = self.machine.copy()
        moment = _Moment(before, len(self._log), option.key, "")
        self._history.append(moment)
        who = self.player
        try:
            self._run(lambda: self.machine.choose(option.index))
        except Exception:
            self._history.pop()
            del self._log[moment.log_length :]
            self.machine = before
            self._options = None
            raise
        if moment.barrier == "" and self.player != who:
            moment.barrier = "player"

    def _run(self, act: Any) -> None:
        machine = self.machine
        machine.log, machine.watch = [], []
        decision = len(self._history)
        act()
        notes = self.ruleset.full.blocks.notes
        program = self.ruleset.program
        for number, text, values in machine.log:
            kind, rule, shown = notes[number]
            self._log.append(LogEntry(rule, note_text(program, kind, shown, text, values), kind, decision))
        if machine.watch and self._history:
            self._history[-1].barrier = machine.watch[0]
        machine.log = machine.watch = None
        self._options = None

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` decisions (see `barriers` for what was revealed meanwhile)."""
        if count > len(self._history):
            raise IllegalChoice("there is nothing left to take back")
        for _ in range(count):
            moment = self._history.pop()
        self.machine = moment.machine
        del self._log[moment.log_length :]
        self._options = None

    @property
    def barriers(self) -> list[str]:
        """For each decision so far what came out after it: "dice", "chance", "player" or ""."""
        return [moment.barrier for moment in self._history]

    def copy(self) -> Session:
        """An independent session at the same point, without the history of this one."""
        other = Session(self.game, self.ruleset, self.machine.copy(), self.facts)
        other._log = self._log[:]
        return other

    # ---- what can be seen
    @property
    def choices(self) -> list[str]:
        """The keys of all decisions so far: with the facts, they make this game again."""
        return [moment.key for moment in self._history]

    @property
    def log(self) -> list[LogEntry]:
        return self._log

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as plain JSON values (secrets included: for saves, not for players)."""
        return {**self.facts, **dump_machine(self.machine)}

    @property
    def hash(self) -> str:
        return state_hash(self.machine)

    def view(self, seat: str | None) -> dict[str, Any]:
        """What a seat may know (None: what everybody may know)."""
        from interpreter.views import view_of

        return view_of(self, seat)

    def value(self, quantity: str, *arguments: str) -> Any:
        """The value of a quantity or define for things named by their ids."""
        from interpreter.explain import value_of

        return value_of(self, quantity, arguments)

    def breakdown(self, quantity: str, *arguments: str) -> list[Reason]:
        """Each contribution to a quantity in order, with its paragraph."""
        from interpreter.explain import breakdown

        return breakdown(self, quantity, arguments)

    def explain(self, choice: Option | str | int) -> Explanation:
        """Why an option is offered."""
        from interpreter.explain import explain_option

        return explain_option(self, self.find(choice))

    def why_not(self, wish: str) -> list[Refusal]:
        """Every clause that stands against something that is not offered."""
        from interpreter.explain import why_not

        return why_not(self, wish)
