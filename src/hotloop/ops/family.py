"""What dispatch must know about a kernel family besides its kernel; one file in ``families`` each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop import registry

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Candidate
    from hotloop.model.device import Device
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.record import Record
    from hotloop.model.space import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kernel with its notion of alike shapes."""

    kernel: Kernel
    shape: Callable[[Problem], Record]
    """What of a problem matters for speed, in canonical form: equal shapes want the same configuration."""
    weights: Mapping[str, float]
    """What a difference of a name in `shape` that is not a number adds to the distance."""
    adapt: Callable[[Problem, Record, Config, Device], Config]
    """Fits a configuration, measured on sizes that differ, to a problem."""
    advise: Callable[[Problem, Device], Candidate | None]
    """What the family's own thresholds say for a problem; None when they do not know the device's target."""


def find(name: str) -> Family:
    """Return a family by name. Raises UnknownNameError."""
    found = registry.load("hotloop.ops.families", name, "FAMILY")
    assert isinstance(found, Family)
    return found
