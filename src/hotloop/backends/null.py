"""A fake device: runs whole optimize loops, faults included, without any runtime.

The program's source is JSON that says what the kernel computes, how long it takes on a virtual clock, and how it
misbehaves:

    {"compute": "axpy", "call_ns": 1000.0, "noise": 0.01, "fault": "wrong"}

With `busy_s` each launch keeps the device busy for so many seconds of real time, without a processor. With `power_w` its calls
take so many joules a second of the virtual clock, which a meter counts in steps of a millisecond.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, Resources
from hotloop.model.program import Array, Program, Value
from hotloop.ports import BAND_BYTES, Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEVICE = Device(
    name="Null device",
    kind="null",
    backend="null",
    runtime="null 1",
    runtime_key="null",
    target="null",
    compute_units=4,
    vector_bits=256,
    vector_registers=16,
    max_workgroup=1024,
    local_mem_bytes=65536,
    local_mem_dedicated=False,
    fp64=True,
)


@dataclass(slots=True)
class VirtualClock:
    """Time that only kernels spend."""

    now_ns: int = 1
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))
    taken_j: float = 0.0

    def spend(self, call_ns: float, noise: float, power_w: float = 0.0) -> float:
        """Advance by a noisy duration and return it."""
        spent_ns = call_ns * float(np.exp(noise * self.random.standard_normal()))
        self.now_ns += int(spent_ns)
        self.taken_j += 1e-9 * power_w * spent_ns
        return spent_ns


@dataclass(slots=True)
class VirtualMeter:
    """A `Meter` that moves with every millisecond of the virtual clock, as real ones do."""

    clock: VirtualClock
    source: str = "the null device"
    resolution_j: float = 0.0
    period_s: float | None = 1e-3
    _seen: tuple[int, float] = (0, 0.0)

    def joules(self) -> float:
        """Return what calls took, as it stood when the latest millisecond began that anybody saw."""
        step = self.clock.now_ns // 1_000_000
        if step != self._seen[0]:
            self._seen = step, self.clock.taken_j
        return self._seen[1]


class Null:
    """Implements the `Backend` port in memory."""

    settle_ns = 0

    def __init__(self) -> None:
        self._clock = VirtualClock()
        self.meter = VirtualMeter(self._clock)

    def now_ns(self) -> int:
        """Return the virtual time, which replaces the system's when samples are taken."""
        return self._clock.now_ns

    def devices(self) -> Sequence[Device]:
        """Return the one fake device."""
        return [DEVICE]

    def select(self, device_name: str) -> Device:  # noqa: ARG002 - there is one device
        """Return the one fake device."""
        return DEVICE

    def build(self, program: Program) -> Artifact:
        """Read the source; ``"fault": "compile"`` fails, ``"compile-hang"`` never returns."""
        recipe = json.loads(program.source)
        if recipe.get("fault") == "compile":
            raise BuildError("1:3:5: error: planted compile error")
        if recipe.get("fault") == "compile-hang":
            time.sleep(3600)
        resources = tuple((launch.entry, Resources()) for launch in program.launches)
        return Artifact(program.build_key, 1e6, "", resources)

    def binary(self, program: Program) -> bytes:  # noqa: ARG002 - nothing is compiled
        """Return nothing."""
        return b""

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return host memory."""
        return NullBuffer(np.zeros(banded_bytes, np.uint8))

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Return the program ready to run."""
        return NullProgram(program, {k: b for k, b in buffers.items() if isinstance(b, NullBuffer)}, self._clock)


@dataclass(slots=True)
class NullBuffer:
    """Banded array in host memory."""

    banded: NDArray[np.uint8]

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy in."""
        self.banded[:] = banded

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy out."""
        banded[:] = self.banded


class NullProgram:
    """Computes in NumPy and spends virtual time."""

    def __init__(self, program: Program, buffers: Mapping[str, NullBuffer], clock: VirtualClock) -> None:
        self._recipe = json.loads(program.source)
        self._program = program
        self._buffers = buffers
        self._clock = clock
        self._spent_ns = 0.0

    def enqueue(self) -> None:
        """Run every launch, faults first."""
        for launch in self._program.launches:
            arguments = [self._argument(argument) for argument in launch.arguments]
            fault = self._recipe.get("fault", "")
            FAULTS.get(fault, _healthy)(arguments)
            if fault != "silent":
                COMPUTE[self._recipe["compute"]](arguments, 1.01 if fault == "wrong" else 1.0)
            time.sleep(self._recipe.get("busy_s", 0.0))
            self._spent_ns += self._clock.spend(
                self._recipe["call_ns"], self._recipe.get("noise", 0.0), self._recipe.get("power_w", 0.0)
            )

    def finish(self) -> float | None:
        """Return the virtual time spent since the last call."""
        spent_ns, self._spent_ns = self._spent_ns, 0.0
        return spent_ns

    def phases(self) -> Mapping[str, float]:
        """Return nothing: the fake has no phases."""
        return {}

    def _argument(self, argument: object) -> Any:  # noqa: ANN401
        if isinstance(argument, Array):
            return self._buffers[argument.name].banded
        return argument.value if isinstance(argument, Value) else None


def _payload(banded: NDArray[np.uint8]) -> NDArray[np.float32]:
    return banded[BAND_BYTES:-BAND_BYTES].view(np.float32)


def _axpy(arguments: Sequence[Any], factor: float) -> None:
    scale, x, y = arguments
    _payload(y)[:] += np.float32(factor * scale) * _payload(x)


def _copy(arguments: Sequence[Any], factor: float) -> None:
    x, y = arguments
    _payload(y)[:] = np.float32(factor) * _payload(x)


COMPUTE: dict[str, Callable[[Sequence[Any], float], None]] = {"axpy": _axpy, "copy": _copy}
"""What a fake kernel can compute; arguments are banded byte arrays and scalars in launch order, plus an error factor."""


def _healthy(_arguments: Sequence[Any]) -> None:
    """Do nothing wrong."""


def _crash(_arguments: Sequence[Any]) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _abort(_arguments: Sequence[Any]) -> None:
    os.abort()


def _hang(_arguments: Sequence[Any]) -> None:
    time.sleep(3600)


def _refuse(_arguments: Sequence[Any]) -> None:
    raise LaunchError("out of resources")


def _overrun(arguments: Sequence[Any]) -> None:
    arguments[-1][-BAND_BYTES + 64] ^= 0xFF


def _mutate(arguments: Sequence[Any]) -> None:
    _payload(next(a for a in arguments if isinstance(a, np.ndarray)))[0] += 1


def _flood(_arguments: Sequence[Any]) -> None:
    for _ in range(64):
        os.write(2, b"flood " * 10_000)


FAULTS = {
    "crash": _crash,
    "abort": _abort,
    "hang": _hang,
    "refuse": _refuse,
    "overrun": _overrun,
    "mutate": _mutate,
    "flood": _flood,
}
"""Planted misbehaviour by name; ``wrong``, ``silent`` (writes nothing), ``compile`` and ``compile-hang`` exist too."""
BACKEND = Null
