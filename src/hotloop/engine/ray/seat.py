"""What the two sides of a Ray cluster tell each other: places, what a host knows of itself, what a run left, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.errors import BadShapeError, HotloopError, MachineError, NoDeviceError, UsageError, WorkerError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SIGN = "beside"
"""File in the arena of a run's driver, by which a host on the same machine is recognised."""


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of the cluster."""

    id: str
    name: str
    cpus: float
    gpus: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A place for one device of a machine."""

    node: Node
    number: int
    """Number of the seat among those on its machine."""
    parts: int = 1
    """Into how many sets of equal size the machine's cores are divided; this seat has the one of its number."""
    gpu: bool = False
    """True: Ray gives it a GPU of its own."""

    @property
    def place(self) -> str:
        """Name that people read."""
        return f"{self.node.name}:{'gpu' if self.gpu else 'cpu'}{self.number}"

    @property
    def cpus(self) -> float:
        """Return how many of the cores that Ray counts nobody else may have meanwhile: a GPU's host has other work, too."""
        if self.gpu:
            return 0.0
        cores = self.node.cpus / self.parts
        return float(int(cores)) if cores >= 1 else cores


@dataclass(frozen=True, slots=True)
class Facts:
    """What a host says of itself before it is used."""

    version: str
    """Version of hotloop."""
    python: str
    pid: int
    cores: int
    visible: tuple[tuple[str, str], ...] = ()
    """Variables by which its GPU was given to it, see `hotloop.host.turns.VISIBLE`."""


@dataclass(frozen=True, slots=True)
class Left:
    """Results that one run left on a host."""

    arrays: Mapping[str, NDArray[np.uint8] | None]
    """Banded bytes by name; None: as they were before, byte by byte."""
    device_ns: float | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error of hotloop's own, which crosses the border as data."""

    kind: str
    text: str

    def error(self) -> HotloopError:
        """Return it as what it was there, or the nearest that it may be here."""
        return _KINDS.get(self.kind, MachineError)(self.text)


_KINDS: Mapping[str, type[HotloopError]] = {
    kind.__name__: kind for kind in (BadShapeError, HotloopError, MachineError, NoDeviceError, UsageError, WorkerError)
}


def refusal(error: HotloopError) -> Refusal:
    """Return an error as data: its nearest relative that is made of one sentence."""
    kind = next(k.__name__ for k in type(error).__mro__ if k.__name__ in _KINDS)
    return Refusal(kind, str(error))
