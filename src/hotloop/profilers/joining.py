"""Passes of one program put together: each pass is a run of its own, so dispatches are matched by order, not by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from hotloop.profiles.names import parsed
from hotloop.profiles.profile import Dispatch

_OF_THE_RUN: Final = frozenset(
    {"kernel", "dispatch_id", "device", "process_id", "start_ns", "end_ns", "duration_ns", "counters", "passes"}
)
WAVES: Final = "SQ_WAVES"


@dataclass(frozen=True, slots=True)
class Joined:
    """Dispatches with what another pass knows of them."""

    dispatches: tuple[Dispatch, ...]
    notes: tuple[str, ...] = ()


def joined(base: Sequence[Dispatch], other: Sequence[Dispatch], name: str) -> Joined:
    """Return `base` with the counters, sizes and times that only `other` has; of counters in both, base's stay.

    Both must list the same kernels in the same order; otherwise base is returned as it is, with a note. `name` says in
    notes what `other` is.
    """
    if [parsed(d.kernel).full for d in base] != [parsed(d.kernel).full for d in other]:
        return Joined(tuple(base), (f"{name} lists other launches than the rest and was left out",))
    waves = [(a.counters.get(WAVES), b.counters.get(WAVES)) for a, b in zip(base, other, strict=True)]
    notes: tuple[str, ...] = ()
    if any(a is not None and b is not None and a != b for a, b in waves):
        notes = (f"{name} counts another {WAVES} than the rest: the passes did not do the same work",)
    return Joined(tuple(_with(a, b) for a, b in zip(base, other, strict=True)), notes)


def _with(base: Dispatch, other: Dispatch) -> Dispatch:
    missing = {
        f.name: getattr(other, f.name)
        for f in fields(Dispatch)
        if f.name not in _OF_THE_RUN and getattr(base, f.name) is None
    }
    if base.duration_ns is None and other.duration_ns is not None:
        missing |= {"start_ns": other.start_ns, "end_ns": other.end_ns, "duration_ns": other.duration_ns}
    runs = (*base.runs, *other.runs)
    return replace(
        base, **missing, counters={**other.counters, **base.counters}, passes=runs if len(runs) > 1 else base.passes
    )
