"""What comes out the same for many turns of a loop is worked out again only when it may be another
(loop-invariant code, with a memory of one turn).

    for c in MEMBERS[men]:                       o_1 = -1
        …                                        for c in MEMBERS[men]:
        w = K3_masks.get(K2_printed[c], 0)           …
        y = 0                                        if K2_printed[c] != o_1:
        for v in MEMBERS[w]:                 →           o_1 = K2_printed[c]
            if not d_5(s, v): continue                   w = K3_masks.get(K2_printed[c], 0)
            y = 1                                        y = 0
            break                                        for v in MEMBERS[w]:
        …                                                    …

`nobody of his side can jump` is asked of every man who may move, and answered once for his side. Only loops
that change nothing but variables of their own, and only inner loops that ask rules: others are not worth the
look.
"""

from __future__ import annotations

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import asks_rules, each_part
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.operations import CHANGING
from interpreter.compiling.ir.rewrite import with_body

_LOOPS = (st.ForEach, st.ForIn)
_ASSIGNMENTS = (st.Let, st.LetSame, st.LetParts, st.Update)
_LOOKING = (*_ASSIGNMENTS, *_LOOPS, st.Arm, st.Charge, st.Return)
MOST_VALUES = 5  # of a printed thing, that of none included
MOST_BEFORE = 6  # assignments before an inner loop that may belong to it


def same_again(function: st.Function) -> st.Function:
    """Inner loops that come out the same, asked once."""
    pass_ = _SameAgain()
    body = pass_.of(function.body)
    return st.Function(function.name, function.parameters, body) if pass_.count else function


class _SameAgain:
    def __init__(self) -> None:
        self.count = 0

    def of(self, body: st.Body) -> st.Body:
        out: st.Body = []
        for one in body:
            if isinstance(one, st.If):
                one = st.If([st.Arm(arm.test, self.of(arm.body)) for arm in one.arms])
            elif isinstance(one, (*_LOOPS, st.While)):
                one = with_body(one, self.of(one.body))
            if isinstance(one, st.ForEach) and isinstance(one.member, v.Local) and _only_looks(one.body):
                out += self._loop(one, one.member)
            else:
                out.append(one)
        return out

    def _loop(self, loop: st.ForEach, member: v.Local) -> st.Body:
        before: st.Body = []
        body, end = [*loop.body], 0
        while end < len(body):
            if isinstance(body[end], _LOOPS) and _asks_rules(body[end]):
                for first in range(end, max(-1, end - MOST_BEFORE - 1), -1):
                    if first < end and not isinstance(body[first], _ASSIGNMENTS):
                        break
                    keys = _keys(body, first, end, member)
                    if keys is not None:
                        made, again = self._remembering(body[first : end + 1], keys)
                        before += made
                        body[first : end + 1] = [again]
                        end = first
                        break
            end += 1
        return [*before, st.ForEach(member, loop.mask, body)]

    def _remembering(self, region: st.Body, keys: list[v.Item]) -> tuple[st.Body, st.Statement]:
        self.count += 1
        if not keys:
            done = v.Local(f"o_{self.count}", NUMBER)
            keep: st.Statement = st.Let(done, v.ONE)
            return [st.Let(done, v.ZERO)], st.If([st.Arm(v.Compare("==", done, v.ZERO), [keep, *region])])
        (key,) = keys
        last = v.Local(f"o_{self.count}", NUMBER)
        never = v.Number(min(_values(key)) - 1)
        again = st.Arm(v.Compare("!=", key, last), [st.Let(last, key), *region])
        return [st.Let(last, never)], st.If([again])


def _keys(body: st.Body, first: int, end: int, member: v.Local) -> list[v.Item] | None:
    """What is asked of the member in statements that depend on nothing else of the loop around; None when
    they depend on more, or could not be left out."""
    region = body[first : end + 1]
    if any(isinstance(one, (st.Return, st.Do)) for one in st.walk(region)):
        return None
    own = _assigned(region)
    others = {member, *_assigned([*body[:first], *body[end + 1 :]])}
    if own & others or not all(isinstance(name, v.Local) for name in own):
        return None
    if not _given_first(region, own, set()):
        return None
    keys: dict[v.Item, None] = {}
    for one in st.walk(region):
        for e in one.values:
            waiting = [e]
            while waiting:
                part = waiting.pop()
                if isinstance(part, v.Item) and part.index == member and _values(part):
                    keys[part] = None
                elif part in others:
                    return None
                else:
                    waiting += part.parts
    return [*keys] if len(keys) <= 1 else None


def _given_first(body: st.Body, own: set[v.Value], known: set[v.Value]) -> bool:
    """Whether every variable of a region gets its value there before it is read: what adds up over the turns
    around it must be done in each of them."""
    for one in body:
        read = {part for e in one.values for part in each_part(e)}
        if isinstance(one, (st.Update, st.When)):
            read |= {*one.sets}
        if read & own - known:
            return False
        if isinstance(one, st.If):
            if not all(_given_first([arm], own, {*known}) for arm in one.arms):
                return False
        elif not all(_given_first(inner, own, {*known, *one.sets}) for inner in one.inner):
            return False
        elif isinstance(one, (st.Let, st.LetSame, st.LetParts)):
            known |= {*one.sets}
    return True


def _values(key: v.Item) -> tuple[int, ...]:
    """The values of a printed table, when they are few numbers."""
    table = key.table.value if isinstance(key.table, v.Constant) else None
    if not isinstance(table, tuple) or not all(type(one) is int for one in table):
        return ()
    few = tuple(sorted(set(table)))
    return few if len(few) <= MOST_VALUES else ()


def _assigned(body: st.Body) -> set[v.Value]:
    return {name for one in st.walk(body) for name in one.sets}


def _asks_rules(one: st.Statement) -> bool:
    return any(asks_rules(e) for part in st.walk([one]) for e in part.values)


def _only_looks(body: st.Body) -> bool:
    """Whether statements change nothing but variables, and the list of options that is being made."""
    return all(_looks(one) for one in st.walk(body))


def _looks(one: st.Statement) -> bool:
    if isinstance(one, st.When):
        return not _acts(one.test) and all(map(_looks, one.body))
    if isinstance(one, st.Do):
        match one.call:
            case v.Call(name="too_many_options"):
                return True
            case v.Method(owner=v.Local(), name="append", arguments=given):
                return not any(map(_acts, given))
            case _:
                return False
    if isinstance(one, st.Jump):
        return one.where in ("break", "continue", "pass")
    return isinstance(one, _LOOKING) and not any(map(_acts, one.values))


def _acts(e: v.Value) -> bool:
    """Whether something is called that may change the state, or cast dice."""
    return any(
        part == v.MACHINE
        or (isinstance(part, v.Call) and part.name in CHANGING)
        or isinstance(part, v.CallOf)
        or (isinstance(part, v.Method) and part.name != "get")
        for part in each_part(e)
    )
