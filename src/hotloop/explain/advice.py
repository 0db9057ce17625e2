"""What to do about a finding: the techniques that answer it, with what they would gain and how to see that they worked."""

from __future__ import annotations

from hotloop.explain import words
from hotloop.explain.page import Advice
from hotloop.explain.study import Study
from hotloop.model.evidence import Fact
from hotloop.model.finding import Finding
from hotloop.techniques.illustration import Effect
from hotloop.techniques.moves import answering, techniques
from hotloop.techniques.technique import Technique

MOST = 4
"""Techniques that are shown for one finding."""
_OF_GPUS = ("gpu.", "isa.")
"""Beginnings of the names of facts that only GPUs have."""


def advice(study: Study, finding: Finding) -> tuple[Advice, ...]:
    """Return the answers to a finding that are possible here first, then the impossible ones, each group best first.

    Best is the rule's own order, or the largest corrected expectation where earlier trials correct one of them.
    """
    menu = techniques()
    listed = [
        _advised(menu[name], finding.share, rank, study) for rank, name in enumerate(answering(finding)) if name in menu
    ]
    if any(answer.calibrated for answer in listed):
        listed.sort(key=_expected, reverse=True)
    return tuple(sorted(listed, key=lambda answer: bool(answer.unmet)))[:MOST]


def _expected(answer: Advice) -> float:
    return answer.calibrated.expected if answer.calibrated else answer.predicted.expected


def _advised(technique: Technique, share: float, rank: int, study: Study) -> Advice:
    kind = "gpu" if study.architecture else "cpu"
    predicted = technique.predicted(share, rank)
    return Advice(
        technique=technique.name,
        title=technique.title,
        predicted=predicted,
        calibrated=study.learned.calibrated(technique.name, predicted),
        reported=tuple(_effect(effect) for effect in technique.effects if effect.device == kind),
        verify=tuple(
            _signal(str(signal), study.evidence.fact(signal.fact))
            for signal in technique.signals
            if not (study.on_cpu and signal.fact.startswith(_OF_GPUS))
        ),
        costs=technique.doc.sentence("What it costs"),
        unmet=technique.unmet(study.place),
    )


def _effect(effect: Effect) -> str:
    size = f"{effect.low:g}×" if effect.low == effect.high else f"{effect.low:g}–{effect.high:g}×"
    return f"{size}: {effect.source}"


def _signal(sentence: str, now: Fact | None) -> str:
    return f"{sentence} (now {words.value(now)})" if now else sentence
