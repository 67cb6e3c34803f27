"""The steps in which somebody decides."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.syntax.expressions import Argument, Expr
from rulesdsl.language.syntax.nodes import Node
from rulesdsl.language.syntax.phrases import NounPhrase
from rulesdsl.language.syntax.statements import Block, Stmt


@dataclass(frozen=True, slots=True)
class Travel(Stmt):
    """`player moves unit by march`"""

    player: Expr
    piece: Expr
    route: str


@dataclass(frozen=True, slots=True)
class ActionUse(Node):
    """`for attack(unit, zone)`"""

    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class WayOut(Node):
    """`or "done" for finish_moving`"""

    label: str
    action: ActionUse | None


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`up to 4` · `at least 1` · `exactly 2` · `any number of`"""

    kind: str
    amount: Expr | None


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    """`player chooses a unit in zone as victim for lose(victim) or "nobody": …`

    When `repeatedly`, as often as the player likes: `player repeatedly chooses a unit … until "enough": …`.
    """

    player: Expr
    count: Count | None
    phrases: tuple[NounPhrase, ...]
    action: ActionUse | None
    way_out: WayOut | None
    prompt: str | None
    preferences: tuple[Expr, ...]
    body: Block | None
    otherwise: Block | None
    repeatedly: bool = False


@dataclass(frozen=True, slots=True)
class Together(Stmt):
    """`at the same time each player chooses a card of player as plan: set player.plan to plan`

    The player of `choice` is the member of `phrase`; what is chosen is put away where others do not see it.
    """

    phrase: NounPhrase
    choice: Choose


@dataclass(frozen=True, slots=True)
class MenuItem(Node):
    """`"retreat" when possible for retreat(unit): …`"""

    label: str
    condition: Expr | None
    action: ActionUse | None
    body: Block


@dataclass(frozen=True, slots=True)
class Menu(Stmt):
    """`player chooses one of: …` (`player may "…": …` when `may`)"""

    player: Expr
    prompt: str | None
    items: tuple[MenuItem, ...]
    may: bool = False
    otherwise: Block | None = None
