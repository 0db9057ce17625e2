"""Evaluating all rules on one variant's evidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from hotloop import registry
from hotloop.diagnose.rule import Rule
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

RULES = "hotloop.diagnose.rules"
"""Package whose modules are the rules."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that could not be evaluated, and the missing facts."""

    rule: str
    missing: tuple[Absent, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Findings about a variant, and rules that could not be evaluated."""

    findings: tuple[Finding, ...]
    """Largest share of run time first."""
    skipped: tuple[Skipped, ...] = ()


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Return every rule, in name order; loads their modules once."""
    return tuple(cast("Rule", rule) for rule in registry.load_all(RULES, "RULE"))


def diagnose(evidence: Evidence, chosen: Iterable[Rule] | None = None) -> Diagnosis:
    """Evaluate rules (all by default) and rank what they find by the share of run time that it explains.

    Among findings with equal shares, one without techniques comes first, because it says why the others do not matter.
    """
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    for rule in rules() if chosen is None else chosen:
        missing = rule.missing(evidence)
        if missing:
            skipped.append(Skipped(rule.name, missing))
            continue
        finding = rule.apply(evidence)
        if finding is not None:
            findings.append(finding)
    findings.sort(key=lambda f: (-f.share, bool(f.suggests), f.rule))
    return Diagnosis(tuple(findings), tuple(skipped))
