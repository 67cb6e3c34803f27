"""The intermediate representation from Python text, for tests: what emit/text.py prints, read back.

Only what tests of passes need: cells of `s`, calls, masks, branches and loops. `if x: y` in one line is a
guard (`When`), as it is printed.
"""

from __future__ import annotations

import ast
import textwrap

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in",
}  # fmt: skip


def function(text: str) -> st.Function:
    """The only function in a text."""
    (found,) = ast.parse(textwrap.dedent(text)).body
    assert isinstance(found, ast.FunctionDef)
    return st.Function(found.name, tuple(a.arg for a in found.args.args), _body(found.body))


def _body(nodes: list[ast.stmt]) -> st.Body:
    return [_statement(node) for node in nodes]


def _statement(node: ast.stmt) -> st.Statement:
    match node:
        case ast.Assign(targets=[ast.Subscript() as target], value=given):
            cell = value(target)
            assert isinstance(cell, v.Cell)
            return st.Store(cell, value(given))
        case ast.Assign(targets=[ast.Name(id=name)], value=given):
            return st.Let(v.Local(name), value(given))
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=given):
            return st.Update(v.Local(name), _BINARY[type(op)], value(given))
        case ast.AugAssign(target=ast.Subscript() as target, op=op, value=given):
            cell = value(target)
            assert isinstance(cell, v.Cell)
            return st.Store(cell, value(given), _BINARY[type(op)])
        case ast.If(test=test, body=[only]) if only.lineno == node.lineno:
            return st.When(value(test), _body([only]))
        case ast.If(test=test, body=body, orelse=otherwise):
            arms = [st.Arm(value(test), _body(body))]
            return st.If([*arms, st.Arm(None, _body(otherwise))] if otherwise else arms)
        case ast.For(target=ast.Name(id=name), iter=rows, body=body):
            given = value(rows)
            if isinstance(given, v.Members):
                return st.ForEach(v.Local(name), given.mask, _body(body))
            return st.ForIn((v.Local(name),), given, _body(body))
        case ast.While(test=test, body=body):
            return st.While(value(test), _body(body))
        case ast.Return(value=None):
            return st.Return()
        case ast.Return(value=ast.expr() as given):
            return st.Return(value(given))
        case ast.Expr(value=given):
            return st.Do(value(given))
        case ast.Break() | ast.Continue() | ast.Pass():
            return st.Jump(type(node).__name__.lower())
        case _:
            raise AssertionError(ast.unparse(node))


def value(node: ast.expr) -> v.Value:
    match node:
        case ast.Constant(value=int(number)):
            return v.Number(number)
        case ast.Name(id="s"):
            return v.STATE
        case ast.Name(id=name):
            return v.Name(name) if name.isupper() else v.Local(name)
        case ast.Subscript(value=ast.Name(id="s"), slice=place):
            return _cell(place)
        case ast.Subscript(value=ast.Name(id="MEMBERS"), slice=mask):
            return v.Members(value(mask))
        case ast.Subscript(value=table, slice=i):
            return v.Item(value(table), value(i))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return v.Call(name, tuple(map(value, arguments)))
        case ast.Tuple(elts=members):
            return v.Tuple(tuple(map(value, members)))
        case ast.BinOp(left=left, op=op, right=right):
            return v.Binary(_BINARY[type(op)], value(left), value(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return v.Compare(_COMPARE[type(op)], value(left), value(right))
        case ast.BoolOp(op=op, values=parts):
            return v.Logic("and" if isinstance(op, ast.And) else "or", tuple(map(value, parts)))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return v.Not(value(inner))
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return v.Outside(value(inner))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return v.Negative(value(inner))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return v.Choose(value(test), value(yes), value(no))
        case _:
            raise AssertionError(ast.unparse(node))


def _cell(place: ast.expr) -> v.Cell:
    match place:
        case ast.Constant(value=int(base)):
            return v.Cell(base)
        case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Add(), right=index):
            return v.Cell(base, value(index))
        case _:
            return v.Cell(0, value(place))
