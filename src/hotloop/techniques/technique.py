"""The form of a technique: one object that the engine, the documentation page and the tests all read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from hotloop.diagnose.docs import Doc, parse
from hotloop.model.finding import Gain
from hotloop.model.record import Scalar
from hotloop.model.space import Parameter
from hotloop.techniques.case import Case
from hotloop.techniques.situation import Situation

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
    """How work is cut and shared out."""
    ALGORITHM = "algorithm"
    """Another way to compute the same result."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Parameters to change, before the configuration is made valid."""

    changes: Mapping[str, Scalar]
    gain: Gain
    reason: str = ""
    """Why these values, a few words for the step's explanation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """One kind of change: which values it proposes in a situation and what it believes that they bring."""

    name: str
    """Name of its file, with hyphens; the label that parameters carry."""
    text: str | None
    """Docstring of its module."""
    category: Category
    propose: Callable[[Situation, tuple[Parameter, ...]], Iterable[Proposal]]
    """Pure; gets the situation and the parameters that carry the technique's label (at least one)."""
    labels: tuple[str, ...] = ()
    """Labels of the parameters that it changes together; empty: its own name. It stays silent where one is missing."""
    needs: tuple[str, ...] = ()
    """Facts without which it proposes nothing."""
    cases: tuple[Case, ...] = ()

    @property
    def doc(self) -> Doc:
        """Title and sections of the docstring."""
        return parse(self.text)

    @property
    def title(self) -> str:
        """One line that names the change."""
        return self.doc.title

    def proposals(self, situation: Situation) -> tuple[Proposal, ...]:
        """Return what the technique would try, best first; empty when the space has no parameter for it."""
        groups = [situation.labelled(label) for label in self.labels or (self.name,)]
        parameters = tuple(parameter for group in groups for parameter in group)
        if not all(groups) or any(name not in situation.evidence for name in self.needs):
            return ()
        return tuple(self.propose(situation, parameters))
