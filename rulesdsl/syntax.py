"""The syntax tree: what an author wrote, before anything is known about it.

Every class's docstring is the line of the language it stands for. Expressions first, then the
statements of procedures, then the statements of a rules block, then documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction

from rulesdsl.source import SourceFile, Span, nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place. Two trees are equal when they say the same, wherever they stand."""

    span: Span = field(default_factory=nowhere, compare=False, repr=False)


# ---- expressions -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Expr(Node):
    """A value or a condition."""


@dataclass(frozen=True, slots=True)
class Number(Expr):
    """`4`, or `3:1` when `ratio`"""

    value: Fraction
    ratio: bool = False


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """`"words"`"""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Expr):
    """`unit` · `none` · `true` · `it`"""

    id: str


@dataclass(frozen=True, slots=True)
class Numbered(Expr):
    """`hex 5017`: a thing whose id is a number"""

    noun: str
    number: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    """`unit.at`"""

    of: Expr
    name: str
    name_span: Span = field(default_factory=nowhere, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`target: zone` or just `zone`"""

    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`contested(zone)`"""

    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Negative(Expr):
    """`-x`"""

    value: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Expr):
    """`a + b` · `a - b` · `a * b` · `a / b`"""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """`not x`"""

    value: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """`a and b and c` · `a or b`"""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """`a >= b` · `a = b`"""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Described(Node):
    """`german armoured unit` (after `is`)"""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InPlace(Node):
    """`in zone` (after `is`)"""

    place: Expr


@dataclass(frozen=True, slots=True)
class AmongSet(Node):
    """`among attackers` (after `is`)"""

    group: Expr


@dataclass(frozen=True, slots=True)
class Related(Node):
    """`adjacent to zone` (after `is`)"""

    relation: str
    other: Expr


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    """`one of woods, difficult` (after `is`)"""

    names: tuple[str, ...]


Description = Expr | Described | InPlace | AmongSet | Related | OneOf


@dataclass(frozen=True, slots=True)
class Is(Expr):
    """`zone is berlin` · `unit is not in lebus`"""

    subject: Expr
    negated: bool
    description: Description


@dataclass(frozen=True, slots=True)
class Tail(Node):
    """What narrows a noun phrase."""


@dataclass(frozen=True, slots=True)
class TailIn(Tail):
    """`… in zone`"""

    place: Expr


@dataclass(frozen=True, slots=True)
class TailAmong(Tail):
    """`… among attackers`"""

    group: Expr


@dataclass(frozen=True, slots=True)
class TailExcept(Tail):
    """`… except attackers`"""

    group: Expr


@dataclass(frozen=True, slots=True)
class TailBetween(Tail):
    """`borders between attackers and target`"""

    one: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class TailWith(Tail):
    """`… with least it.attack`"""

    extreme: str
    value: Expr


@dataclass(frozen=True, slots=True)
class TailNearest(Tail):
    """`… nearest to unit.at by march`"""

    place: Expr
    route: str | None


@dataclass(frozen=True, slots=True)
class TailAs(Tail):
    """`… as victim`"""

    name: str


@dataclass(frozen=True, slots=True)
class TailWhere(Tail):
    """`… where it.progress > 1`"""

    condition: Expr


@dataclass(frozen=True, slots=True)
class TailRelated(Tail):
    """`… adjacent to zone`"""

    relation: str
    other: Expr


@dataclass(frozen=True, slots=True)
class NounPhrase(Expr):
    """`armoured german units in zone where …`"""

    words: tuple[str, ...]
    tails: tuple[Tail, ...] = ()
    word_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    @property
    def alias(self) -> str | None:
        return next((t.name for t in self.tails if isinstance(t, TailAs)), None)


@dataclass(frozen=True, slots=True)
class Some(Expr):
    """`some armoured attacker`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class NoneOf(Expr):
    """`no enemy unit in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class EveryIs(Expr):
    """`every attacker is armoured`"""

    phrase: NounPhrase
    negated: bool
    description: Description


@dataclass(frozen=True, slots=True)
class Every(Expr):
    """`every attacker satisfies it.strength > 3`"""

    phrase: NounPhrase
    condition: Expr


@dataclass(frozen=True, slots=True)
class The(Expr):
    """`the unit in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class NumberOf(Expr):
    """`number of units in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class SumOf(Expr):
    """`sum of strength(it) over attackers`"""

    value: Expr
    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class ExtremeOf(Expr):
    """`greatest of it.progress over berlin zones`"""

    extreme: str
    value: Expr
    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """`table combat[odds, die]`"""

    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IfThen(Expr):
    """`if a then b else c`"""

    condition: Expr
    then: Expr
    otherwise: Expr


# ---- statements of procedures ------------------------------------------------------------------------
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
class Travel(Stmt):
    """`player moves unit by march`"""

    player: Expr
    piece: Expr
    route: str


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
    """`player chooses a unit in zone as victim for lose(victim) or "nobody": …`"""

    player: Expr
    count: Count | None
    phrases: tuple[NounPhrase, ...]
    action: ActionUse | None
    way_out: WayOut | None
    prompt: str | None
    preferences: tuple[Expr, ...]
    body: Block | None
    otherwise: Block | None


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


# ---- statements of a rules block ---------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One statement of a paragraph. The paragraph is set by the loader and travels for ever."""


