"""The question a game has stopped at: who is asked, what, by which paragraph, among which options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.game import Game
from interpreter.moments import IllegalChoice, LogEntry, Moment, Option, Prompt, Recorder, Result
from interpreter.ruleset import Ruleset
from interpreter.running.machine import Machine
from interpreter.wording import AnySite, option_keys, option_text, out_text, prompt_text
from rulesdsl.diagnostics import UsageError

EVERYTHING = "*"  # the seat of somebody who may know everything: whoever runs the game


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
        outcome, winners, reason, rule = self.machine.outcome
        players = self.ruleset.program.world.universes["player"].ids
        return Result(outcome, tuple(p for i, p in enumerate(players) if winners >> i & 1), reason, rule)

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
        paragraph = self.ruleset.program.paragraphs.get(site.rule)
        title = paragraph.title if paragraph is not None else ""
        return Prompt(
            str(self.player),
            prompt_text(self.ruleset.program, site, self._names_around(site)),
            site.rule,
            title,
        )

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
        from interpreter.explaining.explain import names_around

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
