"""Examples that stand beside the chapters, in `examples/`: each joins the paragraph whose number it bears.

A chapter is what a player reads; most examples are there for whoever changes a rule. Joined when a game is
read, so that whoever runs, shows or counts examples finds them under their paragraph, after its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.suggestions import nearest
from rulesdsl.language import syntax as sx

FOLDER = "examples"
_BLOCK = re.compile(r"(?m)^\x00(\d+)$")


def with_examples(
    chapters: Sequence[sx.Chapter], beside: Iterable[sx.Chapter]
) -> tuple[list[sx.Chapter], list[Diagnostic]]:
    """The chapters, their paragraphs with the examples beside them; and what stands where it may not."""
    problems: list[Diagnostic] = []
    known = {paragraph.id for chapter in chapters for paragraph in chapter.paragraphs}
    further: dict[str, list[sx.Paragraph]] = {}
    for chapter in beside:
        for paragraph in chapter.paragraphs:
            problems += _misplaced(paragraph, known)
            further.setdefault(paragraph.id, []).append(paragraph)
    if not further:
        return list(chapters), problems
    return [
        replace(chapter, paragraphs=tuple(_joined(p, further.get(p.id, ())) for p in chapter.paragraphs))
        for chapter in chapters
    ], problems


def _misplaced(paragraph: sx.Paragraph, known: set[str]) -> list[Diagnostic]:
    found = [
        Diagnostic("rules-in-examples", "here stand examples only", rule.span, help="rules stand in `rules/`")
        for rule in paragraph.rules[:1]
    ]
    if paragraph.id not in known:
        message = f'no chapter has a paragraph "{paragraph.id}"'
        near = nearest(paragraph.id, frozenset(known))
        meant = f'did you mean "{near[0][1]}"?' if near else ""
        found.append(Diagnostic("unknown-paragraph", message, paragraph.span, help=meant))
    return found


def _joined(paragraph: sx.Paragraph, further: Iterable[sx.Paragraph]) -> sx.Paragraph:
    prose, fences, examples = paragraph.prose, paragraph.fences, paragraph.examples
    for more in further:
        # A block without text: what follows does not run on from the words of the chapter.
        prose = f"{prose}\n\n\x00{len(fences)}".strip("\n")
        fences = (*fences, sx.Fence(FOLDER, "", more.span.line, span=more.span))
        prose = f"{prose}\n\n{_counted_from(len(fences), more.prose)}".strip("\n")
        fences += more.fences
        examples += more.examples
    return replace(paragraph, prose=prose, fences=fences, examples=examples)


def _counted_from(first: int, prose: str) -> str:
    return _BLOCK.sub(lambda block: f"\x00{first + int(block[1])}", prose)
