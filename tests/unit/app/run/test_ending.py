"""How a run's end speaks of what was and was not done."""

import pytest

from hotloop.app.run import ending
from hotloop.model.evidence import Evidence
from hotloop.model.outcome import NotApplicable
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step


def step(index):
    return Step(
        index=index, technique="", change="", why="", implementation="", config=Config(), outcome=NotApplicable(""),
        decision=Decision.BASELINE, reason="", evidence=Evidence(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("winner", "fraction", "said"),
    [(0, 0.93, "93% of its roof"), (0, 1.05, "100% of its roof"), (0, 0.89, ""), (0, 1.4, ""), (1, 0.95, "")],
)
def test_a_kernel_at_its_roof_is_called_good_and_nothing_beyond_it(winner, fraction, said):
    told = ending.content(step(winner), fraction)
    assert said in told
    assert ("nothing here is worth tuning" in told) == bool(said)


def test_looks_are_told_of():
    assert ending.nothing_left([step(0)], (), 7) == "7 moves got a quick look: none looked faster"
    assert "the 1 that looked faster" in ending.nothing_left([step(0), step(1)], (), 7)
