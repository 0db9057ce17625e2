"""Sums of calls and copies by name, for traces that have a row for each."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, Tally

NAMES_MAX = 1_000_000
"""Different names that a trace may hold; beyond it is no trace of functions."""


@dataclass(slots=True)
class CallSums:
    """Adds up calls by name."""

    _sums: dict[tuple[str, str], Tally] = field(default_factory=dict)

    def add(self, domain: str, name: str, duration_ns: float) -> None:
        """Count one call in. Raises ProfileError for too many different names."""
        once = Tally(1, duration_ns, duration_ns, duration_ns)
        before = self._sums.get((domain, name))
        if before is None and len(self._sums) >= NAMES_MAX:
            raise ProfileError(f"the trace holds more than {NAMES_MAX} different names: it is damaged.")
        self._sums[domain, name] = once if before is None else before.merged(once)

    def calls(self) -> tuple[Calls, ...]:
        """Return the sums in order of first call."""
        return tuple(Calls(domain, name, tally) for (domain, name), tally in self._sums.items())
