"""All kinds of node of the intermediate representation, as closed unions: a `match` over one of them ends in
`assert_never`, and mypy lists what a new node needs (as `rulesdsl/program/closed.py` does for rules)."""

from __future__ import annotations

from typing import TypeAlias, overload

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v

AtHand: TypeAlias = v.Number | v.Constant | v.Word | v.Nothing | v.Local | v.Slot | v.State | v.Name
Taken: TypeAlias = v.Cell | v.Item | v.Part | v.Tuple | v.Listing | v.Dictionary
Called: TypeAlias = v.Call | v.Method | v.CallOf | v.WorkOf
Reckoned: TypeAlias = v.Binary | v.Negative | v.Compare | v.Not | v.Logic | v.Choose
OfMasks: TypeAlias = v.Meet | v.Join | v.Outside | v.Bit | v.Count | v.First | v.Members
AnyValue: TypeAlias = AtHand | Taken | Called | Reckoned | OfMasks

Changing: TypeAlias = st.Let | st.LetSame | st.LetParts | st.Update | st.Store | st.Fill | st.Put | st.Do
Control: TypeAlias = st.Arm | st.If | st.When | st.ForEach | st.ForIn | st.While | st.Return | st.Jump
OfMachine: TypeAlias = st.Ask | st.Decide | st.Fired | st.Charge | st.Refuel | st.Tick | st.Aside
AnyStatement: TypeAlias = Changing | Control | OfMachine


@overload
def closed(node: v.Value) -> AnyValue: ...
@overload
def closed(node: st.Statement) -> AnyStatement: ...
def closed(node: object) -> object:
    """The same node, as one of all kinds of its family."""
    return node
