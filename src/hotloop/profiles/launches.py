"""Which launches of a kernel stand for it: a first one that maps memory or loads code, and ones that stumbled, are set apart.

A profile holds launches that did the same work in very different times: recorded on an MI300A, one of 430 ms, the first to
touch unified memory, before one of 0.63 ms. Their mean is the time of neither. Launches of different sizes are no launches
of one problem; those of the size with the most time stand for the kernel. What was left out is said, never dropped in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median, median_low
from typing import Final

from hotloop import units
from hotloop.profiles.profile import Dispatch, KernelProfile, Profile

COLD: Final = 1.5
"""A first launch that takes this many times the median of the others is set apart."""
SLOW: Final = 2.0
"""A later launch of the same work that takes this many times the median is set apart."""
FAR: Final = 10.0
"""Launches that take so many times as long as others are taken for launches of another problem, unless a counter says that they did the same."""
_MANY: Final = 4
"""Launches among which one alone that takes as long has rather met a fault."""
UNEVEN: Final = 1.25
"""Times the usual device's time from which another one is named: a cooler or a link that fails, or an uneven share of the work."""
_SAME_WORK: Final = 0.02
_CLOCKS: Final = ("SQ_BUSY_CYCLES", "SQ_WAVE_CYCLES", "GRBM_GUI_ACTIVE", "GRBM_COUNT", "SQ_WAIT_ANY")
"""Counters that grow with the time of a launch, best first: each pass tells by its own which of its launches stumbled."""
_WORK: Final = ("SQ_INSTS_VALU", "SQ_INSTS", "smsp__inst_executed.sum", "SQ_INSTS_VMEM")
"""Counters that do not depend on time: launches that agree in them did the same work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The launches that stand for a kernel, and what was set apart."""

    count: int
    """Launches of the kernel."""
    duration_ns: float | None = None
    """Mean over those that stand for it."""
    values: Mapping[str, float]
    """Mean counters of all passes together; what two passes have is the first one's."""
    passes: tuple[Mapping[str, float], ...] = ()
    """Mean counters of each pass."""
    cold_ns: float | None = None
    """Time of the first launch where it was set apart."""
    total_ns: float | None = None
    """Time of all launches of the chosen size, those set apart included."""
    cold_ratio: float | None = None
    """Clocks of the first launch over those of one that stands for the kernel, where it was set apart and no launch has a time."""
    total_ratio: float | None = None
    """The same of all launches of the chosen size together."""
    example: Dispatch | None = None
    """One of those that stand for the kernel, for sizes and registers; None: launches are not told one by one."""
    notes: tuple[str, ...] = ()


def chosen(profile: Profile, kernel: KernelProfile) -> Chosen:
    """Return the launches that stand for a kernel; of a file whose launches are not held one by one, their means."""
    own = [dispatch for dispatch in profile.dispatches if dispatch.kernel == kernel.kernel]
    if not own:
        return _means(kernel)
    sized, notes = _of_one_length(*_of_one_size(own))
    times = [dispatch.duration_ns for dispatch in sized]
    runs = _columns(sized)
    cold = _cold(times) or (not any(times) and _cold_by_clocks(runs))
    ratios = _by_clocks(runs) if cold and not any(times) else ()
    slow = _slow(times, runs, cold=cold)
    kept = [t for i, t in enumerate(times) if t is not None and i not in slow and not (cold and i == 0)]
    stumbles = [_stumbled(run, cold=cold) for run in runs]
    often = _often(stumbles) | ({0} if cold else set())
    passes = tuple(
        _mean(run, often if own_slow is None else own_slow) for run, own_slow in zip(runs, stumbles, strict=True)
    )
    together: dict[str, float] = {}
    for run in (*passes, _channels(sized, often)):
        together = {**run, **together}
    first = times[0] if cold else None
    return Chosen(
        count=len(own),
        duration_ns=fmean(kept) if kept else None,
        values=together,
        passes=passes if len(passes) > 1 else (),
        cold_ns=first,
        total_ns=sum(t for t in times if t is not None) if None not in times else None,
        cold_ratio=ratios[0] if ratios else None,
        total_ratio=sum(ratios) if ratios else None,
        example=sized[-1],
        notes=(
            *_backwards(own),
            *notes,
            *_said(times, kept, slow, first),
            *_by_clocks_said(ratios),
            *_devices(sized[cold:]),
        ),
    )


