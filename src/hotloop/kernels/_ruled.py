"""Products whose kernels are cut by a rule that covers every shape; what the user's own runs found for near shapes comes first."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from hotloop.dispatch import place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.operator import Operator
from hotloop.dispatch.select import NEAR, Asked, own, select
from hotloop.model.kernel import Variant
from hotloop.model.near import distance
from hotloop.model.record import Record
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.space import Config

MATRIX = 2
"""Dimensions of one."""
_WEIGHTS = {"dtype": 0.05, "epilogue": 0.05, "scales": 0.05}
"""What a difference of a name adds to the distance of two problems: all of these run at one speed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One call, as far as it decides what runs."""

    problem: Problem
    function: str
    """What PyTorch would run."""
    gradient: bool
    """One is wanted."""
    obstacle: str
    """Why the kernels cannot take the operands; empty when they can."""


Call = TypeVar("Call", bound="tuple[Any, ...]")


class ByRule(Operator[Call, Described, torch.Tensor]):
    """An operation with a family's kernels besides PyTorch's own function."""

    kernel: ClassVar[Kernel]
    least_capability: ClassVar[int]
    """Compute capability that the kernels need, times ten."""

    @abstractmethod
    def problem(self, call: Call) -> Problem:
        """Return a call in the family's words, its strides included, which decide nothing."""

    @abstractmethod
    def ruled(self, problem: Problem, device: Device) -> Variant:
        """Return what the family's rule gives."""

    def function(self, described: Described) -> str:
        """Name PyTorch's own function, for reasons."""
        return described.function

    def choose(self, described: Described, like: torch.Tensor) -> Choice:
        """Return what runs on the device of `like`."""
        at, problem = place.facts(like, "triton"), described.problem
        asked = Asked(problem=problem, device=at.device, function=described.function, weights=_WEIGHTS)
        why = at.obstacle or self._too_old(at.device) or described.obstacle
        if why := NO_GRADIENT if described.gradient else why:
            return own(asked, why)
        won, cut = place.winners(self.kernel.family, at.device), self.ruled(problem, at.device)
        start = Candidate(
            origin=Origin.START,
            implementation=cut.implementation.name,
            config=cut.config,
            sizes=Record(),
            source="cut to fill the device, a rule",
        )
        near = [one for one in won.candidates if distance(problem.sizes, one.sizes, _WEIGHTS) <= NEAR]
        return select(asked, near, start, lambda one: self._fitted(one, asked), won.notes)

    def program(self, call: Call, choice: Choice) -> Program:
        """Return what the chosen implementation plans."""
        return self._variant(choice.implementation, choice.config).program(self.problem(call), choice.device)

    def _fitted(self, candidate: Candidate, asked: Asked) -> Config:
        self._variant(candidate.implementation, candidate.config).program(asked.problem, asked.device)
        return candidate.config

    def _variant(self, implementation: str, config: Config) -> Variant:
        return Variant(self.kernel.implementation(implementation), config)

    def _too_old(self, device: Device) -> str:
        least = self.least_capability
        if Target.of(device.target).at_least(least):
            return ""
        return f"the kernel is for NVIDIA GPUs from compute capability {least / 10:.1f} on, not {device.target}"
