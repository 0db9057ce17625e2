"""Times, floors and rates of recorded outcomes; None where there is nothing to divide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.metrics.roofline import BEYOND
from hotloop.model.outcome import Measured

if TYPE_CHECKING:
    from hotloop.model.outcome import Outcome
    from hotloop.report.view.record import RunRecord


def time_ns(outcome: Outcome) -> float | None:
    """Return the median time of one call by the clock that decided, or None when nothing was timed."""
    if not isinstance(outcome, Measured) or not outcome.samples:
        return None
    device_ns = outcome.device_ns if outcome.conditions.clock == "device" else None
    time = outcome.call_ns if device_ns is None else device_ns
    return time if time > 0 else None


def floor_ns(record: RunRecord) -> float | None:
    """Return the roofline floor of the problem, or None without ceilings or work."""
    if record.ceilings is None:
        return None
    return record.ceilings.floor_ns(record.work.flops, record.work.bytes) or None


def share(floor: float | None, time: float | None) -> float | None:
    """Return the fraction of the roofline that a time reaches, 1 a little beyond it; None far beyond, for then the floor is none.

    >>> share(2.0, 8.0), share(None, 8.0), share(8.4, 8.0), share(8.0, 2.0)
    (0.25, None, 1.0, None)
    """
    return min(1.0, floor / time) if floor and time and floor <= BEYOND * time else None


def rate(record: RunRecord, time: float | None) -> tuple[float | None, str]:
    """Return useful work per second with its unit: flops, or bytes for problems that count no flops."""
    amount, unit = (record.work.flops, "FLOP/s") if record.work.flops > 0 else (record.work.bytes, "B/s")
    return (1e9 * amount / time if time and amount else None), unit
