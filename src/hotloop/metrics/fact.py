"""Making facts whose names and units are those of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable

from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance


def fact(name: str, value: float, provenance: Provenance, source: str = "") -> Fact:
    """Return a fact with the unit that the vocabulary gives its name. Raises KeyError for a name that is not in it."""
    return Fact(name, float(value), BY_NAME[name].unit, provenance, source)


def absent(name: str, reason: str) -> Absent:
    """Return a missing value. Raises KeyError for a name that is not in the vocabulary."""
    return Absent(BY_NAME[name].name, reason)


def evidence(rows: Iterable[Fact | Absent]) -> Evidence:
    """Sort known and missing values into evidence."""
    listed = tuple(rows)
    known = tuple(row for row in listed if isinstance(row, Fact))
    return Evidence(known, tuple(row for row in listed if isinstance(row, Absent)))
