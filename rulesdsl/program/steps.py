"""Steps of procedures, each with the paragraph it belongs to."""

from __future__ import annotations

from dataclasses import field

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language import syntax as sx
from rulesdsl.program.expressions import E, Var
from rulesdsl.program.world import Attribute


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class S:
    """One step, with the paragraph it belongs to."""

    paragraph: str
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
class PutS(S):
    """A piece changes its place in its stack."""

    piece: E
    on_top: bool


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
class ShuffleS(S):
    """Chance orders pieces in the stacks they lie in."""

    pieces: E
    purpose: str


@dataclass(frozen=True, slots=True, eq=False)
class RememberS(S):
    """The position joins those that have occurred; the variable is how often it has."""

    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class TokenS(S):
    """`draw`, `return`, `discard`, `give`, `show`; for `draw` the token is none.

    `openly`: everybody sees which token it is. `show` has a set of players, or shows it to everybody.
    """

    verb: str
    token: E | None
    player: E | None
    openly: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class OpenS(S):
    window: str


@dataclass(frozen=True, slots=True, eq=False)
class JumpS(S):
    """`leave`, `finish`, `cancel`"""

    verb: str


@dataclass(frozen=True, slots=True, eq=False)
class EndS(S):
    """`wins` by some, `drawn`, `nobody`; or each of `winner` `gets` a number of his own."""

    outcome: str
    winner: E | None
    reason: str
    each: Var | None = None
    payoff: E | None = None


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
    """In printed order, as somebody chooses, from one of them round, or by a number, the least first."""

    var: Var
    group: E
    chooser: E | None
    body: Steps
    start: E | None = None
    measure: E | None = None
    left: Var | None = None  # where all choose together: those who have not chosen yet

    @property
    def in_printed_order(self) -> bool:
        return self.chooser is None and self.start is None and self.measure is None


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
    """One decision. `result` collects the members when several may be chosen (`count`).

    `together`: every player of the loop around it decides by himself, in any order.
    """

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
    together: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MenuEntry:
    label: str
    condition: E | None
    action: UseOfAction | None
    body: Steps
    paragraph: str


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
