"""The checked rulebook: every name resolved, every type known. What the back end compiles.

Expressions and steps here mirror the syntax tree, but nothing in them is a name that still has to be
looked up. After a `Program` exists an author's mistake can no longer surface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rulesdsl import syntax as sx
from rulesdsl.source import Span
from rulesdsl.tables import Table
from rulesdsl.types import Type
from rulesdsl.world import Attribute, World

Constant = int | Fraction | str


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A variable: parameter, `let`, loop member or choice. Two variables are the same only if identical."""

    name: str
    type: Type
    span: Span | None = field(default=None, repr=False)


# ---- expressions -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class E:
    """An expression with its type and the source it came from (for explanations)."""

    type: Type
    source: sx.Node | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Const(E):
    """A number, a text, a truth value (0/1), an index of a thing or an enumeration value; none is -1."""

    value: Constant


@dataclass(frozen=True, slots=True, eq=False)
class VarGet(E):
    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class TrackGet(E):
    track: str


@dataclass(frozen=True, slots=True, eq=False)
class FieldGet(E):
    """A field of the record that is being resolved: `combat.target`."""

    record: str
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class SettingGet(E):
    """A reading, option or parameter: constant during a game."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class AttrGet(E):
    attribute: Attribute
    of: E


@dataclass(frozen=True, slots=True, eq=False)
class Arith(E):
    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class NotE(E):
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class LogicE(E):
    op: str  # and, or
    parts: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompareE(E):
    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class CallE(E):
    """A define, by name."""

    define: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QuantityE(E):
    quantity: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RouteE(E):
    """The set of spaces in which a route may end."""

    route: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LegalE(E):
    """Whether an action is allowed: `legal attack(unit, zone)` (the name of an action used as a call)."""

    action: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BuiltinE(E):
    name: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LookupE(E):
    table: str
    keys: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ResultField(E):
    """One field of a table's result: `result.r`."""

    result: E
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassSet(E):
    """Everything of a class: `units`."""


@dataclass(frozen=True, slots=True, eq=False)
class PiecesIn(E):
    place: E


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours(E):
    """The spaces adjacent to a space."""

    place: E


@dataclass(frozen=True, slots=True, eq=False)
class BordersBetween(E):
    """Borders that join one of these spaces with one of those (each side a space or a set of spaces)."""

    one: E
    other: E


@dataclass(frozen=True, slots=True, eq=False)
class SpacesOf(E):
    """The spaces in which these pieces stand."""

    pieces: E


@dataclass(frozen=True, slots=True, eq=False)
class SetOp(E):
    """`&` both, `|` either, `-` the first without the second"""

    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class SingleSet(E):
    """The set that holds one thing (empty for none)."""

    value: E


@dataclass(frozen=True, slots=True, eq=False)
class Filter(E):
    """The members `var` of a set for which a condition holds."""

    group: E
    var: Var
    condition: E


@dataclass(frozen=True, slots=True, eq=False)
class Member(E):
    value: E
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class SomeE(E):
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class CountE(E):
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class FirstE(E):
    """The first member, or none."""

    group: E


@dataclass(frozen=True, slots=True, eq=False)
class SumE(E):
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class ExtremeE(E):
    """The least or greatest value over a set; 0 when the set is empty."""

    extreme: str
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class ArgExtreme(E):
    """The members with the least or greatest value."""

    extreme: str
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class NearestE(E):
    """The members of a set of spaces nearest to a place (in steps, or by a route's cost)."""

    group: E
    place: E
    route: str | None


@dataclass(frozen=True, slots=True, eq=False)
class IfE(E):
    condition: E
    then: E
    otherwise: E


@dataclass(frozen=True, slots=True, eq=False)
class StepFact(E):
    """`first_step`, `steps`, `spent` inside a route."""

    name: str


# ---- steps of procedures -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class S:
    """One step, with the paragraph it belongs to."""

    rule: str
    source: sx.Node | None = field(default=None, repr=False)


