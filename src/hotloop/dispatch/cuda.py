"""CUDA C++ programs in the caller's process: compiled by NVRTC, loaded by the driver, launched on PyTorch's stream."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

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
_lock = threading.Lock()
_functions: dict[tuple[str, str, int], Any] = {}
"""Loaded kernels by build, name and device."""


class Submission:
    """One launch: everything but the addresses of each call's tensors."""

    __slots__ = ("_entry", "_function", "_names", "_numbers", "_shape", "_slots", "_table")

    def __init__(self, entry: str, function: Any, shape: tuple[int, ...], arguments: Sequence[Argument]) -> None:  # noqa: ANN401
        self._entry, self._function = entry, function
        self._shape = shape
        """Blocks and threads in three dimensions, bytes of shared memory."""
        self._names = tuple(argument.name for argument in arguments if isinstance(argument, Array))
        self._slots = tuple(index for index, argument in enumerate(arguments) if isinstance(argument, Array))
        self._numbers = [
            scalar(argument.value, argument.dtype) if isinstance(argument, Value) else None for argument in arguments
        ]
        """Kept, because the driver reads numbers at their addresses."""
        self._table = [0 if number is None else ctypes.addressof(number) for number in self._numbers]

    def __call__(self, arrays: Mapping[str, torch.Tensor]) -> None:
        """Submit to the current stream. Raises MachineError."""
        names, table = self._names, self._table.copy()
        pointers = (ctypes.c_void_p * len(names))(*[arrays[name].data_ptr() for name in names])
        address = ctypes.addressof(pointers)
        for index in self._slots:
            table[index] = address
            address += _POINTER_BYTES
        packed = (ctypes.c_void_p * len(table))(*table)
        cu = _driver_api()
        stream = cu.CUstream(torch.cuda.current_stream().cuda_stream)
        (status,) = cu.cuLaunchKernel(self._function, *self._shape, stream, ctypes.addressof(packed), 0)
        if status != cu.CUresult.CUDA_SUCCESS:
            raise MachineError(f"{self._entry} was not launched: {status.name}.")


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
    function = _function(program, launch.entry, device, index, shared_bytes)
    grid, block = geometry(launch, device.max_workgroup)
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
def _driver_api() -> Any:  # noqa: ANN401
    from cuda.bindings import driver

    return driver
