"""What CUDA and HIP have in common: the `Backend` port on top of a small driver interface.

Launches are collected and submitted together when somebody waits for them, so that the device's own clock can stand
around exactly what is asked about. A single call is timed launch by launch behind a fill of scratch memory: while the
device fills, the host submits, so no gap of the host's gets into the time, and the call starts with cold caches. A batch is
timed as a whole, behind a launch that only waits, for the same reason; short launches are replayed from a captured graph, because the
host cannot submit them as fast as they run.

A fault of the device cannot be undone inside the process. Whoever notices one ends the process with the driver's words on
standard error, and the engine starts another one.
"""

from __future__ import annotations

import ctypes
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.drivers.api import Compiled, DriverError
from hotloop.drivers.driver import Driver
from hotloop.drivers.foreign import scalar
from hotloop.drivers.queue import LEAD_CYCLES, BoundProgram, DeviceBuffer, Queue, Ready
from hotloop.drivers.tensormap import MAP_BYTES, encoded
from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact
from hotloop.model.program import Argument, Array, Input, Launch, Local, Null, Program, Raw, Tiled, Value, three
from hotloop.ports import BAND_BYTES, Buffer, BuildError, LaunchError
from hotloop.units import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DEFAULT_BLOCK = 256
_PROBE_COUNT = 1000
_DIMENSIONS = 3


class GpuBackend:
    """Implements the `Backend` port on a driver."""

    settle_ns = 0

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._device: Device | None = None
        self._queue = Queue(driver)
        self._built: dict[tuple[str, tuple[str, ...]], tuple[Any, Compiled, Artifact]] = {}
        self._functions: dict[tuple[int, str], tuple[Any, Sequence[int] | None, Any]] = {}
        """Kernels with the sizes of their parameters, by the identity of their module, which is kept so that it stays unique, and their symbol."""

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
            described = "; ".join(_described(*row) for row in listed) or "none"
            raise NoDeviceError(f"no {language} device matches {device_name!r}; listed devices: {described}.")
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

    def export(self, program: Program) -> bytes:
        """Return symbols and code object."""
        compiled = self._build(program)[1]
        return json.dumps([dict(compiled.symbols), compiled.log]).encode() + b"\n" + compiled.binary

    def adopt(self, program: Program, exported: bytes, artifact: Artifact) -> None:
        """Load a code object that was compiled in another process."""
        entries = tuple(sorted({launch.entry for launch in program.launches}))
        key = (program.build_key, entries)
        if key in self._built:
            return
        head, _, binary = exported.partition(b"\n")
        symbols, log = json.loads(head)
        try:
            assert self.device
            self._built[key] = self._driver.load(binary), Compiled(binary, symbols, log), artifact
        except DriverError as error:
            raise BuildError(f"error: {error}") from None

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return device memory for one banded array."""
        assert self.device
        return DeviceBuffer(self._queue, banded_bytes)

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Pin an array's pages; one that cannot be pinned is left as it is."""
        with suppress(DriverError):
            self._driver.pin(array)

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release pages that were pinned; any others are left as they are."""
        with suppress(DriverError):
            self._driver.unpin(array)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> BoundProgram:
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
        lead = Launch("lead", (Value(LEAD_CYCLES, "int64"),), (1,), (1,))
        evict = self._queue.eviction()
        program = Program(self._driver.language, self._driver.probe, (), (launch, lead, evict), source_name="probe")
        x = np.linspace(-1, 1, _PROBE_COUNT, dtype=np.float32)
        buffers: dict[str, Buffer] = {}
        for name, content in (("x", x), ("y", np.full(_PROBE_COUNT, np.nan, np.float32))):
            buffers[name] = self.allocate(content.nbytes + 2 * BAND_BYTES)
            buffers[name].write(np.pad(content.view(np.uint8), BAND_BYTES))
        bound = self.bind(program, buffers)
        bound.enqueue()
        bound.finish()
        self._queue.lead, self._queue.evict = bound.launches[1:]
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
        shared_bytes = sum(a.local_bytes for a in launch.arguments if isinstance(a, Local))
        try:
            values = [_argument(a, buffers) for a in launch.arguments if not isinstance(a, Local)]
            function, parameters = self._function(module, symbol)
            _agree(launch.entry, values, parameters)
            self._driver.reserve(function, shared_bytes)
            packed = self._driver.pack(values)
        except DriverError as error:
            self._queue.check(str(error))
            raise LaunchError(f"{launch.entry}: {error}") from None
        grid, block = geometry(launch, self.device.max_workgroup)
        return Ready(function, grid, block, shared_bytes, packed, launch.entry, launch.phase, launch.early)

    def _function(self, module: Any, symbol: str) -> tuple[Any, Sequence[int] | None]:  # noqa: ANN401
        """Return a kernel and its parameters' sizes; the driver is asked once, and not for each of the input sets it is bound to."""
        key = id(module), symbol
        if key not in self._functions:
            function = self._driver.function(module, symbol)
            self._functions[key] = function, self._driver.parameters(function), module
        return self._functions[key][:2]


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
    grid = tuple(-(-items_along // part) for items_along, part in zip(items, block, strict=True))
    return three(grid), three(block)


def _argument(argument: Argument, buffers: Mapping[str, Buffer]) -> Any:  # noqa: ANN401 - a ctypes value
    match argument:
        case Array(name=name):
            buffer = buffers[name]
            assert isinstance(buffer, DeviceBuffer)
            return _mapped(argument, buffer) if isinstance(argument, Tiled) else ctypes.c_void_p(buffer.payload)
        case Value(value=value, dtype=dtype):
            return scalar(value, dtype)
        case Input(name=name):
            raise LaunchError(f"argument {name} has no value; the program was not resolved")
        case Null():
            return ctypes.c_void_p(0)
        case Raw(hex=digits):
            content = bytes.fromhex(digits)
            return (ctypes.c_char * len(content)).from_buffer_copy(content)
        case Local():
            raise AssertionError("dynamic shared memory is no argument")


def _mapped(tiled: Tiled, buffer: DeviceBuffer) -> Any:  # noqa: ANN401 - a ctypes value
    return (ctypes.c_char * MAP_BYTES).from_buffer_copy(encoded(tiled, buffer.payload))


def _agree(entry: str, values: Sequence[Any], parameters: Sequence[int] | None) -> None:
    """Raise LaunchError where arguments are not what the kernel was compiled for: the driver would read past their end."""
    if parameters is None:
        return
    if len(values) != len(parameters):
        raise LaunchError(
            f"{entry} takes {counted(len(parameters), 'argument')}, the kernel's inputs give {len(values)}"
        )
    for index, (value, size_bytes) in enumerate(zip(values, parameters, strict=True)):
        if ctypes.sizeof(value) != size_bytes:
            raise LaunchError(
                f"argument {index + 1} of {entry} has {size_bytes} B in the kernel, {ctypes.sizeof(value)} B in its inputs"
            )


def _described(ordinal: int, device: Device) -> str:
    return f"{device.key} {device.runtime} #{ordinal}"
