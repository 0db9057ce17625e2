"""CUDA C++ programs in the caller's process: compiled by NVRTC, loaded by the driver, launched on PyTorch's stream."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from hotloop.dispatch import cubins, straight
from hotloop.dispatch.arguments import torch
from hotloop.drivers.api import DriverError
from hotloop.drivers.configured import LaunchConfig, attributes, configured, launch_function
from hotloop.drivers.foreign import scalar
from hotloop.drivers.gpu import geometry
from hotloop.drivers.tensormap import encoded
from hotloop.errors import MachineError
from hotloop.model.program import Array, Local, Null, Tiled, Value
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hotloop.drivers.api import Compiled
    from hotloop.model.device import Device
    from hotloop.model.program import Argument, Launch, Program

LANGUAGE = "cuda"
_POINTER_BYTES = ctypes.sizeof(ctypes.c_void_p)
_MOST_BLOCKS = (1 << 31) - 1
"""Most blocks of a grid (CUDA programming guide, compute capabilities). A larger number would be cut off at the width of the driver's field."""
_MOST_MAPS = 256
"""Descriptions of a matrix that are kept; beyond, all are made anew."""
_lock = threading.Lock()
_functions: dict[tuple[str, str, int], Any] = {}
"""Loaded kernels by build, name and device."""


class Submission:
    """One launch: everything but the addresses of each call's tensors, prepared in memory that the driver reads."""

    __slots__ = ("_early", "_entry", "_free", "_handle", "_maps", "_names", "_numbers", "_shape", "_slots")

    def __init__(
        self,
        entry: str,
        function: Any,  # noqa: ANN401 - the driver's
        shape: tuple[int, ...],
        arguments: Sequence[Argument],
        *,
        early: bool = False,
    ) -> None:
        self._entry, self._early = entry, early
        self._handle = ctypes.c_void_p(int(function))
        self._shape = shape
        """Blocks and threads in three dimensions, bytes of shared memory."""
        plain = [(i, argument) for i, argument in enumerate(arguments) if type(argument) is Array]
        self._names = tuple(argument.name for _, argument in plain)
        self._slots = tuple(index for index, _ in plain)
        self._maps = tuple(Mapped(i, argument) for i, argument in enumerate(arguments) if isinstance(argument, Tiled))
        self._numbers = [_number(argument) for argument in arguments]
        """Kept, because the driver reads numbers at their addresses."""
        self._free: list[_Form] = []
        """Forms that no thread fills in now: the driver is called without Python's lock."""

    def __call__(self, arrays: Mapping[str, torch.Tensor]) -> None:
        """Submit to the current stream. Raises MachineError."""
        names = (*self._names, *(one.name for one in self._maps))
        self.submit({name: arrays[name].data_ptr() for name in names}, torch.cuda.current_stream().cuda_stream)

    def knows(self, addresses: Mapping[str, int]) -> bool:
        """Tell whether a launch can be submitted by addresses alone: always, where that is asked for."""
        del addresses
        return straight.ASKED

    def submit(self, addresses: Mapping[str, int], stream: int) -> None:
        """Submit to a stream of the current device, on arrays at addresses by name. Raises MachineError."""
        try:
            form = self._free.pop()
        except IndexError:
            form = self._form()
        slots = form.slots
        for index, name in enumerate(self._names):
            slots[index] = addresses[name]
        held = [form.describe(one, addresses[one.name]) for one in self._maps]
        form.config.stream = stream
        status = launch_function()(form.configured, self._handle, form.packed, None)
        del held
        self._free.append(form)
        if status:
            raise MachineError(f"{self._entry} was not launched: {_error_name(status)}.")

    def step(self, arrays: Mapping[str, int]) -> tuple[object, ...] | None:
        """Return this launch for `native`, whose arrays have numbers; None where it cannot be launched by addresses."""
        if not straight.ASKED:
            return None
        function = ctypes.cast(launch_function(), ctypes.c_void_p).value
        numbers = tuple(0 if x is None else ctypes.addressof(x) for x in self._numbers)
        slots = tuple(zip(self._slots, (arrays[name] for name in self._names), strict=True))
        maps = tuple((one.index, arrays[one.name], one.kept, one.made) for one in self._maps)
        shape = (*self._shape, *attributes(early=self._early))
        return (function, self._handle.value, self), shape, numbers, slots, maps, None  # it owns the numbers

    def _form(self) -> _Form:
        slots, table = (
            (ctypes.c_uint64 * len(self._names))(),
            [0 if x is None else ctypes.addressof(x) for x in self._numbers],
        )
        for number, index in enumerate(self._slots):
            table[index] = ctypes.addressof(slots) + number * _POINTER_BYTES
        config = configured(self._shape, early=self._early)
        return _Form(slots, (ctypes.c_void_p * len(table))(*table), config)


