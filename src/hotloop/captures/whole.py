"""What faster kernels mean for the whole program that was captured: predicted from its own times, to be held against a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop import units
from hotloop.captures.nouns import Capture, Captured


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One kernel's part of a program, and what was made of the kernel."""

    program: str
    """Command line of the captured program."""
    made: str
    """Time of the capture; parts of the same capture can be added up."""
    wall_s: float
    """Wall time of the program in s, without the time that recording took."""
    kernel: str
    kernel_s: float
    """Time of all launches of the kernel, in s."""
    speedup: float
    low: float
    high: float
    """Ends of the interval of `speedup`, as the run's last comparison gave them."""
    building_s: float = 0.0
    """Time in s that the program compiles longer than before, where it compiles whenever it runs; negative where it is shorter."""
    crowded: bool = False
    """True when other processes took the processor meanwhile: the launches then took longer than the program had the processor."""


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
    processor: bool = False,
    building_s: float = 0.0,
) -> Part | None:
    """Return a kernel's part of its program, None where its launches were not timed or say nothing about a device.

    Args:
        capture: the program.
        kernel: one of its kernels.
        interval: the kernel's speedup, with the ends of its interval.
        processor: whether it runs on the processor: then a launch takes at least as much of its time.
        building_s: what compiling the text takes longer than before; counted for programs that keep nothing compiled from run to run.
    """
    spent = kernel.total_ns
    if spent is None or kernel.interpreted:
        return None
    return Part(
        program=" ".join(capture.command),
        made=capture.made,
        wall_s=max(capture.wall_s - capture.recording_s, 1e-9 * capture.total_ns),
        kernel=kernel.name,
        kernel_s=1e-9 * spent,
        speedup=interval[0],
        low=interval[1],
        high=interval[2],
        building_s=building_s if kernel.native else 0.0,
        crowded=processor and capture.busy_s is not None and capture.busy_s < 1e-9 * capture.total_ns,
    )


def predicted(parts: Sequence[Part]) -> Whole:
    """Return what kernels of one capture together bring; everything else of the program stays as long.

    >>> one = Part(program="p", made="", wall_s=10.0, kernel="k", kernel_s=5.0, speedup=2.0, low=1.0, high=5.0)
    >>> predicted([one])
    Whole(speedup=1.3333333333333333, low=1.0, high=1.6666666666666667)
    """
    wall_s = parts[0].wall_s

    def after(speedups: Sequence[float]) -> float:
        saved = sum(
            part.kernel_s * (1.0 - 1.0 / by) - part.building_s for part, by in zip(parts, speedups, strict=True)
        )
        return wall_s / max(wall_s - saved, 0.01 * wall_s)

    return Whole(
        after([program.speedup for program in parts]),
        after([program.low for program in parts]),
        after([program.high for program in parts]),
    )


def sentence(parts: Sequence[Part]) -> str:
    """Return the prediction in words; empty of none, and where the parts are of several captures."""
    if not parts or len({part.made for part in parts}) > 1:
        return ""
    prediction = predicted(parts)
    share = units.percent(sum(part.kernel_s for part in parts) / parts[0].wall_s)
    names = ", ".join(part.kernel for part in parts)
    longer_s = sum(part.building_s for part in parts)
    built = f", and compiling it takes {units.duration(1e9 * longer_s)} longer" if longer_s > 0.0 else ""
    crowded = "; other processes were in the way while it was captured, so these times say little"
    return (
        f"predicted for the whole program: {prediction.speedup:.2f}× ({prediction.low:.2f}–{prediction.high:.2f}), for {names} took {share} "
        f"of its {units.significant(parts[0].wall_s)} s{built}{crowded if any(part.crowded for part in parts) else ''}"
    )
