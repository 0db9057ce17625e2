"""The outcome of a candidate, with one type for each kind; failure of a candidate is a value, not an exception."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hotloop.model.check import CheckReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One timed batch of calls."""

    wall_ns: float
    """Wall time of the whole batch, launch to completion."""
    calls: int
    device_ns: float | None = None
    """Sum of device-side kernel times of the batch; None if the runtime does not measure them."""
    cpu_ns: float | None = None
    """Process CPU time of the batch, all threads."""
    dataset: int = 0
    """Index of the input set with which the batch began."""
    energy_j: float | None = None
    """Energy that the device used from the first call to the last; None: not measured."""
    energy_error_j: float | None = None
    """Error bound of `energy_j` that follows from the steps of its counter."""

    @property
    def call_ns(self) -> float:
        """Wall time of one call."""
        return self.wall_ns / self.calls


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions under which samples were taken; results are only comparable if these agree."""

    device_fingerprint: str
    clock: str = "wall"
    """``wall`` or ``device``: the time of a sample that is used in comparisons."""
    mode: str = "rotated"
    """``rotated`` (fresh inputs beyond the last-level cache), ``hot`` or ``cold``."""
    load_average: float | None = None
    cpu_share: float | None = None
    """Process CPU time / (wall time × threads used); far below 1 on a busy machine, where wall time cannot be trusted."""
    note: str = ""
    place: str = ""
    """Machine and device of a cluster; empty when the run used its own machine."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources of a compiled kernel as the runtime reports them; None: not reported."""

    private_bytes: int | None = None
    local_bytes: int | None = None
    max_workgroup: int | None = None


ARGUMENT_INFO = "-cl-kernel-arg-info"
"""OpenCL build option that makes the compiler record names and types of parameters."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A kernel function's parameter as the compiler reports it."""

    name: str
    type: str
    """Type, of a pointer the type it points to; macros are expanded, ``typedef`` names are not."""
    space: str = ""
    """``global``, ``local``, ``constant``, or empty for a value."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled program with its resources and binary."""

    build_key: str
    build_ns: float
    log: str = ""
    resources: tuple[tuple[str, Resources], ...] = ()
    """(kernel function, resources)."""
    signatures: tuple[tuple[str, tuple[Parameter, ...]], ...] = ()
    """(kernel function, parameters) if `ARGUMENT_INFO` was among the options."""
    kept_bytes: int = 0
    """Variables of the program that outlive a call, where that is known: OpenCL on CPUs."""
    frame_bytes: int = 0
    """The largest frame that its code takes from a thread's stack, spilled registers among it, where that is known: OpenCL on CPUs."""
    build_busy_ns: float | None = None
    """Processor time of compiling, which other processes do not lengthen; None where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The variant was verified and timed."""

    samples: tuple[Sample, ...]
    conditions: Conditions
    check: CheckReport | None = None

    @property
    def call_ns(self) -> float:
        """Median time of one call by the clock named in the conditions.

        A GPU's wall time includes the host's work between calls, and in cold mode the emptying of the caches.
        """
        return median(self._calls_ns)

    @property
    def best_ns(self) -> float:
        """Fastest call average of any sample; for display beside the median, never for a verdict."""
        return min(self._calls_ns)

    @property
    def _calls_ns(self) -> list[float]:
        if self.conditions.clock == "device":
            own = [s.device_ns / s.calls for s in self.samples if s.device_ns is not None]
            if len(own) == len(self.samples):
                return own
        return [sample.call_ns for sample in self.samples]

    @property
    def device_ns(self) -> float | None:
        """Median device time of one call, or None."""
        times = [s.device_ns / s.calls for s in self.samples if s.device_ns is not None]
        return median(times) if times else None


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The configuration is outside the space, or this problem or device rules it out; nothing was run."""

    reason: str


@dataclass(frozen=True, slots=True)
class CompileFailed:
    """The compiler refused the source."""

    log: str
    line: int | None = None
    """First source line that the compiler complains about."""


@dataclass(frozen=True, slots=True)
class LaunchFailed:
    """The runtime refused or aborted a launch: out of resources, invalid work-group size, device fault."""

    reason: str


@dataclass(frozen=True, slots=True)
class WrongResult:
    """Verification found errors; such a variant is never timed."""

    check: CheckReport


@dataclass(frozen=True, slots=True)
class Crashed:
    """The worker process died while the candidate ran."""

    stage: str
    """``build``, ``execute`` or ``time``."""
    signal: int | None
    """POSIX signal number, or None when the process exited by itself."""
    message: str = ""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The wall-clock limit passed and the worker was killed."""

    stage: str
    limit_s: float


@dataclass(frozen=True, slots=True)
class Impossible:
    """Faster than the roofline floor allows, and therefore refused: some of the work was not measured."""

    call_ns: float
    floor_ns: float


Failure = NotApplicable | CompileFailed | LaunchFailed | WrongResult | Crashed | TimedOut | Impossible
Outcome = Measured | Failure


_PLACED = re.compile(r"(\w+): at \d+:\d+:$")
"""What Triton's compiler begins with, before the source and the reason."""
_NUMBERED = re.compile(r"^(?:\d+:){2,3} *(?:error: *)?")
"""Prefix of messages of OpenCL's compilers (text number, line, column, severity), which repeats what the sentence says."""

_VAGUE = re.compile(r"^(?:compilation|build(?:ing)?|linking) (?:failed|started|done)\W*$", re.IGNORECASE)
"""A line of a compiler that names no cause."""


def _under_caret(rows: Sequence[str]) -> str:
    """Return the reason that stands under the shown source, with the kind of error, where the first row has only a place (Triton)."""
    kind = _PLACED.match(rows[0]) if rows else None
    carets = [number for number, row in enumerate(rows[:-1]) if row == "^"]
    return f"{kind[1]}: {rows[carets[-1] + 1]}" if kind and carets else ""


def describe(outcome: Outcome) -> str:
    """Return one line for tables and logs."""
    match outcome:
        case Measured():
            return "measured"
        case NotApplicable(reason=reason):
            return f"not applicable: {reason}"
        case CompileFailed(log=log, line=line):
            where = f" at line {line}" if line else ""
            rows = [row.strip() for row in log.splitlines() if row.strip()]
            telling = [row for row in rows if "error" in row] or [row for row in rows if not _VAGUE.match(row)] or rows
            first = _under_caret(rows) or (telling[0] if telling else "the compiler says nothing")
            return f"does not compile{where}: {_NUMBERED.sub('', first) if where else first}"
        case LaunchFailed(reason=reason):
            return f"launch failed: {reason}"
        case WrongResult(check=check):
            return f"wrong result: {check.summary}"
        case Crashed(stage=stage, signal=number, message=message):
            return (
                f"crashed in {stage}" + (f" (signal {number})" if number else "") + (f": {message}" if message else "")
            )
        case TimedOut(stage=stage, limit_s=limit_s):
            return f"timed out in {stage} after {limit_s:g} s"
        case Impossible(call_ns=call_ns, floor_ns=floor_ns):
            return f"impossible: {call_ns:.0f} ns is below the roofline floor of {floor_ns:.0f} ns"
