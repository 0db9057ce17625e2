"""What C calculates of two whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def _quotient(a: int, b: int) -> int:
    """Return a quotient as C has it, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


CALCULATED: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "<<": int.__lshift__, ">>": int.__rshift__,
    "/": _quotient, "%": lambda a, b: a - b * _quotient(a, b), "min": min, "max": max,
}  # fmt: skip
"""By operator or function."""
COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__,
}  # fmt: skip
_MASKS: Mapping[str, Callable[[int, int], int]] = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}
_FURTHEST = 62
"""Bits of the longest shift: more would be no size."""


def defined(op: str, right: int) -> bool:
    """Tell whether an operation has a value: no division by zero, no shift too far.

    >>> defined("/", 0), defined("<<", 5)
    (False, True)
    """
    return not (op in ("/", "%") and right == 0) and not (op in ("<<", ">>") and not 0 <= right <= _FURTHEST)


def calculated(op: str, left: int, right: int) -> int | None:
    """Return what an operator makes of two whole numbers, None where that is nothing.

    >>> calculated("&", 12, 10), calculated("%", 1, 0), calculated("-", 1, 2)
    (8, None, -1)
    """
    made = CALCULATED.get(op) or COMPARED.get(op) or _MASKS.get(op)
    return int(made(left, right)) if made is not None and defined(op, right) else None
