"""What many launches took, of which some were timed: their sum, and how far it is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import median

_FEWEST = 6
"""Times from which on the interval of a median has both ends within them."""
_OUTSIDE = 0.025


def total(times_ns: Sequence[float], numbers: Sequence[int], calls: int) -> float | None:
    """Return the sum of all launches in ns; None where none was timed.

    The first launch may compile or touch memory for the first time, and counts as the others. Launches whose work grows or shrinks, as
    those of a factorization do, have other times at the end than at the beginning: each doubling of their number counts by its own
    median.

    Args:
        times_ns: of those that were timed, in their order.
        numbers: which launch each of them is of, from 1 on; empty where that is not known: then one median is for all.
        calls: how many launches there were.

    >>> total([90.0, 10.0, 20.0], (), 3)
    45.0
    >>> total([10.0] * 15 + [40.0] * 8, [*range(1, 16), 16, 18, 20, 22, 24, 26, 28, 30], 31)
    790.0
    """
    if not times_ns:
        return None
    if len(numbers) != len(times_ns):
        return median(times_ns[1:] or times_ns) * calls
    blocks: dict[int, list[float]] = {}
    for number, took in list(zip(numbers, times_ns, strict=True))[len(numbers) > 1 :]:
        blocks.setdefault(_block(number), []).append(took)
    whole, each = 0.0, median(next(iter(blocks.values())))
    for at in range(_block(calls) + 1):
        each = median(blocks[at]) if at in blocks else each
        whole += each * (min(calls, _last(at)) - (_last(at - 1) if at else 0))
    return whole


def _block(number: int) -> int:
    """Return in which doubling a launch is: the first fifteen are one."""
    return max(number.bit_length() - 4, 0)


def _last(block: int) -> int:
    return (16 << block) - 1


def spread(times_ns: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a median's interval of 95 %, as parts of the median; of a few times, their least and largest.

    The order statistics between which the median of the distribution lies with that probability, whatever the distribution is
    (W. J. Conover, Practical Nonparametric Statistics, section 3.2).

    >>> spread([100.0, 90.0, 110.0, 100.0])
    (0.9, 1.1)
    """
    rest = sorted(times_ns[1:] or times_ns)
    middle = median(rest) if rest else 0.0
    if not middle:
        return 1.0, 1.0
    count, below, cut = len(rest), 0.0, 0
    while count >= _FEWEST and below + comb(count, cut) / 2**count <= _OUTSIDE:
        below += comb(count, cut) / 2**count
        cut += 1
    low, high = (rest[cut - 1], rest[-cut]) if cut else (rest[0], rest[-1])
    return low / middle, high / middle
