"""Two studies of one kernel, before and after a change: where the bottleneck went, and which facts moved."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop import units
from hotloop.diagnose.engine import rules
from hotloop.explain import words
from hotloop.explain.page import Moved, Shift
from hotloop.explain.study import Study
from hotloop.explain.verdict import verdict
from hotloop.metrics.vocabulary import meaning
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Finding
from hotloop.techniques.moves import answering, techniques

SAME = 0.02
"""Relative difference below which a fact has not moved: two passes of a profiler differ by more."""
_WATCHED_FINDINGS = 3
"""Findings whose facts are compared, the largest first."""


def shift(before: Study, after: Study) -> Shift:
    """Return what the later study says of the earlier one's findings."""
    shares = [{finding.rule: finding.share for finding in study.diagnosis.findings} for study in (before, after)]
    names = sorted({*shares[0], *shares[1]}, key=lambda name: -max(share.get(name, 0.0) for share in shares))
    return Shift(
        verdict=_shifted(before, after),
        kernel=after.choice.name,
        findings=tuple(_share_moved(name, shares[0].get(name), shares[1].get(name), after) for name in names),
        signals=tuple(_fact_moved(name, before.evidence, after.evidence) for name in _watched(before)),
        after=verdict(after),
    )


def _shifted(before: Study, after: Study) -> str:
    old, new = (study.diagnosis.findings[:1] for study in (before, after))
    time = _times(before, after)
    if not old and not new:
        return f"no bottleneck was found before or after{time}."
    if old and new and old[0].rule == new[0].rule:
        return f"the bottleneck stays {old[0].rule}: {100 * old[0].share:.0f} % → {100 * new[0].share:.0f} % of the time{time}."
    return f"the bottleneck shifted from {_named(old)} to {_named(new)}{time}."


def _named(top: tuple[Finding, ...]) -> str:
    return f"{top[0].rule} ({100 * top[0].share:.0f} %)" if top else "no finding"


def _times(before: Study, after: Study) -> str:
    """Return both times as a clause; empty where one of them is not known."""
    spent = [
        study.evidence.get("gpu.duration_ns") or study.counted.counts.launch.duration_ns for study in (before, after)
    ]
    if not spent[0] or not spent[1]:
        return ""
    return f"; profiled time {units.duration(spent[0])} → {units.duration(spent[1])}, which is no benchmark: hotloop compare decides"


def _share_moved(name: str, before: float | None, after: float | None, later: Study) -> Moved:
    unjudged = after is None and any(skipped.rule == name for skipped in later.diagnosis.skipped)
    now = "could not be judged" if unjudged else units.percent(after or 0.0)
    direction = "" if unjudged else _direction(before or 0.0, after or 0.0)
    title = next(words.head(rule) for rule in rules() if rule.name == name)
    return Moved(name, units.percent(before or 0.0), now, direction, title)


def _watched(before: Study) -> Iterator[str]:
    """Yield the facts that the largest findings rest on, and those that their techniques should move."""
    menu, top = techniques(), before.diagnosis.findings[:_WATCHED_FINDINGS]
    chosen = [name for finding in top for name in answering(finding) if name in menu]
    cited = [name for finding in top for name in finding.evidence]
    signals = [signal.fact for name in chosen for signal in menu[name].signals]
    yield from (name for name in dict.fromkeys(("gpu.duration_ns", *cited, *signals)) if name in before.evidence)


def _fact_moved(name: str, before: Evidence, after: Evidence) -> Moved:
    old, new = before.fact(name), after.fact(name)
    direction = _direction(old.value, new.value) if old and new else ""
    then, now = words.value(old) if old else "–", words.value(new) if new else after.why_absent(name)
    return Moved(name, then, now, direction, meaning(name))


def _direction(before: float, after: float) -> str:
    if abs(after - before) <= SAME * max(abs(before), abs(after)):
        return "same"
    return "rises" if after > before else "falls"
