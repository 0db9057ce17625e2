"""Making facts whose names and units are those of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable

from hotloop.metrics.vocabulary import BY_NAME, SHARES
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.units import percent

ROUNDING = 0.05
"""How far a share may lie outside 0..1 and still count as rounded: two passes of one kernel differ by as much."""


class ImpossibleError(ValueError):
    """A share outside 0..1: what was divided does not belong together."""

    def __init__(self, name: str, value: float) -> None:
        super().__init__(f"{name} of {percent(value)} is no share: what was divided does not belong together")
        self.value = percent(value)
        self.most = "a share lies between 0 and 100 %"


def fact(
    name: str,
    value: float,
    provenance: Provenance,
    source: str = "",
    *,
    upper: bool = False,
    counted_share: float = 1.0,
) -> Fact:
    """Return a fact with the unit that the vocabulary gives its name.

    Every fact that a reader sees is made here, so that no share above 100 % can be printed.

    Raises:
        KeyError: the name is not in the vocabulary.
        ImpossibleError: it is a share, and the value is none.
    """
    possible = _share(name, float(value)) if name in SHARES else float(value)
    return Fact(name, possible, BY_NAME[name].unit, provenance, source, upper, counted_share)


def stated(
    name: str, value: float, provenance: Provenance, source: str = "", *, counted_share: float = 1.0
) -> Fact | Absent:
    """Return a fact, or, where the value is a share that cannot be, its absence with the reason."""
    try:
        return fact(name, value, provenance, source, counted_share=counted_share)
    except ImpossibleError as error:
        return absent(name, str(error))


def _share(name: str, value: float) -> float:
    if not -ROUNDING <= value <= 1 + ROUNDING:
        raise ImpossibleError(name, value)
    return min(1.0, max(0.0, value))


def absent(name: str, reason: str) -> Absent:
    """Return a missing value. Raises KeyError for a name that is not in the vocabulary."""
    return Absent(BY_NAME[name].name, reason)


def evidence(rows: Iterable[Fact | Absent]) -> Evidence:
    """Sort known and missing values into evidence."""
    listed = tuple(rows)
    facts = tuple(row for row in listed if isinstance(row, Fact))
    return Evidence(facts, tuple(row for row in listed if isinstance(row, Absent)))
