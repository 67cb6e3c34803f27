"""From lark's parse tree to our syntax tree: one method per rule of grammar/rules.lark."""

from __future__ import annotations

from collections.abc import Callable

from lark import v_args
from lark.tree import Meta

from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.build.components import ComponentBuilder
from rulesdsl.language.parsing.build.expressions import ExpressionBuilder
from rulesdsl.language.parsing.build.places import Children
from rulesdsl.language.parsing.build.rules import RuleBuilder
from rulesdsl.language.parsing.build.statements import StatementBuilder


class TreeBuilder(ComponentBuilder, RuleBuilder, StatementBuilder, ExpressionBuilder):
    """Builds nodes with spans counted in the Markdown file."""


def _arithmetic(op: str) -> Callable[[TreeBuilder, Meta, Children], sx.Arithmetic]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> sx.Arithmetic:
        return sx.Arithmetic(op, c[0], c[1], span=self._span(meta))

    return build


def _change(op: str) -> Callable[[TreeBuilder, Meta, Children], tuple[str, sx.Expr]]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return (op, c[-1])

    return build


def _clause(key: str) -> Callable[[TreeBuilder, Meta, Children], tuple[str, sx.Expr]]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return (key, c[0])

    return build


for _name, _op in {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}.items():
    setattr(TreeBuilder, _name, v_args(meta=True)(_arithmetic(_op)))
for _name, _op in {
    "change_add": "+", "change_subtract": "-", "change_set": "=", "change_multiply": "x",
    "change_divide": "/", "change_shift_up": "shift +", "change_shift_down": "shift -",
    "change_at_least": "at least", "change_at_most": "at most",
}.items():  # fmt: skip
    setattr(TreeBuilder, _name, v_args(meta=True)(_change(_op)))
for _name in ("from", "cost", "budget", "always", "maximum", "exactly"):
    setattr(TreeBuilder, f"route_{_name}", v_args(meta=True)(_clause(_name)))
