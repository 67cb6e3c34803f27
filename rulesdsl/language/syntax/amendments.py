"""The syntax tree of house rules: documents that amend a rulebook, and what their blocks may say.

Like `rulesdsl.language.syntax`: what an author wrote, before anything is known about it.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.language.syntax import Block, Contribution, Example, Expr, Fence, Node, Permission, Rule


@dataclass(frozen=True, slots=True)
class Amend(Node):
    """One statement of a house rule that is not a statement of a rulebook."""


@dataclass(frozen=True, slots=True)
class CellKey(Node):
    """`5` · `1 to 4` · `3:1` · `woods` · `"10+"`: a label of a table, or a value that falls under one"""

    text: str


@dataclass(frozen=True, slots=True)
class SetCell(Amend):
    """`set table combat[3:1, 5] = "D2R"` · `set table urban[5].progress = 2`"""

    table: str
    keys: tuple[CellKey, ...]
    field: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class SetValue(Amend):
    """`set lebus.terrain = woods` · `set g606.strength[2] = 2` (what is printed on its second face)

    `set hill.yields[wool] = 3`, where something is printed for each of an enumeration.
    """

    thing: str
    attribute: str
    face: int | None
    values: tuple[Expr, ...]
    key: str = ""  # of an attribute with a value for each of an enumeration


@dataclass(frozen=True, slots=True)
class SetBorder(Amend):
    """`set border lebus/goritz.river = false`"""

    here: str
    there: str
    attribute: str
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetSetting(Amend):
    """`set parameter activations = 5` · `set reading die_range = reroll` · `set option fog = true`"""

    kind: str
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Replace(Amend):
    """`replace "woods": -2 when target is wooded` (the label stays unless another is written)"""

    label: str
    line: Contribution | Permission


@dataclass(frozen=True, slots=True)
class Repeal(Amend):
    """`repeal "woods"` (by label) · `repeal contested` (by the name a statement declares)"""

    name: str
    labelled: bool


@dataclass(frozen=True, slots=True)
class RepealBegun(Amend):
    """`repeal forbid march into zone` (a statement that declares no name, by its first words)"""

    words: str


@dataclass(frozen=True, slots=True)
class PutStep(Amend):
    """`in fight, before "roll 1d6": …` · `in fight, after "open": …` · `in fight, instead of "do retreat": …`

    The text is the first words of a step of that procedure, phase or token, as many as tell it from others.
    """

    name: str
    where: str  # before, after, instead of
    words: str
    body: Block


@dataclass(frozen=True, slots=True)
class LeaveOut(Amend):
    """`in fight, leave out "do retreat"`"""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class ForbidToken(Amend):
    """`forbid token raid when weather is fog` (it cannot be played then, whatever else it says)"""

    name: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Strike(Amend):
    """`strike "Armour counts double."` (a sentence of the printed paragraph)"""

    text: str


@dataclass(frozen=True, slots=True)
class Say(Amend):
    """`say "three times" instead of "double"`"""

    text: str
    instead: str


# ---- documents ---------------------------------------------------------------------------------------
AnyAmend: TypeAlias = (
    SetCell | SetValue | SetBorder | SetSetting | Replace | Repeal | RepealBegun
    | Strike | Say | PutStep | LeaveOut | ForbidToken
)  # fmt: skip


def closed(node: Amend) -> AnyAmend:
    """The same node, as one of all kinds there are (see syntax/closed.py)."""
    return cast("AnyAmend", node)


@dataclass(frozen=True, slots=True)
class Section(Node):
    """`## amends 7.2.2` · `## replaces 7.2.2 Title` · `## repeals 2.2.8` · `## after 9.3.4 → 9.3.5 Title`

    `paragraph` is the one that is changed; for `after` it is the new one, and `anchor` the one before it.
    """

    verb: str  # amends, replaces, repeals, after
    paragraph: str
    title: str
    anchor: str = ""
    prose: str = ""
    fences: tuple[Fence, ...] = ()
    rules: tuple[Rule, ...] = ()
    amends: tuple[Amend, ...] = ()
    examples: tuple[Example, ...] = ()
    data: tuple[Fence, ...] = ()  # ```yaml pieces, map, table, scenario: things that the house rule brings


@dataclass(frozen=True, slots=True)
class Mention(Node):
    """`requires: other_rule` · `conflicts: other_rule`, in the lines before the first section"""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class HouseRule(Node):
    """One file. `name` is what it is called on the command line and by other house rules."""

    file: SourceFile
    name: str
    title: str
    reason: str
    mentions: tuple[Mention, ...]
    sections: tuple[Section, ...]
