"""Every technique: its cases hold, its words exist, rules only suggest techniques that exist."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop import registry
from hotloop.diagnose.engine import rules
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.space import Parameter
from hotloop.techniques.moves import FALLBACK, METHODS, answers, techniques
from hotloop.techniques.technique import SECTIONS

TECHNIQUES = tuple(techniques().values())
IDS = [technique.name for technique in TECHNIQUES]
CASES = [(technique, case) for technique in TECHNIQUES for case in technique.cases]


def test_files_and_names_agree():
    assert [name.replace("_", "-") for name in registry.names(METHODS)] == IDS


def test_rules_suggest_only_techniques_that_exist_and_every_technique_is_suggested():
    suggested = {name for rule in rules() for name in rule.suggests}
    assert suggested <= set(IDS)
    assert set(IDS) - suggested == {FALLBACK, "swizzle"}  # bank conflicts need counters of a GPU


@pytest.mark.parametrize("technique", TECHNIQUES, ids=IDS)
def test_documentation_has_all_sections_in_order(technique):
    assert tuple(heading for heading, _ in technique.doc.sections) == SECTIONS
    assert all(text for _, text in technique.doc.sections)
    assert set(technique.needs) <= BY_NAME.keys()
    assert technique.cases


@pytest.mark.parametrize(("technique", "case"), CASES, ids=[f"{t.name}: {c.text}" for t, c in CASES])
def test_case(technique, case):
    situation = case.situation(technique.name)
    moves = answers(situation)
    changes = [move.change for move in moves]
    if case.expects:
        assert set(case.expects) <= set(changes)
    else:
        assert changes == []
    for move in moves:
        assert move.technique == technique.name
        assert move.variant.config != case.start
        assert move.rule == "case"
        assert case.text in move.why
        assert 0 < move.gain.low <= move.gain.high


@pytest.mark.parametrize("technique", TECHNIQUES, ids=IDS)
def test_a_space_without_its_label_is_left_alone(technique):
    case = next(case for case in technique.cases if case.expects)
    strangers = tuple(Parameter(p.name, p.values) for p in case.parameters)
    assert technique.proposals(replace(case, parameters=strangers).situation("something-else")) == ()
