"""The information that a technique gets when it is asked for proposals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotloop.model.device import Device
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Finding
from hotloop.model.kernel import Variant
from hotloop.model.problem import Problem
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Parameter

_BYTES = {
    **dict.fromkeys(("float64", "double", "int64", "f8", "fp64", "f64"), 8),
    **dict.fromkeys(("float32", "float", "single", "int32", "f4", "fp32", "f32"), 4),
    **dict.fromkeys(("float16", "half", "bfloat16", "int16", "f2", "fp16", "f16", "bf16"), 2),
    **dict.fromkeys(("int8", "uint8", "float8", "fp8"), 1),
}
STANDING = 0.75
"""Each further technique that a rule suggests is expected to remove this fraction of what the previous one removes."""
_FEW_GROUPS = 2.0
_TAIL = 0.2


@dataclass(frozen=True, slots=True)
class Situation:
    """A variant with its evidence, and the finding that is to be answered."""

    variant: Variant
    problem: Problem
    device: Device
    evidence: Evidence = Evidence()
    finding: Finding | None = None
    standing: int = 0
    """Position of the technique among the finding's suggestions; 0 is the best answer."""
    _known: dict[tuple[object, ...], Mapping[str, float]] = field(default_factory=dict, repr=False, compare=False)
    """Traits asked for so far; shared by copies, because several findings ask for the same technique."""

    @property
    def config(self) -> Config:
        """The configuration to move away from."""
        return self.variant.config

    def labelled(self, technique: str) -> tuple[Parameter, ...]:
        """Return the parameters that embody a technique and have a choice at all."""
        return tuple(p for p in self.variant.implementation.space.embodying(technique) if len(set(p.values)) > 1)

    def value(self, parameter: Parameter) -> Scalar:
        """Return the parameter's value in the incumbent."""
        return self.config[parameter.name]

    def fact(self, name: str) -> float | None:
        """Return a value of the evidence, None when it is not known."""
        return self.evidence.get(name)

    @property
    def share(self) -> float:
        """Share of run time that the finding explains; 0 without a finding."""
        return self.finding.share * STANDING**self.standing if self.finding else 0.0

    @property
    def element_bytes(self) -> int:
        """Size of one element: named by one of the problem's values (``dtype=float64``), otherwise 4."""
        words = (value for value in self.problem.sizes.values() if isinstance(value, str))
        return next((_BYTES[word] for word in words if word in _BYTES), 4)

    @property
    def lanes(self) -> int | None:
        """Elements in one vector register of the device, None when the width is not known."""
        return self.device.lanes(self.element_bytes)

    @property
    def starved(self) -> bool:
        """Return whether there are too few work-groups for the compute units."""
        per_unit, tail = self.fact("launch.groups_per_unit"), self.fact("launch.tail_waste")
        return (per_unit is not None and per_unit < _FEW_GROUPS) or (tail or 0.0) > _TAIL

    @property
    def spilling(self) -> bool:
        """Return whether the hot loop spills vector registers, or must spill according to its configuration."""
        spills = self.fact("static.spills")
        if spills is not None:
            return spills > 0
        used = self.fact("config.accumulator_registers")
        return used is not None and self.device.vector_registers is not None and used > self.device.vector_registers

    def traits(self, changes: Mapping[str, Scalar]) -> Mapping[str, float]:
        """Return the ``config.*`` facts that a changed configuration would have; empty when the kernel knows none."""
        config = self.config.replace(**changes)
        key = (self.variant.implementation.name, self.problem, self.device.target, config)
        if key not in self._known:
            self._known[key] = self._ask(config)
        return self._known[key]

    def _ask(self, config: Config) -> Mapping[str, float]:
        try:
            return self.variant.implementation.traits(self.problem, config, self.device)
        except (ValueError, ArithmeticError):
            return {}
