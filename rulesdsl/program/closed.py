"""All kinds of node of a checked rulebook, as closed unions: a `match` over one ends in `assert_never`.

As `rulesdsl/language/syntax/closed.py` does for what an author wrote.
"""

from __future__ import annotations

from typing import TypeAlias, overload

from rulesdsl.program import expressions, sets, steps

# ---- expressions
Kept: TypeAlias = (
    expressions.Const
    | expressions.VarGet
    | expressions.TrackGet
    | expressions.FieldGet
    | expressions.SettingGet
    | expressions.StepFact
    | expressions.AttrGet
)
AsksARule: TypeAlias = (
    expressions.CallE
    | expressions.QuantityE
    | expressions.RouteE
    | expressions.LegalE
    | expressions.PlayableE
    | expressions.AfterE
)
AskedOfTheEngine: TypeAlias = expressions.BuiltinE | expressions.LookupE | expressions.ResultField
Asked: TypeAlias = AsksARule | AskedOfTheEngine
Reckoned: TypeAlias = (
    expressions.Arith | expressions.NotE | expressions.LogicE | expressions.CompareE | expressions.IfE
)
OfGroup: TypeAlias = (
    sets.SomeE | sets.Member | sets.CountE | sets.FirstE | sets.SumE | sets.ExtremeE | sets.ArgExtreme
)
Group: TypeAlias = (
    sets.ClassSet
    | sets.NumbersE
    | sets.PiecesIn
    | sets.Neighbours
    | sets.BordersBetween
    | sets.SpacesOf
    | sets.SetOp
    | sets.SingleSet
    | sets.Filter
    | sets.NearestE
)
AnyE: TypeAlias = Kept | Asked | Reckoned | OfGroup | Group
AsksNoRule: TypeAlias = Kept | AskedOfTheEngine | Reckoned | OfGroup | Group

# ---- steps
Simple: TypeAlias = (
    steps.LetS
    | steps.SetTrack
    | steps.SetField
    | steps.SetAttr
    | steps.MarkS
    | steps.MoveS
    | steps.FlipS
    | steps.PutS
    | steps.ShuffleS
    | steps.RememberS
    | steps.RollS
    | steps.PickS
    | steps.TokenS
    | steps.NoteS
)
Leaving: TypeAlias = steps.DoS | steps.OpenS | steps.JumpS | steps.EndS
Deciding: TypeAlias = steps.ChooseS | steps.MenuS | steps.TravelS
Compound: TypeAlias = steps.IfS | steps.ForS | steps.RepeatS | steps.WithS
AnyS: TypeAlias = Simple | Leaving | Deciding | Compound
# no variable has a value of it afterwards
BindsNothing: TypeAlias = (
    steps.SetTrack
    | steps.SetField
    | steps.SetAttr
    | steps.MarkS
    | steps.MoveS
    | steps.FlipS
    | steps.PutS
    | steps.ShuffleS
    | steps.TokenS
    | steps.NoteS
    | steps.OpenS
    | steps.JumpS
    | steps.EndS
    | steps.MenuS
    | steps.TravelS
    | steps.IfS
    | steps.RepeatS
    | steps.WithS
)
# nobody is asked for it and no other procedure comes in between, unless a trigger waits for it
RunsOn: TypeAlias = Simple | steps.JumpS | steps.EndS | steps.IfS | steps.ForS
# neither a decision nor chance, and nothing that the whole game knows of
HappensByItself: TypeAlias = (
    steps.LetS
    | steps.SetTrack
    | steps.SetField
    | steps.SetAttr
    | steps.MarkS
    | steps.MoveS
    | steps.FlipS
    | steps.PutS
    | steps.NoteS
    | steps.DoS
    | steps.JumpS
    | steps.IfS
    | steps.ForS
    | steps.RepeatS
    | steps.WithS
)
WithoutBody: TypeAlias = Simple | Leaving | steps.TravelS


@overload
def closed(node: expressions.E) -> AnyE: ...
@overload
def closed(node: steps.S) -> AnyS: ...
def closed(node: object) -> object:
    """The same node, as one of all kinds of its family."""
    return node
