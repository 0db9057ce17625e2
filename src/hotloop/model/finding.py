"""Findings explain, moves change: the two ends of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.gain import Gain
from hotloop.model.kernel import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What limits a variant, with the evidence that says so."""

    rule: str
    """Name of the rule, which is the name of its file."""
    message: str
    """One sentence with the numbers in it."""
    share: float
    """Estimated share of the run time that the finding explains, 0..1; findings are ranked by it."""
    evidence: tuple[str, ...]
    """Names of the facts that were used."""
    suggests: tuple[str, ...]
    """Techniques that answer it, best first."""
    misleads: str = ""
    """Cases in which this finding is wrong or does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One technique applied to a variant."""

    technique: str
    variant: Variant
    """The variant after the change."""
    change: str
    """The change in detail, e.g. ``VW 1 → 8``."""
    why: str
    """The finding that it answers, one sentence."""
    gain: Gain
    rule: str = ""
    """Rule whose finding led here; empty for a move of the search."""


__all__ = ["Finding", "Gain", "Move"]
