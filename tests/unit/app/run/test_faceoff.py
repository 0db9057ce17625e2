"""Comparisons that are asked for by themselves."""

from types import SimpleNamespace

import pytest

from hotloop.app.run import busy, checking, faceoff, timing
from hotloop.model.check import CaseResult, CheckReport, Guard
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import Crashed, NotApplicable, WrongResult
from hotloop.model.program import Program
from hotloop.model.space import Config, Space
from hotloop.stats.paired import LOOKS, PATIENT
from hotloop.verify.texts.contraction import PRAGMA, uncontracted


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


@pytest.mark.parametrize(
    ("language", "source", "joined_not", "told"),
    [
        ("opencl", "float a;", RIGHT, True),
        ("opencl", "float a;", report(ties=False), False),
        ("opencl", "int a;", RIGHT, False),
        ("opencl", f"{PRAGMA}\nfloat a;", RIGHT, False),
        ("cuda", "float a;", RIGHT, False),
    ],
    ids=["right then", "wrong then", "integers", "forbidden", "another language"],
)
def test_a_wrong_result_that_a_compiler_makes_of_joined_products_is_told(
    language, source, joined_not, told, monkeypatch
):
    program = SimpleNamespace(source=source)
    implementation = Implementation("k", language, Space(()), Config(), lambda _p, _c, _d: program)
    workload = SimpleNamespace(problem=None, device=None, program=lambda _variant: program)
    monkeypatch.setattr(faceoff.Subject, "of", lambda *_given: None)
    monkeypatch.setattr(checking, "check", lambda *_given: checking.Verified(joined_not))
    variant = Variant(implementation, Config())
    case = CaseResult(problem="k[n=1]", distribution="ends", seed=0, passed=False, guard=Guard.REFERENCE)
    said = faceoff._contracted(None, workload, variant, "full", WrongResult(CheckReport((case,))))
    assert (PRAGMA in said) == told
    assert faceoff._contracted(None, workload, variant, "full", RIGHT) == ""


def test_the_version_that_joins_no_products_has_the_line_in_front():
    plan = lambda _p, _c, _d: Program("opencl", "float a;")  # noqa: E731
    other = uncontracted(Variant(Implementation("k", "opencl", Space(()), Config(), plan), Config()))
    assert other.implementation.plan(None, None, None).source == f"{PRAGMA}\nfloat a;"
