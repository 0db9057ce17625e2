"""Logarithmic axes: from values to pixels, with round ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hotloop.units import TIMES

_STEPS = (
    (1,),
    (1, 3),
    (1, 2, 5),
    (1, 1.5, 2, 3, 4, 5, 6, 8),
    tuple(1 + k / 2 for k in range(18)),
    tuple(1 + k / 10 for k in range(90)),
)
"""Mantissas of ticks, coarse to fine."""
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


@dataclass(frozen=True, slots=True)
class Log:
    """Maps ``low..high`` (both positive) to ``start..end`` pixels; start may be the larger one."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value.

        >>> Log(1.0, 100.0, 0.0, 200.0)(10.0)
        100.0
        """
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int) -> tuple[float, ...]:
        """Return at most `most` round values inside the range, as many as fit.

        >>> Log(0.8, 120.0, 0.0, 1.0).ticks(5)
        (1.0, 3.0, 10.0, 30.0, 100.0)
        """
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        chosen: tuple[float, ...] = ()
        for mantissas in _STEPS:
            values = tuple(m * 10.0**d for d in decades for m in mantissas if self.low <= m * 10.0**d <= self.high)
            if len(values) > most:
                break
            chosen = values
        return chosen or self._sparse(decades, most)

    def _sparse(self, decades: range, most: int) -> tuple[float, ...]:
        """Return every n-th power of ten, for ranges with more decades than ticks."""
        powers = [10.0**d for d in decades if self.low <= 10.0**d <= self.high]
        return tuple(powers[:: -(-len(powers) // most)]) if powers else ()


def padded(values: list[float], factor: float) -> tuple[float, float]:
    """Return a range around positive values, widened by a factor at both ends so that it is never empty.

    >>> padded([2.0, 8.0], 2.0)
    (1.0, 16.0)
    """
    return min(values) / factor, max(values) * factor


def time_tick(duration_ns: float) -> str:
    """Return a tick label for a time.

    >>> time_tick(2e6), time_tick(0.5)
    ('2 ms', '0.5 ns')
    """
    scale, unit = next((pair for pair in TIMES if duration_ns >= pair[0] * 0.999), TIMES[-1])
    return f"{duration_ns / scale:.3g} {unit}"


def count_tick(value: float) -> str:
    """Return a tick label for a rate or an intensity, with a decimal prefix.

    >>> count_tick(2e11), count_tick(0.25)
    ('200 G', '0.25')
    """
    scale, prefix = next((pair for pair in _PREFIXES if value >= pair[0] * 0.999), _PREFIXES[-1])
    return f"{value / scale:.3g} {prefix}".rstrip()


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions close to the wanted ones (ascending), at least `gap` apart, inside ``low..high`` where they fit.

    >>> spread([10.0, 12.0, 50.0], 10.0, 0.0, 55.0)
    [10.0, 20.0, 50.0]
    """
    placed: list[float] = []
    for position in wanted:
        placed.append(max(position, placed[-1] + gap if placed else low))
    limit = high
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - gap
    return placed
