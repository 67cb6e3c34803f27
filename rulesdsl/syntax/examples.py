"""Examples: given, when, expect."""

from __future__ import annotations

from rulesdsl.lightclass import dataclass
from rulesdsl.syntax.expressions import Expr
from rulesdsl.syntax.nodes import Node
from rulesdsl.syntax.rules import RuleRef
from rulesdsl.syntax.statements import ActionUse, Block, EndGame


@dataclass(frozen=True, slots=True)
class Expectation(Node):
    """`town.holder is red` · `cannot attack(town) by 8.1.1` · `can attack(town)` · `offered "x"` ·
    `the game goes on`"""

    kind: str
    condition: Expr | None
    action: ActionUse | None
    rule: RuleRef | None
    outcome: EndGame | None = None
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingGiven(Node):
    """`given reading end_of_supply: strict` · `given option fog: true` · `given parameter hand: 4`"""

    kind: str
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Example(Node):
    """One `example` block: `given:`, `rolling`, `choosing`, `when:`, `expect:`"""

    scenario: str | None
    given: Block
    rolls: tuple[int, ...]
    choices: tuple[str, ...]
    played: Block
    expected: tuple[Expectation, ...]
    settings: tuple[SettingGiven, ...] = ()
