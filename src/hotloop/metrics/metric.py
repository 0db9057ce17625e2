"""One metric of one vendor: a formula over counters that gives a fact of the vocabulary."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.metrics.formula import Node, names, read
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.targets.target import Target

REACHED = "min(dispatch.groups / (1[group] * machine.compute_units), 1)"
"""Share of the units that can have had a work-group, as groups are dealt to units in turn."""
FEW_GROUPS = ("1[group] * machine.compute_units", "2 * dispatch.groups")
"""Condition that a launch has at most one group for two units: only then does the share above tell how busy the units were."""


class UpperBound(str):
    """A caveat by which the value is an upper bound: what else is inside it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """How a fact is computed on some architectures; the first whose inputs are known wins."""

    name: str
    """Name of a fact in the vocabulary, which gives its unit and meaning."""
    formula: str
    """Formula in the language of `hotloop.metrics.formula`; its inputs are counters, ``dispatch.*``, ``machine.*`` and earlier metrics."""
    architectures: tuple[str, ...]
    """Names of architectures, or with a star the beginnings of names: ``gfx94*``, ``sm_*``."""
    source: str
    """Source of the formula."""
    misleads: str = ""
    """Cases in which the value does not mean what it seems to."""
    whole: bool = False
    """True when it needs counters of all engines: it sets them against clocks or launch geometry."""
    zero: tuple[str, ...] = ()
    """Counters that must be known to be 0: what the formula leaves out did not happen then."""
    told: bool = False
    """True when a profiler works the value out itself: a spare way, which nobody is asked to collect."""
    together: bool = False
    """True when counters should be of one pass: times and clocks are set against each other, which differ between runs."""
    given: tuple[str, ...] = ()
    """Further names that must be known."""
    most: str = ""
    """Formula of the largest value that is possible; a larger one is refused. Not checked where an input is unknown."""
    enough: tuple[str, str] | None = None
    """Two formulas of which the first must reach the second, where both are known."""

    @property
    def upper(self) -> bool:
        """Tell whether the value is an upper bound."""
        return isinstance(self.misleads, UpperBound)

    @property
    def unit(self) -> str:
        """Unit of the value."""
        return BY_NAME[self.name].unit

    @property
    def meaning(self) -> str:
        """What the value says."""
        return BY_NAME[self.name].meaning

    @property
    def tree(self) -> Node:
        """The formula, parsed."""
        return read(self.formula)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names that the formula uses."""
        return names(self.tree)

    def covers(self, architecture: str) -> bool:
        """Tell whether the formula is meant for an architecture."""
        return Target.of(architecture).among(*self.architectures)