def _means(kernel: KernelProfile) -> Chosen:
    spent = kernel.duration_ns
    spread_known = spent is not None and spent.minimum is not None and spent.maximum is not None
    limits = (spent.minimum or 0.0, spent.maximum or 0.0) if spent is not None and spread_known else None
    notes: list[str] = []
    if limits and limits[0] and limits[1] >= SLOW * limits[0]:
        span = f"{units.duration(limits[0])} to {units.duration(limits[1])}"
        notes.append(f"{kernel.dispatches} launches took {span} and are not told one by one: values are means over all")
    return Chosen(
        count=kernel.dispatches,
        duration_ns=None if spent is None else spent.mean,
        values={name: tally.mean for name, tally in kernel.counters.items()},
        total_ns=None if spent is None else spent.total,
        notes=tuple(notes),
    )


def _of_one_size(own: Sequence[Dispatch]) -> tuple[list[Dispatch], list[str]]:
    """Return the launches of the size that takes the most time, or without times has the most work-items, in order of their start."""
    sizes: dict[tuple[int | None, ...], list[Dispatch]] = {}
    for dispatch in own:
        sizes.setdefault((dispatch.grid_items, dispatch.workgroup_items, dispatch.lds_bytes), []).append(dispatch)
    timed = any(d.duration_ns for d in own)
    group = max(sizes.values(), key=lambda part: (sum(_weight(d, timed=timed) for d in part), len(part)))
    ordered = sorted(group, key=lambda d: d.start_ns or 0) if all(d.start_ns for d in group) else list(group)
    if len(sizes) == 1:
        return ordered, []
    shape = f"{group[0].grid_items} work-items in groups of {group[0].workgroup_items}"
    return ordered, [
        f"of {len(own)} launches in {len(sizes)} sizes the {len(group)} of {shape} are explained, which "
        + ("take the most time" if timed else "have the most work-items together, as no time is told")
    ]


def _weight(dispatch: Dispatch, *, timed: bool) -> float:
    return (dispatch.duration_ns if timed else dispatch.grid_items) or 0.0


def _backwards(own: Sequence[Dispatch]) -> list[str]:
    """Say how many launches end before they begin: a clock that was read for two devices, or set anew."""
    count = sum(bool(d.start_ns and d.end_ns and d.end_ns < d.start_ns) for d in own)
    if not count:
        return []
    return [
        f"{count} of {len(own)} launches end before they begin: their times are left out, and those of the others may be as wrong"
    ]


def _of_one_length(sized: list[Dispatch], notes: list[str]) -> tuple[list[Dispatch], list[str]]:
    """Return the launches whose times are alike and take the most time together, after a cold one; all where nothing parts them."""
    times = [dispatch.duration_ns or 0.0 for dispatch in sized]
    cold = _cold(times)
    rest = sorted(times[cold:])
    gaps = [i for i in range(1, len(rest)) if rest[i - 1] > 0 and rest[i] >= FAR * rest[i - 1]]
    if not gaps or _same_work(_columns(sized)):
        return sized, notes
    parts = [rest[begin:end] for begin, end in pairwise((0, *gaps, len(rest)))]
    most = max(parts, key=lambda part: (len(part) > 1 or len(rest) < _MANY, sum(part)))
    kept = [d for i, d in enumerate(sized) if (cold and i == 0) or most[0] <= times[i] <= most[-1]]
    span = f"{units.duration(rest[0])} to {units.duration(rest[-1])}"
    return kept, [
        *notes,
        f"launches of one size took {span}: the {len(most)} that take the most time together are explained",
    ]


def _devices(launches: Sequence[Dispatch]) -> list[str]:
    """Say which devices took longer than others for launches of one size."""
    spent: dict[str, list[float]] = {}
    for dispatch in launches:
        if dispatch.device and dispatch.duration_ns:
            spent.setdefault(dispatch.device, []).append(dispatch.duration_ns)
    usual = {device: median(times) for device, times in spent.items()}
    least = median_low(usual.values()) if len(usual) > 1 else 0.0
    return [
        f"device {device} took {units.duration(time)} where {len(usual) - 1} other{'s' if len(usual) > 2 else ''} took {units.duration(least)}"
        for device, time in usual.items()
        if least and time >= UNEVEN * least
    ]


def _columns(sized: Sequence[Dispatch]) -> list[list[Mapping[str, float]]]:
    """Return, for each pass, the counters of each launch."""
    width = max((len(dispatch.runs) for dispatch in sized), default=0)
    return [[d.runs[i] for d in sized if i < len(d.runs)] for i in range(width)]


def _cold(times: Sequence[float | None]) -> bool:
    rest = [t for t in times[1:] if t is not None]
    return bool(rest) and times[0] is not None and times[0] >= COLD * median(rest)


