"""Comparisons that are asked for by themselves."""

from types import SimpleNamespace

import pytest

from hotloop.app.run import busy, faceoff, timing
from hotloop.model.outcome import NotApplicable
from hotloop.stats.paired import LOOKS, PATIENT


@pytest.mark.parametrize(("crowded", "rounds", "looks"), [(False, 16, LOOKS), (True, 60, PATIENT)])
def test_a_comparison_takes_more_rounds_on_a_crowded_machine(crowded, rounds, looks, monkeypatch):
    asked = {}
    made = SimpleNamespace(tell=lambda _stage: None, device=None)
    monkeypatch.setattr(busy, "crowded", lambda _desk: crowded)
    monkeypatch.setattr(timing, "noise", lambda *given: asked.update(noise=given[-1]) or NotApplicable("none"))
    monkeypatch.setattr(timing, "duel", lambda *given: asked.update(test=given[4]) or NotApplicable("none"))
    faceoff._duel(made, None, ("a", "b"), [None, None], 0.02)
    assert asked["noise"] == rounds
    assert asked["test"].looks == looks
