"""The BLAS that NumPy brings, as a peer: what a user would otherwise call.

OpenBLAS picks its kernels by processor detection, which is wrong on some machines; the core type is set in the
environment of the worker before NumPy is loaded, and the library's own answer is part of the peer's name.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.drivers.foreign import LibraryBackend, UntimedCalls, passed
from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact
from hotloop.model.program import Program
from hotloop.ports import BAND_BYTES, Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMES = ("scipy_cblas_{}64_", "cblas_{}64_", "cblas_{}", "scipy_cblas_{}")
"""Spellings of a CBLAS function in the OpenBLAS builds that NumPy wheels and distributions ship."""


@dataclass(frozen=True, slots=True)
class Library:
    """The BLAS library that is loaded in this process."""

    path: str
    description: str


class Blas(LibraryBackend):
    """Implements the `Backend` port for functions of CBLAS; launches name them, e.g. ``sgemm``."""

    settle_ns = 400_000_000
    """OpenBLAS threads spin after a call, by default for 2^26 ticks of the processor's clock as they count them: 30 ms on
    one machine, 110 ms on another."""

    def __init__(self) -> None:
        self._library: Library | None = None

    def devices(self) -> Sequence[Device]:
        """Return the host as one device."""
        library = self.library
        return [Device(name="host", kind="cpu", backend="blas", runtime=library.description, runtime_key="blas")]

    def select(self, device_name: str) -> Device:  # noqa: ARG002 - there is one host
        """Return the host, whatever is asked."""
        return self.devices()[0]

    @property
    def library(self) -> Library:
        """Find the BLAS that NumPy has loaded. Raises NoDeviceError."""
        if self._library is None:
            self._library = _find()
        return self._library

    def build(self, program: Program) -> Artifact:
        """Resolve the functions. Raises BuildError when the library lacks one."""
        for launch in program.launches:
            self._function(launch.entry)
        return Artifact(program.build_key, 0.0, self.library.description)

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return page-aligned host memory."""
        return HostBuffer(banded_bytes)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Set all arguments."""
        callee = "a BLAS function"
        return BoundCalls(
            [(self._function(la.entry), passed(la, buffers, _address, callee)) for la in program.launches]
        )

    def _function(self, name: str) -> Any:  # noqa: ANN401 - a foreign function
        handle = ctypes.CDLL(self.library.path)
        for spelling in _NAMES:
            if hasattr(handle, spelling.format(name)):
                function = getattr(handle, spelling.format(name))
                function.restype = None
                return function
        raise BuildError(f"error: {self.library.path} has no function {name}")


class HostBuffer:
    """Host memory holding one banded array; the payload starts on a page."""

    def __init__(self, banded_bytes: int) -> None:
        try:
            raw = np.empty(banded_bytes + BAND_BYTES, np.uint8)
        except MemoryError:
            raise LaunchError(f"cannot allocate {banded_bytes} bytes") from None
        start = -raw.ctypes.data % BAND_BYTES
        self.banded: NDArray[np.uint8] = raw[start : start + banded_bytes]

    @property
    def address(self) -> int:
        """Address of the payload."""
        return int(self.banded.ctypes.data) + BAND_BYTES

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""
        self.banded[:] = banded

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""
        banded[:] = self.banded


class BoundCalls(UntimedCalls):
    """Foreign functions with their arguments; they run at once, so there is nothing to wait for."""

    def __init__(self, calls: Sequence[tuple[Callable[..., None], tuple[Any, ...]]]) -> None:
        self._calls = calls

    def enqueue(self) -> None:
        """Call every function."""
        for function, arguments in self._calls:
            function(*arguments)

    def finish(self) -> float | None:
        """Return None: the host has no device clock."""
        return None


def _find() -> Library:
    import threadpoolctl

    np.dot(np.ones((2, 2), np.float32), np.ones((2, 2), np.float32))
    for row in threadpoolctl.threadpool_info():
        if row.get("user_api") == "blas":
            kind = str(row.get("internal_api", "BLAS")).replace("openblas", "OpenBLAS")
            core, threads = row.get("architecture", "unknown core type"), row.get("num_threads")
            return Library(row["filepath"], f"{kind} {row.get('version', '')} {core}, {threads} threads")
    raise NoDeviceError("NumPy's BLAS library cannot be identified, so there is no BLAS peer on this machine.")


def _address(buffer: Buffer) -> int:
    assert isinstance(buffer, HostBuffer)
    return buffer.address


BACKEND = Blas