def _cold_by_clocks(runs: Iterable[Sequence[Mapping[str, float]]]) -> bool:
    """Tell by the counters' own clocks where no launch has a time."""
    return any(_cold([launch.get(name) for launch in run]) for run in runs if (name := _clock(run)) is not None)


def _by_clocks(runs: Iterable[Sequence[Mapping[str, float]]]) -> tuple[float, ...]:
    """Return the clocks of each launch over those of a usual one behind the first, by the pass that shows the first as cold; empty: none does."""
    for run in runs:
        name = _clock(run)
        clocks = [launch[name] for launch in run] if name is not None else []
        if _cold(clocks):
            return tuple(count / median(clocks[1:]) for count in clocks)
    return ()


def _by_clocks_said(ratios: Sequence[float]) -> list[str]:
    if not ratios:
        return []
    return [f"the first launch took {ratios[0]:.3g} times as many clocks as the others: it is set apart as cold"]


def _clock(run: Sequence[Mapping[str, float]]) -> str | None:
    return next((name for name in _CLOCKS if all(launch.get(name) for launch in run)), None)


def _slow(
    times: Sequence[float | None], runs: Sequence[Sequence[Mapping[str, float]]], *, cold: bool
) -> frozenset[int]:
    """Return the later launches that took much longer for the same work."""
    rest = [t for t in times[cold:] if t is not None]
    if len(rest) < 2 or not _same_work(runs):
        return frozenset()
    usual = median(rest) if len(rest) > 2 else min(rest)
    return frozenset(i for i, t in enumerate(times) if i >= cold and t is not None and t >= SLOW * usual)


def _same_work(runs: Sequence[Sequence[Mapping[str, float]]]) -> bool:
    """Tell whether a counter of instructions says that all launches did the same."""
    for run in runs:
        for name in _WORK:
            counts = [launch[name] for launch in run if name in launch]
            if len(counts) == len(run) > 1 and min(counts) > 0:
                return max(counts) <= (1 + _SAME_WORK) * min(counts)
    return False


def _stumbled(run: Sequence[Mapping[str, float]], *, cold: bool) -> frozenset[int] | None:
    """Return the launches of a pass that stand for nothing by its own clock, a cold first one among them; None without a clock."""
    first = int(cold and len(run) > 1)
    kept = run[first:]
    clock = _clock(kept)
    if clock is None:
        return None
    usual = median(launch[clock] for launch in kept) if len(kept) > 2 else 0.0
    slow = {i for i, launch in enumerate(kept, first) if usual and launch[clock] >= SLOW * usual}
    return frozenset({*range(first), *(slow if len(slow) < len(kept) else ())})


def _often(stumbles: Iterable[frozenset[int] | None]) -> frozenset[int]:
    """Return the launches that stumbled in most of the passes that can tell: a pass without a clock leaves those out, too."""
    telling = [slow for slow in stumbles if slow is not None]
    times = Counter(launch for slow in telling for launch in slow)
    return frozenset(launch for launch, count in times.items() if 2 * count > len(telling))


def _mean(run: Sequence[Mapping[str, float]], apart: Collection[int]) -> dict[str, float]:
    """Return a pass's mean counters without the launches that are set apart."""
    kept = [launch for i, launch in enumerate(run) if i not in apart] or list(run)
    names = dict.fromkeys(name for launch in kept for name in launch)
    return {name: fmean(launch[name] for launch in kept if name in launch) for name in names}


def _channels(sized: Sequence[Dispatch], apart: Collection[int]) -> dict[str, float]:
    """Return the mean of counters that stand in no pass: those of single channels."""
    kept = [d for i, d in enumerate(sized) if i not in apart] or list(sized)
    names = dict.fromkeys(name for d in kept if d.passes for name in d.counters)
    return {name: fmean(d.counters[name] for d in kept if name in d.counters) for name in names}


def _said(
    times: Sequence[float | None], kept: Sequence[float], slow: frozenset[int], cold_ns: float | None
) -> list[str]:
    """Say how far apart the launches lie and which were set apart."""
    notes = []
    if cold_ns is not None and kept:
        ratio = cold_ns / fmean(kept)
        notes.append(
            f"the first launch took {units.duration(cold_ns)}, {ratio:.3g} times as long as the others: it is set apart as cold"
        )
    notes += [
        f"launch {i + 1} of {len(times)} took {units.duration(times[i] or 0.0)} for the same work: it is set apart"
        for i in sorted(slow)
    ]
    if len(kept) > 1 and max(kept) >= COLD * min(kept):
        notes.append(
            f"{len(kept)} launches took {units.duration(min(kept))} to {units.duration(max(kept))}: values are means"
        )
    return notes
