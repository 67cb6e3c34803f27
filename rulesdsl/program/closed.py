"""All kinds of node of a checked rulebook, as closed unions: a `match` over one ends in `assert_never`.

As `rulesdsl/language/syntax/closed.py` does for what an author wrote.
"""

from __future__ import annotations

from typing import TypeAlias, overload

from rulesdsl.program.expressions import (
    AfterE,
    Arith,
    AttrGet,
    BuiltinE,
    CallE,
    CompareE,
    Const,
    E,
    FieldGet,
    IfE,
    LegalE,
    LogicE,
    LookupE,
    NotE,
    PlayableE,
    QuantityE,
    ResultField,
    RouteE,
    SettingGet,
    StepFact,
    TrackGet,
    VarGet,
)
from rulesdsl.program.sets import (
    ArgExtreme,
    BordersBetween,
    ClassSet,
    CountE,
    ExtremeE,
    Filter,
    FirstE,
    Member,
    NearestE,
    Neighbours,
    NumbersE,
    PiecesIn,
    SetOp,
    SingleSet,
    SomeE,
    SpacesOf,
    SumE,
)
from rulesdsl.program.steps import (
    ChooseS,
    DoS,
    EndS,
    FlipS,
    ForS,
    IfS,
    JumpS,
    LetS,
    MarkS,
    MenuS,
    MoveS,
    NoteS,
    OpenS,
    PickS,
    PutS,
    RememberS,
    RepeatS,
    RollS,
    S,
    SetAttr,
    SetField,
    SetTrack,
    ShuffleS,
    TokenS,
    TravelS,
    WithS,
)

# ---- expressions
Kept: TypeAlias = Const | VarGet | TrackGet | FieldGet | SettingGet | StepFact | AttrGet
Asked: TypeAlias = CallE | QuantityE | RouteE | LegalE | BuiltinE | PlayableE | LookupE | ResultField | AfterE
Reckoned: TypeAlias = Arith | NotE | LogicE | CompareE | IfE
OfGroup: TypeAlias = SomeE | Member | CountE | FirstE | SumE | ExtremeE | ArgExtreme
Group: TypeAlias = (
    ClassSet
    | NumbersE
    | PiecesIn
    | Neighbours
    | BordersBetween
    | SpacesOf
    | SetOp
    | SingleSet
    | Filter
    | NearestE
)
AnyE: TypeAlias = Kept | Asked | Reckoned | OfGroup | Group

# ---- steps
Simple: TypeAlias = (
    LetS
    | SetTrack
    | SetField
    | SetAttr
    | MarkS
    | MoveS
    | FlipS
    | PutS
    | ShuffleS
    | RememberS
    | RollS
    | PickS
    | TokenS
    | NoteS
)
Leaving: TypeAlias = DoS | OpenS | JumpS | EndS
Deciding: TypeAlias = ChooseS | MenuS | TravelS
Compound: TypeAlias = IfS | ForS | RepeatS | WithS
AnyS: TypeAlias = Simple | Leaving | Deciding | Compound
WithoutBody: TypeAlias = Simple | Leaving | TravelS


@overload
def closed(node: E) -> AnyE: ...
@overload
def closed(node: S) -> AnyS: ...
def closed(node: object) -> object:
    """The same node, as one of all kinds of its family."""
    return node
