"""CLBlast as a peer, through its C interface, on the same OpenCL device as the candidates.

The library's own OpenCL loader and pyopencl's live side by side: dispatch tables are inside the objects, so handles of
one work in the other. The best tuning that is known for this device can be installed as an override, because a ratio
against an untuned peer says nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import pyopencl as cl

from hotloop.drivers.foreign import LibraryBackend, UntimedCalls, passed
from hotloop.drivers.opencl import BandedBuffer, Handle, OnDevice
from hotloop.errors import first_line
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact
from hotloop.model.program import Program
from hotloop.ports import Bound, Buffer, BuildError, LaunchError

_NAMES = ("libclblast.so.1", "libclblast.so")


class CLBlast(OnDevice, LibraryBackend):
    """Implements the `Backend` port; launches name a routine (``CLBlastSgemm``), options are tuning overrides.

    An option ``Xgemm/32:MWG=64,NWG=64,...`` overrides the parameters of a kernel for a precision.
    """

    def __init__(self) -> None:
        super().__init__()
        self._built: dict[str, Artifact] = {}

    def devices(self) -> Sequence[Device]:
        """Return nothing: the devices are OpenCL's."""
        return []

    def build(self, program: Program) -> Artifact:
        """Load the library and install the program's overrides. Raises BuildError when it is not installed."""
        if program.build_key not in self._built:
            library = _library()
            for option in program.options:
                self._override(library, option)
            tuned = "tuned parameters" if program.options else "its default parameters"
            self._built[program.build_key] = Artifact(program.build_key, 0.0, tuned)
        return self._built[program.build_key]

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Return the routines with their arguments."""
        self.build(program)
        library = _library()
        calls = [(getattr(library, la.entry), passed(la, buffers, _address, "CLBlast")) for la in program.launches]
        return BoundRoutines(self.handle, calls)

    def _override(self, library: ctypes.CDLL, option: str) -> None:
        kernel, _, rest = option.partition("/")
        precision, _, text = rest.partition(":")
        pairs = dict(pair.split("=") for pair in text.split(","))
        names = (ctypes.c_char_p * len(pairs))(*(name.encode() for name in pairs))
        values = (ctypes.c_size_t * len(pairs))(*(int(value) for value in pairs.values()))
        device = ctypes.c_void_p(self.handle.raw.int_ptr)
        status = library.CLBlastOverrideParameters(
            device, kernel.encode(), ctypes.c_int(int(precision)), ctypes.c_size_t(len(pairs)), names, values
        )
        if status:
            raise BuildError(f"error: CLBlast refuses the parameters of {kernel} with status {status}")


class BoundRoutines(UntimedCalls):
    """Routines with arguments, enqueued in order."""

    def __init__(self, handle: Handle, calls: Sequence[tuple[Any, tuple[Any, ...]]]) -> None:
        self._queue = handle.queue
        self._pointer = ctypes.c_void_p(handle.queue.int_ptr)
        self._calls = calls

    def enqueue(self) -> None:
        """Submit every routine. Raises LaunchError with CLBlast's status code."""
        for routine, arguments in self._calls:
            status = routine(*arguments, ctypes.byref(self._pointer), None)
            if status:
                raise LaunchError(f"CLBlast returns status {status}")

    def finish(self) -> float | None:
        """Wait; the library's kernels are not timed one by one."""
        try:
            self._queue.finish()
        except cl.Error as error:
            raise LaunchError(first_line(error)) from None
        return None


def _library() -> ctypes.CDLL:
    for name in _NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise BuildError("error: CLBlast is not installed")


def _address(buffer: Buffer) -> int:
    assert isinstance(buffer, BandedBuffer)
    return int(buffer.payload.int_ptr)


BACKEND = CLBlast
