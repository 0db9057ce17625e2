"""Order between work-groups by atomic operations on common places: who has met whom, as in `hotloop.emulate.shadow_global`."""

from __future__ import annotations

from dataclasses import dataclass, field

_MOST_PLACES = 1 << 16
"""Atomic places above which they are counters of many, not a way to wait for each other."""


@dataclass(slots=True)
class Meeting:
    """Of one launch."""

    stamps: dict[int, set[int]] = field(default_factory=dict)
    seen: dict[int, set[int]] = field(default_factory=dict)

    def meet(self, group: int, buffer: int, place: int) -> int:
        """Take note of an atomic access of a work-group; what others did before theirs at this place is ordered."""
        key = buffer << 40 | place
        if key not in self.stamps and len(self.stamps) >= _MOST_PLACES:
            return 0
        stamp, seen = self.stamps.setdefault(key, set()), self.seen.setdefault(group, set())
        seen.update(stamp)
        stamp.add(group)
        stamp.update(seen)
        return 0

    def ordered(self, group: int, writer: int) -> int:
        """Tell whether a work-group has met another, directly or through others, since that wrote."""
        return writer in self.seen.get(group, ())
