"""The steps of procedures; those in which somebody decides are in choices.py."""

from __future__ import annotations

from rulesdsl.lightclass import dataclass
from rulesdsl.syntax.expressions import Argument, Expr
from rulesdsl.syntax.nodes import Node
from rulesdsl.syntax.phrases import NounPhrase


@dataclass(frozen=True, slots=True)
class Stmt(Node):
    """One step of a procedure."""


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    """`let x = expr`"""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """`set zone.control to player`"""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Increase(Stmt):
    """`add 2 to player.vp` (`subtract … from` when `sign` is -1)"""

    target: Expr
    value: Expr
    sign: int


@dataclass(frozen=True, slots=True)
class Mark(Stmt):
    """`mark zone as attacked until end of impulse`"""

    target: Expr
    flag: str
    until: str | None


@dataclass(frozen=True, slots=True)
class Unmark(Stmt):
    """`unmark unit as turned`"""

    target: Expr
    flag: str


@dataclass(frozen=True, slots=True)
class Move(Stmt):
    """`move unit to zone` (`place a, b in zone` when `placed`)"""

    pieces: tuple[Expr, ...]
    place: Expr
    placed: bool = False


@dataclass(frozen=True, slots=True)
class Remove(Stmt):
    """`remove unit`"""

    piece: Expr


@dataclass(frozen=True, slots=True)
class Flip(Stmt):
    """`flip unit` · `flip unit to face 1`"""

    piece: Expr
    face: Expr | None


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """`do retreats(combat)`"""

    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Roll(Stmt):
    """`roll 1d6 as die for "the attack"`"""

    count: int
    faces: int
    name: str
    purpose: str | None


@dataclass(frozen=True, slots=True)
class Pick(Stmt):
    """`pick unit among reserves as arrival at random`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    """`draw a token for player`"""

    player: Expr


@dataclass(frozen=True, slots=True)
class ReturnToken(Stmt):
    """`return token to the bag`"""

    token: Expr


@dataclass(frozen=True, slots=True)
class Discard(Stmt):
    """`discard token` (out of the game)"""

    token: Expr


@dataclass(frozen=True, slots=True)
class Give(Stmt):
    """`give token to player`"""

    token: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class OpenWindow(Stmt):
    """`open before_combat`"""

    name: str


@dataclass(frozen=True, slots=True)
class Cancel(Stmt):
    """`cancel` (what the window interrupts)"""


@dataclass(frozen=True, slots=True)
class Leave(Stmt):
    """`leave` (the nearest loop)"""


@dataclass(frozen=True, slots=True)
class Finish(Stmt):
    """`finish` (the procedure)"""


@dataclass(frozen=True, slots=True)
class EndGame(Stmt):
    """`end game: player wins "by points"` · `end game: drawn` · `end game: nobody wins`"""

    outcome: str
    winner: Expr | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Note(Stmt):
    """`note "the Americans stop", zone`"""

    text: str
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """`if a: … otherwise if b: … otherwise: …`"""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Stmt):
    """`for each unit in zone, in the order player chooses: …`"""

    phrase: NounPhrase
    chooser: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    """`repeat at most 4 times while …: …`"""

    times: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class With(Stmt):
    """`with combat(target: zone): …`"""

    record: str
    arguments: tuple[Argument, ...]
    body: Block
