"""Options nobody has written out: the members of a mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload


class MaskOptions(Sequence[int]):
    """Options that are the members of a mask: a list that is never written out when nobody asks."""

    __slots__ = ("mask",)

    def __init__(self, mask: int) -> None:
        self.mask = mask

    def __len__(self) -> int:
        return self.mask.bit_count()

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return list(self)[index]
        mask, base = self.mask, 0
        left = index if index >= 0 else index + mask.bit_count()
        while mask:
            word = mask & 0xFFFF
            count = word.bit_count()
            if left < count:
                for _ in range(left):
                    word &= word - 1
                return base + (word & -word).bit_length() - 1
            left -= count
            mask >>= 16
            base += 16
        raise IndexError(index)

    def __iter__(self) -> Iterator[int]:
        mask = self.mask
        while mask:
            bit = mask & -mask
            mask ^= bit
            yield bit.bit_length() - 1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MaskOptions):
            return self.mask == other.mask
        return isinstance(other, list) and list(self) == other

    __hash__ = None  # type: ignore[assignment]  # like a list
