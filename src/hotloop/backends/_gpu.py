"""What CUDA and HIP have in common: the `Backend` port on top of a small driver interface.

Launches are collected and submitted together when somebody waits for them, so that the device's own clock can stand
around exactly what is asked about. A single call is timed launch by launch behind a fill of scratch memory: while the
device fills, the host submits, so no gap of the host's gets into the time, and the call starts with cold caches. A batch is
timed as a whole; short launches are replayed from a captured graph, because the host cannot submit them as fast as they run.

A fault of the device cannot be undone inside the process. Whoever notices one ends the process with the driver's words on
standard error, and the engine starts another one.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np

from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, Resources
from hotloop.model.program import Argument, Array, Input, Launch, Local, Program, Value
from hotloop.ports import BAND_BYTES, Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXIT_FAULT = 70
"""Exit status of a process whose device faulted: EX_SOFTWARE of sysexits.h."""
GRAPH_BELOW_NS = 20_000.0
"""Launches shorter than this are replayed from a graph: submitting one from Python takes about a fifth of it."""
GRAPH_CALLS = 60
"""Calls of one graph; divisible by every small number of input sets, so that few different graphs are needed."""
_LEAST_FILL_BYTES = 64 << 20
"""Keeps a device busy for about 20 µs or more, longer than the host needs to submit a few launches."""
_DEFAULT_BLOCK = 256
_PROBE_COUNT = 1000
_DIMENSIONS = 3


class DriverError(Exception):
    """A call of the driver failed; the text is what the driver says, with the name of the error."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the run-time compiler made of a program."""

    binary: bytes
    symbols: Mapping[str, str]
    """Symbol of each kernel function in the binary, which C++ mangles."""
    log: str = ""


