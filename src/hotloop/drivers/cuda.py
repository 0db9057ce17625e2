"""The CUDA driver through cuda.bindings, in the form that `hotloop.drivers.gpu` asks for.

Calls and their numbers: NVIDIA, CUDA Driver API reference manual.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuda.bindings import driver as cu

from hotloop.drivers import nvrtc as _nvrtc
from hotloop.drivers.api import Compiled, DriverError
from hotloop.drivers.configured import configured, launch_function
from hotloop.drivers.driver import EVICT, LEAD, PROBE, Driver, Spelling
from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.ports import BuildError
from hotloop.targets.machine import nvidia

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = "install NVIDIA's driver, and: pip install 'hotloop[cuda]'"
_VERSION_FILE = Path("/proc/driver/nvidia/version")
_STATIC_SHARED_BYTES = nvidia("sm_90").shared_static_bytes
"""Shared memory that a kernel gets without asking, on every processor."""
_LINE_BYTES = 128
"""Cache line of L1 and L2: CUDA C++ Programming Guide, device memory accesses."""
_NAME_BYTES = 256
_MOST_PARAMETERS = 1024
_A, _F = cu.CUdevice_attribute, cu.CUfunction_attribute


def _said(status: Any) -> str:  # noqa: ANN401
    """Return an error's description with its name."""
    status_of_text, text = cu.cuGetErrorString(status)
    words = text.decode() if status_of_text == cu.CUresult.CUDA_SUCCESS and text else "error"
    return f"{words} ({getattr(status, 'name', status)})"


_SPELLING = Spelling(
    module=cu,
    prefix="cu",
    success=cu.CUresult.CUDA_SUCCESS,
    said=_said,
    allocate="MemAlloc",
    free="MemFree",
    fill="MemsetD8Async",
    pin="MemHostRegister",
    unpin="MemHostUnregister",
    synchronize="CtxSynchronize",
    instantiate="GraphInstantiate",
    event_flags=(cu.CUevent_flags.CU_EVENT_DEFAULT,),
    relaxed=cu.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED,
    function_attribute=_F,
)
_ok = _SPELLING.ok


