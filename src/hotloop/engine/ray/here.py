"""All GPUs of this machine without Ray: an engine for each, in the run's own process, with a worker process of its own.

What a host does beside a device elsewhere is done here when it is asked for, by the thread that asks. Nothing is sent, and what a worker
left is copied once. Each worker sees one GPU, and the engines divide the cores among their compilers.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hotloop.engine.local import LOOKS
from hotloop.engine.ray import gpus
from hotloop.engine.ray.host import Beside
from hotloop.engine.ray.seat import Facts, Node, Refusal, Seat
from hotloop.errors import MachineError
from hotloop.host import settings


@dataclass(frozen=True, slots=True)
class _Method:
    """A request to a host, answered while it is made."""

    do: Callable[..., Any]

    def remote(self, *args: object) -> object:
        """Return the answer, as Ray returns what stands for it."""
        return self.do(*args)


@dataclass(frozen=True, slots=True)
class _Actor:
    """A host of this process as a fleet asks one of Ray's."""

    host: Beside

    def __getattr__(self, name: str) -> _Method:
        return _Method(getattr(self.host, name))


class Here:
    """Implements `Joined` by the GPUs of this machine."""

    looks = LOOKS
    asking_s = 0.004
    """A question costs some microseconds; a card that waits for its turn to ask is idle."""

    def __init__(self) -> None:
        """Find the GPUs. Raises MachineError where there is none."""
        self._variable, self._numbers = gpus.visible(os.environ)
        if not self._numbers:
            raise MachineError("this machine shows no GPU; leave out --engine gpus, or see hotloop doctor.")

    def nodes(self) -> tuple[Node, ...]:
        """Return this machine."""
        return (Node("here", platform.node(), float(settings.usable_cores()), len(self._numbers)),)

    def seat(self, seats: Sequence[Seat]) -> dict[Seat, tuple[Any, Facts]]:
        """Return a host for each GPU."""
        share = len(self._numbers)
        hosts = {seat: Beside({self._variable: self._numbers[seat.number]}, share) for seat in seats}
        return {seat: (_Actor(host), host.facts()) for seat, host in hosts.items()}

    def release(self, _seat: Seat, actor: _Actor) -> None:
        """End a host's engine."""
        actor.host.end()

    def kill(self, actor: _Actor) -> None:
        """End a host's engine."""
        actor.host.end()

    def put(self, array: object) -> object:
        """Return the bytes themselves."""
        return array

    def answer(self, ref: object, _place: str) -> object:
        """Return an answer. Raises what the host refused with."""
        if isinstance(ref, Refusal):
            raise ref.error()
        return ref
