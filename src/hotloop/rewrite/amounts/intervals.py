"""Intervals of numbers, and what operators and functions of C make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, inf

Interval = tuple[float, float]
"""Least and greatest value; infinite where it is not known."""
UNKNOWN: Interval = (-inf, inf)
_ROUNDING = 1e-6
"""Relative amount by which single precision may round a number up, even past the next whole number."""


def within(kind: Interval | None, given: Interval) -> Interval:
    """Return what a cast leaves of an interval: whole numbers, all of the type's where some of them do not fit it."""
    if kind is None:
        return given
    low, high = (
        one if abs(one) == inf else float(int(one)) for one in (given[0], given[1] + abs(given[1]) * _ROUNDING)
    )
    return (low, high) if kind[0] <= low and high <= kind[1] else kind


def quotient(left: Interval, right: Interval) -> Interval:
    """Return a quotient of real numbers."""
    if right[0] <= 0 or inf in right:
        return UNKNOWN
    ends = [x / y for x in left for y in right]
    return min(ends), max(ends)


def union(left: Interval, right: Interval) -> Interval:
    """Return the interval that holds both."""
    return min(left[0], right[0]), max(left[1], right[1])


def combined(op: str, left: Interval, right: Interval) -> Interval:
    """Return what an operator makes of two intervals of whole numbers."""
    (a, b), (c, d) = left, right
    if op == "+":
        return a + c, b + d
    if op == "-":
        return a - d, b - c
    if op == "*":
        ends = [0.0 if 0 in (x, y) else x * y for x in (a, b) for y in (c, d)]
        return min(ends), max(ends)
    if op == "/" and c > 0:
        ends = [
            float(x // y) if abs(x) < inf and y < inf else (0.0 if y == inf and abs(x) < inf else x)
            for x in (a, b)
            for y in (c, d)
        ]
        return min(ends), max(ends)
    if op == "%" and c > 0 and a >= 0:
        return 0.0, min(b, d - 1)
    if op == "&" and c == d >= 0:
        return 0.0, d
    if op in ("^", "|") and min(a, c) >= 0 and max(b, d) < inf:  # no bit above the highest of both
        return 0.0, float(2 ** int(max(b, d)).bit_length() - 1)
    if op == "<<" and c == d and 0 <= c < 32:
        return a * 2**c, b * 2**c
    if op == ">>" and c == d and 0 <= c < 32:
        return a // 2**c if abs(a) < inf else a, b // 2**c if abs(b) < inf else b
    return UNKNOWN


def called(function: str, ends: Sequence[Interval]) -> Interval:
    """Return what a function makes of its arguments' intervals.

    >>> called("mad24", [(0, 9), (10, 10), (0, 9)])
    (0.0, 99)
    """
    name = _SAME.get(function, function)
    if name == "min" and len(ends) == 2:
        return min(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1])
    if name == "max" and len(ends) == 2:
        return max(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1])
    if name == "clamp" and len(ends) == 3:
        return ends[1][0], ends[2][1]
    if name in ("mul", "mad") and len(ends) == 2 + (name == "mad"):
        product = combined("*", ends[0], ends[1])
        return combined("+", product, ends[2]) if name == "mad" else product
    if name in ("abs", "fabs") and len(ends) == 1:
        low, high = ends[0]
        return max(low, -high, 0.0), max(high, -low)
    if name in _ROUNDED and len(ends) == 1:
        low, high = (end if abs(end) == inf else float(_ROUNDED[name](end)) for end in ends[0])
        return low, high
    return UNKNOWN


_SAME = {"fmin": "min", "fmax": "max", "mul24": "mul", "mad24": "mad", "fma": "mad"}
_ROUNDED: Mapping[str, Callable[[float], int]] = {
    "ceil": ceil,
    "floor": floor,
    "round": round,
    "rint": round,
    "convert_int": int,
    "convert_uint": int,
}
