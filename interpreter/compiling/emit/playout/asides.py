"""`after play(figure, goal): …`: what a procedure would lead to, looked at on a copy of the state.

    def after_0(s, a_0, a_1, p_0):               # play's arguments, and what the question speaks of
        s = s[:]
        effect_0(s, a_0, a_1)
        return d_7(s, p_0)

Nobody decides on the way and no die is rolled, or the rulebook is refused; so the procedure is a plain
function of the state. It is written like those of whole games, without the machine: nothing is told, nothing
counted as having happened. Loops charge the meter of expressions, since such a question is one.
"""

from __future__ import annotations

from interpreter.compiling.emit.playout.functions import Flow, FlowWriter
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.rewrite import with_body
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.steps import Log
from interpreter.compiling.lower.values import SPENT, STEPS, code, stored
from interpreter.compiling.unit import Env, Unit
from interpreter.secrecy.who_knows import Secrecy
from rulesdsl import program as pg
from rulesdsl.program.walk import sub_expressions

TURN_WORK = 20  # what a turn of a loop is charged


class AsideWriter(FlowWriter):
    """A procedure whose effects are only looked at."""

    called, in_parts = "effect", "effects"
    handed = (STATE,)
    names = ("s",)

    def call(self, name: str, arguments: list[Value]) -> None:
        _effect(self.unit, name)
        super().call(name, arguments)

    def fire(self, tests: tuple[Value, ...], condition: pg.E | None, env: Env, name: str) -> None:
        em, depth = self.em, self.em.depth
        for test in tests:
            em.enter(test)
        if condition is not None:
            em.enter(code(em, env, condition))
        self.call(name, [env[p] for p in self.unit.program.procedures[name].params])
        em.back_to(depth)

    def note(
        self, kind: str, paragraph: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        pass

    def tell(
        self, kind: str, paragraph: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        self.em.jump("pass")  # where the line would stand

    def _tick(self) -> None:
        self.em.add(st.Charge(TURN_WORK))


def afterwards(em: Builder, env: Env, e: pg.AfterE) -> Value:
    """The answer to such a question, by a function of its own."""
    unit = em.unit
    now = [stored(em, env, value) for value in (*e.arguments, *e.given)]
    program, cut = unit.program, len(e.arguments)
    handed = [
        v.Local(f"a_{i}", unit.kind(p.type)) for i, p in enumerate(program.procedures[e.procedure].params)
    ]
    spoken_of = [v.Local(f"p_{i}", unit.kind(var.type)) for i, var in enumerate(e.own)]
    on_the_way: list[v.Local] = [STEPS, SPENT] if _asks_the_way(e.value) else []
    inside = Builder(unit)
    inside.add(st.Aside())
    effect = _effect(unit, e.procedure)
    inside.do(v.Call(effect, (STATE, *handed)))
    inside.give(code(inside, dict(zip(e.own, spoken_of, strict=True)), e.value))
    name = f"after_{len(unit.asides)}"
    parameters = (*handed, *spoken_of, *on_the_way)
    unit.asides[name] = st.Function(name, ("s", *(one.name for one in parameters)), inside.body)
    return v.Call(name, (STATE, *now[:cut], *now[cut:], *on_the_way), unit.kind(e.type))


def effect_function(unit: Unit, procedure: str) -> str:
    """The name of the function that does to a state what a procedure would do."""
    return _effect(unit, procedure)


def _effect(unit: Unit, name: str) -> str:
    if name not in unit.effects:
        unit.effects[name] = len(unit.effects)
        flow = Flow(unit, unit.effects, Log(Secrecy(unit.program)))
        AsideWriter(flow, unit.program.procedures[name]).compile()
        for one in flow.functions:
            unit.asides[one.name] = st.Function(one.name, one.parameters, _unseen(one.body))
    return f"effect_{unit.effects[name]}"


def _unseen(body: st.Body) -> st.Body:
    """Statements without those that count which paragraphs have been played."""
    out: st.Body = []
    for one in body:
        match one:
            case st.Fired():
                continue
            case st.If():
                out.append(st.If([st.Arm(arm.test, _unseen(arm.body)) for arm in one.arms]))
            case st.ForEach() | st.ForIn() | st.While():
                out.append(with_body(one, _unseen(one.body)))
            case _:
                out.append(one)
    return out or [st.Jump("pass")]


def _asks_the_way(e: pg.E) -> bool:
    return isinstance(e, pg.StepFact) or any(map(_asks_the_way, sub_expressions(e)))
