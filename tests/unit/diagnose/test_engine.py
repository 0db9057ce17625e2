"""Evaluation, skipping and ranking."""

from __future__ import annotations

import pytest

from hotloop.diagnose.engine import Skipped, diagnose, rules
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance


def evidence(**values: float) -> Evidence:
    facts = (Fact(name.replace("__", "."), value, "", Provenance.MEASURED) for name, value in values.items())
    return Evidence(tuple(facts), (Absent("static.spills", "no binary"),))


def rule(name: str, share: float, needs: tuple[str, ...] = ("a.x",), suggests: tuple[str, ...] = ("t",)) -> Rule:
    text = f"{name}.\n\n## When it misleads\nNever,\nsays the test."
    return Rule(
        name=name, text=text, needs=needs, suggests=suggests, evaluate=lambda _f: Symptom(share, f"{name} fires")
    )


def test_findings_are_ranked_by_share_and_cite_evidence():
    diagnosis = diagnose(evidence(a__x=1), [rule("small", 0.2), rule("large", 0.7)])
    assert [f.rule for f in diagnosis.findings] == ["large", "small"]
    assert diagnosis.findings[0].evidence == ("a.x",)
    assert diagnosis.findings[0].misleads == "Never, says the test."
    assert diagnosis.skipped == ()


def test_missing_fact_skips_the_rule_with_the_reason():
    diagnosis = diagnose(evidence(a__x=1), [rule("spills", 0.5, ("a.x", "static.spills", "b.y"))])
    assert diagnosis.findings == ()
    missing = (Absent("static.spills", "no binary"), Absent("b.y", "not collected"))
    assert diagnosis.skipped == (Skipped("spills", missing),)


def test_share_is_capped_by_the_roofline_and_ties_put_what_ends_the_matter_first():
    diagnosis = diagnose(evidence(a__x=1, roof__fraction=0.9), [rule("b", 0.5), rule("end", 0.3, suggests=())])
    assert [f.rule for f in diagnosis.findings] == ["end", "b"]
    assert all(f.share == pytest.approx(0.1) for f in diagnosis.findings)


@pytest.mark.parametrize("fraction", [1.0, 1.2])
def test_nothing_is_found_at_or_beyond_the_roofline(fraction):
    assert diagnose(evidence(a__x=1, roof__fraction=fraction), [rule("b", 0.5)]).findings == ()


def test_reading_an_undeclared_fact_is_an_error():
    nosy = Rule(
        name="nosy",
        text="",
        needs=("a.x",),
        evaluate=lambda f: Symptom(f["b.y"], ""),
    )
    curious = Rule(name="curious", text="", needs=("a.x",), evaluate=lambda f: Symptom(f.get("b.y") or 0, ""))
    for bad in (nosy, curious):
        with pytest.raises(KeyError):
            diagnose(evidence(a__x=1, b__y=2), [bad])


def test_without_evidence_every_rule_is_skipped():
    diagnosis = diagnose(Evidence())
    assert diagnosis.findings == ()
    assert {s.rule for s in diagnosis.skipped} == {r.name for r in rules()}
