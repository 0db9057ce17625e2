"""Verdicts on a busy machine: what load alone may explain is UNCLEAR."""

import pytest

from hotloop.app.run.busy import _spread, decided
from hotloop.model.program import Launch, Program
from hotloop.model.verdict import Comparison, Verdict
from hotloop.stats.trust import Trust


@pytest.mark.parametrize(
    ("share", "alone", "verdict"),
    [(0.4, None, Verdict.UNCLEAR), (0.4, 1.4, Verdict.FASTER), (0.4, 0.7, Verdict.UNCLEAR), (0.7, 0.7, Verdict.UNCLEAR), (0.7, 1.4, Verdict.FASTER)],
)  # fmt: skip
def test_a_lead_that_load_may_explain_must_be_confirmed(share, alone, verdict):
    found = Comparison(
        verdict=Verdict.FASTER, speedup=1.43, low=1.38, high=1.5, confidence=0.99, margin=0.02, log_ratios=(0.35,) * 10
    )  # fmt: skip
    assert decided(found, Trust(share, 1.0, "busy"), alone).verdict is verdict


def test_one_group_uses_one_processor():
    one, many = (Launch("k", (), (4096,), local) for local in ((4096,), None))
    assert [_spread(Program("opencl", "", launches=kept), 2) for kept in ((one,), (many,), (many, one))] == [1, 2, 1]
