"""What faster kernels mean for the whole program that was captured: predicted from its own times, to be held against a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop import units
from hotloop.captures import series
from hotloop.captures.nouns import Capture, Captured

_TOLD = 0.1
"""Share of hidden time from which on it is told."""
_ALONE = 0.9
"""Cores that the launches of a kernel keep busy at least while nobody else takes the processor from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One kernel's part of a program, and what was made of the kernel."""

    program: str
    """Command line of the captured program."""
    made: str
    """Time of the capture; parts of the same capture can be added up."""
    wall_s: float
    """Time of the program in s, without what recording took: by the clock, or, where the machine was crowded, as it would be on a quiet one."""
    kernel: str
    kernel_s: float
    """Time of all launches of the kernel in s, by the same clock."""
    speedup: float
    low: float
    high: float
    """Ends of the interval of `speedup`, as the run's last comparison gave them."""
    building_s: float = 0.0
    """Time in s that the program compiles longer than before, where it compiles whenever it runs; negative where it is shorter."""
    crowded: bool = False
    """True when other processes took the processor meanwhile: launches had less than a core of it."""
    share_low: float | None = None
    share_high: float | None = None
    """Ends of the interval of the kernel's share of the program's time; None in runs of older versions: then it counts as known."""
    busy_s: float | None = None
    """Processor time of the program in s, without what recording took; None where it, or that of the launches, is not known."""
    busy_share: float = 0.0
    """The kernel's share of it."""
    hidden: float = 0.0
    """Share of the kernel's time on a GPU that passes while the program prepares its next launches: as it seems, a faster kernel does not save it."""

    @property
    def share(self) -> float:
        """Return the kernel's share of the program's time."""
        return self.kernel_s / self.wall_s if self.wall_s else 0.0


@dataclass(frozen=True, slots=True)
class Whole:
    """How many times as fast the whole program should be."""

    speedup: float
    low: float
    high: float


def part(
    capture: Capture,
    kernel: Captured,
    interval: tuple[float, float, float],
    *,
    units: int = 0,
    building_s: float = 0.0,
) -> Part | None:
    """Return a kernel's part of its program, None where its launches were not timed, overlapped, or say nothing about a device.

    Args:
        capture: the program.
        kernel: one of its kernels.
        interval: the kernel's speedup, with the ends of its interval.
        units: cores of the processor that it runs on; 0 where it runs on another device.
        building_s: what compiling the text takes longer than before; counted for programs that keep nothing compiled from run to run.
    """
    if kernel.total_ns is None or kernel.interpreted or kernel.threads > 1:
        return None
    crowded = bool(units) and _crowded(capture, kernel)
    clock = _by_clock(capture, kernel)
    quiet = [_quiet(capture, kernel, width) for width in (units, 1)] if crowded else []
    known = [one for one in quiet if one is not None] or [clock]
    low, high = series.spread(kernel.main.times_ns)
    shares = [one.share for one in (*known, clock)]
    busy = _busy(capture, kernel) if units else None
    return Part(
        program=" ".join(capture.command),
        made=capture.made,
        wall_s=known[0].wall_s,
        kernel=kernel.name,
        kernel_s=known[0].kernel_s,
        speedup=interval[0],
        low=interval[1],
        high=interval[2],
        building_s=building_s if kernel.native else 0.0,
        crowded=crowded,
        share_low=_scaled(min(shares), low),
        share_high=_scaled(max(shares), high),
        busy_s=None if busy is None else busy.wall_s,
        busy_share=0.0 if busy is None else busy.share,
        hidden=kernel.hidden,
    )


@dataclass(frozen=True, slots=True)
class _Times:
    wall_s: float
    kernel_s: float

    @property
    def share(self) -> float:
        return min(self.kernel_s / self.wall_s, 1.0)


def _by_clock(capture: Capture, kernel: Captured) -> _Times:
    """Return the program's time without recording, and the kernel's, as they were."""
    wall_s = max(capture.wall_s - capture.recording_s, 1e-9 * capture.total_ns, 1e-9)
    return _Times(wall_s, 1e-9 * (kernel.total_ns or 0.0))


def _busy(capture: Capture, kernel: Captured) -> _Times | None:
    """Return the processor time of the program without recording, and of the kernel's launches; None where one is not known."""
    busy_ns = kernel.busy_total_ns
    if busy_ns is None or capture.busy_s is None:
        return None
    own_s = max(capture.busy_s - capture.recording_busy_s, 1e-9 * busy_ns)
    return _Times(own_s, 1e-9 * busy_ns) if own_s > 0.0 else None


