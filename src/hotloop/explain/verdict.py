"""The answer of an explanation in one line."""

from __future__ import annotations

from hotloop.explain import code, mix, words
from hotloop.explain.doubt import HIGH, Confidence, confidence
from hotloop.explain.study import Study
from hotloop.model.finding import Finding


def verdict(study: Study) -> str:
    """Return the largest finding, or what can be said where no rule found anything."""
    if study.diagnosis.findings:
        return _found(study, study.diagnosis.findings[0])
    if study.report is None and not study.counted.counts.values:
        seen = code.seen(study.material) or _said(study)
        if seen:
            return f"There are no counters and no code of a kernel, so no rule applies: {seen}."
    trace = code.headline(study.material, study.choice.name, study.architecture)
    roof = study.standing.words if study.standing.roofs else ""
    seen = "; ".join(filter(None, (roof, mix.summary(study.counted.evidence), trace)))
    return f"No rule found a bottleneck, and {len(study.diagnosis.skipped)} rules lack evidence{'; ' if seen else ''}{seen}."


def sure(study: Study, finding: Finding) -> Confidence:
    """Return how sure a finding is."""
    return confidence(finding, words.rule_of(finding), study.evidence, study.architecture, study.counted.apart)


def _found(study: Study, top: Finding) -> str:
    word = sure(study, top).word
    doubt = "" if word == HIGH else f" ({word} confidence)"
    message = f"{top.message[:1].upper()}{top.message[1:]}"
    return f"{words.head(words.rule_of(top))}, {100 * top.share:.0f} % of the time{doubt}: {message}."


def _said(study: Study) -> str:
    """Return what events of a whole process say, empty when there are none."""
    return ", ".join(f"{fact.name} {words.value(fact)}" for fact in study.process.facts)
