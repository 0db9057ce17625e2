"""Every rule: its examples hold, its words exist, its file carries its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotloop import registry
from hotloop.diagnose import engine
from hotloop.diagnose import example as files
from hotloop.diagnose.rule import SECTIONS
from hotloop.metrics.vocabulary import BY_NAME

RULES = engine.rules()
IDS = [rule.name for rule in RULES]


def test_files_and_names_agree():
    assert [name.replace("_", "-") for name in registry.names(engine.RULES)] == IDS
    assert len(RULES) >= 16


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_documentation_has_all_sections_in_order(rule):
    assert tuple(heading for heading, _ in rule.doc.sections) == SECTIONS
    assert all(text for _, text in rule.doc.sections)
    assert rule.title
    assert "\n" not in rule.title


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_facts_are_in_the_vocabulary(rule):
    used = {*rule.needs, *rule.optional}
    used |= {name for example in (*rule.examples.fires, *rule.examples.silent) for name, _ in example.facts}
    assert used <= BY_NAME.keys()


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_examples_fire_and_stay_silent(rule):
    assert rule.examples.fires
    assert rule.examples.silent
    for example in rule.examples.fires:
        finding = rule.apply(example.evidence())
        assert rule.missing(example.evidence()) == (), example.text
        assert finding is not None, example.text
        assert example.at_least <= finding.share <= min(1.0, 2.5 * example.at_least), (example.text, finding.share)
        assert finding.misleads
        assert finding.message == finding.message.strip().removesuffix(".")
    for example in rule.examples.silent:
        assert rule.missing(example.evidence()) == (), example.text
        assert rule.apply(example.evidence()) is None, example.text


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_share_never_exceeds_the_distance_from_the_roofline(rule):
    for example in rule.examples.fires:
        facts = {**dict(example.facts), "roof.fraction": 0.95}
        capped = type(example)(example.text, tuple(facts.items()))
        finding = rule.apply(capped.evidence())
        assert finding is None or finding.share <= 0.05 + 1e-12


def test_every_file_of_examples_belongs_to_a_rule_and_none_has_a_field_that_nobody_reads():
    folder = Path(engine.__file__).with_name("rules")
    assert {path.stem for path in folder.glob("*.toml")} == {name.replace("-", "_") for name in IDS}
    with pytest.raises(TypeError, match="atleast"):
        files.read('[[fires]]\ntext = "a kernel"\natleast = 0.5\n[fires.facts]\n"gpu.vgprs" = 1\n')
