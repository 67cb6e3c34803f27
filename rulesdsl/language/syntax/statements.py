"""The steps of procedures; those in which somebody decides are in choices.py."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.syntax.expressions import Argument, Expr
from rulesdsl.language.syntax.nodes import Node
from rulesdsl.language.syntax.phrases import NounPhrase


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
class Put(Stmt):
    """`put unit on top` · `put unit at the bottom`"""

    piece: Expr
    on_top: bool


@dataclass(frozen=True, slots=True)
class Swap(Stmt):
    """`swap unit and other`: two pieces change places"""

    piece: Expr
    other: Expr


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
class Pool(Stmt):
    """`roll unit.steps d6, count 5 or more as hits for "fire"` (`aim or less`, `1 or 6`): dice one by one"""

    dice: Expr
    faces: int
    counted: tuple[Expr, ...]
    beyond: str  # `more`, `less`, or nothing
    name: str
    purpose: str | None


@dataclass(frozen=True, slots=True)
class Pick(Stmt):
    """`pick unit among reserves as arrival at random`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Shuffle(Stmt):
    """`shuffle (cards in deck)` (chance orders the stacks they lie in)"""

    pieces: Expr


@dataclass(frozen=True, slots=True)
class Remember(Stmt):
    """`remember the position as times` (how often it has now been remembered)"""

    name: str


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
    """`give token to player` · `give token to player openly`"""

    token: Expr
    player: Expr
    openly: bool = False


@dataclass(frozen=True, slots=True)
class Show(Stmt):
    """`show token to player` · `show token to everybody` (`players` is None)"""

    token: Expr
    players: Expr | None


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
    """`end game: player wins "by points"` · `end game: drawn` · `end game: nobody wins` ·
    `end game: each player gets player.coins` · `end game: each player ranked by it.points, then it.coins`;
    in an example also `anna gets 2`"""

    outcome: str
    winner: Expr | None
    reason: str | None
    each: NounPhrase | None = None
    payoff: Expr | None = None
    ranked: tuple[Expr, ...] = ()


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
    """`for each unit in zone in the order player chooses: …` · `for each player from dealer round: …` ·
    `for each player in order of it.points: …`"""

    phrase: NounPhrase
    chooser: Expr | None
    body: Block
    start: Expr | None = None
    measure: Expr | None = None


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
