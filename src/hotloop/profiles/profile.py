"""What a profiler wrote, in one shape for all tools; a value that the file does not hold is None or absent, never 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.model.problem import Work
from hotloop.profiles.trace import ThreadTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """One launch of a kernel as a profiler saw it; None: the file does not say."""

    kernel: str
    """The tool's spelling, without quotes that it added; `hotloop.profiles.names` makes spellings comparable."""
    dispatch_id: int | None = None
    """The tool's number; several processes or passes reuse numbers."""
    device: str | None = None
    """The tool's name or number of the device."""
    process_id: int | None = None
    grid_items: int | None = None
    """Work-items (threads) of the launch."""
    workgroup_items: int | None = None
    """Work-items (threads) of a work-group (block)."""
    lds_bytes: int | None = None
    """Local (shared) memory of a work-group."""
    scratch_bytes: int | None = None
    """Private memory of a work-item."""
    vgprs: int | None = None
    """Vector registers of a work-item (on NVIDIA: registers of a thread)."""
    agprs: int | None = None
    """Accumulation registers of a work-item (CDNA)."""
    sgprs: int | None = None
    wave_size: int | None = None
    start_ns: int | None = None
    """The tool's clock, of arbitrary origin."""
    end_ns: int | None = None
    duration_ns: float | None = None
    """Duration under the profiler, with its clocks and its caches: not a benchmark result."""
    counters: Mapping[str, float] = field(default_factory=dict)
    """Counters by the vendor's name, verbatim; summed over the instances (engines, dies) that the tool lists separately."""
    passes: tuple[Mapping[str, float], ...] = ()
    """Counters by pass, where the file tells: each pass is another execution; counters of single channels are left out."""

    @property
    def runs(self) -> tuple[Mapping[str, float], ...]:
        """The counters of each pass; one pass where the file does not tell passes apart, none without counters."""
        return self.passes or ((self.counters,) if self.counters else ())


@dataclass(frozen=True, slots=True)
class Tally:
    """One value over many dispatches."""

    count: int
    """Dispatches that had the value."""
    total: float
    minimum: float | None
    """None: the file gives totals only, or parts of one dispatch that are too far apart to be put together."""
    maximum: float | None

    @property
    def mean(self) -> float:
        """Arithmetic mean over the dispatches that had the value."""
        return self.total / self.count

    def merged(self, other: Tally) -> Tally:
        """Return the tally over both groups of dispatches."""
        ranged = self.minimum is not None and other.minimum is not None
        least = min(self.minimum or 0.0, other.minimum or 0.0) if ranged else None
        most = max(self.maximum or 0.0, other.maximum or 0.0) if ranged else None
        return Tally(self.count + other.count, self.total + other.total, least, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelProfile:
    """All dispatches of one kernel on the devices of one file; None: not said, or it differs between dispatches."""

    kernel: str
    """The tool's spelling."""
    dispatches: int
    grid_items: int | None = None
    workgroup_items: int | None = None
    lds_bytes: int | None = None
    scratch_bytes: int | None = None
    vgprs: int | None = None
    agprs: int | None = None
    sgprs: int | None = None
    wave_size: int | None = None
    varies: tuple[str, ...] = ()
    """Fields above that are None because dispatches differ in them."""
    duration_ns: Tally | None = None
    counters: Mapping[str, Tally] = field(default_factory=dict)
    """Counters by the vendor's name, verbatim; per dispatch, summed over instances first."""


ON_HOST: Final = "operator"
"""Domain of operators whose time is the host's."""
ON_DEVICE: Final = "operator on the device"
"""Domain of operators whose time is that of the kernels that they started."""
UNTOLD: Final = "function"
"""Domain of what a table lists by name without saying whether it is a kernel or a call."""


@dataclass(frozen=True, slots=True)
class Calls:
    """All calls of one function, copy or phase in a trace of the host or of the runtime."""

    domain: str
    """The tool's class of activity: ``HIP_RUNTIME_API_EXT``, ``MEMORY_COPY``, ``KERNEL_DISPATCH`` ...; empty: not said."""
    name: str
    duration_ns: Tally


@dataclass(frozen=True, slots=True)
class SampledInstruction:
    """Samples of the program counter at one instruction."""

    instruction: str
    source: str
    """``file:line``; empty: the code has no debug information."""
    samples: int
    issued: int | None
    """Samples in which the wave issued; None: this sampling method does not tell."""
    stalls: Mapping[str, int]
    """Samples by the tool's reason for not issuing."""
    dispatch_id: int | None = None
    """Launch that was sampled; the same place has a row for each. None: the file does not tell."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One event that was counted for a whole process or machine, not for a kernel."""

    event: str
    """The tool's name, verbatim."""
    value: float | None
    """None: not counted or not supported; never 0 in its place."""
    unit: str
    """Unit that the tool prints, e.g. ``msec``; empty: a plain count."""
    running_share: float | None = None
    """Share of the time during which the event had a hardware counter; below 1 the value is extrapolated."""
    spread_share: float | None = None
    """Relative standard deviation of the mean over repeated runs."""
    reason: str = ""
    """Why the value is None."""


@dataclass(frozen=True, slots=True)
class DeviceFact:
    """One thing that the file says about a device or a machine, as written."""

    device: str
    """The tool's name or number of the device; empty: the machine."""
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What one file, or one folder of files that belong together, says."""

    tool: str
    """``rocprof-v1``, ``rocprof-v2``, ``rocprofv3``, ``rocpd``, ``rocprof-compute``, ``att``, ``ncu``, ``perf`` ..."""
    source: str
    """Name of the file or folder."""
    format: str = ""
    """Which of the tool's formats, in a few words."""
    tool_version: str | None = None
    architecture: str | None = None
    """``gfx942``, ``sm_90`` ...; None: the file does not say."""
    device_name: str | None = None
    dispatches: tuple[Dispatch, ...] = ()
    """Dispatches in the file's order; empty, with an absence, when there are too many to hold: then use `kernels`."""
    kernels: tuple[KernelProfile, ...] = ()
    """The same dispatches by kernel, always complete."""
    span_ns: float | None = None
    """Time from the beginning of the first launch to the end of the last, where all launches ran on one device and have both."""
    kernels_ns: float | None = None
    """Time of all kernels, where the file tells shares of more than its rows: tables are cut to the largest."""
    calls: tuple[Calls, ...] = ()
    calls_ns: float | None = None
    """The same of calls."""
    samples: tuple[SampledInstruction, ...] = ()
    readings: tuple[Reading, ...] = ()
    facts: tuple[DeviceFact, ...] = ()
    trace: ThreadTrace | None = None
    work: Work | None = None
    """Work of one launch, where hotloop profiled a kernel that declares it."""
    absent: tuple[Absent, ...] = ()
    """Data that a reader would expect and the file does not hold, each with the reason."""
    notes: tuple[str, ...] = ()
    """Repairs and omissions made while reading, one sentence each."""

    def kernel(self, name: str) -> KernelProfile | None:
        """Return a kernel by the tool's spelling, or None."""
        return next((kernel for kernel in self.kernels if kernel.kernel == name), None)

    def why_absent(self, name: str) -> str:
        """Return the reason for an absent value."""
        return next((a.reason for a in self.absent if a.name == name), "the file does not hold it")
