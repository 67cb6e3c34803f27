"""Orders: "these go there", in one gesture, whatever the rules ask on the way.

    found = orders(session, "red", ["guards"])                      # wherever they may be sent
    found = orders(session, "red", ["guards"], "space:bridge")      # that one, with what to perform now

Somebody at a table takes a stack and puts it where it shall go; whether that is a march, an attack or a card
played there the rules know. An order is found on the look by choosing ordinary options only: the piece, its
mode, the way; or the space and the pieces that join. Where the rules first ask for the modes of all pieces
and only later where each of them goes, `keys` are what can be done now, and `later` says that the rest
follows when it is asked: whoever gave the order asks again then. Where dice fall before anybody knows how far
a piece goes, any space may be named (`blind`); it is tried when they have fallen. Nothing is remembered here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.acts.lookahead import AGAIN, GATHER, INNER, Enough, Limit, Lookahead, Node
from interpreter.acts.ways import destinations, is_march
from interpreter.agents.sight import thinking
from interpreter.compiling.decision_points import MenuSite
from interpreter.playing.moments import IllegalChoice, Option
from interpreter.playing.option_things import DONE
from interpreter.playing.session import Session

PIECE, SPACE, DICE = "piece:", "space:", "dice"
MOST_PIECES = 12  # that are sent by one order
MOST_JOINED = 40  # questions that are answered on the way of one order
MOST_PASSED = 6  # questions that are passed over to find what can be ordered after this one


@dataclass(frozen=True, slots=True)
class Order:
    """Where pieces may be sent: what to perform for it now, who goes, by which way at which cost."""

    to: str
    text: str
    keys: tuple[str, ...]
    pieces: tuple[str, ...]
    later: bool = False
    blind: bool = False  # dice come first: whether it can be done is known afterwards
    cost: str = ""
    way: tuple[str, ...] = ()
    draft: tuple[str, ...] = ()  # the keys so far, where others might still join

    def json(self) -> dict[str, Any]:
        return {"to": self.to, "text": self.text, "keys": list(self.keys), "pieces": list(self.pieces),
                "later": self.later, "blind": self.blind, "cost": self.cost, "way": list(self.way),
                "draft": list(self.draft)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Found:
    """The node after an order was carried out on the look."""

    to: str
    text: str
    node: Node
    pieces: tuple[str, ...]
    cost: str = ""
    way: tuple[str, ...] = ()
    blind: bool = False
    joined: bool = False  # the space was named first: an attack
    draft: tuple[str, ...] = ()


def orders(
    session: Session, seat: str | None, pieces: Sequence[str], to: str = "", limit: Limit | None = None
) -> tuple[Order, ...]:
    """Where some pieces (`piece:…`) may be sent, with `to` only there; nothing for who is not asked."""
    session.known_seat(seat)
    wanted = tuple(dict.fromkeys(pieces))[:MOST_PIECES]
    if session.over or seat != session.player or not wanted:
        return ()
    with thinking(session.ruleset):
        return _Orders(Lookahead(session, limit), to).all(wanted)


class _Orders:
    """One question about where pieces may be sent."""

    def __init__(self, look: Lookahead, to: str) -> None:
        self.look, self.to = look, to
        self._spaces = look.ruleset.program.world.universes["space"]

    def all(self, pieces: tuple[str, ...]) -> tuple[Order, ...]:
        """Of one place: what can be done now, else one order for each mode in which it can be done."""
        found: dict[tuple[str, str], Order] = {}
        attacks = set[str]()
        try:
            start = self.look.start()
            for one in self._sent(start, pieces):
                known = found.get((one.to, ""))
                if known is None or len(one.pieces) > len(known.pieces):
                    found[one.to, ""] = self._order(one, one.node.keys, one.blind)
            for one, mode, keys in self._later(start, pieces):
                if one.joined:
                    attacks.add(one.to)
                if (one.to, "") not in found:
                    found.setdefault((one.to, mode), self._order(one, keys, True, mode))
        except Enough:  # what was found is true all the same
            pass
        return tuple(order for order in found.values() if not (order.blind and order.to in attacks))

    def _order(self, one: _Found, keys: tuple[str, ...], later: bool, mode: str = "") -> Order:
        text = f"{mode}: {one.text}" if mode and not one.joined else one.text
        return Order(
            one.to, text, keys, one.pieces, later, one.blind, one.cost, one.way, () if later else one.draft
        )

    # ---- at a question
    def _sent(self, node: Node, pieces: tuple[str, ...]) -> Iterator[_Found]:
        """What can be carried out at a question: of one piece each, of several only with a place."""
        if self.to and len(pieces) > 1:
            many = self._one_by_one(node, pieces)
            if many is not None:
                yield many
        else:
            for piece in pieces:
                yield from self._alone(node, piece)
        yield from self._joined(node, pieces)

    def _one_by_one(self, node: Node, pieces: tuple[str, ...]) -> _Found | None:
        """Several pieces to the same place, one after the other."""
        sent: list[_Found] = []
        here, left = node, list(pieces)
        while left and not here.ended:
            one = next((found for piece in left for found in self._alone(here, piece)), None)
            if one is None:
                break
            sent.append(one)
            here = one.node
            if one.blind:
                break
            left = [piece for piece in left if piece not in one.pieces]
        if not sent:
            return None
        members = tuple(piece for one in sent for piece in one.pieces)
        text = sent[0].text if len(sent) == 1 else f"{len(sent)} to {self._name(self.to)}"
        return _Found(self.to, text, here, members, sent[0].cost, sent[0].way, sent[-1].blind)

    def _alone(self, node: Node, piece: str) -> Iterator[_Found]:
        """Where one piece may be sent by the question at a node."""
        if node.ended:
            return
        sitting = self.look.sitting(node)
        prompt = sitting.prompt
        if prompt is not None and piece in prompt.things:
            yield from self._there(node, piece)
            return
        for option in sitting.options:
            if piece not in option.things:
                continue
            spaces = [thing for thing in option.things if thing.startswith(SPACE)]
            if len(spaces) == 1 and self._wanted(spaces[0]):
                child = self._settled(self.look.choose(node, option))
                if child.is_over:
                    yield _Found(spaces[0], option.text, child, (piece,))
            elif not spaces and not self.look.gathers(node):
                child = self._forced(self.look.choose(node, option))
                if not child.ended and self._is_about(child, piece):
                    yield from self._there(child, piece)
                elif self._rolls_for(child, piece):
                    yield _Found(self.to, option.text, child, (piece,), blind=True)

    def _rolls_for(self, node: Node, piece: str) -> bool:
        """Whether dice fell, and then somebody is asked about the piece: they tell how far it may go."""
        prompt = self.look.sitting(node).prompt if node.ended == DICE else None
        return prompt is not None and piece in prompt.things

    def _is_about(self, node: Node, piece: str) -> bool:
        """Whether the question that has come is part of what was begun with a piece."""
        prompt = self.look.sitting(node).prompt
        return node.relation == INNER or (prompt is not None and piece in prompt.things)

    def _there(self, node: Node, piece: str) -> Iterator[_Found]:
        """Where a piece may go from the question for its way, or for its place."""
        if is_march(self.look, node):
            sitting = self.look.sitting(node)
            name = sitting._names_around(self.look.site(node))["travelling_piece"]
            for end in destinations(self.look, node):
                place = SPACE + self._spaces.ids[end.space]
                if self._wanted(place):
                    way = tuple(self._spaces.ids[space] for space in end.way)
                    text = f"{name} to {self._spaces.names[end.space]}"
                    yield _Found(place, text, self._settled(end.node), (piece,), str(end.cost), way)
            return
        for option in self.look.sitting(node).options:
            spaces = [thing for thing in option.things if thing.startswith(SPACE)]
            if len(spaces) == 1 and len(option.things) == 1 and self._wanted(spaces[0]):
                child = self._settled(self.look.choose(node, option))
                if child.is_over:
                    yield _Found(spaces[0], option.text, child, (piece,))

    def _joined(self, node: Node, pieces: tuple[str, ...]) -> Iterator[_Found]:
        """Spaces that are chosen first, and then who joins: an attack."""
        if node.ended or is_march(self.look, node):
            return
        for option in self.look.sitting(node).options:
            spaces = [thing for thing in option.things if thing.startswith(SPACE)]
            if len(spaces) != 1 or len(option.things) != 1 or not self._wanted(spaces[0]):
                continue
            here, members, draft = self.look.choose(node, option), list[str](), tuple[str, ...]()
            for _ in range(MOST_JOINED):
                if here.ended or here.relation not in (INNER, GATHER):
                    break
                step = self._next(here, [piece for piece in pieces if piece not in members])
                if step is None:
                    break
                if members and not draft and step.kind == DONE and self._others(here):
                    draft = here.keys
                members += [piece for piece in pieces if piece in step.things]
                here = self.look.choose(here, step)
            if members and here.is_over:
                yield _Found(spaces[0], option.text, here, tuple(members), joined=True, draft=draft)

    def _others(self, node: Node) -> bool:
        """Whether other pieces might still join."""
        options = self.look.sitting(node).options
        return any(thing.startswith(PIECE) for option in options for thing in option.things)

    def _next(self, node: Node, pieces: Sequence[str]) -> Option | None:
        """What is answered on the way of an attack: one's own pieces, then that is all."""
        options = self.look.sitting(node).options
        mine = next((o for o in options if any(piece in o.things for piece in pieces)), None)
        if mine is not None:
            return mine
        done = next((o for o in options if o.kind == DONE), None)
        return done or (options[0] if len(options) == 1 else None)

    # ---- what is asked first, and what then
    def _later(self, node: Node, pieces: tuple[str, ...]) -> Iterator[tuple[_Found, str, tuple[str, ...]]]:
        """Modes are chosen now, and where to go when everybody has his: found by passing over the others."""
        for mode, words in self._modes(node, pieces):
            here, members = node, list[str]()
            for piece in pieces:
                after = self._with_mode(here, piece, mode)
                if after is None:
                    continue
                here = after
                members.append(piece)
                if here.ended or here.relation != AGAIN:
                    break
            if not members:
                continue
            keys, beyond = here.keys, here
            for _ in range(MOST_PASSED):
                if beyond.ended:
                    break
                found = (
                    list(self._sent(beyond, tuple(members))) if beyond is not here or beyond.is_over else []
                )
                if found:
                    yield from ((one, words, keys) for one in found)
                    break
                out = next((o for o in self.look.sitting(beyond).options if o.kind == DONE), None)
                if out is None:
                    break
                beyond = self.look.choose(beyond, out)
                if len(members) == 1 and self._rolls_for(beyond, members[0]):
                    yield (
                        _Found(self.to, self._called(members[0]), beyond, (members[0],), blind=True),
                        words,
                        keys,
                    )

    def _modes(self, node: Node, pieces: tuple[str, ...]) -> list[tuple[str, str]]:
        """The modes in which the first of the pieces may be used: key and words."""
        for piece in pieces:
            child = self._begun(node, piece)
            if child is not None:
                return [(o.key, o.text) for o in self.look.sitting(child).options if o.kind != DONE]
        return []

    def _begun(self, node: Node, piece: str) -> Node | None:
        """The menu that comes when a piece is chosen, if one comes."""
        if node.ended or is_march(self.look, node) or self.look.gathers(node):
            return None
        for option in self.look.sitting(node).options:
            if option.things == (piece,):
                child = self._forced(self.look.choose(node, option))
                is_menu = not child.ended and child.relation == INNER
                return child if is_menu and isinstance(self.look.site(child), MenuSite) else None
        return None

    def _with_mode(self, node: Node, piece: str, mode: str) -> Node | None:
        child = self._begun(node, piece)
        if child is None:
            return None
        try:
            return self._settled(self.look.choose(child, self.look.sitting(child).find(mode)))
        except IllegalChoice:
            return None

    # ---- small words
    def _wanted(self, place: str) -> bool:
        return not self.to or self.to == place

    def _name(self, place: str) -> str:
        return self._spaces.names[self._spaces.index[place.removeprefix(SPACE)]]

    def _called(self, piece: str) -> str:
        pieces = self.look.ruleset.program.world.universes["piece"]
        return pieces.names[pieces.index[piece.removeprefix(PIECE)]]

    def _forced(self, node: Node) -> Node:
        """Past questions with a single answer."""
        for _ in range(MOST_PASSED):
            pending = node.machine.pending
            single = pending is not None and len(pending.options) + pending.out == 1
            if node.ended or not single or is_march(self.look, node):
                break
            node = self.look.choose(node, self.look.sitting(node).options[0])
        return node

    def _settled(self, node: Node) -> Node:
        """Out of a menu that is asked once more."""
        while not node.ended and node.relation == AGAIN and node.again > 0:
            out = [o for o in self.look.sitting(node).options if o.kind == DONE]
            if len(out) != 1 or not isinstance(self.look.site(node), MenuSite):
                break
            node = self.look.choose(node, out[0])
        return node
