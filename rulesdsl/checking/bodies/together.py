"""The checks of bodies as one, for the context that hands them to each other."""

from __future__ import annotations

from rulesdsl.checking.bodies import expressions, meanings
from rulesdsl.checking.context import Bodies


class _Together:
    expression = staticmethod(expressions.expression)
    condition = staticmethod(expressions.condition)
    number = staticmethod(expressions.number)
    group = staticmethod(expressions.group)
    fitting = staticmethod(expressions.fitting)
    params_of = staticmethod(meanings.params_of)
    resolve_define = staticmethod(meanings.resolve_define)
    quantity_type = staticmethod(meanings.quantity_type)


BODIES: Bodies = _Together()
