"""The facts that a rule may read: those that it declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """Values of the declared facts; reading an undeclared one is a defect of the rule and raises KeyError."""

    known: Mapping[str, float]
    optional: frozenset[str] = frozenset()
    """Declared names that may be missing from `known`."""

    def __getitem__(self, name: str) -> float:
        return self.known[name]

    def get(self, name: str) -> float | None:
        """Return an optional fact, or None when it is absent."""
        if name not in self.optional and name not in self.known:
            raise KeyError(f"{name} is not declared by the rule")
        return self.known.get(name)

    def unexplained(self) -> float:
        """Return the share of time above the roofline floor, 1 when the floor is not known: no rule explains more."""
        fraction = self.known.get("roof.fraction")
        return 1.0 if fraction is None else min(1.0, max(0.0, 1.0 - fraction))

    def memory_bound(self) -> bool:
        """Return whether the roofline floor is known and determined by memory."""
        return (self.get("roof.memory_bound") or 0.0) > 0
