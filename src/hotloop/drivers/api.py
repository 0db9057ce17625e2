"""What a GPU's driver must offer to `hotloop.drivers.gpu`, and what those that offer it share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hotloop.model.device import Device
from hotloop.model.outcome import Resources

if TYPE_CHECKING:
    from numpy.typing import NDArray


class DriverError(Exception):
    """A call of the driver failed; the text is what the driver says, with the name of the error."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the run-time compiler made of a program."""

    binary: bytes
    symbols: Mapping[str, str]
    """Symbol of each kernel function in the binary, which C++ mangles."""
    log: str = ""


class Driver(Protocol):
    """The calls of a vendor's driver that a backend needs; every one may raise DriverError."""

    language: str
    probe: str
    """A kernel ``probe(const float *x, float *y, int n)`` that computes 2·x + i."""

    def devices(self) -> Sequence[Device]:
        """List devices by ordinal. Raises NoDeviceError when there is no driver."""

    def open(self, ordinal: int) -> None:
        """Make a device current, with a stream of its own."""

    def compile(self, text: str, name: str, options: Sequence[str], entries: Sequence[str]) -> Compiled:
        """Compile for the open device. Raises BuildError."""

    def load(self, binary: bytes) -> Any:  # noqa: ANN401 - handles are the driver's own
        """Return a module."""

    def function(self, module: Any, symbol: str) -> Any:  # noqa: ANN401
        """Return a kernel of a module."""

    def resources(self, function: Any) -> Resources:  # noqa: ANN401
        """Return what the driver says about a kernel."""

    def parameters(self, function: Any) -> Sequence[int] | None:  # noqa: ANN401
        """Return the size in bytes of each kernel parameter, None where the driver does not tell."""

    def reserve(self, function: Any, shared_bytes: int) -> None:  # noqa: ANN401
        """Allow launches with this much dynamic shared memory."""

    def allocate(self, size_bytes: int) -> int:
        """Return the address of new device memory."""

    def free(self, address: int) -> None:
        """Give device memory back."""

    def write(self, address: int, array: NDArray[np.uint8]) -> None:
        """Copy to the device and wait."""

    def read(self, array: NDArray[np.uint8], address: int) -> None:
        """Copy from the device and wait."""

    def fill(self, address: int, size_bytes: int) -> None:
        """Submit a fill."""

    def pack(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return arguments, given as ctypes values, in the form that `launch` takes."""

    def launch(
        self,
        function: Any,  # noqa: ANN401
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
        packed: Any,  # noqa: ANN401
    ) -> None:
        """Submit a launch."""

    def event(self) -> Any:  # noqa: ANN401
        """Return a new event with timing."""

    def record(self, event: Any) -> None:  # noqa: ANN401
        """Submit an event."""

    def elapsed_ns(self, first: Any, last: Any) -> float:  # noqa: ANN401
        """Return the device time between two events that have passed."""

    def wait(self) -> None:
        """Wait for everything submitted."""

    def healthy(self) -> bool:
        """Tell whether the device still answers; False after a fault, for the rest of the process."""

    def capture(self, submit: Callable[[], None]) -> Any:  # noqa: ANN401
        """Return an executable graph of what `submit` submits."""

    def replay(self, graph: Any) -> None:  # noqa: ANN401
        """Submit a graph."""

    def drop(self, graph: Any) -> None:  # noqa: ANN401
        """Free a graph."""


def defined(text: str, name: str, options: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    r"""Return a text that begins with its macros, and the options without them.

    Run-time compilers put headers of their own before the text, and a macro such as ``T`` would break those.

    >>> defined("f();", "k.cu", ("-DT=float", "--use_fast_math"))
    ('#define T float\n#line 1 "k.cu"\nf();', ('--use_fast_math',))
    """
    named = [option[2:].partition("=") for option in options if option.startswith("-D") and len(option) > 2]
    lines = [f"#define {macro} {value if equals else 1}" for macro, equals, value in named]
    plain = name.replace("\\", "/").replace('"', "'")
    head = "\n".join((*lines, f'#line 1 "{plain}"', ""))
    return head + text, tuple(o for o in options if not (o.startswith("-D") and len(o) > 2))
