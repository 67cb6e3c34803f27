"""What a value of generated code is: a flag, a number, a fraction, a mask, a thing … (types).

A mask knows its universe and how wide it is, so that a back end with machine words knows which word it
takes. `ANY` is what nobody needs to know: values of our own surroundings (tables, memories, lists).
"""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """`name`: flag, number, fraction, mask, thing, enum, text, record, any; `width`: bits of a mask, or
    how many values a thing or an enum has (and -1 for none)."""

    name: str
    universe: str = ""
    width: int = 0

    def __str__(self) -> str:
        return f"{self.name} of {self.universe}:{self.width}" if self.universe else self.name


FLAG = Kind("flag")  # 0 is no, everything else is yes; in the state 0 or 1
NUMBER = Kind("number")  # whole, below two to the power of 4096 in size (running/numbers.py)
FRACTION = Kind("fraction")
TEXT = Kind("text")
RECORD = Kind("record")  # a row of a table, a pair: a tuple
ANY = Kind("any")