@dataclass(frozen=True, slots=True)
class Type(Node):
    """`number` · `zone or none` · `1 to 10` · `set of units` · `plain or woods`"""

    parts: tuple[str, ...]
    low: int | None = None
    high: int | None = None
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Enumeration(Rule):
    """`enum terrain: plain, woods` (`scale letter: A, B, C` is ordered)"""

    name: str
    values: tuple[str, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`printed index: number` · `control: player or none = none visible to everybody`"""

    name: str
    type: Type
    printed: bool
    per_face: bool
    default: Expr | None
    visible_to: Expr | None


@dataclass(frozen=True, slots=True)
class ClassDecl(Rule):
    """`space zone` with its attributes; also `border`, `piece unit`, `player`, `token class`"""

    kind: str
    name: str
    plural: str | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class GroupDecl(Rule):
    """`group army from unit.army`"""

    name: str
    piece: str
    attribute: str


@dataclass(frozen=True, slots=True)
class TrackDecl(Rule):
    """`track turn: 1 to 10 = 1`"""

    name: str
    type: Type
    default: Expr | None
    visible_to: Expr | None


@dataclass(frozen=True, slots=True)
class Param(Node):
    """`unit` · `target: zone`"""

    name: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class RecordDecl(Rule):
    """`record combat` with its fields"""

    name: str
    fields: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`= value when condition`"""

    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Define(Rule):
    """`define contested(zone) = …`"""

    name: str
    params: tuple[Param, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class RuleRef(Node):
    """`7.1.4` · `event 3` · `6-82`"""

    id: str


@dataclass(frozen=True, slots=True)
class Contribution(Node):
    """`+1 when zone is woods "woods"`"""

    op: str
    value: Expr
    rounding: str | None
    floor: Expr | None
    condition: Expr | None
    despite: tuple[RuleRef, ...]
    label: str | None


@dataclass(frozen=True, slots=True)
class Quantity(Rule):
    """`quantity strength(unit) = unit.strength rounded down at least 1` and its contributions"""

    record: str | None
    name: str
    params: tuple[Param, ...]
    base: Expr
    rounding: str | None
    floor: Expr | None
    ceiling: Expr | None
    stages: tuple[str, ...]
    contributions: tuple[Contribution, ...]


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
    despite: tuple[RuleRef, ...]
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


@dataclass(frozen=True, slots=True)
class Procedure(Rule):
    """`procedure fight(zone)` · `phase impulse(player)`"""

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
    """`window before_combat asking defender, attacker`"""

    name: str
    asking: tuple[Expr, ...]


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


@dataclass(frozen=True, slots=True)
class Reading(Rule):
    """`reading die_range: clamp (default), reroll "why"`"""

    name: str
    alternatives: tuple[str, ...]
    default: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Option(Rule):
    """`option fog: flag = false "what it does"`"""

    name: str
    type: Type
    default: Expr
    reason: str | None


@dataclass(frozen=True, slots=True)
class Parameter(Rule):
    """`parameter activations = 4 "units per impulse"`"""

    name: str
    value: Expr
    reason: str | None


# ---- examples ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Expectation(Node):
    """`town.holder is red` · `cannot attack(town) by 8.1.1` · `can attack(town)` · `offered "x"`"""

    kind: str
    condition: Expr | None
    action: ActionUse | None
    rule: RuleRef | None
    outcome: EndGame | None = None
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example(Node):
    """One `example` block: `given:`, `rolling`, `choosing`, `when:`, `expect:`"""

    scenario: str | None
    given: Block
    rolls: tuple[int, ...]
    choices: tuple[str, ...]
    played: Block
    expected: tuple[Expectation, ...]


# ---- documents ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Fence(Node):
    """One fenced block of a paragraph: kind `rules` or `example`, the text, the first line of the text."""

    kind: str
    text: str
    first_line: int


@dataclass(frozen=True, slots=True)
class Paragraph(Node):
    """`### 7.1.2 Cost of entering a zone`, its prose, its rules and its examples"""

    id: str
    title: str
    level: int
    prose: str
    fences: tuple[Fence, ...] = ()
    rules: tuple[Rule, ...] = ()
    examples: tuple[Example, ...] = ()
    informative: str | None = None  # `*Informative: why nothing is executed.*`
    data_file: str | None = None  # `*Data: scenarios/campaign.yaml.*`: the data say what this paragraph says


@dataclass(frozen=True, slots=True)
class Chapter:
    """One Markdown file of a rulebook."""

    file: SourceFile
    title: str
    preface: str
    paragraphs: tuple[Paragraph, ...]
    # (kind, name) of statements that could not be read, so that their absence is not reported again
    unread: tuple[tuple[str, str], ...] = ()


def children(node: object) -> Iterator[Node]:
    """The nodes directly below `node`, in the order they were written."""
    if not isinstance(node, Node):
        return
    for spec in fields(node):
        yield from _nodes_in(getattr(node, spec.name))


def walk(node: object) -> Iterator[Node]:
    """`node` and everything below it."""
    if isinstance(node, Node):
        yield node
    for child in children(node):
        yield from walk(child)


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes_in(part)
