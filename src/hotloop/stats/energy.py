"""Energy of one call with its interval, from windows of many calls."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from hotloop.model.energy import Joules
from hotloop.model.outcome import Sample

ALPHA = 0.05
"""Error probability of the interval."""


def per_call(samples: Sequence[Sample]) -> Joules | None:
    """Return joules of one call; None where no sample is a window of energy.

    The interval describes the scatter of the windows (95 %; with too few windows, their range), widened by the error that the
    counter's steps can cause in a window. The accuracy of the sensor itself is unknown; it affects all measurements alike.

    >>> window = lambda joules: Sample(wall_ns=1e8, calls=10, energy_j=joules, energy_error_j=0.5)
    >>> per_call([window(20.0), window(21.0)])
    Joules(value=2.05, low=1.95, high=2.15, windows=2)
    >>> per_call([Sample(wall_ns=1e8, calls=10)]) is None
    True
    """
    windows = [(s.energy_j / s.calls, (s.energy_error_j or 0.0) / s.calls) for s in samples if s.energy_j is not None]
    if not windows:
        return None
    values = [value for value, _ in windows]
    error = median(own for _, own in windows)
    from hotloop.stats import signedrank  # imported late: a report of runs without energy needs no NumPy

    interval = signedrank.interval(values, ALPHA)
    if interval is None:
        return Joules(value=median(values), low=min(values) - error, high=max(values) + error, windows=len(values))
    return Joules(value=interval.centre, low=interval.low - error, high=interval.high + error, windows=len(values))
