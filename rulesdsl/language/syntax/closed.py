"""All kinds of node there are, as closed unions: a `match` over one of them ends in `assert_never`.

Whoever adds a node adds it here (a test names it, if not), and mypy lists every place that has to say what
it does with it. The base classes stay what trees are declared with; `closed` goes from one to the union.
"""

from __future__ import annotations

from typing import TypeAlias, overload

from rulesdsl.language.syntax import choices, components, expressions, nodes, phrases, rules, statements

# ---- expressions
Plain: TypeAlias = (
    expressions.Number
    | expressions.Text
    | expressions.Name
    | expressions.Numbered
    | expressions.Attr
    | expressions.Keyed
    | expressions.Call
    | expressions.Lookup
    | expressions.Listed
)
Reckoned: TypeAlias = (
    expressions.Negative | expressions.Arithmetic | expressions.IfThen | expressions.Afterwards
)
OfGroup: TypeAlias = phrases.NounPhrase | phrases.The | phrases.NumberOf | phrases.SumOf | phrases.ExtremeOf
Condition: TypeAlias = (
    expressions.Not
    | expressions.Logic
    | expressions.Compare
    | expressions.Is
    | phrases.Some
    | phrases.NoneOf
    | phrases.EveryIs
    | phrases.Every
)
AnyExpr: TypeAlias = Plain | Reckoned | OfGroup | Condition
AnyTail: TypeAlias = (
    phrases.TailIn
    | phrases.TailAmong
    | phrases.TailExcept
    | phrases.TailBetween
    | phrases.TailWith
    | phrases.TailNearest
    | phrases.TailAs
    | phrases.TailWhere
    | phrases.TailOf
    | phrases.TailRange
    | phrases.TailRelated
)
AnyDescription: TypeAlias = (
    AnyExpr
    | expressions.Described
    | expressions.InPlace
    | expressions.AmongSet
    | expressions.Related
    | expressions.OneOf
    | expressions.Within
)

# ---- steps of procedures
Changing: TypeAlias = (
    statements.Let
    | statements.Assign
    | statements.Increase
    | statements.Mark
    | statements.Unmark
    | statements.Move
    | statements.Remove
    | statements.Flip
    | statements.Put
    | statements.Swap
    | statements.Do
)
OfChance: TypeAlias = (
    statements.Roll | statements.Pool | statements.Pick | statements.Shuffle | statements.Remember
)
OfTokens: TypeAlias = (
    statements.Draw
    | statements.ReturnToken
    | statements.Discard
    | statements.Give
    | statements.Show
    | statements.OpenWindow
)
Jumping: TypeAlias = statements.Cancel | statements.Leave | statements.Finish
Simple: TypeAlias = (
    Changing | OfChance | OfTokens | Jumping | statements.EndGame | statements.Note | choices.Travel
)
Compound: TypeAlias = (
    statements.If
    | statements.ForEach
    | statements.Repeat
    | statements.With
    | choices.Choose
    | choices.Together
    | choices.Menu
)
AnyStmt: TypeAlias = Simple | Compound

# ---- statements of a rules block
Component: TypeAlias = (
    components.Enumeration
    | components.ClassDecl
    | components.GroupDecl
    | components.TrackDecl
    | components.RecordDecl
    | components.Reading
    | components.Option
    | components.Parameter
)
Ruling: TypeAlias = (
    rules.Define
    | rules.Search
    | rules.Quantity
    | rules.Modify
    | rules.Permission
    | rules.Must
    | rules.Action
    | rules.Route
    | rules.Procedure
    | rules.Trigger
    | rules.Window
    | rules.Token
)
AnyRule: TypeAlias = Component | Ruling


@overload
def closed(node: expressions.Expr) -> AnyExpr: ...
@overload
def closed(node: phrases.Tail) -> AnyTail: ...
@overload
def closed(node: statements.Stmt) -> AnyStmt: ...
@overload
def closed(node: nodes.Rule) -> AnyRule: ...
def closed(node: object) -> object:
    """phrases.The same node, as one of all kinds of its family."""
    return node
