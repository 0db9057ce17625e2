"""Every technique: its cases hold, its words exist, rules only suggest techniques that exist."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hotloop import registry
from hotloop.diagnose.engine import rules
from hotloop.errors import UsageError
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.space import Parameter
from hotloop.techniques import illustration
from hotloop.techniques.moves import FALLBACK, METHODS, answers, techniques
from hotloop.techniques.technique import SECTIONS

STARTING_POINT = "proven-start"
FACTS = set(BY_NAME)
TECHNIQUES = tuple(techniques().values())
IDS = [technique.name for technique in TECHNIQUES]
CASES = [(technique, case) for technique in TECHNIQUES for case in technique.cases]


def test_files_and_names_agree():
    assert [name.replace("_", "-") for name in registry.names(METHODS)] == IDS


def test_rules_suggest_only_techniques_that_exist_and_every_technique_answers_one():
    suggested = {name for rule in rules() for name in rule.suggests}
    assert suggested <= set(IDS)
    unasked = {technique.name for technique in TECHNIQUES if technique.name not in suggested and not technique.answers}
    assert unasked == {FALLBACK, STARTING_POINT}, "steps without a finding: blind ones, and where to begin"


@pytest.mark.parametrize("technique", TECHNIQUES, ids=IDS)
def test_what_it_refers_to_exists(technique):
    assert {signal.fact for signal in technique.signals} <= FACTS
    assert set(technique.answers) <= {rule.name for rule in rules()}
    assert all(
        name not in rule.suggests for rule in rules() for name in [technique.name] if rule.name in technique.answers
    )


@pytest.mark.parametrize("technique", TECHNIQUES, ids=IDS)
def test_predictions_and_reported_effects_are_intervals_with_a_source(technique):
    least, most = technique.removes
    assert least < most <= 1
    assert all(0 < effect.low <= effect.high and len(effect.source) > 20 for effect in technique.effects)
    assert technique.signals or technique.name in {FALLBACK, STARTING_POINT}, "only blind steps have nothing to look at"
    predicted = technique.predicted(0.5)
    assert 0 < predicted.low < predicted.high <= 100
    assert technique.predicted(0.5, standing=2).high < predicted.high, "later suggestions promise less"


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


def test_every_data_file_belongs_to_a_technique_and_none_has_a_field_that_nobody_reads():
    folder = Path(illustration.__file__).with_name("methods")
    assert {path.stem for path in folder.glob("*.toml")} == {name.replace("-", "_") for name in IDS}
    for text in (
        "effect = []\ncases = []\n",
        '[[cases]]\ntext = "one"\nexpect = []\nstart = { A = 1 }\nparameters = []\n',
    ):
        with pytest.raises(TypeError):
            illustration.read(text)


def test_a_data_file_that_cannot_be_read_is_named(monkeypatch, tmp_path):
    (tmp_path / "no_such.toml").write_text("effect = []\ncases = []\n")
    monkeypatch.setattr(registry, "files", lambda _: tmp_path)
    with pytest.raises(UsageError, match=r"no_such\.toml is no file of cases and effects: .*'effect'"):
        illustration.illustrations("no-such")
