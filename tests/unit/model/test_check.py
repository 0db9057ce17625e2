from __future__ import annotations

import pytest

from hotloop.model.check import Accuracy, CaseResult, CheckReport, Guard


def report(*ratios, seed=1):
    return CheckReport(
        tuple(
            CaseResult(problem=f"n={n}", distribution="normal", seed=seed, passed=True, worst_ratio=ratio)
            for n, ratio in enumerate(ratios)
        )
    )


def test_a_single_case_is_told_as_one():
    assert report(0.1).summary == "1 case passes, largest error 0.1 of its bound"
    assert report(0.1, 0.2).summary == "2 cases pass, largest error 0.2 of its bound"


def test_only_cases_that_both_ran_are_compared():
    assert Accuracy.of(report(0.1, 0.2), report(0.3, 0.15, 0.9)) == Accuracy(0.2, 0.3)
    assert Accuracy.of(report(0.1), report(0.3, seed=2)) is None
    assert Accuracy.of(report(None), report(None)) is None
    assert Accuracy.of(None, report(0.3)) is None


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (0.003, 0.61, True),
        (0.0, 0.26, True),
        (0.2, 0.59, False),
        (0.0, 0.2, False),
        (0.9, 0.95, False),
        (0.2, 0.7, True),
    ],
)
def test_a_loss_is_told_where_errors_use_up_much_of_the_tolerance_that_they_did_not_use(before, after, lost):
    assert Accuracy(before, after).lost is lost
    assert bool(Accuracy(before, after).warning) is lost


def test_errors_beyond_the_growth_allowed_are_refused_but_one_rounding_never_is():
    lossy = report(0.05, 0.61)
    errors = Accuracy.of(report(0.01, 0.1), lossy)
    refused = errors.refused(lossy, most=4.0, one_rounding=0.01)
    assert not refused.passed
    assert refused.cases[1].guard is Guard.LOSS
    assert "uses 61 % of the tolerance instead of 10 %; more than 4 × as large an error is refused" in refused.summary
    assert errors.refused(lossy, most=7.0, one_rounding=0.01) is None
    exact = report(0.0, 0.0)
    assert Accuracy.of(exact, report(0.0, 0.125)).refused(report(0.0, 0.125), 1.0, one_rounding=0.125) is None
