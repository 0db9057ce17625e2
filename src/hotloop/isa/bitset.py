"""Sets of small numbers as bits of one integer: registers, barriers."""

from __future__ import annotations

from collections.abc import Iterator


def members(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first.

    >>> list(members(0b1010))
    [1, 3]
    """
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1
