"""The form of a rule: one object that the engine, the messages, the documentation page and the tests all read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hotloop.diagnose.docs import Doc, parse
from hotloop.diagnose.example import SMALLEST_SHARE, Examples, examples
from hotloop.diagnose.facts import Facts
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.finding import Finding
from hotloop.units import percent

ROOF = ("roof.fraction", "roof.memory_bound")
"""Facts that every rule may use if they are known, because no rule can explain time below the roofline floor."""
_CUT = " (the estimate is larger: {} is the most that this rule claims)"
SECTIONS = ("What it shows", "Why it costs", "What to try", "When it misleads", "References")
"""Sections that the docstring of a rule's module has."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """Result of a rule that applies."""

    share: float
    """Estimated share of run time that it explains, 0..1; the engine caps it at the distance from the roofline."""
    message: str
    """One sentence with the numbers in it."""
    most: float = 1.0
    """Largest share that the rule claims, from reported gains; where it cuts the estimate off, the message says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of bottleneck: the facts it needs, how much time it explains, and the techniques that answer it."""

    name: str
    """Name of its file, with hyphens."""
    text: str | None
    """Docstring of its module."""
    needs: tuple[str, ...]
    """Facts without which the rule is not evaluated."""
    evaluate: Callable[[Facts], Symptom | None]
    """Pure function that reads declared facts only."""
    suggests: tuple[str, ...] = ()
    """Techniques that answer it, best first; empty if the kernel needs no change."""
    optional: tuple[str, ...] = ()
    """Facts that sharpen the estimate."""
    inferred: str = ""
    """Why the share is at most a guess: what the rule reads was reserved or declared, and nobody counted its use."""
    refuting: tuple[tuple[str, ...], ...] = ()
    """Groups of optional facts that can show the finding to be another one's symptom: where all of a group are unknown, it is at most a
    guess."""

    @property
    def doc(self) -> Doc:
        """Title and sections of the docstring."""
        return parse(self.text)

    @property
    def title(self) -> str:
        """One line that names the bottleneck."""
        return self.doc.title

    @property
    def examples(self) -> Examples:
        """Kernels that it finds, and others of which it says nothing."""
        return examples(self.name)

    def missing(self, evidence: Evidence) -> tuple[Absent, ...]:
        """Return the needed facts that are not known, with the reason."""
        return tuple(Absent(name, evidence.why_absent(name)) for name in self.needs if name not in evidence)

    def apply(self, evidence: Evidence) -> Finding | None:
        """Evaluate the rule on evidence that has all needed facts; None when it has nothing to say."""
        optional = (*self.optional, *ROOF)
        values = ((name, evidence.get(name)) for name in (*self.needs, *optional))
        facts = Facts({name: value for name, value in values if value is not None}, frozenset(optional))
        symptom = self.evaluate(facts)
        share = min(symptom.share, symptom.most, facts.unexplained(), 1.0) if symptom else 0.0
        if symptom is None or share < SMALLEST_SHARE:
            return None
        cited = tuple(name for name in (*self.needs, *self.optional) if name in facts.known)
        misleads = self.doc.sentence("When it misleads")
        cut = _CUT.format(percent(symptom.most)) if symptom.share > symptom.most else ""
        return Finding(
            rule=self.name,
            message=f"{symptom.message}{cut}",
            share=share,
            evidence=cited,
            suggests=self.suggests,
            misleads=misleads,
        )
