"""Where arrays and tensors are computed, and what is known there: asked of whoever knows devices and store, who hands itself in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from numpy.typing import NDArray

    from hotloop.dispatch.choice import Candidate, Choice
    from hotloop.dispatch.family import Family
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem


@dataclass(frozen=True, slots=True)
class Place:
    """The device of a tensor."""

    device: Device
    """Facts about the device; where hotloop's kernels cannot run, only its name."""
    obstacle: str = ""
    """Why hotloop's kernels cannot run there; empty where they can."""


@dataclass(frozen=True, slots=True)
class Winners:
    """What the user's own runs found to be fastest for a family on a device."""

    candidates: tuple[Candidate, ...] = ()
    trouble: str = ""
    """Why the store was of no use; empty when it was read."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a choice should say about it."""
        return (self.trouble,) if self.trouble else ()


class Prepared(Protocol):
    """A program compiled for arrays."""

    def run(self, inputs: Mapping[str, NDArray[Any]], output: str, target: NDArray[Any]) -> None:
        """Run on C-contiguous arrays by name; `target` is written before this returns. Raises MachineError."""


class Session(Protocol):
    """An opened device that works on NumPy arrays."""

    in_place: bool
    """True when kernels work on the caller's memory, without copies."""

    def prepared(self, key: Hashable, family: Callable[[], Family], problem: Callable[[], Problem]) -> Prepared:
        """Return the program of a key, compiled; family and problem are asked for at its first use only.

        Raises:
            UsageError: the device cannot compute the problem.
            MachineError: nothing that could compute it compiles.
        """

    def choice(self, family: Family, problem: Problem) -> Choice:
        """Return the first choice of a problem, without compiling it. Raises UsageError."""


class Sources(Protocol):
    """Who knows devices and the store."""

    def facts(self, tensor: Any, backend: str) -> Place:  # noqa: ANN401 - PyTorch is imported by whoever has a tensor
        """Return a tensor's device as a backend (``cuda``, ``triton``) describes it."""

    def winners(self, family: str, device: Device) -> Winners:
        """Return the store's winners of a family on a device."""

    def session(self, device: str) -> Session:
        """Open the device that computes on NumPy arrays; `device` is part of its name or runtime."""


_sources: list[Sources] = []


def hand_in(sources: Sources) -> None:
    """Let all operators ask `sources` from now on."""
    _sources[:] = [sources]


def facts(tensor: Any, backend: str) -> Place:  # noqa: ANN401
    """Return a tensor's device as a backend (``cuda``, ``triton``) describes it."""
    return _sources[0].facts(tensor, backend)


def winners(family: str, device: Device) -> Winners:
    """Return the store's winners of a family on a device."""
    return _sources[0].winners(family, device)


def session(device: str = "") -> Session:
    """Open the device that computes on NumPy arrays, once; `device` is part of its name or runtime.

    Raises:
        NoDeviceError: nothing that matches works.
        MissingExtraError: the runtime's bindings are not installed.
        MachineError: the process was forked after a device was opened.
    """
    return _sources[0].session(device)
