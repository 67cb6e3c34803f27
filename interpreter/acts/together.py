"""Several pieces that stand together and shall do the same, as one act: "all 4 in the bridgehead: combat".

    found = together(look, node, acts)    # acts of one piece each, after which another may follow

Whoever activates a stack means all of it. The acts of its pieces are chosen one after the other on the
look; what
cannot follow any more (the fourth of three activations) is left out, and what ends the question ends the act.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.acts.lookahead import AGAIN, Lookahead, Node
from interpreter.playing.moments import IllegalChoice

if TYPE_CHECKING:
    from interpreter.acts.offering import Act

PIECE = "piece:"


@dataclass(frozen=True, slots=True)
class Together:
    """Pieces of one place and what they do: the node after it, what they are called, and in which words."""

    place: str
    how: str
    node: Node
    members: tuple[Act, ...]
    everybody: bool  # whether nobody who could was left out

    @property
    def text(self) -> str:
        return f"{'all ' if self.everybody else ''}{len(self.members)} in {self.place}: {self.how}"


@dataclass(slots=True)
class _Group:
    place: str
    how: str
    acts: list[Act] = field(default_factory=list)


def together(look: Lookahead, node: Node, acts: Sequence[Act]) -> Iterator[Together]:
    """For every place with two or more pieces that may do the same: all of them at once."""
    begun = len(node.keys)
    for group in _groups(look, acts, begun):
        here = node
        members: list[Act] = []
        for act in group.acts:
            after = _after(look, here, act.keys[begun:])
            if after is None:
                continue
            here = after
            members.append(act)
            if here.ended or here.relation != AGAIN or here.again != 0:
                break
        if len(members) > 1:
            yield Together(group.place, group.how, here, tuple(members), len(members) == len(group.acts))


def _groups(look: Lookahead, acts: Sequence[Act], begun: int) -> list[_Group]:
    """Acts of one piece with a mode, after which the same is asked again, by place and mode."""
    session = look.session
    wanted = [act for act in acts if act.kind == "mode" and not act.further and act.series == AGAIN]
    if len(wanted) < 2:
        return []
    things = session.view(session.player)["things"]
    spaces = look.ruleset.program.world.universes["space"]
    found: dict[tuple[str, tuple[str, ...]], _Group] = {}
    for act in wanted:
        pieces = [thing for thing in act.first if thing.startswith(PIECE)]
        if len(pieces) != 1:
            continue
        place = things.get(pieces[0], {}).get("at")
        if place not in spaces.index:
            continue
        how = act.text.rpartition(": ")[2]
        key = (place, act.keys[begun + 1 :])
        found.setdefault(key, _Group(spaces.names[spaces.index[place]], how)).acts.append(act)
    return [group for group in found.values() if len(group.acts) > 1]


def _after(look: Lookahead, node: Node, keys: Sequence[str]) -> Node | None:
    """The node after some keys; nothing when one of them is not offered any more."""
    for key in keys:
        if node.ended:
            return None
        try:
            node = look.choose(node, look.sitting(node).find(key))
        except IllegalChoice:
            return None
    return node
