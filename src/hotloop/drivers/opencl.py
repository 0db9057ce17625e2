"""What every backend on an OpenCL runtime shares: choosing a device that works, buffers, error texts.

A runtime that lists a device may still be unable to compile for it, so a device counts only after a small kernel was
compiled, run and checked. Devices are chosen by name; indices depend on the order in which a loader finds runtimes.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl

from hotloop.drivers import linkage, pieces
from hotloop.drivers.spelling import quoted
from hotloop.drivers.spoil import spoil
from hotloop.errors import NoDeviceError, first_line
from hotloop.host import memory, settings
from hotloop.host.fence import Fence, FenceError
from hotloop.model.device import Device
from hotloop.ports import BAND_BYTES, END, Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

warnings.filterwarnings("ignore", category=cl.CompilerWarning)

_KEYS = (
    ("intel", "intel"),
    ("portable computing language", "pocl"),
    ("nvidia", "nvidia"),
    ("amd", "amd"),
    ("oclgrind", "oclgrind"),
)
_PREFERENCE = ("nvidia", "amd", "intel", "pocl")
"""Default order among devices that work; runtimes not named here come after, simulators last."""
NO_CACHE: Any = False
"""Switches pyopencl's own cache off, which its type annotations do not mention: build times must be real."""
_PROBE = """
__kernel void probe(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i < n) y[i] = fma(2.0f, x[i], (float)i);
}
"""

_PLACE = "__kernel void place(__global ulong *x) { x[0] = (ulong)x; }"


@dataclass(frozen=True, slots=True)
class Handle:
    """A device with its context and in-order queue."""

    device: Device
    raw: Any
    context: Any
    queue: Any


def platforms() -> list[tuple[Device, Any]]:
    """Return every device that any runtime lists, working or not.

    Raises:
        NoDeviceError: no runtime could be loaded.
    """
    try:
        installed = cl.get_platforms()
    except cl.LogicError:
        if limit := memory.narrow():
            raise NoDeviceError(f"no OpenCL runtime could be loaded{limit}; run: ulimit -v unlimited.") from None
        if vendors := settings.ICD_VENDORS.get():
            name = settings.ICD_VENDORS.name
            raise NoDeviceError(
                f"{name}={vendors} names no OpenCL runtime that can be loaded; unset {name}, or correct it."
            ) from None
        raise NoDeviceError("no OpenCL runtime is installed; run: pip install 'hotloop[cpu]'.") from None
    listed = []
    for platform in installed:
        try:
            listed += [(facts(platform, raw), raw) for raw in platform.get_devices()]
        except cl.Error:  # a runtime without devices reports an error instead of an empty list
            continue
    return listed


def facts(platform: Any, raw: Any) -> Device:  # noqa: ANN401 - pyopencl is untyped
    """Return a device as its runtime describes it."""
    return Device(
        name=" ".join(raw.name.split()),
        kind="cpu" if raw.type & cl.device_type.CPU else "gpu",
        backend="opencl",
        runtime=f"{platform.name} {raw.version}".strip(),
        runtime_key=_key(platform.name),
        driver=raw.driver_version,
        target=_capability(raw),
        compute_units=raw.max_compute_units,
        local_mem_bytes=raw.local_mem_size,
        local_mem_dedicated=raw.local_mem_type == cl.device_local_mem_type.LOCAL,
        global_mem_bytes=raw.global_mem_size,
        max_workgroup=raw.max_work_group_size,
        group_extents=tuple(map(int, raw.max_work_item_sizes)),
        cache_line_bytes=raw.global_mem_cacheline_size or None,
        fp16="cl_khr_fp16" in raw.extensions,
        fp64="cl_khr_fp64" in raw.extensions,
        subgroups="subgroup" in raw.extensions,
    )


def _capability(raw: Any) -> str:  # noqa: ANN401
    """Return ``sm_90`` and the like for a device of NVIDIA, by the extension cl_nv_device_attribute_query; else nothing."""
    if "cl_nv_device_attribute_query" not in raw.extensions:
        return ""
    try:
        return f"sm_{raw.compute_capability_major_nv}{raw.compute_capability_minor_nv}"
    except (AttributeError, cl.Error):
        return ""


