"""What a GPU's driver offers to `hotloop.drivers.gpu`: CUDA and HIP do most of it call for call alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hotloop.drivers.api import Compiled, DriverError, given
from hotloop.model.device import Device
from hotloop.model.outcome import Resources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROBE = """__global__ void probe(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(2.0f, x[i], (float)i);
}
"""
"""The kernel that `Driver.probe` asks for, in the words that both languages share."""
LEAD = """__global__ void lead(long long cycles) {
    const unsigned begin = (unsigned)clock64();
    for (int turn = 0; turn < 20000 && (((unsigned)clock64() - begin) & 0xFFFFF) < (unsigned)cycles; ++turn) {}
}
"""
"""Keeps the device busy for so many of its clock cycles, fewer than 2^20, and touches no memory.

RDNA3's counter has 20 bits (LLVM, AMDGPU backend: ``SHADER_CYCLES`` of gfx11), so that only differences modulo 2^20 can be compared; and
whatever a counter does, the loop ends.
"""
EVICT = """__global__ void evict(unsigned long long address, long long lines, unsigned never) {
    const uint4 *line = (const uint4 *)address;
    const long long step = (long long)gridDim.x * blockDim.x;
    unsigned seen = 0;
    for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < lines; at += step)
        seen |= line[at].x | line[at].y | line[at].z | line[at].w;
    if (seen == never) *(unsigned *)address = seen;
}
"""
"""Reads so many lines of 16 bytes, all 0, and writes nothing while `never` is not 0: what the caches held before gives way to lines that
need not be written back. A fill would leave its own there, whose writing back takes bandwidth from the launch that follows.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A vendor's names and symbols. A call that is not named here has the same name at both behind the prefix."""

    module: Any
    """The vendor's Python binding; each of its functions returns a tuple whose first member is the status."""
    prefix: str
    success: Any
    said: Callable[[Any], str]
    """Says a status in words."""
    allocate: str
    free: str
    fill: str
    pin: str
    unpin: str
    synchronize: str
    """Waits for everything on the device."""
    instantiate: str
    event_flags: tuple[Any, ...]
    relaxed: Any
    """The mode of capture in which other threads may call what they like."""
    function_attribute: Any

    def ok(self, answer: tuple[Any, ...]) -> Any:  # noqa: ANN401
        """Return what a call gives besides its status. Raises DriverError."""
        return given(answer, self.success, lambda status: DriverError(self.said(status)))

    def call(self, name: str, *arguments: Any) -> Any:  # noqa: ANN401
        """Call the function of this name, less the prefix. Raises DriverError."""
        return self.ok(getattr(self.module, self.prefix + name)(*arguments))


