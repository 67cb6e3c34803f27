"""All kinds of node there are, as closed unions: a `match` over one of them ends in `assert_never`.

Whoever adds a node adds it here (a test names it, if not), and mypy lists every place that has to say what
it does with it. The base classes stay what trees are declared with; `closed` goes from one to the union.
"""

from __future__ import annotations

from typing import TypeAlias, overload

from rulesdsl.language.syntax.choices import Choose, Menu, Travel
from rulesdsl.language.syntax.components import (
    ClassDecl,
    Enumeration,
    GroupDecl,
    Option,
    Parameter,
    Reading,
    RecordDecl,
    TrackDecl,
)
from rulesdsl.language.syntax.expressions import (
    Afterwards,
    AmongSet,
    Arithmetic,
    Attr,
    Call,
    Compare,
    Described,
    Expr,
    IfThen,
    InPlace,
    Is,
    Listed,
    Logic,
    Lookup,
    Name,
    Negative,
    Not,
    Number,
    Numbered,
    OneOf,
    Related,
    Text,
    Within,
)
from rulesdsl.language.syntax.nodes import Rule
from rulesdsl.language.syntax.phrases import (
    Every,
    EveryIs,
    ExtremeOf,
    NoneOf,
    NounPhrase,
    NumberOf,
    Some,
    SumOf,
    Tail,
    TailAmong,
    TailAs,
    TailBetween,
    TailExcept,
    TailIn,
    TailNearest,
    TailOf,
    TailRange,
    TailRelated,
    TailWhere,
    TailWith,
    The,
)
from rulesdsl.language.syntax.rules import (
    Action,
    Define,
    Modify,
    Must,
    Permission,
    Procedure,
    Quantity,
    Route,
    Token,
    Trigger,
    Window,
)
from rulesdsl.language.syntax.statements import (
    Assign,
    Cancel,
    Discard,
    Do,
    Draw,
    EndGame,
    Finish,
    Flip,
    ForEach,
    Give,
    If,
    Increase,
    Leave,
    Let,
    Mark,
    Move,
    Note,
    OpenWindow,
    Pick,
    Pool,
    Put,
    Remember,
    Remove,
    Repeat,
    ReturnToken,
    Roll,
    Show,
    Shuffle,
    Stmt,
    Swap,
    Unmark,
    With,
)

# ---- expressions
Plain: TypeAlias = Number | Text | Name | Numbered | Attr | Call | Lookup | Listed
Reckoned: TypeAlias = Negative | Arithmetic | IfThen | Afterwards
OfGroup: TypeAlias = NounPhrase | The | NumberOf | SumOf | ExtremeOf
Condition: TypeAlias = Not | Logic | Compare | Is | Some | NoneOf | EveryIs | Every
AnyExpr: TypeAlias = Plain | Reckoned | OfGroup | Condition
AnyTail: TypeAlias = (
    TailIn
    | TailAmong
    | TailExcept
    | TailBetween
    | TailWith
    | TailNearest
    | TailAs
    | TailWhere
    | TailOf
    | TailRange
    | TailRelated
)
AnyDescription: TypeAlias = AnyExpr | Described | InPlace | AmongSet | Related | OneOf | Within

# ---- steps of procedures
Changing: TypeAlias = Let | Assign | Increase | Mark | Unmark | Move | Remove | Flip | Put | Swap | Do
OfChance: TypeAlias = Roll | Pool | Pick | Shuffle | Remember
OfTokens: TypeAlias = Draw | ReturnToken | Discard | Give | Show | OpenWindow
Jumping: TypeAlias = Cancel | Leave | Finish
Simple: TypeAlias = Changing | OfChance | OfTokens | Jumping | EndGame | Note | Travel
Compound: TypeAlias = If | ForEach | Repeat | With | Choose | Menu
AnyStmt: TypeAlias = Simple | Compound

# ---- statements of a rules block
Component: TypeAlias = (
    Enumeration | ClassDecl | GroupDecl | TrackDecl | RecordDecl | Reading | Option | Parameter
)
Ruling: TypeAlias = (
    Define | Quantity | Modify | Permission | Must | Action | Route | Procedure | Trigger | Window | Token
)
AnyRule: TypeAlias = Component | Ruling


@overload
def closed(node: Expr) -> AnyExpr: ...
@overload
def closed(node: Tail) -> AnyTail: ...
@overload
def closed(node: Stmt) -> AnyStmt: ...
@overload
def closed(node: Rule) -> AnyRule: ...
def closed(node: object) -> object:
    """The same node, as one of all kinds of its family."""
    return node
