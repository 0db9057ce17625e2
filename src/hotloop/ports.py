"""What the core asks of the outside world, as protocols; the implementations live above.

The *parent* (app) talks to an `Engine`, whose isolated *worker* process drives a `Backend`; only data of `hotloop.model` pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, Sample, TimedOut
from hotloop.model.program import Program

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.trial import Trial

BAND_BYTES = 4096
"""Canary bytes before and after each array: a page, so that payloads keep page alignment for the runtime."""

ROTATED, COLD, HOT = "rotated", "cold", "hot"
MODES = (ROTATED, COLD, HOT)
"""State of the caches when calls are timed: each call takes the next of several input sets that together exceed the caches, the
caches are emptied before every call, or every call takes the same inputs."""


class BuildError(Exception):
    """Raised by a backend inside the worker: the compiler refused; the text is its log."""


class LaunchError(Exception):
    """Raised by a backend inside the worker: the runtime refused or aborted a launch."""


# --- worker side -----------------------------------------------------------------------------------------------------


class Bound(Protocol):
    """A built program with all arguments set, ready to be launched many times."""

    def enqueue(self) -> None:
        """Submit all launches of the program once, without waiting. Raises LaunchError."""

    def finish(self) -> float | None:
        """Wait for everything submitted; return its device time in ns since the last finish, None if not known."""

    def phases(self) -> Mapping[str, float]:
        """Return device ns by phase for what the last `finish` covered; empty when the runtime has no such clock."""


class Buffer(Protocol):
    """Device memory holding one banded array: canary, payload, canary."""

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""


class Backend(Protocol):
    """Compiles and launches programs of one language; runs only inside a worker."""

    settle_ns: int
    """Longest pause after a timed batch, in which the runtime's idle threads stop spinning and cannot slow the next contender."""

    def devices(self) -> Sequence[Device]:
        """List devices, without deciding whether they work. Raises MachineError when there is no runtime."""

    def select(self, device_name: str) -> Device:
        """Use the first device whose key, name or runtime contains the text (empty: any that works)."""

    def build(self, program: Program) -> Artifact:
        """Compile, once per build key. Raises BuildError."""

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary of a built program, empty if none; ask after a run, because some compile at the first launch."""

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return device memory for one banded array. Raises LaunchError when there is no room."""

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Set all arguments; scratch areas are among the buffers. Raises LaunchError."""


@runtime_checkable
class Sharing(Protocol):
    """A backend that shares its buffers with other backends, so that a dataset's arrays are loaded once for all of them."""

    memory: str
    """Name of the shared memory; backends with the same name share buffers."""


@runtime_checkable
class Separable(Protocol):
    """A backend whose builds can be made in one process and loaded in another."""

    def export(self, program: Program) -> bytes:
        """Return a built program in the form that `adopt` loads. Raises BuildError."""

    def adopt(self, program: Program, exported: bytes, artifact: Artifact) -> None:
        """Load a program that another process built; do nothing if this process has built it. Raises BuildError."""


@runtime_checkable
class Pretending(Protocol):
    """A backend that can compile for a device without opening the device."""

    def pretend(self, device: Device) -> None:
        """From now on only compile, for this device; launching is no longer possible."""


@runtime_checkable
class Fencing(Protocol):
    """A backend whose kernels run in the worker's own memory, so that inaccessible pages can catch accesses out of bounds."""

    def fence(self, banded_bytes: int, *, place: str) -> Buffer | None:
        """Return memory for one array beside an inaccessible page, at one of `PLACES`; None if that is impossible."""

    def spoil(self, pattern: int | None, *, needed_bytes: int, whole: bool) -> Bound | None:
        """Return a launch that overwrites local and private memory; None if that is impossible. See `hotloop.drivers.spoil`."""


@runtime_checkable
class Evicting(Protocol):
    """A backend that can empty the device's caches before every timed call."""

    cold: bool
    """True while the caches are emptied before every timed call."""


