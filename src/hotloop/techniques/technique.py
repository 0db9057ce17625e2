"""The form of a technique: one object that the engine, the documentation page and the tests all read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from hotloop.diagnose.docs import Doc, parse
from hotloop.model.finding import Gain
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case, no_traits
from hotloop.techniques.gain import removing
from hotloop.techniques.illustration import Effect, illustrations
from hotloop.techniques.needs import Need, Place
from hotloop.techniques.situation import STANDING, Situation

SECTIONS = ("What it changes", "What it needs", "What it costs", "When it fails", "References")
"""Sections that the docstring of a technique's module has."""


class Category(StrEnum):
    """Which part of the machine a technique works on."""

    ARITHMETIC = "arithmetic"
    """Vector and matrix units, instruction overhead."""
    REGISTERS = "registers"
    MEMORY = "memory"
    """Caches, local memory, bandwidth, layout."""
    PARALLELISM = "parallelism"
    """How work is divided and distributed."""
    ALGORITHM = "algorithm"
    """Another way to compute the same result."""
    LATENCY = "latency"
    """Overlap of waiting with other work: buffers, prefetch, order of instructions, barriers."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Parameters to change, before the configuration is made valid."""

    changes: Mapping[str, Scalar]
    gain: Gain
    reason: str = ""
    """Reason for these values, a few words for the explanation of the step."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A fact that changes when a technique has taken effect, whatever the time is."""

    fact: str
    """Name in the vocabulary."""
    rises: bool = False
    """True when it must rise, False when it must fall."""

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.fact} {'rises' if self.rises else 'falls'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """One kind of change: the values it proposes in a situation, and the gain it predicts for them."""

    name: str
    """Name of its file, with hyphens; the label that parameters carry."""
    text: str | None
    """Docstring of its module."""
    category: Category
    propose: Callable[[Situation, tuple[Parameter, ...]], Iterable[Proposal]]
    """Pure; gets the situation and the parameters that carry the technique's label (at least one)."""
    labels: tuple[str, ...] = ()
    """Labels of the parameters that it changes together; empty: its own name. It proposes nothing if one is missing."""
    needs: tuple[str, ...] = ()
    """Facts without which it proposes nothing."""
    requires: tuple[Need, ...] = ()
    """Preconditions that can be checked from target and facts; the docstring has those that only a reader can judge."""
    removes: tuple[float, float] = (-0.1, 0.5)
    """Fraction of the time explained by a finding that it is expected to remove, (least, most); negative: it costs time."""
    signals: tuple[Signal, ...] = ()
    """Facts that show that it worked; empty: only the time shows it."""
    answers: tuple[str, ...] = ()
    """Rules that it answers although they do not name it, which come after those that they name."""
    traits: Callable[[Config], Mapping[str, float]] = no_traits
    """Returns properties of a configuration, as the kernels of its `described` cases report them."""

    @property
    def doc(self) -> Doc:
        """Title and sections of the docstring."""
        return parse(self.text)

    @property
    def title(self) -> str:
        """One line that names the change."""
        return self.doc.title

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Gains that were reported or measured, each with its source; empty: none is known."""
        return illustrations(self.name).effects

    @property
    def cases(self) -> tuple[Case, ...]:
        """Small situations with a known answer."""
        declared = illustrations(self.name).cases
        return tuple(replace(case, traits=self.traits) if case.described else case for case in declared)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters that embody it in its cases, each name once."""
        return tuple({p.name: p for case in self.cases for p in case.parameters}.values())

    @property
    def architectures(self) -> tuple[str, ...]:
        """Beginnings of the names of the only processors on which it is possible; empty: any."""
        return tuple(dict.fromkeys(name for need in self.requires for name in need.architectures))

    def unmet(self, place: Place) -> tuple[str, ...]:
        """Return why it cannot be applied at a place, one sentence per failed precondition; empty when nothing forbids it."""
        return tuple(reason for need in self.requires if (reason := need.unmet(place)))

    def predicted(self, share: float, standing: int = 0) -> Gain:
        """Return the predicted gain when a finding explains `share` of the time and suggests it at position `standing`."""
        return removing(share * STANDING**standing, *self.removes)

    def proposals(self, situation: Situation) -> tuple[Proposal, ...]:
        """Return what the technique would try, best first; empty when the space has no parameter for it."""
        groups = [situation.labelled(label) for label in self.labels or (self.name,)]
        parameters = tuple(parameter for group in groups for parameter in group)
        if not all(groups) or any(name not in situation.evidence for name in self.needs):
            return ()
        if self.unmet(Place(situation.device.target, situation.evidence)):
            return ()
        return tuple(self.propose(situation, parameters))