class Driver(ABC):
    """The calls of a vendor's driver that a backend needs; every one may raise DriverError."""

    language: ClassVar[str]
    probe: ClassVar[str]
    """A kernel ``probe(const float *x, float *y, int n)`` that computes 2·x + i, `LEAD` and `EVICT`."""

    def __init__(self, spelling: Spelling) -> None:
        self._spelling, self._call = spelling, spelling.call
        self._stream: Any = None

    @abstractmethod
    def devices(self) -> Sequence[Device]:
        """List devices by ordinal. Raises NoDeviceError when there is no driver."""

    @abstractmethod
    def open(self, ordinal: int) -> None:
        """Make a device current, with a stream of its own."""

    @abstractmethod
    def compile(self, text: str, name: str, options: Sequence[str], entries: Sequence[str]) -> Compiled:
        """Compile for the open device. Raises BuildError."""

    @abstractmethod
    def parameters(self, function: Any) -> Sequence[int] | None:  # noqa: ANN401 - handles are the driver's own
        """Return the size in bytes of each kernel parameter, None where the driver does not tell."""

    @abstractmethod
    def reserve(self, function: Any, shared_bytes: int) -> None:  # noqa: ANN401
        """Allow launches with this much dynamic shared memory."""

    @abstractmethod
    def pack(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return arguments, given as ctypes values, in the form that `launch` takes."""

    @abstractmethod
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
        """Submit a launch; an early one may begin while the one before ends, where the vendor's driver has that."""

    @abstractmethod
    def write(self, address: int, array: NDArray[np.uint8]) -> None:
        """Copy to the device and wait."""

    @abstractmethod
    def read(self, array: NDArray[np.uint8], address: int) -> None:
        """Copy from the device and wait."""

    def load(self, binary: bytes) -> Any:  # noqa: ANN401
        """Return a module."""
        return self._call("ModuleLoadData", binary)

    def function(self, module: Any, symbol: str) -> Any:  # noqa: ANN401
        """Return a kernel of a module."""
        return self._call("ModuleGetFunction", module, symbol.encode())

    def resources(self, function: Any) -> Resources:  # noqa: ANN401
        """Return private memory per thread, static local memory and the largest block."""
        return Resources(
            private_bytes=self._attribute("LOCAL_SIZE_BYTES", function),
            local_bytes=self._attribute("SHARED_SIZE_BYTES", function),
            max_workgroup=self._attribute("MAX_THREADS_PER_BLOCK", function),
        )

    def allocate(self, size_bytes: int) -> int:
        """Return new device memory."""
        return int(self._call(self._spelling.allocate, max(size_bytes, 1)))

    def free(self, address: int) -> None:
        """Give device memory back."""
        self._call(self._spelling.free, address)

    def fill(self, address: int, size_bytes: int) -> None:
        """Submit a fill."""
        self._call(self._spelling.fill, address, 0, size_bytes, self._stream)

    def repeat(self, address: int, word: int, count: int) -> None:
        """Submit a fill with `count` words of four bytes, whose bits are given unsigned."""
        self._call("MemsetD32Async", address, word, count, self._stream)

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Lock pages of the host in memory for faster copies."""
        self._call(self._spelling.pin, array.ctypes.data, array.nbytes, 0)

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release locked pages."""
        self._call(self._spelling.unpin, array.ctypes.data)

    def event(self) -> Any:  # noqa: ANN401
        """Return a new event with timing."""
        return self._call("EventCreate", *self._spelling.event_flags)

    def record(self, event: Any) -> None:  # noqa: ANN401
        """Submit an event."""
        self._call("EventRecord", event, self._stream)

    def elapsed_ns(self, first: Any, last: Any) -> float:  # noqa: ANN401
        """Return the device time between two events that have passed."""
        return 1e6 * float(self._call("EventElapsedTime", first, last))

    def wait(self) -> None:
        """Wait for everything submitted."""
        self._call("StreamSynchronize", self._stream)

    def healthy(self) -> bool:
        """Tell whether the device still answers; False after a fault, for the rest of the process.

        Many faults of AMD's GPUs end the process before anybody can ask.
        """
        try:
            self._call(self._spelling.synchronize)
        except DriverError:
            return False
        return True

    def capture(self, submit: Callable[[], None]) -> Any:  # noqa: ANN401
        """Return an executable graph of what `submit` submits."""
        self._call("StreamBeginCapture", self._stream, self._spelling.relaxed)
        try:
            submit()
        finally:
            graph = self._call("StreamEndCapture", self._stream)
        try:
            return self._call(self._spelling.instantiate, graph, 0)
        finally:
            self._call("GraphDestroy", graph)

    def replay(self, graph: Any) -> None:  # noqa: ANN401
        """Submit a graph."""
        self._call("GraphLaunch", graph, self._stream)

    def drop(self, graph: Any) -> None:  # noqa: ANN401
        """Free a graph."""
        self._call("GraphExecDestroy", graph)

    def _attribute(self, name: str, function: Any) -> Any:  # noqa: ANN401
        attribute = f"{self._spelling.prefix.upper()}_FUNC_ATTRIBUTE_{name}"
        return self._call("FuncGetAttribute", getattr(self._spelling.function_attribute, attribute), function)
