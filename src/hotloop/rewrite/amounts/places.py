"""Which numbers arrays of whole numbers may hold where these are places in other arrays, or say how long loops are.

All that is asked is how far a text's accesses reach for given numbers, so that what it does with a number before it uses it (a row's
length times it, one less than it) does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hotloop.rewrite.amounts.intervals import Interval

Probe = Callable[[Mapping[str, Interval]], Mapping[str, Interval]]
"""A function from the ranges of arrays' contents to the least and greatest index of each array's accesses."""
_WIDE = 1 << 20
_FEW = 8
"""Distance above the least value up to which numbers are tried while others that are added to them are searched."""
_LEAST = (0, 1)
"""First index of an array: C's, and Fortran's."""


@dataclass(slots=True)
class Limits:
    """What is known of the arrays of whole numbers."""

    found: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Least and greatest number that leave every access within its array."""
    uses: dict[str, frozenset[str]] = field(default_factory=dict)
    """Arrays whose accesses move with an array's numbers."""
    open: set[str] = field(default_factory=set)
    """Arrays whose numbers move accesses in a way that keeps no number within."""


def limits(
    probe: Probe, lengths: Mapping[str, int], kinds: Mapping[str, tuple[int, int]], counts: frozenset[str]
) -> Limits:
    """Return what arrays may hold; `kinds` are their types' limits, `counts` those that only say how many, which come last."""
    made = Limits()
    wide: dict[str, Interval] = {name: (1.0, float(min(_WIDE, most // 4))) for name, (_, most) in kinds.items()}
    usual = probe(wide)
    for name, (_, end) in wide.items():
        made.uses[name] = _moved(usual, probe({**wide, name: (1.0, 4 * end)}))
    order = sorted((name for name in kinds if made.uses[name]), key=lambda name: (name in counts, name))
    current: dict[str, Interval] = {}
    for name in order:
        others = {
            one: current.get(one, (0.0, float(_FEW))) if made.uses[one] & made.uses[name] else wide[one]
            for one in order
            if one != name
        }
        ends = _ends(probe, lengths, {**wide, **others}, name, made.uses[name], kinds[name][1])
        if ends is None:
            made.open.add(name)
        elif ends[1] < kinds[name][1]:
            made.found[name], current[name] = ends, (float(ends[0]), float(ends[1]))
    return made


def _moved(left: Mapping[str, Interval], right: Mapping[str, Interval]) -> frozenset[str]:
    return frozenset(name for name in left if left[name] != right.get(name))


def _ends(
    probe: Probe, lengths: Mapping[str, int], others: Mapping[str, Interval], name: str, uses: frozenset[str], most: int
) -> tuple[int, int] | None:
    """Return the least and greatest number of an array that stay within, None where none does."""
    bound = [use for use in uses if use in lengths]

    def within(least: int, greatest: int) -> bool:
        reached = probe({**others, name: (float(least), float(greatest))})
        ends = [(reached[one], lengths[one]) for one in bound if one in reached]
        return all(low >= 0 and high < length for (low, high), length in ends)

    least = next((one for one in _LEAST if within(one, one + 1)), None)
    if least is None:
        return None
    good, bad = least + 1, most + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if within(least, middle) else (good, middle)
    return least, good