class CudaDriver(Driver):
    """The `Driver` of NVIDIA's GPUs."""

    language = "cuda"
    probe = PROBE + LEAD + EVICT

    def __init__(self) -> None:
        super().__init__(_SPELLING)
        self._capability = 0

    def devices(self) -> Sequence[Device]:
        """List the GPUs that the driver sees. Raises NoDeviceError."""
        try:
            (status,) = cu.cuInit(0)
        except RuntimeError:  # the library cannot be loaded
            raise NoDeviceError(f"there is no CUDA driver on this machine; {INSTALL}.") from None
        if status != cu.CUresult.CUDA_SUCCESS:
            raise NoDeviceError(f"the CUDA driver does not start: {_said(status)}; {INSTALL}.")
        try:
            runtime, kernel_module = f"CUDA {_dotted(_ok(cu.cuDriverGetVersion()))}", _module_version()
            compiler = f"NVRTC {_nvrtc.version()}"
        except (DriverError, BuildError) as error:
            raise NoDeviceError(f"{error}; {INSTALL}.") from None
        handles = [_ok(cu.cuDeviceGet(ordinal)) for ordinal in range(_ok(cu.cuDeviceGetCount()))]
        return [_facts(handle, f"{runtime}, {compiler}", kernel_module) for handle in handles]

    def open(self, ordinal: int) -> None:
        """Retain the device's primary context."""
        handle = _ok(cu.cuDeviceGet(ordinal))
        _ok(cu.cuCtxSetCurrent(_ok(cu.cuDevicePrimaryCtxRetain(handle))))
        self._capability = _capability(handle)
        self._stream = _ok(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING))

    def compile(self, text: str, name: str, options: Sequence[str], entries: Sequence[str]) -> Compiled:
        """Compile with NVRTC for the open device."""
        return _nvrtc.compile_text(text, name, options, entries, self._capability)

    def parameters(self, function: Any) -> Sequence[int] | None:  # noqa: ANN401
        """Return the sizes of the kernel's parameters, from CUDA 12.4 on."""
        if not hasattr(cu, "cuFuncGetParamInfo"):
            return None
        sizes: list[int] = []
        for index in range(_MOST_PARAMETERS):
            status, _, *size = cu.cuFuncGetParamInfo(function, index)
            if status == cu.CUresult.CUDA_ERROR_INVALID_VALUE:  # there is none of this number
                return sizes
            if status != cu.CUresult.CUDA_SUCCESS:
                return None
            sizes += size
        return sizes

    def reserve(self, function: Any, shared_bytes: int) -> None:  # noqa: ANN401
        """Raise the kernel's limit of dynamic shared memory where it wants more than is granted by itself."""
        if shared_bytes > _STATIC_SHARED_BYTES:
            limit = _F.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            _ok(cu.cuFuncSetAttribute(function, limit, shared_bytes))

    def write(self, address: int, array: NDArray[np.uint8]) -> None:
        """Copy to the device and wait."""
        _ok(cu.cuMemcpyHtoDAsync(address, array.ctypes.data, array.nbytes, self._stream))
        self.wait()

    def read(self, array: NDArray[np.uint8], address: int) -> None:
        """Copy from the device and wait."""
        _ok(cu.cuMemcpyDtoHAsync(array.ctypes.data, address, array.nbytes, self._stream))
        self.wait()

    def pack(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return an array of pointers to the values; it keeps them alive."""
        table = (ctypes.c_void_p * max(len(values), 1))(
            *(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in values)
        )
        return table, tuple(values), ctypes.addressof(table)

    def launch(
        self,
        function: Any,  # noqa: ANN401
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
        packed: Any,  # noqa: ANN401
        *,
        early: bool = False,
    ) -> None:
        """Submit a launch; an early one may begin while the one before ends."""
        if early:
            self._launch_early(function, (*grid, *block, shared_bytes), packed)
            return
        (status,) = cu.cuLaunchKernel(function, *grid, *block, shared_bytes, self._stream, packed[2], 0)
        if status != cu.CUresult.CUDA_SUCCESS:
            raise DriverError(_said(status))

    def _launch_early(self, function: Any, shape: tuple[int, ...], packed: Any) -> None:  # noqa: ANN401
        config = configured(shape, early=True)
        config.stream = int(self._stream)
        status = launch_function()(
            ctypes.byref(config), ctypes.c_void_p(int(function)), ctypes.c_void_p(packed[2]), None
        )
        if status:
            raise DriverError(_said(cu.CUresult(status)))


def _facts(handle: Any, runtime: str, kernel_module: str) -> Device:  # noqa: ANN401
    def ask(attribute: Any) -> int:  # noqa: ANN401
        return int(_ok(cu.cuDeviceGetAttribute(attribute, handle)))

    capability = _capability(handle)
    return Device(
        name=_ok(cu.cuDeviceGetName(_NAME_BYTES, handle)).decode().rstrip("\0 "),
        kind="gpu",
        backend="cuda",
        runtime=runtime,
        runtime_key="cuda",
        driver=kernel_module,
        target=f"sm_{capability}",
        compute_units=ask(_A.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        local_mem_bytes=ask(_A.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        local_mem_dedicated=True,
        global_mem_bytes=int(_ok(cu.cuDeviceTotalMem(handle))),
        max_workgroup=ask(_A.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        group_extents=tuple(ask(getattr(_A, f"CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_{axis}")) for axis in "XYZ"),
        grid_extents=tuple(ask(getattr(_A, f"CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_{axis}")) for axis in "XYZ"),
        cache_line_bytes=_LINE_BYTES,
        llc_bytes=ask(_A.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) or None,
        fp16=True,
        fp64=True,
        subgroups=True,
    )


def _capability(handle: Any) -> int:  # noqa: ANN401
    major = _ok(cu.cuDeviceGetAttribute(_A.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handle))
    minor = _ok(cu.cuDeviceGetAttribute(_A.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, handle))
    return int(10 * major + minor)


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _module_version() -> str:
    """Return the version of the kernel's driver module, empty where it is not told."""
    try:
        words = _VERSION_FILE.read_text(encoding="utf-8").partition("\n")[0].split()
    except OSError:
        return ""
    return next((word for word in words if word[:1].isdigit() and "." in word), "")
