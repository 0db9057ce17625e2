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

from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact
from hotloop.model.program import Array, Launch, Program, Value
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


class Blas:
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

    def binary(self, program: Program) -> bytes:  # noqa: ARG002 - the library is not ours to take apart
        """Return nothing."""
        return b""

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return page-aligned host memory."""
        return HostBuffer(banded_bytes)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Set all arguments."""
        calls = [(self._function(launch.entry), _arguments(launch, buffers)) for launch in program.launches]
        return BoundCalls(calls)

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


class BoundCalls:
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

    def phases(self) -> Mapping[str, float]:
        """Return nothing."""
        return {}


def _find() -> Library:
    import threadpoolctl

    np.dot(np.ones((2, 2), np.float32), np.ones((2, 2), np.float32))
    for row in threadpoolctl.threadpool_info():
        if row.get("user_api") == "blas":
            kind = str(row.get("internal_api", "BLAS")).replace("openblas", "OpenBLAS")
            core, threads = row.get("architecture", "unknown core type"), row.get("num_threads")
            return Library(row["filepath"], f"{kind} {row.get('version', '')} {core}, {threads} threads")
    raise NoDeviceError("NumPy's BLAS library cannot be identified, so there is no BLAS peer on this machine.")


def _arguments(launch: Launch, buffers: Mapping[str, Buffer]) -> tuple[Any, ...]:
    return tuple(_argument(argument, buffers) for argument in launch.arguments)


def _argument(argument: object, buffers: Mapping[str, Buffer]) -> Any:  # noqa: ANN401
    match argument:
        case Array(name=name):
            buffer = buffers[name]
            assert isinstance(buffer, HostBuffer)
            return ctypes.c_void_p(buffer.address)
        case Value(value=value, dtype="float32"):
            return ctypes.c_float(value)
        case Value(value=value, dtype="float64"):
            return ctypes.c_double(value)
        case Value(value=value, dtype="int32"):
            return ctypes.c_int(int(value))
        case Value(value=value):
            return ctypes.c_int64(int(value))
        case _:
            raise LaunchError(f"a BLAS function cannot take {argument}")


BACKEND = Blas
