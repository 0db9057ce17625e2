"""Dispatches gathered one by one into kernels, in memory that does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profiles.profile import Dispatch, KernelProfile, Tally

GEOMETRY: Final = (
    "grid_items", "workgroup_items", "lds_bytes", "scratch_bytes", "vgprs", "agprs", "sgprs", "wave_size",
)  # fmt: skip
"""Fields that a kernel has when all its dispatches agree."""
KEPT_VALUES: Final = 2_000_000
"""Single dispatches are kept while they hold no more values than this together, about 200 MB."""


@dataclass(slots=True)
class _Running:
    count: int = 0
    total: float = 0.0
    minimum: float = 0.0
    maximum: float = 0.0

    def add(self, value: float) -> None:
        self.minimum = value if not self.count else min(self.minimum, value)
        self.maximum = value if not self.count else max(self.maximum, value)
        self.count += 1
        self.total += value

    def tally(self) -> Tally:
        return Tally(self.count, self.total, self.minimum, self.maximum)


@dataclass(slots=True)
class _Kernel:
    dispatches: int = 0
    geometry: dict[str, int | None] = field(default_factory=dict)
    varies: set[str] = field(default_factory=set)
    duration: _Running = field(default_factory=_Running)
    counters: dict[str, _Running] = field(default_factory=dict)

    def add(self, dispatch: Dispatch) -> None:
        for name in GEOMETRY:
            value = getattr(dispatch, name)
            if self.geometry.setdefault(name, value) != value:
                self.varies.add(name)
        self.dispatches += 1
        if dispatch.duration_ns is not None:
            self.duration.add(dispatch.duration_ns)
        for name, value in dispatch.counters.items():
            self.counters.setdefault(name, _Running()).add(value)


@dataclass(slots=True)
class _Span:
    """From the first launch's beginning to the last one's end."""

    first_ns: int | None = None
    last_ns: int = 0
    devices: set[str | None] = field(default_factory=set)
    whole: bool = True
    """Whether all launches so far told beginning and end."""

    def add(self, dispatch: Dispatch) -> None:
        start, end = dispatch.start_ns, dispatch.end_ns
        if start is None or end is None or not 0 < start < end:
            self.whole = False
            return
        self.devices.add(dispatch.device)
        self.first_ns = start if self.first_ns is None else min(self.first_ns, start)
        self.last_ns = max(self.last_ns, end)

    def length_ns(self) -> float | None:
        one = self.whole and len(self.devices) == 1
        return float(self.last_ns - self.first_ns) if one and self.first_ns is not None else None


@dataclass(slots=True)
class Summary:
    """Takes dispatches one by one."""

    _kernels: dict[str, _Kernel] = field(default_factory=dict)
    _span: _Span = field(default_factory=_Span)
    _kept: list[Dispatch] = field(default_factory=list)
    _seen: dict[tuple[int | str | None, ...], Dispatch] = field(default_factory=dict)
    _values: int = 0

    def add(self, dispatch: Dispatch) -> None:
        """Count a dispatch in, and keep it while there are few; of those kept, the same record twice is one launch.

        A time below 0 is none: the file was damaged.
        """
        if (dispatch.duration_ns or 0) < 0:
            dispatch = replace(dispatch, duration_ns=None)
        if self._recorded(dispatch):
            return
        self._kernels.setdefault(dispatch.kernel, _Kernel()).add(dispatch)
        self._span.add(dispatch)
        self._values += 20 + len(dispatch.counters)
        if self._values <= KEPT_VALUES:
            self._kept.append(dispatch)
        else:
            self._kept.clear()
            self._seen.clear()

    def _recorded(self, dispatch: Dispatch) -> bool:
        """Tell whether the same launch, by number and start, was added before with equal values."""
        if dispatch.dispatch_id is None or not dispatch.start_ns or self._values > KEPT_VALUES:
            return False
        key = (dispatch.kernel, dispatch.device, dispatch.process_id, dispatch.dispatch_id, dispatch.start_ns)
        if key in self._seen:
            return self._seen[key] == dispatch
        self._seen[key] = dispatch
        return False

    def dispatches(self) -> tuple[Dispatch, ...]:
        """Return the dispatches in order, empty when there were too many."""
        return tuple(self._kept)

    def kernels(self) -> tuple[KernelProfile, ...]:
        """Return the kernels in the order in which they first ran."""
        return tuple(kernel_profile(name, k.dispatches, k.geometry, k.varies, k.duration.tally() if k.duration.count else None,
                                    {c: r.tally() for c, r in k.counters.items()}) for name, k in self._kernels.items())  # fmt: skip

    def span_ns(self) -> float | None:
        """Return the time from the first launch's beginning to the last one's end; None without both, or on several devices."""
        return self._span.length_ns()

    def absent(self, reasons: Mapping[str, str] | None = None) -> tuple[Absent, ...]:
        """Return what no dispatch had, with the reasons given or else that the file does not hold it."""
        return absences(self.kernels(), reasons or {}, kept=self._values <= KEPT_VALUES)


def kernel_profile(
    name: str,
    dispatches: int,
    geometry: Mapping[str, int | None],
    varies: Iterable[str],
    duration_ns: Tally | None,
    counters: Mapping[str, Tally],
) -> KernelProfile:
    """Return a kernel's profile; fields in `varies` become None."""
    differing = frozenset(varies)
    same = {field: None if field in differing else geometry.get(field) for field in GEOMETRY}
    return KernelProfile(kernel=name, dispatches=dispatches, **same, varies=tuple(f for f in GEOMETRY if f in differing),
                         duration_ns=duration_ns, counters=counters)  # fmt: skip


def absences(kernels: Iterable[KernelProfile], reasons: Mapping[str, str], *, kept: bool) -> tuple[Absent, ...]:
    """Return what none of the kernels has."""
    listed = tuple(kernels)
    gone = [f for f in GEOMETRY if all(getattr(k, f) is None and f not in k.varies for k in listed)]
    gone += ["duration_ns"] * all(k.duration_ns is None for k in listed)
    gone += ["counters"] * all(not k.counters for k in listed)
    rows = [Absent(name, reasons.get(name, "the file has no column for it")) for name in gone]
    if not kept:
        rows.append(Absent("dispatches", "too many to hold one by one; the kernels hold their sums and extremes"))
    return tuple(rows)


def summarised(dispatches: Iterable[Dispatch]) -> tuple[KernelProfile, ...]:
    """Return the kernels of some dispatches."""
    summary = Summary()
    for dispatch in dispatches:
        summary.add(dispatch)
    return summary.kernels()


def merged(first: KernelProfile, second: KernelProfile, dispatches: int) -> KernelProfile:
    """Return both groups of dispatches of one kernel as one of `dispatches`: their sum, or one count if they are the same."""
    pairs = {f: (getattr(first, f), getattr(second, f)) for f in GEOMETRY}
    differing = [
        f for f, (a, b) in pairs.items() if f in first.varies + second.varies or (a != b and None not in (a, b))
    ]
    counters = {c: _both(first.counters.get(c), second.counters.get(c)) for c in (*first.counters, *second.counters)}
    return kernel_profile(
        first.kernel,
        dispatches,
        {f: b if a is None else a for f, (a, b) in pairs.items()},
        differing,
        _both(first.duration_ns, second.duration_ns),
        {c: tally for c, tally in counters.items() if tally is not None},
    )


def _both(first: Tally | None, second: Tally | None) -> Tally | None:
    return first.merged(second) if first and second else first or second
