"""How sure a finding is, and what speaks against it: from the provenance of its facts and from what the files lack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hotloop import units
from hotloop.diagnose.rule import Rule
from hotloop.metrics.catalogue import metrics
from hotloop.model.evidence import Evidence, Provenance
from hotloop.model.finding import Finding

HIGH, MEDIUM, LOW = "high", "medium", "low"
_WHOLE = 0.95
_SEEN = 0.25
"""Share of a run below which what an event counted says little of the rest: most of the run may do something else."""
_IDENTITIES = ("gpu.wave_cycle_identity", "gpu.stall_identity")
_APART = 0.1
"""Difference of an identity from 1 beyond which passes were different executions."""
_FEW = 0.5
"""Share of a rule's optional facts below which its estimate rests on little."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """A word, and the reasons for less than the best one."""

    word: str
    doubts: tuple[str, ...]


def confidence(
    finding: Finding, rule: Rule, evidence: Evidence, architecture: str, apart: frozenset[str] = frozenset()
) -> Confidence:
    """Return how sure a finding is; `apart` are facts that set times of different passes against each other.

    ``low``: a fact that it needs is estimated or was counted in less than a quarter of the run, its use was not counted, what could refute it is not known, or the counters do not fit together; ``medium``: a fact that sharpens it is
    estimated, one is a bound, one that it needs had to share its counter, or most of those are missing; else ``high``.
    """
    grave = (
        *filter(None, [rule.inferred]),
        *_estimated(rule.needs, evidence),
        *_extrapolated(rule.needs, evidence, 0.0, _SEEN),
        *_misfits(finding, evidence, apart),
        *_unrefuted(rule, evidence, architecture),
    )
    light = (
        *_apart(finding, apart),
        *_estimated(finding.evidence, evidence),
        *_extrapolated(rule.needs, evidence, _SEEN, _WHOLE),
        *_bounds(finding.evidence, evidence),
        *_unseen(rule, evidence, architecture),
        *_gaps(rule, evidence, architecture),
    )
    word = LOW if grave else MEDIUM if light else HIGH
    return Confidence(word, tuple(dict.fromkeys((*grave, *light))))


def _unrefuted(rule: Rule, evidence: Evidence, architecture: str) -> Iterator[str]:
    """Yield what could show that the finding is not the limit, where none of a kind is known."""
    for wanted in refuting(rule, architecture):
        if not any(name in evidence for name in wanted):
            yield f"it may be the symptom of another limit: {', '.join(wanted)} {'is' if len(wanted) == 1 else 'are'} not known"


def _unseen(rule: Rule, evidence: Evidence, architecture: str) -> Iterator[str]:
    """Yield which of several limits may be the kernel's, as nothing tells how much of them is used."""
    for wanted in refuting(rule, architecture):
        lacking = [name for name in wanted if name not in evidence]
        if lacking and len(lacking) < len(wanted):
            yield f"may be the limit, and not known: {', '.join(lacking)}"


def refuting(rule: Rule, architecture: str) -> Iterator[tuple[str, ...]]:
    """Yield the groups of facts that can refute a finding on a processor; with all facts where it can tell none of them."""
    told = _reported(architecture)
    yield from dict.fromkeys(tuple(name for name in group if name in told) or group for group in rule.refuting)


def _estimated(cited: Iterable[str], evidence: Evidence) -> Iterator[str]:
    facts = [fact for name in cited if (fact := evidence.fact(name))]
    names = [fact.name for fact in facts if fact.provenance is Provenance.ESTIMATED]
    if names:
        yield f"estimated, not measured: {', '.join(names)}"


def _extrapolated(needs: Iterable[str], evidence: Evidence, least: float, most: float) -> Iterator[str]:
    """Yield which facts were counted in a share of the run from `least` up to, not including, `most`."""
    for fact in filter(None, map(evidence.fact, needs)):
        if least <= fact.counted_share < most:
            yield f"{fact.name} was counted in {units.percent(fact.counted_share)} of the run, and extrapolated"


def _apart(finding: Finding, apart: frozenset[str]) -> Iterator[str]:
    names = [name for name in finding.evidence if name in apart]
    if names:
        yield f"times of different passes: {', '.join(names)}"


def _misfits(finding: Finding, evidence: Evidence, apart: frozenset[str]) -> Iterator[str]:
    if not any(name.startswith("gpu.") for name in finding.evidence):
        return
    seen = evidence.get("gpu.counted_waves_share")
    if seen is not None and not _WHOLE <= seen <= 1 / _WHOLE:
        more = f"{seen:.3g} times as many waves as were launched"
        yield f"the counters saw {units.percent(seen) + ' of the waves' if seen < 1 else more}"
    for name in _IDENTITIES:
        total = evidence.get(name)
        mixed = name != "gpu.wave_cycle_identity" or bool(apart & set(finding.evidence))
        if total is not None and mixed and abs(total - 1) > _APART:
            yield f"waiting and working add up to {units.percent(total)} of waves' time: the passes do not fit together"


def _bounds(cited: Iterable[str], evidence: Evidence) -> Iterator[str]:
    facts = [fact for name in cited if (fact := evidence.fact(name))]
    yield from (f"{fact.name} is an upper bound" for fact in facts if fact.upper)


def _gaps(rule: Rule, evidence: Evidence, architecture: str) -> Iterator[str]:
    """Yield what the rule would have liked to know, when that is more than half of what the processor can tell."""
    reported = _reported(architecture)
    wanted = [name for name in rule.optional if name in reported]
    lacking = [name for name in wanted if name not in evidence]
    if lacking and len(lacking) > _FEW * len(wanted):
        shown = ", ".join(lacking[:3]) + (f" and {len(lacking) - 3} more" if len(lacking) > 3 else "")
        yield f"not known: {shown}"


def _reported(architecture: str) -> set[str]:
    """Return what counters of a processor can tell; nothing for one that is not known."""
    return {metric.name for metric in metrics(architecture)} if architecture else set()
