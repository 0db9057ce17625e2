"""What each kernel of a program costs, how far it is from its roof, and what the whole program could gain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop import units
from hotloop.app.events import Listener
from hotloop.app.run import ceilings
from hotloop.app.session import Options, desk
from hotloop.captures.nouns import Capture, Captured
from hotloop.errors import HotloopError

_WORTH = 1.02
"""Gain of the whole program below which nothing of it is worth tuning."""
_HIDDEN = 0.5
"""Share of a kernel's time, hidden behind the program's own, from which on a row says so."""

_AT_MOST = 1.1
"""Times the bandwidth of a copy up to which arrays may come from memory: kernels that mostly read are a little quicker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One kernel's part of a captured program's time."""

    kernel: str
    language: str
    calls: int
    call_ns: float | None
    share: float | None
    """Share of the time of all launches."""
    roof: float | None
    """Share of the roof, at most 1: the time to move the kernel's arrays once at the measured bandwidth, divided by its own time; None where
    that is not known, for example because the arrays come from a cache."""
    gain: float | None
    """Largest speedup of the whole program: with this kernel at its roof, or with the kernel removed where its roof is not known; None where
    its launches were not timed, or overlapped."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """A program's kernels, the most expensive first."""

    rows: tuple[Cost, ...]
    launches_ns: float
    wall_s: float
    gain: float
    """Speedup of the whole program with all kernels at their roofs."""
    reach: float
    """The same of those that can be optimized."""
    unknown: str = ""
    """Why there is no roof; empty where there is one."""

    @property
    def worthwhile(self) -> bool:
        """Tell whether anything that can be optimized could make the program faster by more than noise."""
        return self.reach >= _WORTH


def costs(capture: Capture, listener: Listener, options: Options, *, measure: bool = True) -> Costs:
    """Return what the kernels of a capture cost; the device's bandwidth is measured where it can be."""
    bandwidth, unknown = _bandwidths(capture, listener, options) if measure else ({}, "it was not asked for")
    total = capture.total_ns
    rows = tuple(_cost(kernel, total, capture, bandwidth.get(kernel.language)) for kernel in capture.kernels)
    saved = [_saved_ns(kernel, row) for kernel, row in zip(capture.kernels, rows, strict=True)]
    gain = _whole(sum(saved), capture)
    reach = _whole(sum(one for one, kernel in zip(saved, capture.kernels, strict=True) if not kernel.obstacle), capture)
    return Costs(rows=rows, launches_ns=total, wall_s=capture.wall_s, gain=gain, reach=reach, unknown=unknown)


def _bandwidths(capture: Capture, listener: Listener, options: Options) -> tuple[dict[str, float], str]:
    """Return bytes per second by language of the devices that the program ran on, and why there is none."""
    bytes_per_s: dict[str, float] = {}
    unknown = ""
    for language in dict.fromkeys(kernel.language for kernel in capture.kernels):
        first = next(kernel for kernel in capture.kernels if kernel.language == language)
        if first.interpreted:
            unknown = "times of Triton's interpreter say nothing about a GPU"
            continue
        try:
            with desk(options.running_language(language), listener) as opened:
                if opened.device.name.strip() != first.device.strip():
                    unknown = f"the program ran on {first.device}, here is {opened.device.name}"
                    continue
                if (rate := ceilings.copy_bandwidth(opened)) is not None:
                    bytes_per_s[language] = rate
        except HotloopError as error:
            unknown = str(error)
    return bytes_per_s, unknown


def _cost(kernel: Captured, total_ns: float, capture: Capture, bytes_per_s: float | None) -> Cost:
    own = kernel.total_ns
    roof = None
    if bytes_per_s and own and all(launch.call_ns is not None for launch in kernel.launches):
        floor = sum(1e9 * launch.bytes / bytes_per_s * launch.calls for launch in kernel.launches)
        spent = sum((launch.total_ns or 0.0) for launch in kernel.launches)
        roof = floor / spent if spent else None
    cached = roof is not None and roof > _AT_MOST
    roof = None if roof is None or cached else min(roof, 1.0)
    row = Cost(
        kernel=kernel.name,
        language=kernel.language,
        calls=kernel.calls,
        call_ns=own / kernel.calls if own and kernel.calls else None,
        share=own / total_ns if own and total_ns else None,
        roof=roof,
        gain=None,
        note=_note(kernel, cached=cached),
    )
    return row if own is None or kernel.threads > 1 else replace(row, gain=_whole(_saved_ns(kernel, row), capture))


def _saved_ns(kernel: Captured, row: Cost) -> float:
    """Return what the program saves with a kernel at its roof; all of it where that is not known."""
    own = kernel.total_ns or 0.0
    return own if row.roof is None else own * (1 - row.roof)


def _whole(saved_ns: float, capture: Capture) -> float:
    """Return the program's time over what remains of it."""
    wall_ns = max(1e9 * (capture.wall_s - capture.recording_s), capture.total_ns, 1.0)
    return wall_ns / max(wall_ns - saved_ns, 0.01 * wall_ns)


def _note(kernel: Captured, *, cached: bool) -> str:
    notes = []
    if kernel.obstacle:
        notes.append(kernel.refused or f"cannot be optimized: {kernel.obstacle}")
    if cached:
        notes.append("its arrays come from a cache")
    if kernel.further:
        notes.append(f"{kernel.further} calls of further kinds")
    if kernel.threads > 1:
        notes.append(
            "launched from several threads or processes at once: its times overlap, and what the program would gain is not known"
        )
    if kernel.hidden >= _HIDDEN:
        notes.append(
            f"the GPU waits for the program: {units.percent(kernel.hidden)} of its time passes while further launches are prepared"
        )
    return "; ".join(notes)
