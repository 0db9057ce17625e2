"""What is worth tuning, in which order, and what the whole should gain."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.session import Options
from hotloop.app.workload import order as orders
from hotloop.app.workload import outcome, tune, words
from hotloop.app.workload.outcome import Tuned
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.energy import Objective
from hotloop.model.outcome import NotApplicable
from hotloop.model.step import PeerResult
from hotloop.model.tally import Line, Tally
from hotloop.model.verdict import Comparison, Verdict


def line(m, count, total_ns, call="aten::mm"):
    sizes = DEFAULT.sizes.replace(m=m)
    return Line(call=call, operands=f"{m}", count=count, total_ns=total_ns, family="gemm", sizes=sizes)


OTHER = Line(call="aten::add", operands="", count=9, total_ns=500.0, reason="no kernel family has this operation")
TALLY = Tally(source="test", lines=(line(64, 10, 300.0), line(128, 1, 195.0), line(8, 1, 5.0), OTHER), total_ns=1000.0)


def floor(_kernel, problem):
    return {64: 25.0, 128: 5.0, 8: 1.0}[problem.integer("m")], ""


def ordered(tally=TALLY, least=0.01, floor=floor):
    return orders.order(tally, orders.shapes(tally, floor), least)


def test_what_could_gain_most_comes_first_and_what_could_not_is_left_out():
    found = ordered()
    assert [shape.problem.integer("m") for shape in found.worth] == [128, 64]  # 190 of 195 ns; 50 of 300 ns
    assert [(shape.problem.integer("m"), reason) for shape, reason in found.left] == [
        (8, "not worth it: even at the roofline the whole would gain 0.4 %")
    ]
    assert found.most == pytest.approx(0.24)


def test_what_cannot_run_here_is_left_out_with_its_reason():
    found = ordered(floor=lambda _kernel, _problem: (None, "cannot be tuned here (no such type)"))
    assert not found.worth
    assert {reason for _, reason in found.left} == {"cannot be tuned here (no such type)"}


def test_without_times_shapes_are_ordered_by_their_floor_and_nothing_is_predicted():
    lines = tuple(replace(one, count=None, total_ns=None) for one in TALLY.lines[:3])
    found = ordered(Tally(source="list", lines=lines))
    assert [shape.problem.integer("m") for shape in found.worth] == [64, 128, 8]
    assert found.most is None
    tuned = [Tuned(shape=found.worth[0], run="r", winner_ns=10.0)]
    assert outcome.whole(found, tuned) is None
    assert "no times" in words.after(tuned, None)
    assert words.before(found, 60).count("–") >= 6


def test_the_same_problem_of_two_calls_is_one_shape():
    tally = replace(TALLY, lines=(line(64, 10, 300.0), line(64, 5, 100.0, "aten::linear")))
    (shape,) = orders.shapes(tally, floor)
    assert (shape.count, shape.total_ns, shape.most_ns) == (15, 400.0, 25.0)


def test_a_peer_of_the_same_run_decides_for_another_librarys_calls():
    shape = ordered().worth[0]
    tuned = Tuned(shape=shape, run="r", winner_ns=1.0, rival="BLAS", ratio=1.5, low=1.2, high=2.0)
    assert tuned.speedup == 1.5  # not 195 ns over 1 ns, which were not taken in one run
    assert tuned.gain_ns == pytest.approx(65.0)
    whole = outcome.whole(ordered(), [tuned])
    assert whole.after_ns == pytest.approx(935.0)
    assert whole.high_ns == pytest.approx(1000 - 195 / 6)
    assert "1.07 × as fast" in words.after([tuned], whole)


def test_a_ratio_of_energies_is_none_of_times():
    verdict = Comparison(
        verdict=Verdict.FASTER,
        speedup=1.5,
        low=1.4,
        high=1.6,
        confidence=0.99,
        margin=0.02,
        log_ratios=(0.4,),
        objective=Objective.ENERGY,
    )
    peer = PeerResult(name="BLAS", outcome=NotApplicable("x"), comparison=verdict)
    shape = ordered().worth[0]
    record = SimpleNamespace(steps=(), winner=0, peers=(peer,))
    assert outcome.of_record(shape, record, "r").ratio is None
    peer = replace(peer, comparison=replace(verdict, objective=Objective.TIME))
    assert outcome.of_record(shape, SimpleNamespace(steps=(), winner=0, peers=(peer,)), "r").ratio == 1.5


@pytest.mark.parametrize("other", [{"objective": Objective.ENERGY}, {"mode": "hot"}])
def test_what_is_fastest_as_usual_does_not_answer_another_question(monkeypatch, other):
    """The store was looked at, and the shape not tuned."""
    monkeypatch.setattr(tune.session, "open_store", lambda *_, **__: pytest.fail("looked at"))
    wish = tune.Wish(tally=TALLY, options=Options(**other), budget_s=1.0)
    assert tune._known(wish, ordered().worth[0], None) is None


def test_what_is_slower_gains_nothing_and_is_said_to_be_not_worth_it():
    shape = ordered().worth[0]
    tuned = Tuned(shape=shape, run="r", winner_ns=900.0, rival="BLAS", ratio=0.7, low=0.6, high=0.8)
    assert (tuned.speedup, tuned.gain_ns, tuned.worth_it) == (1.0, 0.0, False)
    assert "not worth it" in words.tuned(tuned)
    assert words.after([tuned], outcome.whole(ordered(), [tuned])).startswith("Not worth it")


def test_a_budget_that_let_nothing_be_tried_is_no_verdict():
    shape = ordered().worth[0]
    tuned = Tuned(shape=shape, run="r", winner_ns=900.0, rival="BLAS", ratio=0.7, low=0.6, high=0.8, tried=False)
    assert "not worth it" not in words.tuned(tuned)
    assert "--budget" in words.tuned(tuned)
    assert words.after([tuned], outcome.whole(ordered(), [tuned])).startswith(
        "Not known whether it is worth it: at 1 of 1"
    )


def test_hotloops_own_calls_are_compared_with_their_time_in_the_record():
    tally = replace(TALLY, lines=(line(64, 10, 300.0, "hotloop.ops.gemm"),))
    (shape,) = orders.shapes(tally, floor)
    tuned = Tuned(shape=shape, run="r", winner_ns=15.0, rival="BLAS", ratio=0.5, low=0.4, high=0.6)
    assert tuned.speedup == 2.0


def test_nothing_is_predicted_for_a_single_call_whose_time_may_be_a_first_calls():
    (shape,) = orders.shapes(replace(TALLY, lines=(line(64, 1, 300.0, "hotloop.ops.gemm"),)), floor)
    tuned = Tuned(shape=shape, run="r", winner_ns=15.0)
    assert (tuned.speedup, tuned.gain_ns, tuned.worth_it) == (None, None, False)
    assert "called once" in words.tuned(tuned)


def test_nothing_that_works_leaves_the_program_as_it_is():
    tuned = Tuned(shape=ordered().worth[0], run="r", winner_ns=None)
    assert (tuned.gain_ns, tuned.worth_it) == (0.0, False)
    assert "stays as it is" in words.tuned(tuned)


def test_json_says_the_same():
    found = ordered()
    tuned = [Tuned(shape=found.worth[0], run="r", winner_ns=1.0, rival="BLAS", ratio=1.5, low=1.2, high=2.0)]
    data = words.as_json(found, tuned, outcome.whole(found, tuned))
    assert data["predicted"]["worth_it"] is True
    assert data["tuned"][0]["problem"] == found.worth[0].problem.key
    assert data["left_out"][0]["reason"].startswith("not worth it")
