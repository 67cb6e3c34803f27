"""Statements of a rules block that say what there is: components and settings."""

from __future__ import annotations

from lark import Token as LarkToken
from lark import v_args
from lark.tree import Meta

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.build.places import Children, PlacedTransformer, unquoted, words_of


@dataclass(frozen=True, slots=True)
class PerValue:
    """`per resource`, behind a type."""

    name: str


@v_args(meta=True)
class ComponentBuilder(PlacedTransformer):
    """One method per rule of the grammar."""

    # -- components
    def enumeration(self, meta: Meta, c: Children) -> sx.Enumeration:
        kind, name, *values = c
        return sx.Enumeration(str(name), words_of(values), str(kind) == "scale", span=self._span(meta))

    def class_decl(self, meta: Meta, c: Children) -> sx.ClassDecl:
        kind = " ".join(str(c[0]).split())
        # `space zone plural zones`: maybe_placeholders leaves None where the plural is absent
        *names, plural = (x for x in c[1:] if not isinstance(x, sx.Attribute))
        attributes = tuple(x for x in c[1:] if isinstance(x, sx.Attribute))
        name = str(names[0]) if names else kind.split()[0]
        plural = None if plural is None else str(plural)
        return sx.ClassDecl(kind.split()[0], name, plural, attributes, span=self._span(meta))

    def may_be(self, meta: Meta, c: Children) -> sx.ClassDecl:
        name, flag, wording, visible, quietly = c
        type_ = sx.Type(("flag",), span=self._token_span(flag))
        return self._said(meta, name, flag, type_, wording, None, visible, quietly)

    def has(self, meta: Meta, c: Children) -> sx.ClassDecl:
        per = next((x.name for x in c if isinstance(x, PerValue)), "")
        name, attribute, type_, wording, default, visible, quietly = (
            x for x in c if not isinstance(x, PerValue)
        )
        return self._said(meta, name, attribute, type_, wording, default, visible, quietly, per)

    def _said(
        self, meta: Meta, name: LarkToken, attribute: LarkToken, type_: sx.Type, wording: LarkToken | None,
        default: sx.Expr | None, visible: sx.Expr | None, quietly: LarkToken | None,
        per: str = "",
    ) -> sx.ClassDecl:  # fmt: skip
        span = self._span(meta)
        quiet, said = quietly is not None, unquoted(wording)
        own = sx.Attribute(
            name=str(attribute),
            type=type_,
            printed=False,
            per_face=False,
            default=default,
            visible_to=visible,
            quiet=quiet,
            wording=said,
            per=per,
            span=span,
        )
        return sx.ClassDecl("", str(name), None, (own,), True, span=span)

    def attribute(self, meta: Meta, c: Children) -> sx.Attribute:
        kinds = {x.type for x in c[:2] if isinstance(x, LarkToken)} & {"QUIET", "PRINTED"}
        printed, quiet, rest = "PRINTED" in kinds, "QUIET" in kinds, c[len(kinds) :]
        name, type_ = str(rest[0]), rest[1]
        per_face = any(isinstance(x, LarkToken) and x.type == "PER_FACE" for x in rest)
        per = next((x for x in rest if isinstance(x, PerValue)), PerValue(""))
        wording, default, visible = unquoted(rest[-3]), rest[-2], rest[-1]
        return sx.Attribute(
            name=name,
            type=type_,
            printed=printed,
            per_face=per_face,
            default=default,
            visible_to=visible,
            quiet=quiet,
            wording=wording,
            per=per.name,
            span=self._span(meta),
        )

    def per_value(self, meta: Meta, c: Children) -> PerValue:
        return PerValue(str(c[0]))

    def identity(self, meta: Meta, c: Children) -> sx.Attribute:
        span = self._span(meta)
        showing = tuple(str(name) for name in c[1:] if name is not None)
        type_ = sx.Type((sx.IDENTITY,), span=span)
        return sx.Attribute(sx.IDENTITY, type_, False, False, None, c[0], showing=showing, span=span)

    def group_decl(self, meta: Meta, c: Children) -> sx.GroupDecl:
        return sx.GroupDecl(str(c[0]), str(c[1]), str(c[2]), span=self._span(meta))

    def track_decl(self, meta: Meta, c: Children) -> sx.TrackDecl:
        quiet = c[0].type == "QUIET"
        name, type_, wording, default, visible = c[1:] if quiet else c
        said = unquoted(wording)
        return sx.TrackDecl(str(name), type_, default, visible, quiet, said, span=self._span(meta))

    def record_decl(self, meta: Meta, c: Children) -> sx.RecordDecl:
        return sx.RecordDecl(str(c[0]), tuple(c[1:]), span=self._span(meta))

    def field(self, meta: Meta, c: Children) -> sx.Param:
        return sx.Param(str(c[0]), c[1], span=self._span(meta))

    def type(self, meta: Meta, c: Children) -> sx.Type:
        span = self._span(meta)
        if isinstance(c[0], sx.Type):  # `set of units` stands alone, `1 to 6 or none` may go on
            first: sx.Type = c[0]
            return sx.Type(first.parts + words_of(c[1:]), first.low, first.high, first.is_set, span=span)
        return sx.Type(words_of(c), span=span)

    def range_type(self, meta: Meta, c: Children) -> sx.Type:
        return sx.Type((), c[0], c[1], span=self._span(meta))

    def signed(self, meta: Meta, c: Children) -> int:
        return -int(c[1]) if c[0] is not None else int(c[1])

    def set_type(self, meta: Meta, c: Children) -> sx.Type:
        return sx.Type((str(c[0]),), is_set=True, span=self._span(meta))

    # -- settings
    def reading(self, meta: Meta, c: Children) -> sx.Reading:
        alternatives = [x for x in c[1:-1] if isinstance(x, tuple)]
        names, marked = tuple(n for n, _ in alternatives), [n for n, is_default in alternatives if is_default]
        return sx.Reading(str(c[0]), names, (marked or names)[0], unquoted(c[-1]),
                          more_defaults=tuple(marked[1:]), span=self._span(meta))  # fmt: skip

    def alternative(self, meta: Meta, c: Children) -> tuple[str, bool]:
        return (str(c[0]), c[1] is not None)

    def worded_reading(self, meta: Meta, c: Children) -> sx.Reading:
        ways = [x for x in c[1:] if isinstance(x, tuple)]
        reason = next((x for x in c[1:] if isinstance(x, str)), None)
        names, wordings = tuple(n for n, _, _ in ways), tuple(words for _, _, words in ways)
        marked = [n for n, is_default, _ in ways if is_default]
        return sx.Reading(str(c[0]), names, (marked or names)[0], reason, wordings, tuple(marked[1:]),
                          span=self._span(meta))  # fmt: skip

    def worded_alternative(self, meta: Meta, c: Children) -> tuple[str, bool, str]:
        return (str(c[0]), c[1] is not None, _joined(c[2:]))

    def because(self, meta: Meta, c: Children) -> str:
        return _joined(c)

    def option(self, meta: Meta, c: Children) -> sx.Option:
        return sx.Option(str(c[0]), c[1], c[2], unquoted(c[3]), span=self._span(meta))

    def parameter(self, meta: Meta, c: Children) -> sx.Parameter:
        return sx.Parameter(str(c[0]), c[1], unquoted(c[2]), span=self._span(meta))


def _joined(parts: Children) -> str:
    """A text that was written in several lines."""
    return " ".join(unquoted(part) or "" for part in parts if isinstance(part, LarkToken))
