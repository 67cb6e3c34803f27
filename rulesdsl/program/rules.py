"""Everything a checked rulebook holds, and the whole: `Program`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulesdsl.base.lightclass import dataclass
from rulesdsl.book.game_file import Telling
from rulesdsl.book.tables.table import Table
from rulesdsl.language import syntax as sx
from rulesdsl.program.expressions import Constant, E, Var
from rulesdsl.program.steps import Steps, UseOfAction
from rulesdsl.program.types import Type
from rulesdsl.program.world import World


@dataclass(frozen=True, slots=True, eq=False)
class DefineRule:
    name: str
    paragraph: str
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
    paragraph: str
    source: sx.Contribution
    later: tuple[str, ...] = ()  # paragraphs whose lines of the same stage come first


@dataclass(frozen=True, slots=True, eq=False)
class QuantityRule:
    name: str
    paragraph: str
    params: tuple[Var, ...]
    base: E
    rounding: str | None
    floor: E | None
    ceiling: E | None
    stages: tuple[str, ...]
    changes: tuple[Change, ...]
    type: Type
    source: sx.Quantity
    stages_when: E | None = None  # a setting in which the stages have this order; otherwise the usual one


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One `forbid`, `allow` or `stop` about one action; `exceptions` defeat it."""

    kind: str
    paragraph: str
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

    paragraph: str
    condition: E | None
    label: str
    rungs: tuple[LadderRung, ...]
    source: sx.Must


@dataclass(frozen=True, slots=True, eq=False)
class ActionRule:
    name: str
    paragraph: str
    params: tuple[Var, ...]
    verb: str
    forbids: tuple[Clause, ...]
    ladders: tuple[Ladder, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RouteRule:
    """A path search. `here`, `border`, `there` are the variables of a step; `there` also of an end."""

    name: str
    paragraph: str
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
    paragraph: str
    params: tuple[Var, ...]
    title: str
    body: Steps
    wording: str = ""  # what happens, with the parameters in braces


@dataclass(frozen=True, slots=True, eq=False)
class TriggerRule:
    """`event` is enters, leaves, removed, flipped, placed, begins, ends, changes."""

    event: str
    subject: str  # the class (or the phase) it is about
    attribute: str
    paragraph: str
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
    paragraph: str
    index: int
    plays: tuple[TokenPlay, ...]
    procedure: str
    holder: Var


@dataclass(frozen=True, slots=True, eq=False)
class WindowRule:
    name: str
    paragraph: str
    asking: tuple[E, ...]
    always: bool = False  # who holds a token is asked even when he may play none here


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
    paragraph: str
    type: Type
    default: Constant
    alternatives: tuple[str, ...]
    reason: str
    source: sx.Rule


@dataclass(frozen=True, slots=True, eq=False)
class ExampleRule:
    paragraph: str
    number: int
    scenario: str | None
    given: Steps
    rolls: tuple[int, ...]
    choices: tuple[str, ...]
    played: Steps
    expected: tuple[Expected, ...]
    source: sx.Example
    settings: tuple[tuple[str, str], ...] = ()  # names and values, as one would type them


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    kind: str  # true, can, cannot, outcome, goes on, offered, not offered
    condition: E | None
    action: UseOfAction | None
    paragraph: str
    source: sx.Expectation
    winner: E | None = None
    payoff: E | None = None  # what they should get


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
    # (universe, attribute) or (OF_GAME, track) → who may see it; everything else is for all eyes
    visibility: Mapping[tuple[str, str], Visibility] = field(default_factory=dict)
    telling: Telling = field(default_factory=Telling)  # the words of the trade for the log and the panel
