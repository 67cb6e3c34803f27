"""Fuel for expressions: generated code that might run for ages counts its work, all other code does not.

    def d_3(s, p_0):                             def d_3(s, p_0):
        n1 = 0                                       n1 = 0
        for v2 in MEMBERS[K0_mask]:        →         m_v2 = MEMBERS[K0_mask]
            n1 += d_2(s, v2)                         FUEL[0] -= 5210 * len(m_v2)
        return n1                                    if FUEL[0] < 0: out_of_fuel()
                                                     for v2 in m_v2:
                                                         n1 += d_2(s, v2)
                                                     return n1

The work of a function is estimated from its tree: every name counts, loops count for as many members as
their class has (the largest class of the game, where that is not told), calls count for what they do. Where
that is little, nothing is added. Where it is much, the turns of the loops and the calls are counted as they
happen, in a cell that is filled up again for every decision (`FUEL`: what is left, what there is). So an
expression stops like a procedure does, at the same point on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import each_part, size_of
from interpreter.compiling.ir.kinds import NUMBER, Kind
from interpreter.compiling.ir.operations import OPERATIONS, THROUGH
from interpreter.compiling.ir.rewrite import with_body

# Names looked up that a call, or all turns of a loop, may do without being counted. What is charged is an
# estimate of the most: a coarse one makes short calls as dear as long ones and stops ordinary games.
SMALL = 1_000
SMALL_ONCE = 1_000_000  # the same for what is called once in a game: a hundredth of what a decision may do
SMALL_BLOCK = 3_000  # the same for a step of a procedure, of which there may be very many
GUARDED = 100  # the work behind a condition inside a loop that is worth a count of its own
TRIFLE = 20  # the work up to the next such condition that is not: it is charged to all who come so far
_AROUND = 8  # links of a space, more or less
_LINKS = ("LINKS", "WAYS")


@dataclass(slots=True)
class _Done:
    """A statement as it will be, and its work that is not counted, with what is under it."""

    statement: st.Statement
    work: int


class Meter:
    """Knows how much work every generated function may do without being counted."""

    def __init__(self, largest: int, sizes: Mapping[str, int] | None = None) -> None:
        self.largest = largest  # members of the largest class
        self.sizes = sizes or {}  # members of each class
        self.counts = False  # whether any function counts its work
        self._work = {
            name: known.gone_through * self.sizes.get(THROUGH.get(name, ""), largest)
            for name, known in OPERATIONS.items()
        }
        self._unread: dict[str, st.Made] = {}
        self._blocks: frozenset[str] = frozenset()
        self._once: frozenset[str] = frozenset()

    def metered(
        self, made: Sequence[st.Made], blocks: Iterable[str] = (), once: frozenset[str] = frozenset()
    ) -> list[st.Made]:
        """The same definitions, those that may do much work counting it. `blocks`: those that are steps of
        procedures, `once`: those called once a game."""
        self._once, self._blocks = once, frozenset(blocks)
        self.counts = self.counts or any(one.name.startswith("effect") for one in made)  # they charge
        for one in made:  # an older function of this name is forgotten
            self._work.pop(one.name, None)
            self._unread[one.name] = one
        done: dict[str, st.Made] = {}
        for one in made:
            self._read(one.name, done)
        return [done.get(one.name, one) for one in made]

    def _read(self, name: str, done: dict[str, st.Made]) -> int:
        """The uncounted work of a function (or of the functions in a table)."""
        known = self._work.get(name)
        if known is not None:
            return known
        made = self._unread.pop(name, None)
        if made is None:
            return 0
        if isinstance(made, st.Definition):
            return self._defined(made, done)
        small = SMALL_ONCE if name in self._once else SMALL
        settled = self._settled(made.body, done, small)
        body = [one.statement for one in settled]
        work = sum(one.work for one in settled)
        if name not in self._once and work > (SMALL_BLOCK if name in self._blocks else 2 * SMALL):
            body.insert(0, self._count(work))
            work = 1
        self._work[name] = work
        done[name] = st.Function(made.name, made.parameters, body)
        return work

    def _defined(self, made: st.Definition, done: dict[str, st.Made]) -> int:
        """A definition does as much as the most that stands in it; who must be told how much is told."""
        _, named = size_of((made.value,))
        work = max((self._read(name, done) for name in named), default=0)
        self._work[made.name] = work
        if isinstance(made.value, v.Call) and any(isinstance(e, v.WorkOf) for e in made.value.arguments):
            told = made.value.changed(lambda e: self._told(e, done))
            done[made.name] = st.Definition(made.name, told)
        return work

    def _told(self, e: v.Value, done: dict[str, st.Made]) -> v.Value:
        if not isinstance(e, v.WorkOf):
            return e
        return v.Number(sum(self._read(name, done) for name in e.names))

    def _count(self, work: int, turns: v.Value | None = None) -> st.Statement:
        self.counts = True
        return st.Charge(work, turns)

    # -- statements
    def _own_work(self, one: st.Statement, done: dict[str, st.Made]) -> int:
        """What a statement does itself, without what is under it."""
        total, named = size_of(one.values)
        for name in named:
            total += self._read(name, done)
        return total + _words(one)

    def _settled(self, body: st.Body, done: dict[str, st.Made], small: int) -> list[_Done]:
        """Statements with their uncounted work, after counting what must be."""
        settled: list[_Done] = []
        total = 0
        for one in body:
            before: st.Body = []
            following: list[int] = []  # the work of further arms
            own = self._own_work(one.arms[0] if isinstance(one, st.If) else one, done)
            if isinstance(one, st.If):
                arms: list[st.Arm] = []
                for arm in one.arms:
                    inner = self._settled(arm.body, done, small)
                    arms.append(st.Arm(arm.test, [each.statement for each in inner]))
                    following.append(sum(each.work for each in inner))
                    if arm is not one.arms[0]:
                        following[-1] += self._own_work(arm, done)
                one = st.If(arms)
                inside = following.pop(0)
            elif isinstance(one, (st.ForEach, st.ForIn, st.While)):
                before, one, inside = self._loop(one, done, small)
            else:
                inside = 0
            if before:
                settled += [_Done(each, 0) for each in before]
            if total + own + inside > small and total:
                settled.append(_Done(self._count(total), 0))  # what follows may never be reached
                total = 0
                for earlier in settled:
                    earlier.work = 0
            if isinstance(one, st.Decide):  # in a game nobody stops, decisions start the meter again
                settled.append(_Done(st.Refuel(), 0))
            work = own + inside + sum(following)
            settled.append(_Done(one, work))
            total += work
        return settled

    def _loop(
        self, loop: st.ForEach | st.ForIn | st.While, done: dict[str, st.Made], small: int
    ) -> tuple[st.Body, st.Statement, int]:
        """What stands before a loop, the loop, and the uncounted work of its turns."""
        settled = self._settled(loop.body, done, small)
        inside = sum(one.work for one in settled)
        turns = self._turns(loop)
        if small > SMALL and inside * turns > small:
            # every turn would be charged for the most that it might do: its own loops count for themselves
            settled = self._settled(loop.body, done, SMALL)
            inside = sum(one.work for one in settled)
        body = [one.statement for one in settled]
        before: st.Body = []
        if (
            inside * turns > small
            and isinstance(loop, st.ForEach)
            and isinstance(loop.member, v.Local)
            and not _may_end_early(body)
        ):  # all its turns are counted in one go
            rows = v.Local(f"m_{loop.member.name}")
            count = self._count(inside, v.Call("len", (rows,), NUMBER))
            before = [st.Let(rows, v.Members(loop.mask)), count]
            return before, st.ForIn((loop.member,), rows, body), 1
        if inside * turns > small:
            few = small // turns if _is_finite(loop) else 0  # what all turns come to is little
            body, for_nothing = self._counting_turns(settled, few)
            inside = 1 + for_nothing * turns
        else:
            inside *= turns
        match loop:
            case st.ForEach():
                return before, st.ForEach(loop.member, loop.mask, body), inside
            case st.ForIn():
                return before, st.ForIn(loop.targets, loop.rows, body), inside
            case st.While():
                return before, st.While(loop.test, body, loop.most), inside

    def _turns(self, loop: st.ForEach | st.ForIn | st.While) -> int:
        match loop:
            case st.ForIn(rows=v.Item(table=v.Name(name=name))) if name in _LINKS:
                return _AROUND
            case st.ForIn(rows=v.Call(name="range", arguments=(v.Number(value=turns),))):
                return max(self.largest, turns)
            case st.While(most=most) if most:
                return most
            case st.ForEach(member=member, mask=mask):
                return self._members(member.kind) or self._members(mask.kind) or self.largest
            case _:
                return self.largest

    def _members(self, kind: Kind) -> int:
        """How many things a loop over a class may come to; 0 when it is not told."""
        return self.sizes.get(kind.universe, 0) if kind.name in ("thing", "mask") else 0

    def _counting_turns(self, settled: list[_Done], few: int) -> tuple[st.Body, int]:
        """The statements of a loop, counted at every turn, what few members come to when they do; and the
        work of a turn that is not counted, since it is so little for all of them."""
        body: st.Body = []
        for_nothing = first = total = 0  # first of the statements that are counted together
        left = sum(one.work for one in settled)

        def counted() -> None:
            nonlocal for_nothing
            if not first and last < len(settled) and total <= few:
                for_nothing = total
            else:
                body.append(self._count(total))
            body.extend(each.statement for each in settled[first:last])

        for last, one in enumerate(settled, 1):
            total += one.work
            left -= one.work
            if _is_guard(one.statement) and left > GUARDED and _up_to_a_guard(settled[last:]) > TRIFLE:
                counted()
                first, total = last, 0
        last = len(settled)
        counted()
        return body, for_nothing


def without_refuelling(made: Iterable[st.Made]) -> list[st.Made]:
    """Functions that need not start the meter again, since nobody counts."""
    return [
        st.Function(one.name, one.parameters, _without_refuel(one.body))
        if isinstance(one, st.Function)
        else one
        for one in made
    ]


def _without_refuel(body: st.Body) -> st.Body:
    out: st.Body = []
    for one in body:
        match one:
            case st.Refuel():
                continue
            case st.If():
                out.append(st.If([st.Arm(arm.test, _without_refuel(arm.body)) for arm in one.arms]))
            case st.ForEach() | st.ForIn() | st.While():
                out.append(with_body(one, _without_refuel(one.body)))
            case _:
                out.append(one)
    return out


def _is_guard(one: st.Statement) -> bool:
    return isinstance(one, st.When) and one.body[-1] == st.Jump("continue")


def _is_finite(loop: st.ForEach | st.ForIn | st.While) -> bool:
    """Whether a loop has no more turns than a class has members: it goes through a mask, a row of a table."""
    return isinstance(loop, st.ForEach) or (isinstance(loop, st.ForIn) and isinstance(loop.rows, v.Item))


def _up_to_a_guard(body: Sequence[_Done]) -> int:
    """The work until somebody may turn back again."""
    total = 0
    for one in body:
        total += one.work
        if _is_guard(one.statement):
            break
    return total


def _may_end_early(body: st.Body) -> bool:
    """Whether a loop may have fewer turns than members, or its turns ask or call what counts for itself."""
    for one in st.walk(body):
        for part in one.body if isinstance(one, st.When) else (one,):
            match part:
                case st.Return() | st.Decide() | st.Refuel():
                    return True
                case st.Jump(where=where) if where not in ("continue", "pass"):
                    return True
                case _:
                    pass
        for e in one.values:
            if any(isinstance(part, v.Local) and part.name == "decide" for part in each_part(e)):
                return True
    return False


# ---- how many names a statement is written with ----------------------------------------------------------
def _words(one: st.Statement) -> int:
    """Those beside its values."""
    return _OWN_WORDS[type(one)] + _more_words(one)


_OWN_WORDS: dict[type[st.Statement], int] = {
    st.Let: 1, st.LetSame: 0, st.LetParts: 0, st.Update: 1, st.Store: 1, st.Fill: 1, st.Put: 0, st.Do: 0,
    st.Arm: 1, st.When: 1, st.ForEach: 4, st.ForIn: 2, st.While: 1, st.Return: 1, st.Jump: 1, st.Ask: 2,
    st.Decide: 2, st.Fired: 1, st.Charge: 1, st.Refuel: 1, st.Tick: 7, st.Aside: 40,
}  # fmt: skip


def _more_words(one: st.Statement) -> int:
    match one:
        case st.LetSame() | st.LetParts() | st.ForIn():
            return len(one.targets)
        case st.When():
            return sum(_OWN_WORDS[type(part)] + _more_words(part) for part in one.body)
        case st.Jump():
            return one.where.count(" ")
        case st.Tick():
            return len(one.why.split())
        case _:
            return 0
