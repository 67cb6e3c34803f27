"""Two versions of a sentence as one, with the words that went struck out and those that came marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.inline import deleted, inserted, is_style, plain, words_of

_ALIKE = 0.45  # below, two sentences have only small words in common
_ISLAND = 4  # so few letters in common between two changes are chance
ELLIPSIS = "…"
Mark = Callable[[str], str]


def merged_text(old: str, new: str) -> str:
    """One sentence with both versions, or both in full where they are hardly alike."""
    before, after = words_of(old), words_of(new)
    if plain(old) == plain(new):
        return new
    codes = _changes([plain(w) for w in before], [plain(w) for w in after])
    if likeness(old, new) < _ALIKE:
        return f"{_marked(before, deleted)} {_marked(after, inserted)}"
    shown: list[str] = []
    for same, a, b, c, d in codes:
        if same:
            shown += after[c:d]
            continue
        gone, come = _marked(before[a:b], deleted), _marked(after[c:d], inserted)
        both = plain(gone).strip() and plain(come).strip()
        shown.append(f"{gone.rstrip()} {come}" if both and not gone.endswith(" ") else f"{gone}{come}")
    return "".join(shown)


def likeness(old: str, new: str) -> float:
    """How much of two sentences is the same, from 0 to 1, counted in words."""
    return SequenceMatcher(None, plain(old).split(), plain(new).split(), autojunk=False).ratio()


def _changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    """Runs of words: whether they are the same, and where they stand; small islands join what is around."""
    found: list[tuple[bool, int, int, int, int]] = []
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for number, (tag, a, b, c, d) in enumerate(codes):
        inside = 0 < number < len(codes) - 1
        same = tag == "equal" and not (inside and len("".join(before[a:b]).strip()) < _ISLAND)
        if found and not same and not found[-1][0]:
            _, start, _, begin, _ = found.pop()
            a, c = start, begin
        found.append((same, a, b, c, d))
    return found


def _marked(words: Sequence[str], mark: Mark) -> str:
    """Words with a mark around them. What is struck out loses its style; what comes keeps it, unmarked."""
    shown, run = "", ""
    for word in words:
        if not is_style(word):
            run += word
        elif mark is inserted:
            shown, run = f"{shown}{_around(run, mark)}{word}", ""
    return shown + _around(run, mark)


def _around(text: str, mark: Mark) -> str:
    inner = text.strip()
    if not inner:
        return text
    at = text.index(inner)
    return f"{text[:at]}{mark(inner)}{text[at + len(inner) :]}"


# ---- sentences with others below them ----------------------------------------------------------------
def whole(item: Item, mark: Mark) -> Item:
    """A sentence and everything below it, all of it gone or all of it new."""
    text = _marked(words_of(item.text), mark)
    return Item(text, tuple(whole(i, mark) for i in item.inside), item.ordered)


def merged_item(old: Item, new: Item) -> Item:
    inside = tuple(merged_items(old.inside, new.inside))
    # Numbers would count what is struck out or left out.
    kept = new.ordered and len(inside) == len(new.inside) == len(old.inside)
    return Item(merged_text(old.text, new.text), inside, kept and all(i.text != ELLIPSIS for i in inside))


def merged_items(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Item]:
    """What is different; sentences that are the same are left out, with three dots for them."""
    before, after = [_key(item) for item in old], [_key(item) for item in new]
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Item(ELLIPSIS)
            continue
        coming = list(new[c:d])
        for item in old[a:b]:
            best = max(coming, key=lambda other: likeness(item.text, other.text), default=None)
            if best is None or likeness(item.text, best.text) < _ALIKE:
                yield whole(item, deleted)
                continue
            at = coming.index(best)
            yield from (whole(other, inserted) for other in coming[:at])
            del coming[: at + 1]
            yield merged_item(item, best)
        yield from (whole(other, inserted) for other in coming)


def _key(item: Item) -> str:
    return "\n".join((plain(item.text), *map(_key, item.inside)))
