"""The menu as a person asks for it."""

from __future__ import annotations

import pytest

from hotloop.errors import UnknownNameError
from hotloop.metrics.vocabulary import meaning
from hotloop.techniques.entries import as_json, menu, named
from hotloop.techniques.moves import techniques
from hotloop.techniques.technique import Category


def names(entries) -> list[str]:
    return [entry.technique.name for entry in entries]


def test_everything_is_there_once():
    assert names(menu()) == list(techniques())


@pytest.mark.parametrize("category", Category)
def test_categories_divide_the_menu(category):
    chosen = menu(category)
    assert chosen
    assert {entry.technique.category for entry in chosen} == {category}


def test_answers_to_a_rule_come_in_its_order_and_others_after():
    found = names(menu(rule="lds-bound"))
    assert found[:3] == ["operands-in-registers", "transpose-in-local", "wide-local-access"]
    assert "bypass-local" in found[6:]


def test_what_a_processor_does_not_allow_stays_with_the_reason():
    unmet = {e.technique.name: e.unmet for e in menu(target="gfx1012") if e.unmet}
    assert {"matrix-instructions", "warp-group-matrix", "accumulation-registers"} <= unmet.keys()
    assert unmet["matrix-instructions"][0].startswith("gfx1012 has no matrix unit")
    assert {"wave-size", "group-mode"}.isdisjoint(unmet)


def test_a_cpu_is_a_target_too():
    assert "coalesce" in {e.technique.name for e in menu(target="x86-64-avx512") if e.unmet}


@pytest.mark.parametrize(("arguments", "words"), [
    ({"category": "speed"}, "unknown category 'speed'"),
    ({"target": "gfx9999"}, "unknown GPU target 'gfx9999'"),
    ({"rule": "slow"}, "unknown rule 'slow'"),
])  # fmt: skip
def test_unknown_words_name_the_known_ones(arguments, words):
    with pytest.raises(UnknownNameError, match=words):
        menu(**arguments)


def test_one_technique_in_full():
    data = as_json(named("toeplitz", "gfx950"))
    assert data["possible"]
    assert data["effects"][0]["high"] < 1, "it failed where it was tried"
    assert data["signals"]
    assert all(signal["meaning"] for signal in data["signals"])
    assert data["parameters"] == [{"name": "TOEPLITZ", "values": [0, 1]}]
    assert data["rules"] == ["valu-bound"]
    assert not as_json(named("toeplitz", "sm_90"))["possible"]
    with pytest.raises(UnknownNameError):
        named("magic")


def test_every_signal_has_a_meaning():
    assert all(meaning(signal.fact) for technique in techniques().values() for signal in technique.signals)
