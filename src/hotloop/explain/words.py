"""How an explanation writes facts and findings."""

from __future__ import annotations

from hotloop import units
from hotloop.diagnose.engine import rules
from hotloop.diagnose.rule import Rule
from hotloop.explain.page import Cited
from hotloop.metrics.vocabulary import meaning
from hotloop.model.evidence import Fact
from hotloop.model.finding import Finding

_RATES = {"B/s": "B/s", "flop/s": "FLOP/s", "hz": "Hz"}
"""Units of facts that are rates, and how they are printed."""


def cited(fact: Fact) -> Cited:
    """Return a fact as a reader sees it: value with unit, where it is from, what it means."""
    return Cited(fact.name, value(fact), fact.provenance.value, fact.source, meaning(fact.name))


def value(fact: Fact) -> str:
    """Return a fact's value with its unit, in three or four significant digits.

    >>> from hotloop.model.evidence import Provenance
    >>> value(Fact("time.call_ns", 1500.0, "ns", Provenance.MEASURED))
    '1.50 µs'
    """
    if fact.unit == "ns":
        return units.duration(fact.value)
    if fact.unit == "B":
        return units.size(fact.value)
    if fact.unit in _RATES:
        return units.rate(fact.value, _RATES[fact.unit])
    number = units.significant(fact.value)
    return number if fact.unit == "1" else f"{number} {fact.unit}"


def rule_of(finding: Finding) -> Rule:
    """Return the rule that a finding is from."""
    return next(rule for rule in rules() if rule.name == finding.rule)


def head(rule: Rule) -> str:
    """Return the name of a bottleneck: its rule's title up to the colon."""
    return rule.title.partition(":")[0]
