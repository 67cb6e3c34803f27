"""Wide masks worked out word by word: one loop for a whole tree of meets, joins and complements, and single
bits asked of the tree instead of the tree made for the bit.

    some (a & ~b | c)      →   for each word: x |= (a.w[k] & ~b.w[k]) | c.w[k]
    (a & ~b) & (1 << v)    →   v in a and not v in b
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.inference import is_drop
from interpreter.compiling.emit.native.types import Int, Mask, as_mask
from interpreter.compiling.ir import values as v

if TYPE_CHECKING:
    from interpreter.compiling.emit.native.values import Values

NARROW = 2  # words that are a word of the machine, or two
_SIGNS = {"&": "&", "|": "|", "^": "^"}


def is_tree(e: v.Value) -> bool:
    """Whether a mask is put together from others."""
    match e:
        case v.Meet() | v.Join() | v.Outside():
            return True
        case v.Binary(op="&" | "|" | "^"):
            return not is_drop(e)
        case _:
            return False


class Fuser:
    """Writes one tree."""

    def __init__(self, w: Values, words: int, mark: str) -> None:
        self.w, self.words, self.mark = w, words, mark
        self.heads: list[str] = []

    def word(self, e: v.Value) -> str:
        """The word number `k` of a mask."""
        match e:
            case v.Meet() | v.Join() if is_tree(e):
                sign = " & " if isinstance(e, v.Meet) else " | "
                return "(" + sign.join(self.word(part) for part in e.members) + ")"
            case v.Binary(op=op) if is_tree(e):
                return f"({self.word(e.left)} {_SIGNS[op]} {self.word(e.right)})"
            case v.Outside():
                return f"~{self.word(e.mask)}"
            case v.Number(value=0):
                return "0ULL"
            case v.Number(value=-1):
                return "~0ULL"
            case _:
                return self.leaf(e)

    def leaf(self, e: v.Value) -> str:
        name = f"a{self.mark}_{len(self.heads)}"
        place = address(self.w, e, self.words)
        if place:
            self.heads.append(f"const m{self.words} *{name} = {place};")
            return f"{name}->w[k]"
        self.heads.append(f"const m{self.words} {name} = {self.w.mask(e, self.words)};")
        return f"{name}.w[k]"


def address(w: Values, e: v.Value, words: int) -> str:
    """Where a mask of so many words stands; nothing when it stands nowhere."""
    match e:
        case v.Number(value=value) | v.Constant(value=int() as value):
            return f"(const m{words} *){w.tables.mask(value, words)}"
        case v.Local() | v.Cell():
            found = w.type(e)
            if isinstance(found, Mask) and found.words == words:
                return f"&{w.text(e)}"
        case v.Item(table=v.Constant(value=tuple() as value)) if not w.tables.is_bits(value):
            found = w.type(e)
            if isinstance(found, Mask) and found.words == words:
                return f"&{w.text(e)}"
        case v.Item(table=v.Name(name="ADJ" | "INC")):
            found = w.type(e)
            if isinstance(found, Mask) and found.words == words:
                return f"&{w.text(e)}"
        case _:
            pass
    return ""


def fused(w: Values, e: v.Value, words: int) -> str:
    """The mask that a tree makes."""
    mark = w.mark()
    tree = Fuser(w, words, mark)
    word = tree.word(e)
    heads = " ".join(tree.heads)
    return (
        f"({{ {heads} m{words} r{mark}; for (int k = 0; k < {words}; k++) r{mark}.w[k] = {word}; r{mark}; }})"
    )


def fused_truth(w: Values, e: v.Value, words: int) -> str:
    """Whether a tree has any member."""
    mark = w.mark()
    tree = Fuser(w, words, mark)
    word = tree.word(e)
    heads = " ".join(tree.heads)
    return f"({{ {heads} uint64_t r{mark} = 0; for (int k = 0; k < {words}; k++) r{mark} |= {word}; r{mark} != 0; }})"


# ---- single bits -----------------------------------------------------------------------------------------
def bit_in(w: Values, e: v.Value) -> str:
    """`mask & bit` as a question about the mask; nothing when it is none."""
    match e:
        case v.Binary(op="&") if not is_drop(e):
            parts: tuple[v.Value, ...] = (e.left, e.right)
        case v.Meet(members=parts):
            pass
        case _:
            return ""
    bits = [part for part in parts if thing_of(w, part) is not None]
    if not bits:
        return ""
    bit = bits[0]
    thing = thing_of(w, bit)
    assert thing is not None
    others = [part for part in parts if part is not bit]
    index = f"i{w.mark()}"
    tests = " && ".join(_has(w, other, index) for other in others) or "1"
    # none has no bit: nothing is in any set
    return f"({{ const int64_t {index} = {w.number(thing)}; {index} >= 0 && {tests}; }})"


def thing_of(w: Values, e: v.Value) -> v.Value | None:
    """Of which thing a mask is the bit."""
    match e:
        case v.Bit(thing=thing):
            return thing
        case v.Item(table=v.Constant(value=tuple() as value), index=index) if w.tables.is_bits(value):
            return index if isinstance(w.type(index), Int) else None
        case _:
            return None


def _has(w: Values, e: v.Value, index: str) -> str:
    match e:
        case v.Meet(members=members):
            return "(" + " && ".join(_has(w, part, index) for part in members) + ")"
        case v.Join(members=members):
            return "(" + " || ".join(_has(w, part, index) for part in members) + ")"
        case v.Binary(op="&" | "|") if not is_drop(e):
            sign = "&&" if e.op == "&" else "||"
            return f"({_has(w, e.left, index)} {sign} {_has(w, e.right, index)})"
        case v.Outside(mask=mask):
            return f"!{_has(w, mask, index)}"
        case v.Number(value=-1):
            return "1"
        case v.Number(value=0):
            return "0"
        case _:
            pass
    thing = thing_of(w, e)
    if thing is not None:
        return f"({index} == {w.number(thing)})"
    own = as_mask(w.type(e))
    if own.signed:  # what is beyond its words has its sign
        bits = 64 * own.words
        return f"m{own.words}_has({w.mask(e, own.words)}, {index} < {bits} ? {index} : {bits - 1})"
    place = address(w, e, own.words) if own.words > NARROW else ""
    if place:
        return f"m{own.words}_in({place}, {index})"
    return f"m{own.words}_has({w.mask(e, own.words)}, {index})"
