"""Products whose kernel is cut by a rule that covers every shape: no table and no store is asked what runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, ClassVar, TypeAlias, TypeVar

from hotloop.dispatch import place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.operator import Judged
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels.gemm import fp8, int4
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

Plan: TypeAlias = fp8.Plan | int4.Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(ABC):
    """One call, as far as it decides what runs."""

    m: int
    n: int
    k: int
    dtype: str
    """That of what is not narrow."""
    activation: str
    function: str
    """What PyTorch would run."""
    gradient: bool
    """One is wanted."""
    obstacle: str
    """Why the kernel cannot take the operands; empty when it can."""

    @property
    @abstractmethod
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""

    @abstractmethod
    def cut(self, device: Device) -> Plan:
        """Return the rule's cut for a device."""


Call = TypeVar("Call", bound="tuple[Any, ...]")
Described = TypeVar("Described", bound=Ruled)


class ByRule(Judged[Call, Described, torch.Tensor]):
    """An operation with one kernel besides PyTorch's own function."""

    kernel: ClassVar[str]
    """Its implementation name."""
    least_capability: ClassVar[int]
    """Compute capability that it needs, times ten."""

    def function(self, described: Described) -> str:
        """Name PyTorch's own function, for reasons."""
        return described.function

    def choose(self, described: Described, like: torch.Tensor) -> Choice:
        """Return what runs on the device of `like`."""
        at = place.facts(like, "triton")
        device = at.device
        asked = Asked(problem=described.problem, device=device, function=described.function, weights={})
        why = at.obstacle or self._too_old(device.target) or described.obstacle
        if why := NO_GRADIENT if described.gradient else why:
            return own(asked, why)
        start = Candidate(
            origin=Origin.START,
            implementation=self.kernel,
            config=_config(described.cut(device)),
            sizes=Record(),
            source="cut to fill the device, a rule",
        )
        return select(asked, (), start, lambda one: one.config)

    def _too_old(self, target: str) -> str:
        least = self.least_capability
        if Target.of(target).at_least(least):
            return ""
        return f"the kernel is for NVIDIA GPUs from compute capability {least / 10:.1f} on, not {target}"


@cache
def _config(plan: Plan) -> Config:
    return Config(asdict(plan))
