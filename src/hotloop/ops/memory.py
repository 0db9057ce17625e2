"""Device memory for one call: the caller's own where the device can use it, copies elsewhere; scratch is kept."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl

from hotloop.drivers.opencl import Handle, compile_program
from hotloop.ports import BuildError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLAGS = cl.mem_flags
IN_PLACE = _FLAGS.READ_WRITE | _FLAGS.USE_HOST_PTR
"""Flags for using the host's memory in place, also for operands that are only read: Intel's runtime copies a `READ_ONLY` buffer whose memory
is not page-aligned (60 µs for 64 KiB), and NumPy's arrays begin 16 bytes after a boundary. The kernels' parameters are const."""
READ_COPY = _FLAGS.READ_ONLY | _FLAGS.COPY_HOST_PTR
WRITE_COPY = _FLAGS.READ_WRITE | _FLAGS.COPY_HOST_PTR
_PROBE = "__kernel void touch(__global int *x) { x[get_global_id(0)] += 1; }"


def works_in_place(handle: Handle) -> bool:
    """Tell whether kernels read and write the caller's memory itself, at any element, seen without mapping.

    CPU runtimes do so for `USE_HOST_PTR` although the standard lets them copy; this asks instead of assuming, on
    memory that is aligned to nothing but its elements.
    """
    if handle.device.kind != "cpu":
        return False
    whole = np.zeros(1024, np.int32)
    part = whole[1:1001]
    try:
        program = compile_program(handle, _PROBE, ())
        buffer = cl.Buffer(handle.context, IN_PLACE, hostbuf=part)
        kernel = cl.Kernel(program, "touch")
        for value in (0, 10):  # the second round shows whether the runtime looks at the memory again
            part[:] = value
            kernel(handle.queue, (part.size,), None, buffer)
            handle.queue.finish()
            if not (part == value + 1).all():
                return False
    except (BuildError, cl.Error):
        return False
    return bool(whole[0] == 0 and (whole[1001:] == 0).all())


class Scratch:
    """Temporary areas by name, shared by all programs of one in-order queue; they grow and are never shrunk."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401 - pyopencl is untyped
        self._context = context
        self._areas: dict[str, Any] = {}

    def area(self, name: str, wanted_bytes: int) -> Any:  # noqa: ANN401
        """Return a buffer of at least the asked size; the same one until a larger one is asked for."""
        area = self._areas.get(name)
        if area is None or area.size < wanted_bytes:
            area = cl.Buffer(self._context, _FLAGS.READ_WRITE, size=wanted_bytes)
            self._areas[name] = area
        return area

    @property
    def held_bytes(self) -> int:
        """Bytes of all areas."""
        return sum(area.size for area in self._areas.values())


def operand(context: Any, memory: NDArray[Any], *, in_place: bool) -> Any:  # noqa: ANN401
    """Return a buffer that a kernel may read; the array must outlive it."""
    if not in_place:
        return cl.Buffer(context, READ_COPY, hostbuf=memory)
    return cl.Buffer(context, IN_PLACE, hostbuf=memory if memory.flags.writeable else _unguarded(memory))


def result(context: Any, memory: NDArray[Any], *, in_place: bool) -> Any:  # noqa: ANN401
    """Return a buffer that a kernel may read and write; without `in_place` it must be copied back."""
    return cl.Buffer(context, IN_PLACE if in_place else WRITE_COPY, hostbuf=memory)


def _unguarded(memory: NDArray[Any]) -> Any:  # noqa: ANN401 - a ctypes array
    """Return the bytes of a read-only array as an object that pyopencl accepts for `IN_PLACE`; nobody writes to it."""
    return (ctypes.c_char * memory.nbytes).from_address(memory.ctypes.data)
