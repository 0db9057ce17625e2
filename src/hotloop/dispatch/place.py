"""Where a tensor lives, and what is known there: asked of whoever knows devices and the store, who hands itself in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Candidate
    from hotloop.model.device import Device


@dataclass(frozen=True, slots=True)
class Place:
    """The device of a tensor."""

    device: Device
    """Its facts; where hotloop's kernels cannot run, only what it is called."""
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


class Sources(Protocol):
    """Who knows devices and the store."""

    def facts(self, tensor: Any, backend: str) -> Place:  # noqa: ANN401 - PyTorch is imported by whoever has a tensor
        """Return a tensor's device as a backend (``cuda``, ``triton``) describes it."""

    def winners(self, family: str, device: Device) -> Winners:
        """Return the store's winners of a family on a device."""


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
