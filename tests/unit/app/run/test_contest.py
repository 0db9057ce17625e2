"""Ratios of a benchmark, from rounds that were made up."""

from types import SimpleNamespace

from hotloop.app.run import contest
from hotloop.app.run.timing import Timing
from hotloop.model.check import CaseResult
from hotloop.model.outcome import Conditions, Measured, Sample, WrongResult
from hotloop.model.problem import Work
from hotloop.ports import Round


def test_nothing_is_compared_with_a_contender_whose_timed_results_are_wrong(monkeypatch):
    """It gets no time, and what skips its work looks fast."""
    times = (1.0, 8.0, 4.0)
    samples = [Sample(wall_ns=ns, calls=1) for ns in times]
    rounds = (Round(tuple(enumerate(samples))),) * 3
    measured = tuple(Measured(samples=(each,), conditions=Conditions("f")) for each in samples)
    contenders = [contest._Contender(name, name) for name in ("skips", "slow", "fast")]
    case = CaseResult(problem="p", distribution="normal", seed=1, passed=False, reason="y[0]: never written")
    monkeypatch.setattr(
        contest.honest, "kept", lambda _made, _workload, program, _judged: case if program == "skips" else None
    )
    monkeypatch.setattr(contest.aim, "quantity_of", lambda *_: "wall")
    workload = SimpleNamespace(kernel=SimpleNamespace(work=lambda _: Work(1, 1)), problem=None)
    rows = contest._table(None, workload, contenders, Timing(rounds, measured), None)
    assert isinstance(rows[0].outcome, WrongResult)
    assert [round(row.ratio, 6) for row in rows[1:]] == [1.0, 2.0]
