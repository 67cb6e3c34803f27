"""Variables that hold things of different shapes, one after the other, become different variables.

    opts = those_1(s, w2, -1)        →   opts = those_1(s, w2, -1)
    …                                    …
    opts = [*nexts]                      opts__list = [*nexts__steps]

Python does not mind; a machine with words does. Numbers, masks and fractions stay together: every number is
a mask, and which of them a variable is says the inference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v

Shape = Callable[
    [v.Value], str
]  # of a value that is no variable: list, steps, links, rows, tuple, or nothing
Known = dict[str, str]
_UNKNOWN = "?"


def split(function: st.Function, shape: Shape) -> st.Function:
    """The function with its variables told apart."""
    return st.Function(function.name, function.parameters, _Splitter(shape, {}).body(function.body, {}))


def is_mixed(variable: v.Local) -> bool:
    """Whether what a variable holds depends on the way there."""
    return variable.name.endswith(_UNKNOWN)


class _Splitter:
    def __init__(self, shape: Shape, lists: dict[int, str]) -> None:
        self.shape, self.lists = shape, lists
        self.set: list[tuple[str, str]] = []  # every variable and shape that was met

    # -- values
    def value(self, e: v.Value, known: Known) -> v.Value:
        if isinstance(e, v.Local):
            shape = known.get(e.name, "")
            return v.Local(f"{e.name}__{shape}", e.of) if shape else e
        return e.changed(lambda part: self.value(part, known))

    def shape_of(self, e: v.Value, known: Known) -> str:
        if isinstance(e, v.Local):
            return known.get(e.name, "")
        if isinstance(e, v.Choose):
            return self.shape_of(e.yes, known)
        if isinstance(e, v.Listing):  # each new list may hold something else
            return self.lists.setdefault(id(e), f"list{len(self.lists)}")
        return self.shape(e)

    def target(self, target: st.Target, shape: str, known: Known) -> st.Target:
        if not isinstance(target, v.Local):  # a place in a frame holds one thing for all blocks
            return target
        self.set.append((target.name, shape))
        if shape:
            known[target.name] = shape
            return v.Local(f"{target.name}__{shape}", target.of)
        known.pop(target.name, None)
        return target

    # -- statements
    def body(self, body: st.Body, known: Known) -> st.Body:
        return [self.statement(one, known) for one in body]

    def statement(self, one: st.Statement, known: Known) -> st.Statement:
        match one:
            case st.Let():
                value = self.value(one.value, known)
                return st.Let(self.target(one.target, self.shape_of(one.value, known), known), value)
            case st.LetSame():
                value, shape = self.value(one.value, known), self.shape_of(one.value, known)
                return st.LetSame(tuple(self.target(t, shape, known) for t in one.targets), value)
            case st.LetParts():
                value = self.value(one.value, known)
                shape = self.shape_of(one.value, known) if len(one.targets) == 1 else ""
                return st.LetParts(tuple(self.target(t, shape, known) for t in one.targets), value)
            case st.Update():
                value = self.value(one.value, known)
                return st.Update(self.target(one.target, "", known), one.op, value)
            case st.Decide():
                who, count = self.value(one.who, known), self.value(one.count, known)
                target = self.target(one.target, "", known)
                assert isinstance(target, v.Local)
                return st.Decide(target, who, count)
            case st.Charge(turns=v.Value() as turns):
                return st.Charge(one.work, self.value(turns, known))
            case st.When():
                test, inside = self.value(one.test, known), dict(known)
                body = self.body(one.body, inside)
                if not _leaves(one.body):
                    _merge(known, [dict(known), inside])
                return st.When(test, body)
            case st.If():
                return self._if(one, known)
            case st.ForEach():
                mask = self.value(one.mask, known)
                return self._loop(one, known, lambda t, b: st.ForEach(t[0], mask, b), (one.member,))
            case st.ForIn():
                rows = self.value(one.rows, known)
                return self._loop(one, known, lambda t, b: st.ForIn(tuple(t), rows, b), one.targets)
            case st.While():
                self._settle(one.body, (), known)
                test = self.value(one.test, known)
                return self._loop(one, known, lambda t, b: st.While(test, b, one.most), ())
            case _:
                return one.changed(lambda e: self.value(e, known))

    def _if(self, one: st.If, known: Known) -> st.Statement:
        arms, ends = list[st.Arm](), list[Known]()
        for arm in one.arms:
            test = None if arm.test is None else self.value(arm.test, known)
            inside = dict(known)
            arms.append(st.Arm(test, self.body(arm.body, inside)))
            if not _leaves(arm.body):
                ends.append(inside)
        if one.arms[-1].test is not None:
            ends.append(dict(known))
        _merge(known, ends)
        return st.If(arms)

    def _loop(
        self,
        one: st.ForEach | st.ForIn | st.While,
        known: Known,
        make: Callable[[list[st.Target], st.Body], st.Statement],
        targets: Iterable[st.Target],
    ) -> st.Statement:
        self._settle(one.body, targets, known)
        inside = dict(known)
        made = [self.target(target, "", inside) for target in targets]
        return make(made, self.body(one.body, inside))

    def _settle(self, body: st.Body, targets: Iterable[st.Target], known: Known) -> None:
        """What is not the same at every turn is unknown at the beginning of a turn, and behind the loop."""
        trial = _Splitter(self.shape, self.lists)
        inside = dict(known)
        for target in targets:
            trial.target(target, "", inside)
        trial.body(body, inside)
        self.set += trial.set
        for name, shape in trial.set:
            if known.get(name, "") != shape:
                known[name] = _UNKNOWN


def _merge(known: Known, ends: list[Known]) -> None:
    """After a branch a variable has the shape that it has at all ends."""
    if not ends:
        return
    names = {name for end in ends for name in end}
    known.clear()
    for name in names:
        shapes = {end.get(name, "") for end in ends}
        shape = shapes.pop() if len(shapes) == 1 else _UNKNOWN
        if shape:
            known[name] = shape


def _leaves(body: st.Body) -> bool:
    """Whether what follows is not reached from here."""
    for one in body:
        match one:
            case st.Return():
                return True
            case st.Jump(where=where) if where != "pass":
                return True
            case _:
                pass
    return False
