"""Longer problems are tried where their references turn out to be quick."""

import pytest

from hotloop.app.run.inputs.reach import Reach, reaches
from hotloop.model.problem import Problem
from hotloop.model.record import Record

SMALL = Problem("sum", Record(n=1000, k=8))
LONG = SMALL.replace(n=65537)


@pytest.mark.parametrize(("power", "enough"), [(0.0, True), (1.0, True), (2.0, False), (3.0, False)])
def test_growth_is_measured_on_the_way(power, enough):
    asked = []

    def timed(problem):
        asked.append(problem.integer("n"))
        return 5e-3 * (problem.integer("n") / 1000) ** power

    assert reaches(SMALL, LONG, timed) is enough
    assert asked[0] == 1000
    assert all(one % 1000 == 0 for one in asked)
    assert max(asked) < 65537


def test_what_cannot_be_asked_is_not_reached():
    assert not reaches(SMALL, LONG, lambda problem: None)
    assert not reaches(SMALL, LONG, lambda problem: 1e-3 if problem == SMALL else None)
    assert not reaches(SMALL, SMALL, lambda problem: 0.0)
    assert not reaches(SMALL, SMALL.replace(n=10), lambda problem: 0.0)


def test_what_is_short_in_the_problem_in_question_is_short_on_the_way():
    asked = []

    def timed(problem):
        asked.append((problem.integer("n"), problem.integer("k")))
        return 1e-8 * problem.integer("n") * problem.integer("k") ** 4

    assert reaches(SMALL, SMALL.replace(n=1 << 22, k=1), timed)
    assert asked[0] == (1000, 1)
    assert not reaches(SMALL, SMALL.replace(n=1 << 22), timed)


def test_what_is_longer_than_what_was_out_of_reach_is_not_asked_for():
    asked, reach = [], Reach()

    def timed(problem):
        asked.append(problem)
        return 1.0 * problem.integer("k")

    assert not reach.reaches(SMALL, LONG, timed)
    spent = len(asked)
    assert spent
    assert not reach.reaches(SMALL, SMALL.replace(n=1 << 22), timed)
    assert len(asked) == spent
    assert reach.reaches(SMALL, LONG.replace(k=1), lambda problem: 1e-3)
    assert not reach.reaches(SMALL, SMALL.replace(k=1 << 17), timed)
    assert len(asked) > spent
