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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.canonical import dump_machine, state_hash
from interpreter.game import Game, open_game
from interpreter.machine import Machine
from interpreter.moments import IllegalChoice as IllegalChoice
from interpreter.moments import LogEntry as LogEntry
from interpreter.moments import Moment as Moment
from interpreter.moments import Option as Option
from interpreter.moments import Prompt as Prompt
from interpreter.moments import Recorder as Recorder
from interpreter.moments import Result as Result
from interpreter.ruleset import Ruleset
from interpreter.wording import (
    AnySite,
    ids_in,
    note_text,
    option_keys,
    option_text,
    others_text,
    out_text,
    prompt_text,
)

if TYPE_CHECKING:
    from interpreter.explain import Explanation, Reason, Refusal


class Session:
    """One game in progress."""

    def __init__(self, game: Game, ruleset: Ruleset, machine: Machine, facts: Mapping[str, Any]) -> None:
        self.game = game
        self.ruleset = ruleset
        self.machine = machine
        self.facts = dict(facts)  # scenario, settings, house rules, seed: what made this game
        self.recorder: Recorder | None = None
        self._history: list[Moment] = []
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
            "house": [file.path.name for file in opened.house],
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
        title = paragraph.title if paragraph is not None else ""
        return Prompt(str(self.player), prompt_text(site, self._names_around(site)), site.rule, title)

    @property
    def options(self) -> list[Option]:
        """Everything that may be chosen now, in a fixed order, the way out last."""
        if self._options is None:
            pending = self.machine.pending
            self._options = []
            if pending is not None:
                site, program, decision = self.site, self.ruleset.program, len(self._history)
                keys = option_keys(program.world, site, pending.options, pending.out)
                around = self._names_around(site)
                for index, value in enumerate(pending.options):
                    text = option_text(program, site, value, around)
                    self._options.append(Option(keys[index], text, site.rule, index, decision))
                if pending.out:
                    self._options.append(Option(keys[-1], out_text(site), site.rule, -1, decision))
        return self._options[:]  # what callers do with their list changes nothing here

    def _names_around(self, site: AnySite) -> dict[str, str]:
        """Names of what the question is about: variables, and parameters that all options share."""
        from interpreter.explain import names_around

        return names_around(self, site)

    def find(self, choice: Option | str | int) -> Option:
        """The offered option that `choice` names: an option, a key, or a number counted from 0."""
        options = self.options
        if isinstance(choice, int) and not isinstance(choice, bool):
            if 0 <= choice < len(options):
                return options[choice]
        elif isinstance(choice, (str, Option)):
            for option in options:
                if choice == (option.key if isinstance(choice, str) else option):
                    return option
            if isinstance(choice, Option) and choice.decision != len(self._history):
                raise IllegalChoice(f"{choice.key!r} was offered for another decision")
        raise IllegalChoice(f"{str(getattr(choice, 'key', choice))[:80]!r} is not offered")

    # ---- what is done
    def choose(self, choice: Option | str | int) -> None:
        """Decide. Anything that is not offered is refused and changes nothing.

        When this returns, the decision has been written down by the recorder, if there is one.
        """
        option = self.find(choice)
        before, who = self.machine.copy(), str(self.player)
        moment = Moment(before, len(self._log), who, option.key)
        self._history.append(moment)
        try:
            self._run(lambda: self.machine.choose(option.index))
            if moment.barrier == "" and self.player != who:
                moment.barrier = "player"
            if self.recorder is not None:
                self.recorder.chosen(self, who, option.key)
        except BaseException:  # an interrupt, too, must not leave half a decision behind
            self._history.pop()
            del self._log[moment.log_length :]
            self.machine, self._options = before, None
            raise

    def _run(self, act: Any) -> None:
        machine = self.machine
        machine.log, machine.watch = [], []
        decision = len(self._history)
        act()
        notes = self.ruleset.full.blocks.notes
        program = self.ruleset.program
        for number, text, values, eyes in machine.log:
            kind, rule, shown = notes[number]
            line, things = note_text(program, kind, shown, text, values), ids_in(program, shown, values)
            if eyes == -1:
                self._log.append(LogEntry(rule, line, kind, decision, things))
            else:
                players = program.world.universes["player"].ids
                seen_by = tuple(player for i, player in enumerate(players) if eyes >> i & 1)
                others = others_text(program, kind, shown, text, values)
                self._log.append(LogEntry(rule, line, kind, decision, things, seen_by, others))
        if machine.watch and self._history:
            self._history[-1].barrier = machine.watch[0]
        machine.log = machine.watch = None
        self._options = None

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` decisions (see `barriers` for what was revealed meanwhile)."""
        if not 0 < count <= len(self._history):
            raise IllegalChoice("there is nothing left to take back")
        kept = self.machine, self._history, self._log
        moment = self._history[-count]
        self.machine = moment.machine.copy()
        self._history, self._log = self._history[:-count], self._log[: moment.log_length]
        self._options = None
        if self.recorder is not None:
            try:
                self.recorder.undone(self, count)
            except BaseException:
                self.machine, self._history, self._log = kept
                self._options = None
                raise

    @property
    def barriers(self) -> list[str]:
        """For each decision so far what came out after it: "dice", "chance", "player" or ""."""
        return [moment.barrier for moment in self._history]

    def copy(self) -> Session:
        """An independent session at the same point, with the same past; nobody records it."""
        other = Session(self.game, self.ruleset, self.machine.copy(), self.facts)
        other._history, other._log, other._options = self._history[:], self._log[:], self._options
        return other

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
    def log(self) -> list[LogEntry]:
        return self._log

    def log_of(self, seat: str | None) -> list[LogEntry]:
        """The log as a seat may read it (None: somebody who looks on)."""
        from interpreter.views import log_of

        return log_of(self, seat)

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

    def save(self, path: str | Path) -> None:
        """Write the game to one readable file that opens anywhere (see saves.py)."""
        from interpreter.saves import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """The game in a save or journal, played again and verified decision by decision."""
        from interpreter.saves import load

        return load(path)

    def _repr_svg_(self) -> str | None:
        """The map, for notebooks; nothing when the game has none."""
        if self.game.source.map is None:
            return None
        from interpreter.picture import map_svg

        return map_svg(self, None)

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
