"""The question a game has stopped at: who is asked, what, by which paragraph, among which options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.counters import as_seen, order_of_options
from interpreter.playing.game import Game
from interpreter.playing.known_values import frame_env, may_know, names_around
from interpreter.playing.moments import IllegalChoice, LogEntry, Moment, Option, Prompt, Recorder, Result
from interpreter.playing.option_things import DONE, option_kind, option_things, prompt_things
from interpreter.playing.prompts import AnySite, option_keys, option_text, out_text, prompt_text
from interpreter.playing.standing import EVERYTHING
from interpreter.running.machine import Machine
from interpreter.state.position import Position
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError


class Sitting:
    """A game as it stands, with its past; `Session` is what can be done with it."""

    def __init__(self, game: Game, ruleset: Ruleset, machine: Machine, facts: Mapping[str, Any]) -> None:
        self.game = game
        self.ruleset = ruleset
        self.machine = machine
        self.facts = dict(facts)  # scenario, settings, house rules, seed: what made this game
        self.recorder: Recorder | None = None
        self._history: list[Moment] = []
        self._log: list[LogEntry] = []
        self._options: list[Option] | None = None
        self.remembered: dict[Any, Any] = {}  # what was worked out about the past, for those who ask again
        self._drawn: dict[int, str] = {}  # for which decision what was drawn: taking back does not roll again

    def __repr__(self) -> str:
        """`<Session of Hex, decision 3: red: choose a cell …>`"""
        what = f"{self.prompt.player}: {self.prompt.text}" if self.prompt is not None else str(self.result)
        return f"<{type(self).__name__} of {self.game.full_title}, decision {len(self._history)}: {what}>"

    # ---- what is asked
    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.machine.pending is None

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        if self.machine.outcome is None or not self.over:
            return None
        outcome, winners, reason, paragraph = self.machine.outcome
        players = self.ruleset.program.world.universes["player"].ids
        won = tuple(p for i, p in enumerate(players) if winners >> i & 1)
        gains = tuple((players[i], gain) for i, gain in self.machine.payoffs)
        return Result(outcome, won, reason, paragraph, gains)

    @property
    def position(self) -> Position:
        """The state, asked in the words of the rules."""
        return Position(self.ruleset.layout, self.machine.s)

    @property
    def site(self) -> AnySite:
        """The decision point of the rules that is asking."""
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
        """What is asked now, of whom, by which paragraph; None when the game is over."""
        if self.over:
            return None
        site = self.site
        paragraph = self.ruleset.program.paragraphs.get(site.paragraph)
        title = paragraph.title if paragraph is not None else ""
        return Prompt(
            str(self.player),
            prompt_text(self.ruleset.program, site, self._names_around(site)),
            site.paragraph,
            title,
            self._things_asked(site),
        )

    @property
    def options(self) -> list[Option]:
        """Everything that may be chosen now, in a fixed order, the way out last."""
        if self._options is None:
            # kept only when it is whole: an interrupt must not leave a short list behind
            self._options = self._written_out()
        return self._options[:]  # what callers do with their list changes nothing here

    def _written_out(self) -> list[Option]:
        pending = self.machine.pending
        if pending is None:
            return []
        site, decision = self.site, len(self._history)
        program = as_seen(self.ruleset, self.machine, pending.who)
        keys = option_keys(program.world, site, pending.options, pending.out)
        around, values = self._names_around(site), pending.options
        found = [
            Option(
                key=keys[index],
                text=option_text(program, site, values[index], around),
                paragraph=site.paragraph,
                index=index,
                decision=decision,
                kind=option_kind(site, values[index]),
                things=option_things(program.world, site, values[index], keys[index]),
            )
            for index in order_of_options(self.ruleset, self.machine)
        ]
        if pending.out:
            found.append(
                Option(
                    key=keys[-1],
                    text=out_text(site),
                    paragraph=site.paragraph,
                    index=-1,
                    decision=decision,
                    kind=DONE,
                    things=(f"entry:{keys[-1]}",),
                )
            )
        return found

    def _names_around(self, site: AnySite) -> dict[str, str]:
        """Names of what the question is about: variables, and parameters that all options share."""
        return names_around(self, site)

    def _things_asked(self, site: AnySite) -> tuple[str, ...]:
        """The ids of what the question is about, as far as who is asked may know them."""
        pending, env = self.machine.pending, frame_env(self, site.env)
        if pending is None:
            return ()
        world = as_seen(self.ruleset, self.machine, pending.who).world
        known = {v: x for v, x in env.items() if may_know(self, pg.VarGet(v, type=v.type), env)}
        return prompt_things(world, site, self.machine.stack[-1], known)

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

    def known_seat(self, seat: str | None) -> None:
        """A seat that there is not is a slip, and not somebody who looks on."""
        seats = self.ruleset.program.world.universes["player"].ids
        if seat is not None and seat != EVERYTHING and seat not in seats:
            raise UsageError(f'there is no seat "{str(seat)[:80]}" (there are: {", ".join(seats)})')

    def only_for(self, seat: str | None) -> None:
        """Options belong to who is asked: another seat hears nothing about them."""
        self.known_seat(seat)
        if seat not in (EVERYTHING, self.player):
            raise IllegalChoice(f"it is {self.player} who is asked now")
