"""What all tree builders share: places, and parts on their way into the nodes that own them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token as LarkToken
from lark import Transformer, Tree
from lark.tree import Meta

from rulesdsl.base.source import SourceFile, Span
from rulesdsl.language import syntax as sx

Children = list[Any]
_BUILDERS: dict[tuple[type, str], Callable[..., Any] | None] = {}


class PlacedTransformer(Transformer[LarkToken, Any]):
    """Knows where in the Markdown file a chunk stands (`first_line` is its first line)."""

    def __init__(self, file: SourceFile, first_line: int) -> None:
        super().__init__(visit_tokens=False)
        self.file = file
        self.shift = first_line - 1

    def _transform_tree(self, tree: Tree[LarkToken]) -> Any:
        """As lark does it, without a new wrapper for every node: that was half the time of building."""
        children = [self._transform_tree(c) if isinstance(c, Tree) else c for c in tree.children]
        kind = type(self)
        build = _BUILDERS.get((kind, tree.data))
        if build is None:
            found = getattr(kind, tree.data, None)
            build = _BUILDERS[kind, tree.data] = getattr(found, "base_func", None)
        if build is None:  # a rule without a method of its own
            return Tree(tree.data, children, tree.meta)
        return build(self, tree.meta, children)

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.file, self.shift + 1, 1, self.shift + 1, 2)
        return Span(
            self.file, meta.line + self.shift, meta.column, meta.end_line + self.shift, meta.end_column
        )

    def _token_span(self, token: LarkToken) -> Span:
        line, column = token.line or 1, token.column or 1
        return Span(self.file, line + self.shift, column, line + self.shift, column + len(token))

    def _params(self, c: Children) -> tuple[tuple[sx.Param, ...], Children]:
        if c and isinstance(c[0], tuple) and all(isinstance(x, sx.Param) for x in c[0]):
            return c[0], c[1:]
        return (), c  # the clauses of a route are tuples too

    def _action_use(self, rest: Children) -> tuple[sx.ActionUse | None, Children]:
        name = rest[0]
        if not (isinstance(name, LarkToken) and name.type == "NAME"):
            return None, rest[2:]  # `[_FOR NAME arguments?]` leaves two placeholders
        if len(rest) > 1 and isinstance(rest[1], tuple):
            return sx.ActionUse(str(name), rest[1], span=self._token_span(name)), rest[2:]
        return sx.ActionUse(str(name), (), span=self._token_span(name)), rest[1:]


class Body:
    """The statements of a block, on their way into the node that owns them."""

    def __init__(self, body: sx.Block) -> None:
        self.body = body


class Otherwise(Body):
    """The statements after `otherwise:`"""


class Preferences:
    def __init__(self, parts: tuple[sx.Expr, ...]) -> None:
        self.parts = parts


def words_of(tokens: Children) -> tuple[str, ...]:
    return tuple(str(t) for t in tokens)


def text_of(token: LarkToken) -> str:
    return str(token)[1:-1]


def unquoted(token: LarkToken | None) -> str | None:
    return None if not isinstance(token, LarkToken) else str(token)[1:-1]
