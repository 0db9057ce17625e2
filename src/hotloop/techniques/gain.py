"""Predicted gains: humble intervals that follow from the share of time that a finding explains."""

from __future__ import annotations

from hotloop.model.finding import Gain

LARGEST = 100.0
"""No prediction promises more than this."""
_MOST = 1 - 1 / LARGEST


def removing(share: float, least: float, most: float) -> Gain:
    """Return the speedup when between `least` and `most` of a share of the time goes away.

    Amdahl's law: time after over time before is ``1 - share · removed``. A negative `least` says that the change may
    cost time instead: small knobs measured in single per cents of either sign.

    >>> removing(0.5, 0.0, 1.0)
    Gain(low=1.0, high=2.0)
    """
    low, high = sorted((_speedup(share * least), _speedup(share * most)))
    return Gain(low, high)


def scaling(share: float, ratio: float, least: float = 0.0, most: float = 1.0) -> Gain:
    """Return the speedup when the share shrinks by a ratio, e.g. a vector that becomes `ratio` times wider.

    `least` and `most` damp the ratio: which part of the ideal ``1 - 1/ratio`` is believed at worst and at best.

    >>> scaling(1.0, 4.0).high
    4.0
    """
    removed = max(0.0, 1 - 1 / ratio) if ratio > 0 else 0.0
    return removing(share, least * removed, most * removed)


def _speedup(removed: float) -> float:
    return 1 / (1 - min(_MOST, removed))