class Driver(Protocol):
    """The calls of a vendor's driver that a backend needs; every one may raise DriverError."""

    language: str
    probe: str
    """A kernel ``probe(const float *x, float *y, int n)`` that computes 2·x + i."""

    def devices(self) -> Sequence[Device]:
        """List devices by ordinal. Raises NoDeviceError when there is no driver."""

    def open(self, ordinal: int) -> None:
        """Make a device current, with a stream of its own."""

    def compile(self, text: str, name: str, options: Sequence[str], entries: Sequence[str]) -> Compiled:
        """Compile for the open device. Raises BuildError."""

    def load(self, binary: bytes) -> Any:  # noqa: ANN401 - handles are the driver's own
        """Return a module."""

    def function(self, module: Any, symbol: str) -> Any:  # noqa: ANN401
        """Return a kernel of a module."""

    def resources(self, function: Any) -> Resources:  # noqa: ANN401
        """Return what the driver says about a kernel."""

    def parameters(self, function: Any) -> Sequence[int] | None:  # noqa: ANN401
        """Return the size in bytes of each kernel parameter, None where the driver does not tell."""

    def reserve(self, function: Any, shared_bytes: int) -> None:  # noqa: ANN401
        """Allow launches with this much dynamic shared memory."""

    def allocate(self, size_bytes: int) -> int:
        """Return the address of new device memory."""

    def free(self, address: int) -> None:
        """Give device memory back."""

    def write(self, address: int, array: NDArray[np.uint8]) -> None:
        """Copy to the device and wait."""

    def read(self, array: NDArray[np.uint8], address: int) -> None:
        """Copy from the device and wait."""

    def fill(self, address: int, size_bytes: int) -> None:
        """Submit a fill."""

    def pack(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return arguments, given as ctypes values, in the form that `launch` takes."""

    def launch(
        self,
        function: Any,  # noqa: ANN401
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
        packed: Any,  # noqa: ANN401
    ) -> None:
        """Submit a launch."""

    def event(self) -> Any:  # noqa: ANN401
        """Return a new event with timing."""

    def record(self, event: Any) -> None:  # noqa: ANN401
        """Submit an event."""

    def elapsed_ns(self, first: Any, last: Any) -> float:  # noqa: ANN401
        """Return the device time between two events that have passed."""

    def wait(self) -> None:
        """Wait for everything submitted."""

    def healthy(self) -> bool:
        """Tell whether the device still answers; False after a fault, for the rest of the process."""

    def capture(self, submit: Callable[[], None]) -> Any:  # noqa: ANN401
        """Return an executable graph of what `submit` submits."""

    def replay(self, graph: Any) -> None:  # noqa: ANN401
        """Submit a graph."""

    def drop(self, graph: Any) -> None:  # noqa: ANN401
        """Free a graph."""


def die(message: str) -> NoReturn:
    """End the process: no further call of this driver could succeed, and the parent must see a crash."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201 - the engine reads a dead worker's last words
    os._exit(EXIT_FAULT)


class GpuBackend:
    """Implements the `Backend` port on a driver."""

    settle_ns = 0

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._device: Device | None = None
        self._queue = Queue(driver)
        self._built: dict[tuple[str, tuple[str, ...]], tuple[Any, Compiled, Artifact]] = {}

    @property
    def cold(self) -> bool:
        """True: every timed call starts behind a fill that evicts the caches; False: calls follow one another."""
        return self._queue.cold

    @cold.setter
    def cold(self, value: bool) -> None:
        self._queue.cold = value

    def devices(self) -> Sequence[Device]:
        """List devices without trying them."""
        return self._driver.devices()

    def select(self, device_name: str) -> Device:
        """Use the first device that matches and computes a small kernel correctly.

        Raises:
            NoDeviceError: nothing matches, or nothing that matches works.
        """
        language, listed = self._driver.language, list(enumerate(self._driver.devices()))
        wanted = device_name.casefold()
        matching = [row for row in listed if wanted in _described(*row).casefold()]
        if not matching:
            known = "; ".join(_described(*row) for row in listed) or "none"
            raise NoDeviceError(f"no {language} device matches {device_name!r}; listed devices: {known}.")
        reasons = []
        for ordinal, device in matching:
            if not (reason := self._try(ordinal, device)):
                return device
            reasons.append(f"{device.name} #{ordinal}: {reason}")
        raise NoDeviceError(
            f"no {language} device passes the compile-run-check probe: {'; '.join(reasons)}; see hotloop doctor."
        )

    @property
    def device(self) -> Device:
        """The selected device; selects the first one at first use."""
        return self._device or self.select("")

    def build(self, program: Program) -> Artifact:
        """Compile, once per source, options and kernel names."""
        return self._build(program)[2]

    def binary(self, program: Program) -> bytes:
        """Return the code object that was loaded."""
        return self._build(program)[1].binary

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return device memory for one banded array."""
        assert self.device
        return DeviceBuffer(self._queue, banded_bytes)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Pack all arguments."""
        module, compiled, _ = self._build(program)
        launches = [la for la in program.launches if la.work_items]
        return BoundProgram(
            self._queue,
            [self._ready(module, compiled.symbols[la.entry], la, buffers) for la in launches],
            tuple(buffers.values()),
        )

    def _try(self, ordinal: int, device: Device) -> str:
        """Open a device and run the probe on it; return why it cannot be used, or an empty text."""
        try:
            self._driver.open(ordinal)
            self._device = device
            self._queue.open(2 * (device.llc_bytes or 0))
            return self._probe()
        except (DriverError, BuildError, LaunchError) as error:
            self._device = None
            return str(error).strip().partition("\n")[0]

    def _probe(self) -> str:
        arguments = (Array("x"), Array("y"), Value(_PROBE_COUNT, "int32"))
        launch = Launch("probe", arguments, (1024,), (256,))
        program = Program(self._driver.language, self._driver.probe, (), (launch,), source_name="probe")
        x = np.linspace(-1, 1, _PROBE_COUNT, dtype=np.float32)
        buffers: dict[str, Buffer] = {}
        for name, content in (("x", x), ("y", np.full(_PROBE_COUNT, np.nan, np.float32))):
            buffers[name] = self.allocate(content.nbytes + 2 * BAND_BYTES)
            buffers[name].write(np.pad(content.view(np.uint8), BAND_BYTES))
        bound = self.bind(program, buffers)
        bound.enqueue()
        bound.finish()
        banded = np.empty(x.nbytes + 2 * BAND_BYTES, np.uint8)
        buffers["y"].read(banded)
        expected = 2.0 * x.astype(np.float64) + np.arange(_PROBE_COUNT)
        computed = banded[BAND_BYTES:-BAND_BYTES].view(np.float32)
        return "" if np.allclose(computed, expected, rtol=1e-6) else "computes wrong results"

    def _build(self, program: Program) -> tuple[Any, Compiled, Artifact]:
        entries = tuple(sorted({launch.entry for launch in program.launches}))
        key = (program.build_key, entries)
        if key not in self._built:
            assert self.device
            self._built[key] = self._compile(program, entries)
        return self._built[key]

    def _compile(self, program: Program, entries: tuple[str, ...]) -> tuple[Any, Compiled, Artifact]:
        started_ns = time.perf_counter_ns()
        name = program.source_name or "kernel"
        compiled = self._driver.compile(program.source, name, program.options, entries)
        build_ns = float(time.perf_counter_ns() - started_ns)
        try:
            module = self._driver.load(compiled.binary)
            functions = [(entry, self._driver.function(module, compiled.symbols[entry])) for entry in entries]
            resources = tuple((entry, self._driver.resources(function)) for entry, function in functions)
        except DriverError as error:
            self._queue.check(str(error))
            raise BuildError(f"error: the driver does not load what was compiled: {error}") from None
        return module, compiled, Artifact(program.build_key, build_ns, compiled.log, resources)

    def _ready(self, module: Any, symbol: str, launch: Launch, buffers: Mapping[str, Buffer]) -> Ready:  # noqa: ANN401
        values = [_argument(a, buffers) for a in launch.arguments if not isinstance(a, Local)]
        shared_bytes = sum(a.local_bytes for a in launch.arguments if isinstance(a, Local))
        try:
            function = self._driver.function(module, symbol)
            _agree(launch.entry, values, self._driver.parameters(function))
            self._driver.reserve(function, shared_bytes)
            packed = self._driver.pack(values)
        except DriverError as error:
            self._queue.check(str(error))
            raise LaunchError(f"{launch.entry}: {error}") from None
        grid, block = geometry(launch, self.device.max_workgroup)
        return Ready(function, grid, block, shared_bytes, packed, launch.entry, launch.phase)


@dataclass(frozen=True, slots=True)
class Ready:
    """One launch with everything that the driver wants."""

    function: Any
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    packed: Any
    entry: str
    phase: str


class DeviceBuffer:
    """Device memory with canary bands; kernels get the address of the payload."""

    def __init__(self, queue: Queue, banded_bytes: int) -> None:
        self._queue = queue
        self._base = queue.allocate(banded_bytes)

    def __del__(self) -> None:
        """Free the memory; bound programs that still point to it are gone by then."""
        if base := getattr(self, "_base", 0):
            self._queue.free(base)

    @property
    def payload(self) -> int:
        """Address behind the first band."""
        return self._base + BAND_BYTES

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""
        self._queue.guarded(lambda: self._queue.driver.write(self._base, banded))

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""
        self._queue.guarded(lambda: self._queue.driver.read(banded, self._base))


class BoundProgram:
    """Launches with their arguments."""

    _serials = count()

    def __init__(self, queue: Queue, launches: Sequence[Ready], buffers: Sequence[Buffer] = ()) -> None:
        self._queue = queue
        self._buffers = buffers  # the launches point into them
        self.launches = tuple(launches)
        self.serial = next(self._serials)
        """Names it in keys of graphs without keeping it alive."""
        self.pace_ns: float | None = None
        """Device time of one call when last measured."""
        self.spent_ns = 0.0
        self.spent_by_phase: dict[str, float] = {}
        self.graphs: dict[tuple[int, ...], Any] = {}
        """Captured sequences that begin with this program, by the serials of their programs."""

    def __del__(self) -> None:
        """Free the graphs."""
        for graph in getattr(self, "graphs", {}).values():
            self._queue.guarded(partial(self._queue.driver.drop, graph))

    def enqueue(self) -> None:
        """Note one call for submission."""
        self._queue.add(self)

    def finish(self) -> float | None:
        """Submit and wait; return the device time of this program's calls since the last time."""
        self._queue.drain()
        spent, self.spent_ns = self.spent_ns, 0.0
        return spent

    def phases(self) -> Mapping[str, float]:
        """Device ns by phase, known when the last `finish` covered a single call."""
        return self.spent_by_phase


class Queue:
    """What was enqueued and not yet submitted, and the clock around it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.cold = False
        self._pending: list[BoundProgram] = []
        self._events: list[Any] = []
        self._scratch, self._scratch_bytes = 0, 0

    def open(self, cache_bytes: int) -> None:
        """Get the scratch memory whose fill evicts the caches, on the device that was just opened."""
        self._events, self._pending = [], []
        self._scratch_bytes = max(cache_bytes, _LEAST_FILL_BYTES)
        self._scratch = self.driver.allocate(self._scratch_bytes)

    def allocate(self, size_bytes: int) -> int:
        """Return device memory. Raises LaunchError."""
        try:
            return self.driver.allocate(size_bytes)
        except DriverError as error:
            self.check(str(error))
            raise LaunchError(f"cannot allocate {size_bytes} bytes: {error}") from None

    def free(self, address: int) -> None:
        """Free device memory."""
        self.guarded(lambda: self.driver.free(address))

    def guarded(self, act: Callable[[], None]) -> None:
        """Do something with the driver. Raises LaunchError; does not return when the device has faulted."""
        try:
            act()
        except DriverError as error:
            self.check(str(error))
            raise LaunchError(str(error)) from None

    def check(self, message: str) -> None:
        """End the process when an error was a fault of the device; `message` are its last words."""
        if not self.driver.healthy():
            die(message)

    def add(self, bound: BoundProgram) -> None:
        """Note one call."""
        if bound.launches:
            self._pending.append(bound)

    def drain(self) -> None:
        """Submit all noted calls and wait for them."""
        pending, self._pending = self._pending, []
        if not pending:
            return
        entry = pending[0].launches[-1].entry
        try:
            if self.cold or len(pending) == 1:
                self._one_by_one(pending)
            else:
                self._together(pending)
        except DriverError as error:
            self.check(f"{error} in {entry}")
            raise LaunchError(f"{entry}: {error}") from None

    def _one_by_one(self, pending: Sequence[BoundProgram]) -> None:
        """Time every launch by itself, each call behind a fill."""
        driver, marks = self.driver, iter(self._marks(sum(len(bound.launches) + 1 for bound in pending)))
        timed: list[tuple[BoundProgram, Ready, Any, Any]] = []
        for bound in pending:
            driver.fill(self._scratch, self._scratch_bytes)
            last = next(marks)
            driver.record(last)
            for ready in bound.launches:
                first, last = last, next(marks)
                self._launch(ready)
                driver.record(last)
                timed.append((bound, ready, first, last))
        driver.wait()
        spent: dict[BoundProgram, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for bound, ready, first, last in timed:
            spent[bound][ready.phase] += driver.elapsed_ns(first, last)
        for bound, phases in spent.items():
            total_ns, calls = sum(phases.values()), pending.count(bound)
            bound.spent_ns += total_ns
            bound.pace_ns = total_ns / calls
            bound.spent_by_phase = dict(phases)

    def _together(self, pending: Sequence[BoundProgram]) -> None:
        """Time all calls as one stretch of device time, and give every call the same part of it."""
        driver, (first, last) = self.driver, self._marks(2)
        submit = self._replayed(pending) if _short(pending) else lambda: self._submit(pending)
        driver.record(first)
        submit()
        driver.record(last)
        driver.wait()
        call_ns = driver.elapsed_ns(first, last) / len(pending)
        for bound in pending:
            bound.spent_ns += call_ns
            bound.pace_ns = call_ns
            bound.spent_by_phase = {}

    def _replayed(self, pending: Sequence[BoundProgram]) -> Callable[[], None]:
        """Return what replays the calls from graphs, captured where they are new: outside the time."""
        parts = [pending[at : at + GRAPH_CALLS] for at in range(0, len(pending), GRAPH_CALLS)]
        graphs = [self._graph(part) for part in parts]

        def submit() -> None:
            for graph in graphs:
                self.driver.replay(graph)

        return submit

    def _graph(self, part: Sequence[BoundProgram]) -> Any:  # noqa: ANN401
        key, owner = tuple(bound.serial for bound in part), part[0]
        if key not in owner.graphs:
            owner.graphs[key] = self.driver.capture(lambda: self._submit(part))
        return owner.graphs[key]

    def _submit(self, pending: Sequence[BoundProgram]) -> None:
        for bound in pending:
            for ready in bound.launches:
                self._launch(ready)

    def _launch(self, ready: Ready) -> None:
        self.driver.launch(ready.function, ready.grid, ready.block, ready.shared_bytes, ready.packed)

    def _marks(self, number: int) -> list[Any]:
        while len(self._events) < number:
            self._events.append(self.driver.event())
        return self._events[:number]


def geometry(launch: Launch, most_threads: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return grid and block of a launch that is given in work-items; raises LaunchError beyond three dimensions.

    >>> geometry(Launch("k", (), (1000, 3), (256, 1)), 1024)
    ((4, 3, 1), (256, 1, 1))
    """
    items = launch.global_size
    if len(items) > _DIMENSIONS:
        raise LaunchError(f"{launch.entry}: a grid has at most {_DIMENSIONS} dimensions, not {len(items)}")
    block = launch.local_size or (min(_DEFAULT_BLOCK, most_threads), *(1 for _ in items[1:]))
    if prod(block) > most_threads:
        raise LaunchError(f"{launch.entry}: a block of {prod(block)} threads, the device takes {most_threads}")
    grid = tuple(-(-whole // part) for whole, part in zip(items, block, strict=True))
    return _three(grid), _three(block)


def defined(text: str, name: str, options: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    r"""Return a text that begins with its macros, and the options without them.

    Run-time compilers put headers of their own before the text, and a macro such as ``T`` would break those.

    >>> defined("f();", "k.cu", ("-DT=float", "--use_fast_math"))
    ('#define T float\n#line 1 "k.cu"\nf();', ('--use_fast_math',))
    """
    named = [option[2:].partition("=") for option in options if option.startswith("-D") and len(option) > 2]
    lines = [f"#define {macro} {value if equals else 1}" for macro, equals, value in named]
    plain = name.replace("\\", "/").replace('"', "'")
    head = "\n".join((*lines, f'#line 1 "{plain}"', ""))
    return head + text, tuple(o for o in options if not (o.startswith("-D") and len(o) > 2))


def scalar(value: float, dtype: str) -> Any:  # noqa: ANN401 - a ctypes value
    """Return a number as a ctypes value of the size that the kernel sees. Raises LaunchError when it does not fit."""
    try:
        kind = np.dtype(dtype)
        exact = kind.type(value)
        if kind == np.float16:  # which ctypes does not have
            return ctypes.c_uint16(int(exact.view(np.uint16)))
        return np.ctypeslib.as_ctypes_type(kind)(exact.item())
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        raise LaunchError(f"{value!r} cannot be passed as {dtype}: {error}") from None


def _argument(argument: Argument, buffers: Mapping[str, Buffer]) -> Any:  # noqa: ANN401 - a ctypes value
    match argument:
        case Array(name=name):
            buffer = buffers[name]
            assert isinstance(buffer, DeviceBuffer)
            return ctypes.c_void_p(buffer.payload)
        case Value(value=value, dtype=dtype):
            return scalar(value, dtype)
        case Input(name=name):
            raise LaunchError(f"argument {name} has no value; the program was not resolved")
        case Local():
            raise AssertionError("dynamic shared memory is no argument")


def _agree(entry: str, values: Sequence[Any], parameters: Sequence[int] | None) -> None:
    """Raise LaunchError where arguments are not what the kernel was compiled for: the driver would read past their end."""
    if parameters is None:
        return
    if len(values) != len(parameters):
        raise LaunchError(f"{entry} takes {len(parameters)} arguments, the kernel's inputs give {len(values)}")
    for index, (value, size_bytes) in enumerate(zip(values, parameters, strict=True)):
        if ctypes.sizeof(value) != size_bytes:
            raise LaunchError(
                f"argument {index + 1} of {entry} has {size_bytes} B in the kernel, {ctypes.sizeof(value)} B in its inputs"
            )


def _short(pending: Sequence[BoundProgram]) -> bool:
    """Tell whether launches are so short that the host could not submit them in time."""
    known = [(bound.pace_ns, len(bound.launches)) for bound in set(pending) if bound.pace_ns is not None]
    return bool(known) and all(pace_ns / launches < GRAPH_BELOW_NS for pace_ns, launches in known)


def _three(extents: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = (*extents, 1, 1)[:_DIMENSIONS]
    return x, y, z


def _described(ordinal: int, device: Device) -> str:
    return f"{device.key} {device.runtime} #{ordinal}"
