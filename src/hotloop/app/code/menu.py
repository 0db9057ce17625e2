"""The technique menu: what there is, what one is about and whether a processor allows it, and what predictions were worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, Any

from hotloop.diagnose.engine import rules
from hotloop.errors import UnknownNameError
from hotloop.metrics import terms_static
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Gain
from hotloop.targets.target import Target
from hotloop.techniques.calibration import Calibration, Record
from hotloop.techniques.moves import techniques
from hotloop.techniques.needs import Place
from hotloop.techniques.technique import Category, Technique

if TYPE_CHECKING:
    from hotloop.store import Calibration as Row


@dataclass(frozen=True, slots=True)
class Entry:
    """A technique, the rules that it answers, and why it is not possible where one asked."""

    technique: Technique
    rules: tuple[str, ...]
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Predictions of one technique for one rule on one target, against what was measured."""

    technique: str
    rule: str
    """Empty: moves of the search, without a finding."""
    target: str
    steps: int
    timed: int
    """Those whose candidate was correct and timed; the others were refused."""
    predicted: Gain
    """Geometric means of the intervals' ends, over all steps."""
    measured: float | None
    """Geometric mean of the speedups; None: none was timed."""
    hits: int
    """Timed steps whose speedup lay in the predicted interval."""
    kept: int
    factor: float
    """What the next expected gain of this technique on this target is multiplied with."""


def menu(category: str = "", target: str = "", rule: str = "") -> tuple[Entry, ...]:
    """Return the techniques of a category and for a rule, judged for a target; empty texts choose all.

    With a rule they come in its order, best answer first. Those that the target does not allow stay, with the reason.

    Raises:
        UnknownNameError: no such category, target or rule.
    """
    if category and category not in set(Category):
        raise UnknownNameError("category", category, tuple(Category))
    known = {r.name: r for r in rules()}
    if rule and rule not in known:
        raise UnknownNameError("rule", rule, tuple(known))
    place = place_of(target)
    entries = [entry(t, place) for t in techniques().values() if category in ("", t.category)]
    if not rule:
        return tuple(entries)
    order = {name: place for place, name in enumerate(known[rule].suggests)}
    answering = [e for e in entries if rule in e.rules]
    return tuple(sorted(answering, key=lambda e: order.get(e.technique.name, len(order))))


def one(name: str, target: str = "") -> Entry:
    """Return one technique, judged for a target if one is named. Raises UnknownNameError."""
    known = techniques()
    if name not in known:
        raise UnknownNameError("technique", name, tuple(known))
    return entry(known[name], place_of(target))


def entry(technique: Technique, place: Place) -> Entry:
    """Return a technique as it stands at a place."""
    asking = tuple(r.name for r in rules() if technique.name in r.suggests or r.name in technique.answers)
    return Entry(technique, asking, technique.unmet(place))


def place_of(target: str, evidence: Evidence | None = None) -> Place:
    """Return what is known of a processor. Raises UnknownNameError."""
    facts = evidence or Evidence()
    named = Target.of(target)
    if not target or named.cpu:
        return Place(target, facts)
    return Place(named.name, facts, named.machine)


def meaning(fact: str) -> str:
    """Return what a fact says."""
    term = BY_NAME.get(fact) or next((term for term in terms_static.TERMS if term.name == fact), None)
    return term.meaning if term else ""


def scores(rows: Iterable[Row]) -> tuple[Score, ...]:
    """Return predicted against measured for each technique, rule and target, in this order."""
    listed = list(rows)
    records = (Record(r.technique, r.target, r.predicted, r.measured) for r in listed if r.measured)
    learned = Calibration(tuple(records))
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in listed:
        groups.setdefault((row.technique, row.rule, row.target), []).append(row)
    return tuple(_score(key, group, learned) for key, group in sorted(groups.items()))


def _score(key: tuple[str, str, str], rows: Sequence[Row], learned: Calibration) -> Score:
    technique, rule, target = key
    timed = [(row.predicted, row.measured) for row in rows if row.measured]
    return Score(
        technique=technique,
        rule=rule,
        target=target,
        steps=len(rows),
        timed=len(timed),
        predicted=Gain(_middle(r.predicted.low for r in rows), _middle(r.predicted.high for r in rows)),
        measured=_middle(speedup for _, speedup in timed) if timed else None,
        hits=sum(gain.contains(speedup) for gain, speedup in timed),
        kept=sum(row.verdict == "FASTER" for row in rows),
        factor=learned.factor(technique, target),
    )


def _middle(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))


def as_json(found: Entry) -> dict[str, Any]:
    """Return what ``--json`` prints for a technique."""
    technique, doc = found.technique, found.technique.doc
    return {
        "name": technique.name,
        "title": technique.title,
        "category": technique.category.value,
        "rules": list(found.rules),
        "changes": doc.sentence("What it changes"),
        "needs": doc.sentence("What it needs"),
        "preconditions": [need.text for need in technique.requires],
        "architectures": list(technique.architectures),
        "possible": not found.unmet,
        "unmet": list(found.unmet),
        "parameters": [{"name": p.name, "values": list(p.values)} for p in technique.parameters],
        "removes": list(technique.removes),
        "effects": [
            {"low": e.low, "high": e.high, "source": e.source, "measured": e.measured} for e in technique.effects
        ],
        "costs": doc.sentence("What it costs"),
        "signals": [{"fact": s.fact, "rises": s.rises, "meaning": meaning(s.fact)} for s in technique.signals],
        "failures": doc.sentence("When it fails"),
        "references": doc.sentence("References"),
    }
