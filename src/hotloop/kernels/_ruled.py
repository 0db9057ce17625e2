"""Matrix products whose tile sizes follow a rule for every shape; winners of the user's runs for near shapes come first."""

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
"""Number of dimensions of a matrix."""
_WEIGHTS = {"dtype": 0.05, "epilogue": 0.05, "scales": 0.05}
"""Weights of differing options in the distance of two problems; problems that differ in these run at the same speed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The properties of a call that decide which kernel runs."""

    problem: Problem
    function: str
    """PyTorch's function for the call."""
    gradient: bool
    """True when a gradient is needed."""
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
        """Return the family's problem for a call, strides included, although they do not affect the choice."""

    @abstractmethod
    def ruled(self, problem: Problem, device: Device) -> Variant:
        """Return the choice by the family's rule."""

    def function(self, described: Described) -> str:
        """Return the name of PyTorch's function, for the reason of a choice."""
        return described.function

    def choose(self, described: Described, like: torch.Tensor) -> Choice:
        """Return the kernel that runs on the device of `like`."""
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
        near = [candidate for candidate in won.candidates if distance(problem.sizes, candidate.sizes, _WEIGHTS) <= NEAR]
        return select(asked, near, start, lambda candidate: self._fitted(candidate, asked), won.notes)

    def program(self, call: Call, choice: Choice) -> Program:
        """Return the program of the chosen implementation."""
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
