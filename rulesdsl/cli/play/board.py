"""What stands where, as one seat sees it: made from `Session.view`, so that nothing is shown that the seat
may not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interpreter.playing.counters import counted_backs, hidden_pieces, members
from interpreter.playing.session import Session
from rulesdsl.drawing.style.style import CounterStyle
from rulesdsl.drawing.style.style_file import usable_style
from rulesdsl.drawing.views import sign_of
from rulesdsl.program.world import Attribute, World

GUESS = "~"  # before a printed value that is an estimate
MOST_NUMBERS = 3  # on one counter
SEAT_STYLES = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue")


@dataclass(frozen=True)
class Board:
    """What stands where, as one seat sees it."""

    session: Session
    view: Mapping[str, Any]

    @property
    def world(self) -> World:
        return self.session.ruleset.program.world

    def state_of(self, universe: str, identity: str) -> dict[str, Any]:
        found: dict[str, Any] = self.view["things"].get(f"{universe}:{identity}", {})
        return found

    def facts(self, universe: str, identity: str) -> list[str]:
        """What is known of a thing now, each in a word or two."""
        declared = self.world.attributes
        return [
            fact(name, self.shown(declared[universe, name], value) if (universe, name) in declared else value)
            for name, value in self.state_of(universe, identity).items()
        ]

    def pieces_by_space(self) -> dict[str, list[str]]:
        """Space → its pieces, in the order of the files."""
        found: dict[str, list[str]] = {}
        for identity in self.world.universes["piece"].ids:
            place = self.state_of("piece", identity).get("at")
            if place is not None:
                found.setdefault(place, []).append(identity)
        return found

    def counters_by_space(self) -> Mapping[str, list[dict[str, Any]]]:
        """Space → the counters there of which the seat sees the backs only."""
        found: Mapping[str, list[dict[str, Any]]] = self.view.get("counters", {})
        return found

    def backs_in(self, space: str) -> str:
        """The counters in a space that the seat does not know, in words."""
        backs = [(counter["class"], counter["shows"]) for counter in self.counters_by_space().get(space, ())]
        return counted_backs(self.world, backs)

    @cached_property
    def _counters(self) -> CounterStyle:
        return usable_style(self.session.game.source).counters

    def sign(self, identity: str) -> str:
        """The character for what a piece is now, where the drawing has one."""
        piece, state = self.session.game.source.pieces[identity], self.state_of("piece", identity)
        face = state.get("face", 0)
        printed = piece.on_face(face if isinstance(face, int) else 0)
        return sign_of(self._counters, {**printed, **state})

    def owner_of_back(self, counter: Mapping[str, Any]) -> str | None:
        """The player a counter belongs to, if its back tells."""
        players = self.world.universes["player"].index
        return next((value for value in counter["shows"].values() if value in players), None)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """The pieces of which the seat does not know where they are."""
        ruleset, machine = self.session.ruleset, self.session.machine
        seat = self.world.universes["player"].index.get(self.view["seat"] or "", -1)
        ids = self.world.universes["piece"].ids
        return frozenset(ids[i] for i in members(hidden_pieces(ruleset, machine.s, seat)))

    def seat_style(self, player: str | None) -> str:
        players = self.world.universes["player"].ids
        return SEAT_STYLES[players.index(player) % len(SEAT_STYLES)] if player in players else ""

    def owner(self, universe: str, identity: str) -> str | None:
        """The player a thing belongs to: its first attribute that is a player."""
        for attribute in self.world.attributes.values():
            if (
                attribute.universe == universe
                and attribute.type.kind == "thing"
                and attribute.type.name == "player"
            ):
                found = self.value(attribute, identity)
                if found is not None:
                    return str(found)
        return None

    def value(self, attribute: Attribute, identity: str) -> Any:
        """An attribute in words; None when it has none or may not be seen."""
        if not attribute.printed:
            return self.state_of(attribute.universe, identity).get(attribute.name)
        universe = self.world.universes[attribute.universe]
        if attribute.owners and universe.classes[universe.index[identity]] not in attribute.owners:
            return None
        printed = attribute.values[universe.index[identity]]
        if isinstance(printed, tuple):
            face = self.state_of("piece", identity).get("face", 0)
            printed = printed[face] if isinstance(face, int) and face < len(printed) else printed[0]
        if attribute.type.kind in ("thing", "enum") and isinstance(printed, int):
            return None if printed < 0 else self.world.key(attribute.type, printed)
        return printed

    def is_guessed(self, attribute: Attribute, identity: str) -> bool:
        """Whether a printed value is an estimate, because the printed game was not at hand."""
        source = self.session.game.source
        if not attribute.printed:
            return False
        if attribute.universe == "piece":
            face = self.state_of("piece", identity).get("face", 0)
            return source.pieces[identity].is_guessed(attribute.name, face if isinstance(face, int) else 0)
        spaces = source.map.spaces if source.map is not None else {}
        return identity in spaces and spaces[identity].is_estimated(attribute.name)

    def shown(self, attribute: Attribute, value: Any) -> Any:
        """A value as people read it: flags without a number, things by their names."""
        if attribute.type.kind == "flag":
            return bool(value)
        if attribute.type.kind == "enum":
            return in_words(value)
        universe = self.world.universes.get(attribute.type.name) if attribute.type.kind == "thing" else None
        return (
            universe.names[universe.index[value]]
            if universe is not None and value in universe.index
            else value
        )

    def piece_label(self, identity: str, beside: str = "") -> str:
        """Short, as on the counter: the label, and the numbers that are printed on it.

        The numbers alone when the whole name is the label and stands `beside` it already.
        """
        entry = self.session.game.source.pieces[identity]
        label = entry.label or entry.name
        shown = self._numbers(identity)
        said = label == entry.name and label in beside
        if not shown:
            return "" if said else label
        guess = GUESS if any(self.is_guessed(a, identity) for a, _ in shown) else ""
        if said:
            names = ", ".join(f"{a.name} {value}" for a, value in shown)
            return names.replace(" ", f" {guess}", 1)
        return f"{label}({guess}{'-'.join(str(value) for _, value in shown)})"

    def numbers_on(self, identity: str) -> list[str]:
        """What the numbers behind a label are."""
        return [attribute.name for attribute, _ in self._numbers(identity)]

    def _numbers(self, identity: str) -> list[tuple[Attribute, Any]]:
        """What a counter shows: the first number that changes with the face, else the first few printed ones
        (attack, defence, movement)."""
        printed = [
            a for a in self.world.attributes.values()
            if a.universe == "piece" and a.printed and a.type.kind == "number"
        ]  # fmt: skip
        shown = [a for a in printed if a.per_face][:1] or printed[:MOST_NUMBERS]
        return [(a, value) for a in shown if (value := self.value(a, identity)) is not None]


def initial(board: Board, player: str) -> str:
    """The letter that stands for a player: the first of his name, or a number when two share it."""
    players = board.world.universes["player"]
    letters = [name[0].upper() for name in players.names]
    index = players.index[player]
    return letters[index] if letters.count(letters[index]) == 1 else str(index + 1)


def mixed_number(number: str) -> str:
    """`519/2` as people write it: `259 1/2`."""
    over, stroke, under = number.partition("/")
    if not stroke or abs(int(over)) < int(under):
        return number
    whole, rest = divmod(abs(int(over)), int(under))
    return f"{'-' if over.startswith('-') else ''}{whole} {rest}/{under}"


def in_words(value: Any) -> str:
    """`exiled_polish` as people write it; of several all."""
    return ", ".join(map(in_words, value)) if isinstance(value, list) else str(value).replace("_", " ")


def fact(name: str, value: Any) -> str:
    """`control red`, `american`"""
    return in_words(name) if value is True else f"{in_words(name)} {in_words(value)}"
