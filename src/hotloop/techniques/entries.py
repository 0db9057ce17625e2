"""The technique menu as a person reads it: what there is, what each is about, and whether a processor allows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hotloop.diagnose.engine import rules
from hotloop.errors import UnknownNameError
from hotloop.metrics.vocabulary import meaning
from hotloop.techniques.moves import techniques
from hotloop.techniques.needs import Place, place_of
from hotloop.techniques.technique import Category, Technique


@dataclass(frozen=True, slots=True)
class Entry:
    """A technique, the rules that it answers, and why it is not possible where one asked."""

    technique: Technique
    rules: tuple[str, ...]
    unmet: tuple[str, ...] = ()


def menu(category: str = "", target: str = "", rule: str = "") -> tuple[Entry, ...]:
    """Return the techniques of a category and for a rule, judged for a target; empty texts choose all.

    With a rule they come in its order, best answer first. Those that the target does not allow stay, with the reason.

    Raises:
        UnknownNameError: no such category, target or rule.
    """
    if category and category not in set(Category):
        raise UnknownNameError("category", category, tuple(Category))
    by_name = {each.name: each for each in rules()}
    if rule and rule not in by_name:
        raise UnknownNameError("rule", rule, tuple(by_name))
    place = place_of(target)
    entries = [entry(t, place) for t in techniques().values() if category in ("", t.category)]
    if not rule:
        return tuple(entries)
    order = {name: rank for rank, name in enumerate(by_name[rule].suggests)}
    answering = [e for e in entries if rule in e.rules]
    return tuple(sorted(answering, key=lambda e: order.get(e.technique.name, len(order))))


def named(name: str, target: str = "") -> Entry:
    """Return one technique, judged for a target if one is named. Raises UnknownNameError."""
    all_techniques = techniques()
    if name not in all_techniques:
        raise UnknownNameError("technique", name, tuple(all_techniques))
    return entry(all_techniques[name], place_of(target))


def entry(technique: Technique, place: Place) -> Entry:
    """Return a technique as it stands at a place."""
    asking = tuple(r.name for r in rules() if technique.name in r.suggests or r.name in technique.answers)
    return Entry(technique, asking, technique.unmet(place))


def as_json(shown: Entry) -> dict[str, Any]:
    """Return what ``--json`` prints for a technique."""
    technique, doc = shown.technique, shown.technique.doc
    return {
        "name": technique.name,
        "title": technique.title,
        "category": technique.category.value,
        "rules": list(shown.rules),
        "changes": doc.sentence("What it changes"),
        "needs": doc.sentence("What it needs"),
        "preconditions": [need.text for need in technique.requires],
        "architectures": list(technique.architectures),
        "possible": not shown.unmet,
        "unmet": list(shown.unmet),
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