# --- parent side -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """One array of a dataset as it lies in the arena, with canary bands around the payload."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    file: str
    output: bool
    """True when the kernel may write it."""
    input: bool
    """True when the kernel reads the content that the array has before the launch; pure outputs are filled with poison."""

    @property
    def payload_bytes(self) -> int:
        """Bytes between the bands."""
        from hotloop.model.dtype import item_bytes

        return prod(self.shape) * item_bytes(self.dtype)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Inputs and poisoned outputs in files that both processes map; scalars travel inside the program."""

    name: str
    slots: tuple[Slot, ...]

    def __hash__(self) -> int:
        return hash(self.name)  # hashing all slots would dominate the cost of a dictionary look-up


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of a program on a dataset."""

    program: Program
    dataset: Dataset
    fence: str = ""
    """Position of the arrays beside inaccessible pages if the backend is `Fencing`: one of `PLACES`; empty: no such pages."""
    only: str = ""
    """Name of the only array that is fenced; empty: all arrays and scratch areas."""


CLOSE, END, START, APART = "close", "end", "start", "apart"
PLACES = (CLOSE, END, START, APART)
"""Arrays end at an inaccessible page exactly, or as near as alignment allows, or begin after one; or lie misaligned, a page away from it."""


@dataclass(frozen=True, slots=True)
class Executed:
    """Outcome of running a program once: the content of every banded array afterwards."""

    arrays: Mapping[str, NDArray[np.uint8]]
    """Banded bytes by array name, scratch areas included."""
    device_ns: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Samples of every contender in one interleaved round, in the order in which they ran."""

    samples: tuple[tuple[int, Sample], ...]
    """(contender index, sample)."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Outcome of a timing request."""

    rounds: tuple[Round, ...]
    calls: tuple[int, ...]  # per sample, chosen for each contender
    phases: tuple[Mapping[str, float], ...] = field(default=())
    """Per contender: device ns per call by phase; empty where unknown."""
    waited: float | None = None
    """Time for which the worker's threads were ready but had no processor, over the time for which they ran; None: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRequest:
    """Interleaved timing of contenders: each round runs them forwards, then backwards (ABBA)."""

    programs: tuple[Program, ...]
    datasets: tuple[Dataset, ...]
    """Input sets; each call takes the next one, and every contender starts a round with the same one."""
    rounds: int
    target_sample_ns: float = 5e6
    """Calls are batched until one sample takes about this long."""
    calls: tuple[int, ...] = ()
    """Calls per sample per contender; empty: calibrate to the target."""
    warmup_ns: float = 2e7  # untimed running before the first sample of each contender
    mode: str = ROTATED  # one of `MODES`; ``hot`` uses the first dataset only
    judged: tuple[int, ...] = (0,)
    """Indices of the datasets whose outputs a timed call left are kept for verification: of two in the last round, then of others."""
    suspects: tuple[int, ...] | None = None
    """Indices of the contenders whose outputs are kept; None: all contenders."""
    metered: bool = False  # each sample covers a window in which energy is measured, see `hotloop.engine.metered`
    hopeless: tuple[float, ...] = ()  # by rounds taken: `hotloop.stats.rounds.outrun` ends the timing
    busiest: bool = False  # processor time of a sample is that of the thread that ran longest, not of the process


KNOWN_PLACES = 4
"""Places of the rotation from which `Engine.renew` takes known inputs, in turn: a program may have stored some results only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewRequest:
    """Timing of a program on inputs new to it, interleaved with calls on known inputs: it shows whether results are stored."""

    program: Program
    rival: Program  # program that runs on the known inputs for comparison; it may be `program` itself
    datasets: tuple[Dataset, ...]
    fresh: tuple[Dataset, ...]  # input sets that the program has never seen: `calls` of them for each round
    calls: int
    known_calls: int
    judged: tuple[int, ...]
    """Indices into `fresh` whose outputs are kept, as the timed call left them, to be verified."""
    met: int = 0  # untimed calls on the known inputs before the first round; a quarter as many before each later round
    warm: int = 0  # untimed samples of both programs before each timed sample
    spoil: bool = False  # overwrite local and private memory before each timed call; only the calls count

    @property
    def rounds(self) -> int:
        """Rounds of `known_calls` on known content and `calls` on fresh content."""
        return len(self.fresh) // self.calls