def open_device(name: str) -> Handle:
    """Return the best working device whose name, runtime or key contains `name` (case does not matter).

    Raises:
        NoDeviceError: nothing matches, or nothing that matches passes the probe.
    """
    listed = platforms()
    wanted = name.casefold()
    matching = [row for row in listed if wanted in f"{row[0].key} {row[0].runtime}".casefold()]
    if not matching:
        described = "; ".join(f"{device.name} ({device.runtime_key})" for device, _ in listed) or "none"
        raise NoDeviceError(f"no OpenCL device matches {name!r}; listed devices: {described}.")
    matching.sort(key=lambda row: _rank(row[0]))
    reasons = []
    for device, raw in matching:
        try:
            handle = _open(device, raw)
        except (cl.Error, MemoryError) as error:  # a limit of memory or processes keeps a runtime from starting
            reason = f"cannot be opened: {first_line(error)}"
        else:
            if not (reason := probe(handle)):
                return handle
        reasons.append(f"{device.name} ({device.runtime_key}): {reason}")
    raise NoDeviceError(
        f"no OpenCL device passes the compile-run-check probe{memory.narrow()}: {'; '.join(reasons)}; see hotloop doctor."
    )


def probe(handle: Handle) -> str:
    """Compile, run and check a small kernel; returns why the device cannot be used, or an empty text."""
    count = 1000
    x = np.linspace(-1, 1, count, dtype=np.float32)
    y = np.full(count, np.nan, np.float32)
    try:
        program = cl.Program(handle.context, _PROBE).build(cache_dir=NO_CACHE)
        flags = cl.mem_flags.COPY_HOST_PTR
        x_buffer = cl.Buffer(handle.context, cl.mem_flags.READ_ONLY | flags, hostbuf=x)
        y_buffer = cl.Buffer(handle.context, cl.mem_flags.READ_WRITE | flags, hostbuf=y)
        program.probe(handle.queue, (count,), None, x_buffer, y_buffer, np.int32(count))
        cl.enqueue_copy(handle.queue, y, y_buffer)
    except cl.Error as error:
        return first_line(error)
    expected = 2.0 * x.astype(np.float64) + np.arange(count)
    return "" if np.allclose(y, expected, rtol=1e-6) else "computes wrong results"


def _direct(handle: Handle) -> bool:
    """Tell whether a kernel gets the address of the memory that its buffer was made of."""
    flags, at = cl.mem_flags, np.zeros(1, np.uint64)
    try:
        memory = Fence(at.nbytes, END).payload
        program = cl.Program(handle.context, _PLACE).build(cache_dir=NO_CACHE)
        buffer = cl.Buffer(handle.context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=memory)
        program.place(handle.queue, (1,), None, buffer)
        cl.enqueue_copy(handle.queue, at, buffer)
    except (cl.Error, FenceError):
        return False
    return int(at[0]) == memory.ctypes.data


class BandedBuffer:
    """Device memory with canary bands; kernels see only the payload, as a sub-buffer."""

    def __init__(self, handle: Handle, banded_bytes: int) -> None:
        self._queue = handle.queue
        try:
            self.whole = cl.Buffer(handle.context, cl.mem_flags.READ_WRITE, size=banded_bytes)
            payload_bytes = max(banded_bytes - 2 * BAND_BYTES, 1)
            self.payload = self.whole.get_sub_region(BAND_BYTES, payload_bytes)
        except cl.Error as error:
            raise LaunchError(f"cannot allocate {banded_bytes} bytes: {first_line(error)}") from error

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""
        pieces.write(self._queue, self.whole, banded)

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""
        pieces.read(self._queue, banded, self.whole)


class FencedBuffer(BandedBuffer):
    """An array beside pages without access; as much of its bands as there is room for lies around it."""

    def __init__(self, handle: Handle, banded_bytes: int, *, place: str) -> None:
        self._queue = handle.queue
        self._size = banded_bytes - 2 * BAND_BYTES
        self._fence = Fence(self._size, place)
        self._bands = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        try:
            self.payload = cl.Buffer(handle.context, flags, hostbuf=self._fence.payload)
        except cl.Error as error:
            raise LaunchError(f"cannot use {banded_bytes} bytes: {first_line(error)}") from error

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy the array to the device, and as much of the guard bands around it as there is room for."""
        self._bands = banded[:BAND_BYTES].copy(), banded[-BAND_BYTES:].copy()
        before, behind = self._fence.before, self._fence.behind
        before[:] = self._bands[0][BAND_BYTES - before.size :]
        behind[:] = self._bands[1][: behind.size]
        if self._size:
            pieces.write(self._queue, self.payload, np.ascontiguousarray(banded[BAND_BYTES:-BAND_BYTES]))

    def seal(self) -> None:
        """End whoever writes the array, or its bands, from now on."""
        self._fence.seal()

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy back; what of the bands had no room cannot have changed."""
        inner = np.empty(self._size, np.uint8)
        if self._size:
            pieces.read(self._queue, inner, self.payload)
        before, behind = self._fence.before, self._fence.behind
        banded[:BAND_BYTES], banded[-BAND_BYTES:] = self._bands
        banded[BAND_BYTES : BAND_BYTES + self._size] = inner
        banded[BAND_BYTES - before.size : BAND_BYTES] = before
        banded[banded.size - BAND_BYTES :][: behind.size] = behind


