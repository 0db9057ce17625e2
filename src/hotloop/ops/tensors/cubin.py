"""CUDA C++ kernels on tensors: NVRTC compiles them, PyTorch's context and current stream run them."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from hotloop.errors import MachineError
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.ops.tensors.job import Job

_lock = threading.Lock()
_functions: dict[tuple[object, ...], Any] = {}


def available() -> str:
    """Return why CUDA C++ cannot be compiled and launched here, or an empty text."""
    try:
        _driver()
    except ModuleNotFoundError:
        return "CUDA C++ needs NVIDIA's bindings: pip install 'hotloop[cuda]'"
    return ""


def run(job: Job, arguments: Sequence[torch.Tensor | int], target: str) -> None:
    """Launch a kernel on the current stream of the first argument's device.

    Raises:
        BuildError: NVRTC does not compile the kernel; the text is its log.
        MachineError: the driver refuses to load or launch it.
    """
    from cuda.bindings import driver as cu

    first = next(one for one in arguments if isinstance(one, torch.Tensor))
    with torch.cuda.device(first.device):
        function = _function(job, first.device.index or 0, target)
        _, _values, address = packed = _driver().pack(marshalled(arguments))
        stream = cu.CUstream(torch.cuda.current_stream().cuda_stream)
        (status,) = cu.cuLaunchKernel(function, *job.grid, job.threads, 1, 1, job.shared_bytes, stream, address, 0)
        del packed
    if status != cu.CUresult.CUDA_SUCCESS:
        raise MachineError(f"{job.entry} was not launched: {status.name}.")


def marshalled(arguments: Sequence[torch.Tensor | int]) -> list[Any]:
    """Return arguments as ctypes values: addresses of tensors, integers of 32 bits."""
    return [
        ctypes.c_void_p(one.data_ptr()) if isinstance(one, torch.Tensor) else ctypes.c_int32(one) for one in arguments
    ]


def _function(job: Job, index: int, target: str) -> Any:  # noqa: ANN401 - a handle of the driver
    key = (job.source, job.options, job.entry, index)
    found = _functions.get(key)
    if found is not None:
        return found
    from hotloop.drivers import nvrtc as _nvrtc
    from hotloop.drivers.api import DriverError

    with _lock:
        made = _nvrtc.compile_text(job.source, job.name, job.options, (job.entry,), Target.of(target).capability)
        driver = _driver()
        try:
            function = driver.function(driver.load(made.binary), made.symbols[job.entry])
            driver.reserve(function, job.shared_bytes)
        except DriverError as error:
            raise MachineError(f"{job.entry} cannot be loaded: {error}.") from error
        _functions[key] = function
        return function


@cache
def _driver() -> Any:  # noqa: ANN401 - cuda.bindings is untyped
    from hotloop.drivers.cuda import CudaDriver

    return CudaDriver()