def _quiet(capture: Capture, kernel: Captured, width: int) -> _Times | None:
    """Return what the times would be if nobody else had the processor, by what the program had of it; None where that is not known.

    Launches of all kernels keep `width` cores busy, what the program does between them one.
    """
    busy_ns, all_ns = kernel.busy_total_ns, [one.busy_total_ns for one in capture.kernels if one.total_ns is not None]
    if busy_ns is None or capture.busy_s is None or any(one is None for one in all_ns):
        return None
    launches_s = 1e-9 * sum(one for one in all_ns if one is not None)
    alone_s = max(capture.busy_s - capture.recording_busy_s - launches_s, 0.0)
    return _Times(max(alone_s + launches_s / width, 1e-9), 1e-9 * busy_ns / width)


def _crowded(capture: Capture, kernel: Captured) -> bool:
    """Tell whether others had the processor while launches ran: these had less than one core of it."""
    if kernel.busy_total_ns is not None:
        return kernel.busy_total_ns < _ALONE * (kernel.total_ns or 0.0)
    return capture.busy_s is not None and capture.busy_s < 1e-9 * capture.total_ns


def _scaled(share: float, by: float) -> float:
    """Return a share of the program when the kernel takes so many times as long, and all else what it took."""
    return share if share >= 1.0 else share * by / (1.0 - share + share * by)


def predicted(parts: Sequence[Part]) -> Whole:
    """Return what kernels of one capture together bring; everything else of the program stays as long.

    >>> one = Part(program="p", made="", wall_s=10.0, kernel="k", kernel_s=5.0, speedup=2.0, low=1.0, high=5.0)
    >>> predicted([one])
    Whole(speedup=1.3333333333333333, low=1.0, high=1.6666666666666667)
    """

    def after(shares: Sequence[float], speedups: Sequence[float]) -> float:
        most = max(1.0, sum(shares))  # each of several kernels may have been measured as nearly all of it
        saved = sum(
            share / most * (1.0 - 1.0 / by) - part.building_s / part.wall_s
            for part, share, by in zip(parts, shares, speedups, strict=True)
        )
        return 1.0 / max(1.0 - saved, 0.01)

    value = after([one.share * (1.0 - one.hidden) for one in parts], [one.speedup for one in parts])
    low = after([_end(one, high=one.low < 1.0) for one in parts], [one.low for one in parts])
    high = after([_end(one, high=one.high >= 1.0) for one in parts], [one.high for one in parts])
    return Whole(value, min(low, value), max(high, value))  # shares that add up to more than all are scaled: not evenly


def processor(parts: Sequence[Part]) -> float | None:
    """Return how much less processor time the program should need, as a ratio; None where that is not known.

    Other processes change it least, so on a busy machine it is what a prediction can be held against.

    >>> one = Part(program="p", made="", wall_s=9.0, kernel="k", kernel_s=9.0, speedup=2.0, low=1.0, high=5.0, busy_s=4.0, busy_share=0.5)
    >>> processor([one])
    1.3333333333333333
    """
    if not parts or any(part.busy_s is None for part in parts):
        return None
    saved = sum(
        part.busy_share * (1.0 - 1.0 / part.speedup) - part.building_s / part.busy_s for part in parts if part.busy_s
    )
    return 1.0 / max(1.0 - saved, 0.01)


def _end(part: Part, *, high: bool) -> float:
    """Return an end of the interval of a kernel's share; where a kernel becomes slower, the greater share is the worse one.

    The greater one has what seems hidden, too: recording takes the program's time, so that it hides more than usual.
    """
    end = part.share_high if high else part.share_low
    return (part.share if end is None else end) * (1.0 if high else 1.0 - part.hidden)


def sentence(parts: Sequence[Part]) -> str:
    """Return the prediction in words; empty of none, and where the parts are of several captures."""
    if not parts or len({part.made for part in parts}) > 1:
        return ""
    prediction = predicted(parts)
    share = units.percent(min(sum(part.share for part in parts), 1.0))
    names = ", ".join(part.kernel for part in parts)
    longer_s = sum(part.building_s for part in parts)
    built = f", and compiling it takes {units.duration(1e9 * longer_s)} longer" if longer_s > 0.0 else ""
    crowded = (
        "; other processes were in the way while it was captured: captured on a quiet machine, the interval is narrower"
        if any(part.crowded for part in parts)
        else ""
    )
    hidden = sum(part.kernel_s * part.hidden for part in parts) / max(sum(part.kernel_s for part in parts), 1e-9)
    waits = (
        f"; {units.percent(hidden)} of that passes while the program prepares further launches, and is hardly saved"
        if hidden >= _TOLD
        else ""
    )
    needed = processor(parts) if crowded else None
    busy = f"; in processor time, which these change least, {needed:.2f}×" if needed is not None else ""
    slower = "; the program as captured would be slower: run longer, it may gain" if prediction.speedup < 1.0 else ""
    return (
        f"predicted for the whole program: {prediction.speedup:.2f}× ({prediction.low:.2f}–{prediction.high:.2f}), for {names} took {share} "
        f"of its {units.significant(parts[0].wall_s)} s{built}{waits}{slower}{crowded}{busy}"
    )
