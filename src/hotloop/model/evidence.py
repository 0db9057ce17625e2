"""What is known about a variant, each value with unit and provenance; an unknown value is absent, with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Provenance(StrEnum):
    """How a value came to be known, from strongest to weakest."""

    MEASURED = "measured"
    STATIC = "static"
    """Read from the compiled machine code or from the runtime's report about it."""
    DERIVED = "derived"
    """Computed from other evidence or from the configuration."""
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class Fact:
    """One named value with unit, provenance and source."""

    name: str
    """Dotted name: ``static.fma_share``, ``time.call_ns``, ``roof.fraction``, ``launch.groups`` ..."""
    value: float
    unit: str
    provenance: Provenance
    source: str = ""
    """Tool, formula or file that gave the value."""
    upper: bool = False
    """Whether the value is an upper bound: more than what it is named for is inside."""
    counted_share: float = 1.0
    """Share of the run in which the events behind it were on a hardware counter; the rest of the value is extrapolated."""


@dataclass(frozen=True, slots=True)
class Absent:
    """A value that is not known, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about one variant on one problem."""

    facts: tuple[Fact, ...] = ()
    absent: tuple[Absent, ...] = ()

    def get(self, name: str) -> float | None:
        """Return a value, or None when it is absent; never a stand-in."""
        fact = self.fact(name)
        return None if fact is None else fact.value

    def fact(self, name: str) -> Fact | None:
        """Return a value with unit and provenance, or None."""
        return next((fact for fact in self.facts if fact.name == name), None)

    def __contains__(self, name: object) -> bool:
        return any(fact.name == name for fact in self.facts)

    def why_absent(self, name: str) -> str:
        """Return the reason for an absent value."""
        return next((a.reason for a in self.absent if a.name == name), "not collected")

    def merged(self, other: Evidence) -> Evidence:
        """Return both; where names clash the other's value wins."""
        fresh = {fact.name for fact in other.facts}
        kept = tuple(fact for fact in self.facts if fact.name not in fresh)
        absent = tuple(
            a for a in (*self.absent, *other.absent) if a.name not in fresh and a.name not in {f.name for f in kept}
        )
        return Evidence(kept + other.facts, absent)


Row = tuple[str, "float | None", str, str]
"""Name, value, unit, and the reason where the value is absent."""


def static(rows: Iterable[Row], source: str) -> Evidence:
    """Return what was read from machine code, each row as a fact or as absent."""
    kept = list(rows)
    facts = tuple(Fact(n, float(v), u, Provenance.STATIC, source) for n, v, u, _ in kept if v is not None)
    return Evidence(facts, tuple(Absent(name, reason) for name, value, _, reason in kept if value is None))