Steps = tuple[S, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LetS(S):
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class SetTrack(S):
    track: str
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class SetField(S):
    record: str
    field: str
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class SetAttr(S):
    """For a set of owners the value is given to each."""

    attribute: Attribute
    of: E
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class MarkS(S):
    """Raise or lower a flag; `until` names the phase at whose end it falls by itself."""

    attribute: Attribute
    of: E
    on: bool
    until: str | None


@dataclass(frozen=True, slots=True, eq=False)
class MoveS(S):
    pieces: E
    place: E
    verb: str


@dataclass(frozen=True, slots=True, eq=False)
class FlipS(S):
    piece: E
    face: E | None


@dataclass(frozen=True, slots=True, eq=False)
class DoS(S):
    procedure: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RollS(S):
    var: Var
    count: int
    faces: int
    purpose: str


@dataclass(frozen=True, slots=True, eq=False)
class PickS(S):
    """Chance chooses a member."""

    var: Var
    group: E
    purpose: str


@dataclass(frozen=True, slots=True, eq=False)
class TokenS(S):
    """`draw`, `return`, `discard`, `give`; for `draw` the token is none."""

    verb: str
    token: E | None
    player: E | None


@dataclass(frozen=True, slots=True, eq=False)
class OpenS(S):
    window: str


@dataclass(frozen=True, slots=True, eq=False)
class JumpS(S):
    """`leave`, `finish`, `cancel`"""

    verb: str


@dataclass(frozen=True, slots=True, eq=False)
class EndS(S):
    outcome: str
    winner: E | None
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class NoteS(S):
    text: str
    values: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfS(S):
    branches: tuple[tuple[E, Steps], ...]
    otherwise: Steps


@dataclass(frozen=True, slots=True, eq=False)
class ForS(S):
    var: Var
    group: E
    chooser: E | None
    body: Steps


@dataclass(frozen=True, slots=True, eq=False)
class RepeatS(S):
    times: E
    condition: E | None
    body: Steps


@dataclass(frozen=True, slots=True, eq=False)
class WithS(S):
    record: str
    values: tuple[tuple[str, E], ...]
    body: Steps


@dataclass(frozen=True, slots=True, eq=False)
class UseOfAction:
    """An action with its arguments, in the order of its parameters."""

    action: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One thing to be chosen: the variable it is bound to and where it is taken from."""

    var: Var
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class ChooseS(S):
    """One decision. `result` collects the members when several may be chosen (`count`)."""

    player: E
    candidates: tuple[Candidate, ...]
    action: UseOfAction | None
    out_label: str | None
    out_action: UseOfAction | None
    prompt: str
    preferences: tuple[E, ...]
    body: Steps
    otherwise: Steps
    result: Var | None = None
    count_kind: str = ""
    count: E | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MenuEntry:
    label: str
    condition: E | None
    action: UseOfAction | None
    body: Steps
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class MenuS(S):
    player: E
    prompt: str
    entries: tuple[MenuEntry, ...]
    decline: str | None
    otherwise: Steps


@dataclass(frozen=True, slots=True, eq=False)
class TravelS(S):
    """A piece moves step by step along a route, each step a decision."""

    player: E
    piece: E
    route: str


# ---- rules -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class DefineRule:
    name: str
    rule: str
    params: tuple[Var, ...]
    cases: tuple[tuple[E | None, E], ...]
    type: Type
    source: sx.Define


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One contribution to a quantity."""

    op: str
    value: E
    rounding: str | None
    floor: E | None
    condition: E | None
    despite: tuple[str, ...]
    label: str
    rule: str
    source: sx.Contribution


@dataclass(frozen=True, slots=True, eq=False)
class QuantityRule:
    name: str
    rule: str
    params: tuple[Var, ...]
    base: E
    rounding: str | None
    floor: E | None
    ceiling: E | None
    stages: tuple[str, ...]
    changes: tuple[Change, ...]
    type: Type
    source: sx.Quantity


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One `forbid`, `allow` or `stop` about one action; `exceptions` defeat it."""

    kind: str
    rule: str
    via: str | None
    condition: E | None
    label: str
    despite: tuple[str, ...]
    source: sx.Permission
    exceptions: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LadderRung:
    met: E
    possible: E | None
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """`must before …`: the closing action is withheld while the highest possible rung is unmet."""

    rule: str
    condition: E | None
    label: str
    rungs: tuple[LadderRung, ...]
    source: sx.Must


@dataclass(frozen=True, slots=True, eq=False)
class ActionRule:
    name: str
    rule: str
    params: tuple[Var, ...]
    verb: str
    forbids: tuple[Clause, ...]
    ladders: tuple[Ladder, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RouteRule:
    """A path search. `here`, `border`, `there` are the variables of a step; `there` also of an end."""

    name: str
    rule: str
    params: tuple[Var, ...]
    here: Var
    border: Var
    there: Var
    origin: E
    along: E | None
    cost: E | None
    budget: E | None
    minimum: int
    maximum: E | None
    through: E | None
    ending: E | None
    straight: bool
    preferences: tuple[tuple[E, str], ...]
    step_forbids: tuple[Clause, ...]
    end_forbids: tuple[Clause, ...]
    stops: tuple[Clause, ...]
    source: sx.Route
    always: E | None = None
    exactly: E | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ProcedureRule:
    name: str
    kind: str  # phase, procedure, trigger, token, window
    rule: str
    params: tuple[Var, ...]
    title: str
    body: Steps


@dataclass(frozen=True, slots=True, eq=False)
class TriggerRule:
    """`event` is enters, leaves, removed, flipped, placed, begins, ends, changes."""

    event: str
    subject: str  # the class (or the phase) it is about
    attribute: str
    rule: str
    condition: E | None
    procedure: str


@dataclass(frozen=True, slots=True, eq=False)
class TokenPlay:
    window: str
    condition: E | None
    holder: Var


@dataclass(frozen=True, slots=True, eq=False)
class TokenRule:
    name: str
    title: str
    rule: str
    index: int
    plays: tuple[TokenPlay, ...]
    procedure: str
    holder: Var


@dataclass(frozen=True, slots=True, eq=False)
class WindowRule:
    name: str
    rule: str
    asking: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Visibility:
    """Who may see an attribute of `thing`, or a track (`thing` is None): a set of players."""

    thing: Var | None
    viewers: E


@dataclass(frozen=True, slots=True, eq=False)
class SettingRule:
    """A reading, an option or a parameter."""

    kind: str
    name: str
    rule: str
    type: Type
    default: Constant
    alternatives: tuple[str, ...]
    reason: str
    source: sx.Rule


@dataclass(frozen=True, slots=True, eq=False)
class ExampleRule:
    rule: str
    number: int
    scenario: str | None
    given: Steps
    rolls: tuple[int, ...]
    choices: tuple[str, ...]
    played: Steps
    expected: tuple[Expected, ...]
    source: sx.Example


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    kind: str  # true, can, cannot, outcome, offered, not offered
    condition: E | None
    action: UseOfAction | None
    rule: str
    source: sx.Expectation
    winner: E | None = None


@dataclass(frozen=True, eq=False)
class Program:
    """A whole game, checked."""

    game: str
    title: str
    world: World
    tables: Mapping[str, Table]
    defines: Mapping[str, DefineRule]
    quantities: Mapping[str, QuantityRule]
    actions: Mapping[str, ActionRule]
    routes: Mapping[str, RouteRule]
    procedures: Mapping[str, ProcedureRule]
    triggers: tuple[TriggerRule, ...]
    windows: Mapping[str, WindowRule]
    tokens: Mapping[str, TokenRule]
    settings: Mapping[str, SettingRule]
    examples: tuple[ExampleRule, ...]
    paragraphs: Mapping[str, sx.Paragraph]
    content_hash: str
    # (universe, attribute) or ("game", track) → who may see it; everything else is for all eyes
    visibility: Mapping[tuple[str, str], Visibility] = field(default_factory=dict)


