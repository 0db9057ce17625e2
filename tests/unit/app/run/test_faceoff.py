"""Comparisons that are asked for by themselves."""

from types import SimpleNamespace

import pytest

from hotloop.app.run import busy, checking, faceoff, timing
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.outcome import Crashed, NotApplicable, WrongResult
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


def report(**passed):
    cases = CheckReport(
        tuple(CaseResult(problem="k[n=1]", distribution=name, seed=0, passed=ok) for name, ok in passed.items())
    )
    return cases if cases.passed else WrongResult(cases)


CRASH = Crashed("execute", 11)
RIGHT = report(ties=True, ends=True)


@pytest.mark.parametrize(
    ("winner", "incumbent", "refused"),
    [
        (RIGHT, report(ties=False, ends=True), False),
        (report(ties=False, ends=True), RIGHT, True),
        (report(ties=False, ends=True), report(ties=False, ends=True), False),
        (report(ties=True, ends=False), report(ties=False, ends=True), True),
        (report(ties=False, ends=False), report(ties=False, ends=True), True),
        (CRASH, report(ties=False, ends=True), True),
        (CRASH, CRASH, False),
        (NotApplicable("not now"), RIGHT, True),
    ],
)
def test_a_winner_is_excused_only_where_the_incumbent_fails_the_same_case(winner, incumbent, refused, monkeypatch):
    answers = {"winner": winner, "incumbent": incumbent}

    def check(_desk, _workload, subject, *, level, within, to_the_end=False):
        answer = answers[subject] if within == "asked" else NotApplicable("there are none")
        return SimpleNamespace(answer=answer)

    monkeypatch.setattr(checking, "check", check)
    found = faceoff._narrow(SimpleNamespace(tell=lambda _stage: None), None, "incumbent", "winner")
    assert (found is not None) is refused
    if isinstance(found, WrongResult):
        assert all(case.passed for case in found.check.cases) is False
