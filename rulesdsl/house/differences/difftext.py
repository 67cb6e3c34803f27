"""A comparison of two rulebooks as text for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesdsl.book.loader import GameSource
from rulesdsl.checking.checker import paragraph_order
from rulesdsl.house.differences.line_diff import setting_change
from rulesdsl.house.differences.rule_diff import ParagraphDiff, RuleDiff, ValueDiff, statement_pairs
from rulesdsl.house.differences.silence import Silent
from rulesdsl.house.draft import paragraphs_of

SCHEMA_VERSION = 1
_DONE = {"added": "added by", "repealed": "repealed by", "changed": "changed by"}


def diff_text(after: GameSource, diff: RuleDiff) -> str:
    """Paragraph by paragraph: what is different, then what falls silent."""
    titles = ", ".join(rule.title for rule in after.house)
    lines = [f"{after.game.title} with {titles}" if titles else after.game.title]
    if not diff.different:
        return "\n".join([*lines, "nothing is different"])
    paragraphs = {paragraph.id: paragraph for paragraph in diff.paragraphs}
    under: dict[str, list[ValueDiff]] = {}
    for value in diff.values:
        under.setdefault(value.paragraph, []).append(value)
    for number in sorted({*paragraphs, *under}, key=paragraph_order):
        values = under.get(number, [])
        if number in paragraphs:
            lines += ["", *_paragraph(paragraphs[number])]
        else:
            title, by = _title(after, number), ", ".join(dict.fromkeys(v.by for v in values if v.by))
            lines += ["", f"{title}  (changed by {by})" if by else title]
        lines += value_lines(values)
    if diff.silent:
        lines += ["", "Now silent", *(f"    {_silent(one)}" for one in diff.silent)]
    return "\n".join(lines)


def _title(after: GameSource, number: str) -> str:
    for chapter in after.chapters:
        for paragraph in chapter.paragraphs:
            if paragraph.id == number:
                return f"{number} {paragraph.title}".strip()
    return number or "Data"


def _paragraph(paragraph: ParagraphDiff) -> Iterator[str]:
    by = f"  ({_DONE[paragraph.verb]} {', '.join(paragraph.by)})" if paragraph.by else ""
    yield f"{paragraph.id} {paragraph.title}".rstrip() + by
    for sign, text in paragraph.lines:
        yield f"  {sign} {text}".rstrip()


def value_lines(values: Sequence[ValueDiff]) -> Iterator[str]:
    for value in values:
        if not value.part:  # the whole of it is new
            yield f"  + {value.name}: {value.after}"
        else:
            yield f"    {value.name}, {value.part}: {value.before} → {value.after}"


def _silent(silent: Silent) -> str:
    where = f"{silent.paragraph} " if silent.paragraph else ""
    return f"{where}{silent.what}: {silent.why}"


def _settings(after: GameSource, diff: RuleDiff) -> Iterator[ValueDiff]:
    """Settings are values, too: a program should not have to read them out of the lines."""
    old, new = paragraphs_of(after.base or after), paragraphs_of(after)
    for one in diff.paragraphs:
        if one.verb != "changed":
            continue
        for pair in statement_pairs(old[one.id].rules, new[one.id].rules):
            if setting := setting_change(*pair):
                kind, name, was, is_now = setting
                by = [c.title for c in after.changes if (c.kind, c.subject) == ("setting", name)]
                yield ValueDiff(
                    kind=kind,
                    subject=name,
                    name=name,
                    part="",
                    before=was,
                    after=is_now,
                    paragraph=one.id,
                    by=", ".join(by or one.by),
                )


def diff_json(after: GameSource, diff: RuleDiff) -> dict[str, object]:
    """Plain values with stable keys."""
    return {
        "schema_version": SCHEMA_VERSION,
        "game": after.game.id,
        "house": [{"name": rule.name, "title": rule.title} for rule in after.house],
        "different": diff.different,
        "paragraphs": [
            {
                "id": one.id,
                "title": one.title,
                "verb": one.verb,
                "by": list(one.by),
                "before": [text for sign, text in one.lines if sign == "-"],
                "after": [text for sign, text in one.lines if sign == "+"],
                "lines": [f"{sign} {text}" for sign, text in one.lines],
            }
            for one in diff.paragraphs
        ],
        "values": [
            {
                "kind": one.kind,
                "subject": one.subject,
                "part": one.part,
                "before": one.before,
                "after": one.after,
                "paragraph": one.paragraph,
                "by": one.by,
            }
            for one in (*_settings(after, diff), *diff.values)
        ],
        "silent": [{"rule": one.paragraph, "what": one.what, "why": one.why} for one in diff.silent],
    }
