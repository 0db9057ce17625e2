"""What a kernel family brings for NumPy arrays besides its kernel: which shapes are alike, and what it advises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop import registry
from hotloop.errors import UnknownNameError

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
    """Function that returns the parts of a problem that matter for speed, in canonical form: problems with equal parts want the same
    configuration."""
    weights: Mapping[str, float]
    """Distance that a difference adds, for each name of `shape` whose value is not a number."""
    adapt: Callable[[Problem, Record, Config, Device], Config]
    """Fits a configuration, measured on sizes that differ, to a problem."""
    advise: Callable[[Problem, Device], Candidate | None]
    """Choice by the family's own thresholds for a problem; None when they do not know the device's target."""


def find(name: str) -> Family:
    """Return a family by name. Raises UnknownNameError."""
    package, module = "hotloop.kernels", "family"
    brought = registry.with_module(package, module)
    if name not in brought:
        raise UnknownNameError("family", name, brought)
    family = registry.load(package, name, "FAMILY", module)
    assert isinstance(family, Family)
    return family
