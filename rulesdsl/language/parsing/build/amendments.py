"""From lark's parse tree to the statements of house rules; see the section "amendments" of the grammar."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import Token as LarkToken
from lark import v_args
from lark.tree import Meta

from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.build.builder import TreeBuilder
from rulesdsl.language.syntax import amendments as ax

Children = list[Any]


@v_args(meta=True)
class AmendmentBuilder(TreeBuilder):
    """Contributions and permissions are built as everywhere; the rest stands here."""

    def amendment(self, meta: Meta, c: Children) -> ax.Amend:
        found: ax.Amend = c[0]
        return found

    def put_step(self, meta: Meta, c: Children) -> ax.PutStep:
        name, place, words, body = c
        where = " ".join(str(place).split())
        return ax.PutStep(str(name), where, _plain(words), body.body, span=self._span(meta))

    def leave_out(self, meta: Meta, c: Children) -> ax.LeaveOut:
        return ax.LeaveOut(str(c[0]), _plain(c[1]), span=self._span(meta))

    def forbid_token(self, meta: Meta, c: Children) -> ax.ForbidToken:
        return ax.ForbidToken(str(c[0]), c[1], span=self._span(meta))

    def strike(self, meta: Meta, c: Children) -> ax.Strike:
        return ax.Strike(_plain(c[0]), span=self._span(meta))

    def say(self, meta: Meta, c: Children) -> ax.Say:
        return ax.Say(_plain(c[0]), _plain(c[1]), span=self._span(meta))

    def set_cell(self, meta: Meta, c: Children) -> ax.SetCell:
        table, *keys, field, value = c
        part = None if field is None else str(field)
        return ax.SetCell(str(table), tuple(keys), part, value, span=self._span(meta))

    def set_value(self, meta: Meta, c: Children) -> ax.SetValue:
        thing, attribute, face, *values = c
        key = "" if face is None or face.type == "INT" else str(face)
        number = None if face is None or key else int(str(face)[:9])
        span = self._span(meta)
        return ax.SetValue(_plain(thing), str(attribute), number, tuple(values), key, span=span)

    def set_border(self, meta: Meta, c: Children) -> ax.SetBorder:
        here, there, attribute, *values = c
        return ax.SetBorder(_plain(here), _plain(there), str(attribute), tuple(values), span=self._span(meta))

    def set_setting(self, meta: Meta, c: Children) -> ax.SetSetting:
        return ax.SetSetting(str(c[0]), str(c[1]), c[2], span=self._span(meta))

    def replace_labelled(self, meta: Meta, c: Children) -> ax.Replace:
        return ax.Replace(_plain(c[0]), c[1], span=self._span(meta))

    def repeal_labelled(self, meta: Meta, c: Children) -> ax.Repeal:
        return ax.Repeal(_plain(c[0]), True, span=self._span(meta))

    def repeal_named(self, meta: Meta, c: Children) -> ax.Repeal:
        record, name, _ = c[0]
        return ax.Repeal(f"{record}.{name}" if record else name, False, span=self._span(meta))

    def repeal_begun(self, meta: Meta, c: Children) -> ax.RepealBegun:
        return ax.RepealBegun(_plain(c[0]), span=self._span(meta))

    def cell_key(self, meta: Meta, c: Children) -> ax.CellKey:
        if isinstance(c[0], LarkToken):
            text = _plain(c[0])
        else:
            text = str(c[0]) if c[1] is None else f"{c[0]} to {c[1]}"
        return ax.CellKey(text, span=self._span(meta))

    # -- values: constants only, so that a house rule can be read without knowing the rules
    def whole_value(self, meta: Meta, c: Children) -> sx.Expr:
        return self._whole(meta, c[0])

    def fraction_value(self, meta: Meta, c: Children) -> sx.Expr:
        span = self._span(meta)
        below = sx.Number(Fraction(int(str(c[1])[:15])), span=span)
        return sx.Arithmetic("/", self._whole(meta, c[0]), below, span=span)

    def ratio_value(self, meta: Meta, c: Children) -> sx.Number:
        return self.ratio(meta, c)

    def numbered_value(self, meta: Meta, c: Children) -> sx.Numbered:
        noun, number = str(c[0]).split()
        return sx.Numbered(noun, number, span=self._span(meta))

    def word_value(self, meta: Meta, c: Children) -> sx.Name:
        return sx.Name(str(c[0]), span=self._span(meta))

    def text_value(self, meta: Meta, c: Children) -> sx.Text:
        return sx.Text(_plain(c[0]), span=self._span(meta))

    def _whole(self, meta: Meta, value: int) -> sx.Expr:
        span = self._span(meta)
        number = sx.Number(Fraction(abs(value)), span=span)
        return sx.Negative(number, span=span) if value < 0 else number


def _plain(token: LarkToken) -> str:
    text = str(token)
    return text[1:-1] if token.type == "STRING" else " ".join(text.split())
