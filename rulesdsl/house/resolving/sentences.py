"""`strike "…"` and `say "…" instead of "…"`: a printed sentence that no longer holds, or reads otherwise."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches

from rulesdsl.house.draft import Draft, title_of
from rulesdsl.house.edits import Edit, Key, Resolving
from rulesdsl.language.syntax import amendments as ax

_MARK = r"[*_`]*"  # emphasis, which a reader of the handbook does not see
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")


def change_sentence(it: Resolving, node: ax.Strike | ax.Say) -> Edit | None:
    """The edit, or None and a problem: the paragraph does not say this, or says it more than once."""
    number = it.section.paragraph
    paragraph = it.paragraphs[number]
    old, new = (node.text, "") if isinstance(node, ax.Strike) else (node.instead, node.text)
    found = list(_pattern(old).finditer(paragraph.prose)) if old.split() else []
    here = title_of(it.paragraphs, number)
    if len(found) != 1:
        if found:
            message, hint = f"{here} says this {len(found)} times", "write more of the sentence"
        else:
            message, hint = f"{here} does not say this", _nearest(old, paragraph.prose)
        it.problem("house-sentence", message, node.span, hint)
        return None
    if " ".join(old.split()) == " ".join(new.split()):
        it.no_change(f"a sentence of {number}", "so", node.span)

    def apply(draft: Draft) -> None:
        opened = draft.amend(number)
        gone = _pattern(old) if new else re.compile(_pattern(old).pattern + "[ \t]*")
        prose = gone.sub(lambda _: new, opened.written.prose, count=1)
        lines = "\n".join(line.rstrip() for line in prose.split("\n"))
        opened.written = replace(opened.written, prose=re.sub(r"\n{3,}", "\n\n", lines).strip("\n"))

    # every word of it is a key: sentences that overlap are the same thing
    before = len(paragraph.prose[: found[0].start()].split())
    words = range(before, before + len(found[0][0].split()))
    keys: frozenset[Key] = frozenset(("sentence", number, str(word)) for word in words)
    what = f"a sentence of {here}"
    return Edit(it.rule, it.section, node.span, keys, what, apply)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"{_MARK}\s+{_MARK}".join(re.escape(word) for word in text.split()))


def _nearest(text: str, prose: str) -> str:
    """The sentence that was perhaps meant."""
    plain = re.sub(r"(?m)^\x00\d+$|[*_`]", "", prose)
    sentences = [" ".join(one.split()) for one in _SENTENCE.split(plain) if one.strip()]
    near = get_close_matches(" ".join(text.split()), sentences, n=1, cutoff=0.5)
    if near:
        return f'did you mean "{near[0]}"?'
    return "copy the words as they stand in the paragraph" if sentences else "it has no text"
