"""CUDA C++ programs in the caller's process: compiled by NVRTC, loaded by the driver, launched on PyTorch's stream."""

from __future__ import annotations

import ctypes
import sys
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from hotloop.dispatch import straight
from hotloop.dispatch.arguments import torch
from hotloop.drivers.foreign import scalar
from hotloop.drivers.gpu import geometry
from hotloop.errors import MachineError
from hotloop.model.program import Array, Local, Value
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hotloop.model.device import Device
    from hotloop.model.program import Argument, Launch, Program

LANGUAGE = "cuda"
_POINTER_BYTES = ctypes.sizeof(ctypes.c_void_p)
_MOST_BLOCKS = (1 << 31) - 1
"""Most blocks of a grid (CUDA programming guide, compute capabilities). A larger number would be cut off at the width of the driver's field."""
_lock = threading.Lock()
_functions: dict[tuple[str, str, int], Any] = {}
"""Loaded kernels by build, name and device."""


class Submission:
    """One launch: everything but the addresses of each call's tensors, prepared in memory that the driver reads."""

    __slots__ = ("_entry", "_free", "_function", "_handle", "_names", "_numbers", "_shape", "_slots")

    def __init__(self, entry: str, function: Any, shape: tuple[int, ...], arguments: Sequence[Argument]) -> None:  # noqa: ANN401
        self._entry, self._function = entry, function
        self._handle = ctypes.c_void_p(int(function)) if straight.ASKED else None
        self._shape = shape
        """Blocks and threads in three dimensions, bytes of shared memory."""
        self._names = tuple(argument.name for argument in arguments if isinstance(argument, Array))
        self._slots = tuple(index for index, argument in enumerate(arguments) if isinstance(argument, Array))
        self._numbers = [
            scalar(argument.value, argument.dtype) if isinstance(argument, Value) else None for argument in arguments
        ]
        """Kept, because the driver reads numbers at their addresses."""
        self._free: list[_Form] = []
        """Forms that no thread fills in now: the driver is called without Python's lock."""

    def __call__(self, arrays: Mapping[str, torch.Tensor]) -> None:
        """Submit to the current stream. Raises MachineError."""
        addresses = {name: arrays[name].data_ptr() for name in self._names}
        stream = torch.cuda.current_stream().cuda_stream
        if straight.ASKED:
            self.submit(addresses, stream)
            return
        form, cu = self._form(), _driver_api()
        for index, name in enumerate(self._names):
            form.slots[index] = addresses[name]
        packed = ctypes.addressof(form.table)
        (status,) = cu.cuLaunchKernel(self._function, *self._shape, cu.CUstream(stream), packed, 0)
        if status != cu.CUresult.CUDA_SUCCESS:
            raise MachineError(f"{self._entry} was not launched: {status.name}.")

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
        form.config.stream = stream
        status = _launch()(form.configured, self._handle, form.packed, None)
        self._free.append(form)
        if status:
            raise MachineError(f"{self._entry} was not launched: {_error_name(status)}.")

    def step(self, arrays: Mapping[str, int]) -> tuple[object, ...] | None:
        """Return this launch for `native`, whose arrays have numbers; None where it cannot be launched by addresses."""
        if self._handle is None:
            return None
        function = ctypes.cast(_launch(), ctypes.c_void_p).value
        numbers = tuple(0 if x is None else ctypes.addressof(x) for x in self._numbers)
        slots = tuple(zip(self._slots, (arrays[name] for name in self._names), strict=True))
        return (function, self._handle.value, self), self._shape, numbers, slots  # it owns the numbers

    def _form(self) -> _Form:
        slots, table = (
            (ctypes.c_uint64 * len(self._names))(),
            [0 if x is None else ctypes.addressof(x) for x in self._numbers],
        )
        for number, index in enumerate(self._slots):
            table[index] = ctypes.addressof(slots) + number * _POINTER_BYTES
        return _Form(slots, (ctypes.c_void_p * len(table))(*table), _Config(*self._shape))


class _Config(ctypes.Structure):
    """CUlaunchConfig: CUDA driver API, execution control."""

    _fields_ = [  # ctypes wants a list
        *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint),
    ]  # fmt: skip


class _Form:
    """What the driver reads of one launch at a time."""

    __slots__ = ("config", "configured", "packed", "slots", "table")

    def __init__(self, slots: Any, table: Any, config: _Config) -> None:  # noqa: ANN401 - ctypes arrays
        self.slots, self.table, self.config = slots, table, config
        self.packed, self.configured = (ctypes.c_void_p(ctypes.addressof(structure)) for structure in (table, config))


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
    return Submission(launch.entry, function, (*grid, *block, shared_bytes), arguments)


def _function(program: Program, entry: str, device: Device, index: int, shared_bytes: int) -> Any:  # noqa: ANN401 - the driver's
    from hotloop.drivers import nvrtc
    from hotloop.drivers.api import DriverError

    with _lock:
        key, driver = (program.build_key, entry, index), _driver()
        try:
            if key not in _functions:
                capability, name = Target.of(device.target).capability, program.source_name or "kernel"
                made = nvrtc.compile_text(program.source, name, program.options, (entry,), capability)
                _functions[key] = driver.function(driver.load(made.binary), made.symbols[entry])
            driver.reserve(_functions[key], shared_bytes)
        except DriverError as error:
            raise MachineError(f"{entry} cannot be loaded: {error}.") from error
        return _functions[key]


@cache
def _driver() -> Any:  # noqa: ANN401 - cuda.bindings is untyped
    from hotloop.drivers.cuda import CudaDriver

    return CudaDriver()


@cache
def _launch() -> Any:  # noqa: ANN401
    """Return the driver's cuLaunchKernelEx: through cuda.bindings it takes three times as long."""
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1").cuLaunchKernelEx


@cache
def _driver_api() -> Any:  # noqa: ANN401
    from cuda.bindings import driver

    return driver


def _error_name(status: int) -> str:
    from cuda.bindings import driver

    return str(driver.CUresult(status).name)
