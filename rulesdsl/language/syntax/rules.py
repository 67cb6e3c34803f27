"""The statements that say what holds and what happens: meanings, permissions, routes, procedures, events."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.syntax.components import Param
from rulesdsl.language.syntax.expressions import Argument, Expr
from rulesdsl.language.syntax.nodes import Node, Rule
from rulesdsl.language.syntax.phrases import NounPhrase
from rulesdsl.language.syntax.statements import Block


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`= value when condition`"""

    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Define(Rule):
    """`define contested(zone) = …` · `define on_map(unit) "{unit} is on the map" = …`

    A head may be a sentence, whose `form` is `is`, a preposition or `verb`: `define unit is ready = …`,
    `define zone is foreign to unit = …`, `define unit may_strike zone = …`. What must hold after every choice
    is said with `always`: `always markers: every zone that is marked satisfies …`.
    """

    name: str
    params: tuple[Param, ...]
    cases: tuple[Case, ...]
    wording: str | None = None
    form: str = ""


@dataclass(frozen=True, slots=True)
class Search(Rule):
    """`search most_taken(man)`: how much comes together when something is done again and again

    `each step a cell as goal where man can_jump goal`, `do jump(man, goal)`, `then most_taken(man)` where
    the next step is asked about something else, `counting 1`, `at most 12 steps`.
    """

    name: str
    params: tuple[Param, ...]
    wording: str | None
    phrases: tuple[NounPhrase, ...]
    procedure: str
    arguments: tuple[Argument, ...]
    counting: Expr | None
    bound: int
    then: tuple[Argument, ...] | None = None  # what the next step is about; else the same
    leads_to: str = ""  # the name behind `then`, which is its own
    more: tuple[str, ...] = ()  # parts that stand there twice: a slip


@dataclass(frozen=True, slots=True)
class ParagraphRef(Node):
    """`7.1.4` · `event 3` · `6-82`"""

    id: str


@dataclass(frozen=True, slots=True)
class Contribution(Node):
    """`+1 when zone is woods "woods"` · `/2 rounded up after 8.2 when …`: after the lines of 8.2"""

    op: str
    value: Expr
    rounding: str | None
    floor: Expr | None
    condition: Expr | None
    despite: tuple[ParagraphRef, ...]
    label: str | None
    later: tuple[ParagraphRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Quantity(Rule):
    """`quantity strength(unit) = unit.strength rounded down at least 1` and its contributions

    `stages divide, multiply when order_of_doubling is halved_first`: the order in which they apply, always
    or in one reading.
    """

    record: str | None
    name: str
    params: tuple[Param, ...]
    base: Expr
    rounding: str | None
    floor: Expr | None
    ceiling: Expr | None
    stages: tuple[str, ...]
    contributions: tuple[Contribution, ...]
    stages_when: Expr | None = None


@dataclass(frozen=True, slots=True)
class Modify(Rule):
    """`modify combat.die` and its contributions"""

    record: str | None
    name: str
    params: tuple[Param, ...]
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Action(Rule):
    """`action attack(player, zone) "attack"`"""

    name: str
    params: tuple[Param, ...]
    verb: str | None


@dataclass(frozen=True, slots=True)
class Permission(Rule):
    """`forbid march across border when … despite 7.4.4` · `allow …` · `stop …`"""

    kind: str
    actions: tuple[str, ...]
    via: str | None
    via_name: str | None
    condition: Expr | None
    despite: tuple[ParagraphRef, ...]
    label: str | None


@dataclass(frozen=True, slots=True)
class Rung(Node):
    """`either number of attackers >= 2 possible when …`"""

    met: Expr
    possible: Expr | None
    label: str | None


@dataclass(frozen=True, slots=True)
class Must(Rule):
    """`must before finish_designating when ordered(player)` and its rungs"""

    action: str
    condition: Expr | None
    label: str | None
    rungs: tuple[Rung, ...]


@dataclass(frozen=True, slots=True)
class Preference(Node):
    """`1  zone.index <= here.index "inward"`"""

    condition: Expr
    label: str | None


@dataclass(frozen=True, slots=True)
class Route(Rule):
    """`route march(unit)` and its clauses"""

    name: str
    params: tuple[Param, ...]
    origin: Expr
    along: str | None
    along_where: Expr | None
    cost: Expr | None
    budget: Expr | None
    minimum: int
    maximum: Expr | None
    through: tuple[tuple[str, Expr | None], ...]
    ending: tuple[tuple[str, Expr | None], ...]
    straight: bool
    preferences: tuple[Preference, ...]
    always: Expr | None = None  # so many steps may be made whatever they cost
    exactly: Expr | None = None  # so many steps, no space entered twice
    doubled: tuple[str, ...] = ()  # clauses that stand twice: the checker says so


@dataclass(frozen=True, slots=True)
class Procedure(Rule):
    """`procedure fight(zone)` · `phase impulse(player)` · `weigh attack(force: units, zone)`"""

    kind: str
    name: str
    params: tuple[Param, ...]
    title: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class Event(Node):
    """`unit enters zone` · `unit is removed` · `phase turn ends` · `zone.control changes`"""

    kind: str
    subject: str
    object: str | None


@dataclass(frozen=True, slots=True)
class Trigger(Rule):
    """`after unit enters zone when …: …`"""

    event: Event
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Window(Rule):
    """`window before_combat asking defender, attacker whatever they hold`"""

    name: str
    asking: tuple[Expr, ...]
    always: bool = False


@dataclass(frozen=True, slots=True)
class PlayIn(Node):
    """`play in before_combat when …`"""

    window: str
    by: Expr | None
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Token(Rule):
    """`token heinrici "Heinrici"`, its windows and its effect"""

    name: str
    title: str
    plays: tuple[PlayIn, ...]
    body: Block