class OnDevice:
    """What every backend on an OpenCL runtime starts from: the selected device and memory on it."""

    settle_ns = 0

    def __init__(self) -> None:
        self._handle: Handle | None = None
        self._direct: bool | None = None
        """Whether kernels see the memory that a buffer was made of, at its own address; None: not asked yet."""
        self._spoils: dict[tuple[int | None, int, bool], Bound | None] = {}

    def select(self, device_name: str) -> Device:
        """Use the best working device that matches."""
        self._handle = open_device(device_name)
        return self._handle.device

    @property
    def handle(self) -> Handle:
        """The selected device; selects the default one at first use."""
        if self._handle is None:
            self.select("")
        assert self._handle is not None
        return self._handle

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return device memory for one banded array."""
        return BandedBuffer(self.handle, banded_bytes)

    def fence(self, banded_bytes: int, *, place: str) -> Buffer | None:
        """Return memory beside a page without access; None where kernels would see a copy, or there is no such memory."""
        if self._direct is None:
            self._direct = self.handle.device.kind == "cpu" and _direct(self.handle)
        try:
            return FencedBuffer(self.handle, banded_bytes, place=place) if self._direct else None
        except FenceError:
            return None

    def spoil(self, pattern: int | None, *, needed_bytes: int, whole: bool) -> Bound | None:
        """Return a launch that overwrites what others left in local and private memory; None where that is not possible."""
        key = (pattern, needed_bytes, whole)
        if key not in self._spoils:
            handle = self.handle
            self._spoils[key] = spoil(handle.device, handle.queue, pattern, needed_bytes=needed_bytes, whole=whole)
        return self._spoils[key]


def compile_program(handle: Handle, source: str, options: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Build a program without any cache, so that build times and binaries are those of this source.

    Raises:
        BuildError: it does not compile, or its code would run on a CPU and wants more of the process than its arrays.
    """
    salted = f"{source}\n// {hashlib.sha256(repr((source, options)).encode()).hexdigest()[:16]}\n"
    barred = linkage.BARRED if handle.device.kind == "cpu" else ()
    if barred and (word := linkage.regained(source)):
        raise BuildError(f"error: the source gives the word {word} another meaning; it is refused in kernels for a CPU")
    try:
        return _alone(
            handle, cl.Program(handle.context, salted).build(options=[*quoted(options), *barred], cache_dir=NO_CACHE)
        )
    except cl.RuntimeError as error:
        raise BuildError(_log(error)) from None
    except cl.Error as error:
        raise BuildError(first_line(error)) from None


def load_program(handle: Handle, binary: bytes, options: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return the program of a binary that the same runtime made. Raises BuildError."""
    try:
        loaded = cl.Program(handle.context, [handle.raw], [binary]).build(options=quoted(options), cache_dir=NO_CACHE)
    except cl.Error as error:
        raise BuildError(first_line(error)) from None
    return _alone(handle, loaded)


def _alone(handle: Handle, compiled: Any) -> Any:  # noqa: ANN401
    """Return a program that takes nothing from this process but what its runtime brings. Raises BuildError."""
    if handle.device.kind != "cpu":
        return compiled
    code = examined(handle, compiled)
    if code.foreign:
        raise BuildError(
            f"error: {', '.join(code.foreign)[:200]}: declared but not defined; a kernel must not call other libraries"
        )
    if code.loading:
        raise BuildError("error: code that runs when the program is loaded (a constructor); a kernel must not have any")
    return compiled


def examined(handle: Handle, compiled: Any) -> linkage.Code:  # noqa: ANN401
    """Return what is known of a program's code on a CPU; of other devices nothing."""
    if handle.device.kind != "cpu":
        return linkage.Code()
    return linkage.examined(bytes(compiled.get_info(cl.program_info.BINARIES)[0]))


def _log(error: Exception) -> str:
    """Return only the compiler's own lines of a pyopencl build error."""
    text = str(error)
    marker = "Build on <pyopencl.Device"
    body = text.partition(marker)[2].partition("\n")[2] if marker in text else text
    return body.partition("(options: ")[0].strip() or first_line(error)


def _open(device: Device, raw: Any) -> Handle:  # noqa: ANN401
    context = cl.Context([raw])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    return Handle(device, raw, context, queue)


def _key(platform_name: str) -> str:
    lowered = platform_name.casefold()
    return next((key for text, key in _KEYS if text in lowered), lowered.split()[0] if lowered else "unknown")


def _rank(device: Device) -> tuple[int, int]:
    preference = _PREFERENCE.index(device.runtime_key) if device.runtime_key in _PREFERENCE else len(_PREFERENCE)
    return (2 if device.runtime_key == "oclgrind" else 0 if device.kind == "gpu" else 1, preference)