class Engine(Protocol):
    """Runs candidates in isolation: a compiler abort, crash, hang or device fault comes back as a value."""

    @property
    def arena(self) -> object:
        """Folder with the files of the datasets, for separate programs that a profiler runs; ``str()`` of it is its path."""

    def devices(self) -> tuple[Device, ...]:
        """List the devices of all backends that can be loaded, usable or not."""

    def select(self, device_name: str = "") -> Device:
        """Choose the device for everything that follows. Raises NoDeviceError."""

    def build(self, program: Program) -> Artifact | CompileFailed | Crashed | TimedOut:
        """Compile, once per build key."""

    def binary(self, program: Program) -> bytes:
        """Return the runtime's binary of a program that ran; empty when there is none."""

    def dataset(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
        """Lay inputs and poisoned outputs out in the arena; `poison` selects the poison pattern."""

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset in arena and worker."""

    def execute(
        self, program: Program, dataset: Dataset
    ) -> Executed | CompileFailed | LaunchFailed | Crashed | TimedOut:
        """Load the dataset afresh, run the program, return all arrays."""

    def execute_all(
        self, runs: Sequence[Run]
    ) -> tuple[Executed | CompileFailed | LaunchFailed | Crashed | TimedOut, ...]:
        """Execute several runs in one request; the answers end with the first failure."""

    def time(self, request: TimeRequest) -> Timed | CompileFailed | LaunchFailed | Crashed | TimedOut:
        """Time contenders in one worker. Outputs of the last call stay readable through `outputs`."""

    def renew(self, request: RenewRequest) -> Timed | CompileFailed | LaunchFailed | Crashed | TimedOut:
        """Time known inputs (contender 0) against fresh inputs (contender 1); judged outputs stay readable through `outputs`."""

    def outputs(self, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays that a timed call of the program left in a dataset whose index was in `judged`."""

    def close(self) -> None:
        """Stop the worker and remove the arena. Safe to call twice."""


@runtime_checkable
class Hurried(Protocol):
    """An engine whose time limits can be lowered, because a program known to be defective is not worth a long wait."""

    def hurry(self, limit_s: float) -> None:
        """Limit every later compilation and run to this many seconds of wall time."""


@runtime_checkable
class Foresighted(Protocol):
    """An engine that compiles ahead."""

    def ahead(self, programs: Sequence[Program]) -> None:
        """Begin to compile programs that will be needed soon, each isolated, as many at a time as there are cores."""

    def warm(self, language: str) -> None:
        """Have a language's compiler loaded before the first program."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Load of an engine's machine after its latest timing; `clocks`: clock rates and throttling of its GPU, in words."""

    load_average: float | None
    clocks: str = ""


@runtime_checkable
class Placed(Protocol):
    """An engine on another machine, or one of several devices of this one."""

    @property
    def place(self) -> str:
        """Name of the machine or slot that has the device, as reports show it."""

    @property
    def surroundings(self) -> Surroundings:
        """Load and clocks of its machine."""


@runtime_checkable
class Numerous(Protocol):
    """An engine with several identical devices, whose results are interchangeable; the engine itself drives the first."""

    remarks: list[str]
    """Sentences about the devices that the user should read; whoever prints one removes it."""

    @property
    def byte_s(self) -> float:
        """Time in s that one byte of a dataset takes on its way to a device, as far as is known; 0.0 before there was one."""

    def lanes(self) -> Sequence[Engine]:
        """Return an engine for each device that is available now, this one first; all of them see this engine's datasets."""


@runtime_checkable
class Witnessed(Protocol):
    """An engine with a witness: a process that runs on the same device as the workers and executes no candidate."""

    @property
    def witness(self) -> object | None:
        """The witness, see `hotloop.engine.witness`; None if there is none."""


@runtime_checkable
class Journal(Protocol):
    """Log of a run's results, written as they arrive; a restarted run reads from it what it has already done."""

    def recall(self, key: str) -> str | None:
        """Return the JSON recorded under a key in this run, or None."""

    def record(self, key: str, data: str, trial: Trial | None = None, *, late: bool = False) -> None:
        """Record JSON under a key with its trial in one transaction, durable unless it may be `late`; a second one is ignored."""


class Clock(Protocol):
    """Source of time, a port so that tests can control it."""

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back."""

    def utc(self) -> str:
        """Current UTC time, ISO 8601 with seconds."""
