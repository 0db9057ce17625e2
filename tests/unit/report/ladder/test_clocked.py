"""Predicted times of rungs on a page, and their score against measured ones."""

from hotloop.model.ladder import Expectation
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder.clocked import score, section
from hotloop.report.ladder.view import Clocked, Outcome

TIMES = (
    Clocked(rung="a", chip="MI300X", time_ns=4000.0, low_ns=3000.0, high_ns=6000.0, bound="latency"),
    Clocked(
        rung="b", chip="MI300X", time_ns=2000.0, low_ns=1500.0, high_ns=3000.0, bound="vector", doubts=("atomics",)
    ),
    Clocked(rung="c", chip="MI300X", time_ns=None, why_not="it does not compile"),
)


def outcome(rung, over, times):
    compared = Comparison(
        verdict=Verdict.FASTER, speedup=times[0] / times[1], low=1, high=2, confidence=0.95, margin=0.02, log_ratios=(0.1,),
        times_ns=times,
    )  # fmt: skip
    return Outcome(Expectation(rung=rung, over=over, low=1, high=2, evidence=""), compared, held=True, reason="")


def test_each_rung_says_how_long_how_sure_and_why_not():
    rows = section(TIMES).rows
    assert rows[0][1:5] == ("4.00 µs", "3.00 µs to 6.00 µs", "latency", "–")
    assert rows[1][4:] == ("2.00×", "no: atomics")
    assert rows[2][1] == "–"
    assert rows[2][-1] == "it does not compile"
    assert "predicted, not measured" in section(TIMES).lines[0]


def test_the_score_counts_factors_and_pairs():
    found = score(TIMES, [outcome("b", "a", (8000.0, 1000.0)), outcome("c", "b", (1000.0, 900.0))])
    assert [row[0] for row in found.rows] == ["a", "b"]
    assert found.rows[0][3:] == ("0.50", "no")
    assert "median factor 2.00" in found.lines[0]
    assert "1 of 1 pairs of rungs in the right order" in found.lines[0]


def test_nothing_measured_is_no_score():
    assert "nothing was both" in score(TIMES, []).lines[0]