def _number(argument: Argument) -> Any:  # noqa: ANN401 - a ctypes value
    """Return what is passed by value, or None for an array."""
    if isinstance(argument, Null):
        return ctypes.c_void_p(0)
    return scalar(argument.value, argument.dtype) if isinstance(argument, Value) else None


class Mapped:
    """A matrix that the copy engine reads: its descriptions by address, of which there are few."""

    __slots__ = ("_tiled", "index", "kept", "name")

    def __init__(self, index: int, tiled: Tiled) -> None:
        self.index, self.name, self._tiled = index, tiled.name, tiled
        self.kept: dict[int, bytes] = {}

    def made(self, address: int) -> bytes:
        """Return the description of the matrix at an address. Raises MachineError."""
        try:
            return encoded(self._tiled, address)
        except DriverError as error:
            raise MachineError(f"{error}.") from error

    def at(self, address: int) -> bytes:
        """Return the same, made once for an address."""
        described = self.kept.get(address)
        if described is None:
            if len(self.kept) >= _MOST_MAPS:
                self.kept.clear()
            described = self.kept[address] = self.made(address)
        return described


class _Form:
    """What the driver reads of one launch at a time."""

    __slots__ = ("config", "configured", "packed", "slots", "table")

    def __init__(self, slots: Any, table: Any, config: LaunchConfig) -> None:  # noqa: ANN401 - ctypes arrays
        self.slots, self.table, self.config = slots, table, config
        self.packed, self.configured = (ctypes.c_void_p(ctypes.addressof(structure)) for structure in (table, config))

    def describe(self, mapped: Mapped, address: int) -> bytes:
        """Let an argument be the description of a matrix at an address, and return it, which must live until the launch is submitted."""
        described = mapped.at(address)
        self.table[mapped.index] = ctypes.cast(ctypes.c_char_p(described), ctypes.c_void_p).value
        return described


def prepared(program: Program, device: Device, index: int) -> tuple[Submission, ...]:
    """Return a program's launches, compiled for a device and loaded on the current one, whose number is `index`.

    Raises:
        BuildError: NVRTC does not compile the kernel; the text is its log.
        MachineError: the driver refuses to load it.
    """
    return tuple(_submission(program, launch, device, index) for launch in program.launches if launch.work_items)


def _submission(program: Program, launch: Launch, device: Device, index: int) -> Submission:
    arguments = [argument for argument in launch.arguments if not isinstance(argument, Local)]
    shared_bytes = sum(argument.local_bytes for argument in launch.arguments if isinstance(argument, Local))
    grid, block = geometry(launch, device.max_workgroup)
    if max(grid) > _MOST_BLOCKS:
        raise MachineError(f"{launch.entry} would have {max(grid)} blocks, {_MOST_BLOCKS} is the most.")
    function = _function(program, launch.entry, device, index, shared_bytes)
    return Submission(launch.entry, function, (*grid, *block, shared_bytes), arguments, early=launch.early)


def _function(program: Program, entry: str, device: Device, index: int, shared_bytes: int) -> Any:  # noqa: ANN401 - the driver's
    key = (program.build_key, entry, index)
    known = _functions.get(key)
    made = _compiled(program, entry, device) if known is None else None  # several threads compile at a time
    with _lock:
        driver = _driver()
        try:
            if made is not None and key not in _functions:
                _functions[key] = driver.function(driver.load(made.binary), made.symbols[entry])
            driver.reserve(_functions[key], shared_bytes)
        except DriverError as error:
            raise MachineError(f"{entry} cannot be loaded: {error}.") from error
        return _functions[key]


def _compiled(program: Program, entry: str, device: Device) -> Compiled:
    from hotloop.drivers import nvrtc

    capability, name = Target.of(device.target).capability, program.source_name or "kernel"
    compiler = " ".join(("NVRTC", nvrtc.version(), *nvrtc.headers()))
    return cubins.kept(
        program.build_key, entry, compiler, capability,
        lambda: nvrtc.compile_text(program.source, name, program.options, (entry,), capability),
    )  # fmt: skip


@cache
def _driver() -> Any:  # noqa: ANN401 - cuda.bindings is untyped
    from hotloop.drivers.cuda import CudaDriver

    return CudaDriver()


def _error_name(status: int) -> str:
    from cuda.bindings import driver

    return str(driver.CUresult(status).name)
