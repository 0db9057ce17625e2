from __future__ import annotations

from itertools import pairwise

import numpy as np

from hotloop.model.space import Constraint, Parameter, Space
from hotloop.search import sampler as sampler_module
from hotloop.search.grid import Grid
from hotloop.search.sampler import Sampler, sampler_of

HUGE = Space(
    tuple(Parameter(f"p{i}", tuple(range(20))) for i in range(9)),
    (Constraint("sum is even", lambda c: sum(c.values()) % 2 == 0),),
)


def test_spaces_too_large_to_list_are_walked():
    sampler = Sampler(Grid(HUGE))
    assert sampler.catalogue is None
    drawn = sampler.draw(np.random.default_rng(0), 100)
    assert len(np.unique(drawn, axis=0)) == len(drawn) >= 80
    assert all(sampler.grid.valid(row) for row in drawn.tolist())
    assert all(len(np.unique(column)) >= 8 for column in drawn.T)


def test_unseen_finds_the_last_one_left():
    grid = Grid(Space(tuple(Parameter(n, tuple(range(20))) for n in "abc")))
    seen = {(a, b, c) for a in range(20) for b in range(20) for c in range(20)} - {(7, 0, 13)}
    sampler = Sampler(grid)
    assert sampler.unseen(np.random.default_rng(0), seen) == (7, 0, 13)
    assert sampler.unseen(np.random.default_rng(0), seen | {(7, 0, 13)}) is None


def connected(name, holds):
    """Return a space of 12 parameters that one constraint joins, too large to list."""
    parameters = tuple(Parameter(f"P{i}", tuple(range(10))) for i in range(12))
    return Grid(Space(parameters, (Constraint(name, holds, tuple(p.name for p in parameters)),)))


def test_a_loose_constraint_is_sampled_by_rejection_and_evenly():
    grid = connected("the sum is even", lambda c: sum(c.values()) % 2 == 0)
    drawn = Sampler(grid).draw(np.random.default_rng(1), 4000)
    assert drawn.shape == (4000, 12)
    assert len({tuple(row) for row in drawn.tolist()}) == 4000
    assert all(sum(row) % 2 == 0 for row in drawn.tolist())
    counts = np.array([np.bincount(column, minlength=10) for column in drawn.T])
    assert abs(counts - 400).max() < 5 * 400**0.5


def test_tight_constraints_fall_back_to_walks(monkeypatch):
    monkeypatch.setattr(sampler_module, "_WALKS", 2)  # each is a second's search for a place to begin
    parameters = tuple(Parameter(f"P{i}", tuple(range(10))) for i in range(12))
    pairs = [(one.name, two.name) for one, two in pairwise(parameters)]
    rules = tuple(Constraint(f"{a} or {b} is 0", lambda c, a=a, b=b: c[a] == 0 or c[b] == 0, (a, b)) for a, b in pairs)
    sampler = Sampler(Grid(Space(parameters, rules)))
    drawn = sampler.draw(np.random.default_rng(1), 40)
    assert len(drawn) > 20
    assert all(sampler.grid.valid(row) for row in drawn.tolist())


def test_a_space_has_one_sampler_and_an_equal_one_of_other_types_another():
    flags, switches = Space((Parameter("flag", (0, 1)),)), Space((Parameter("flag", (False, True)),))
    assert flags == switches
    assert sampler_of(flags) is sampler_of(flags) is not sampler_of(switches)
    assert [type(value) for value in sampler_of(switches).grid.values[0]] == [bool, bool]
    for size in range(2, 9):
        sampler_of(Space((Parameter("flag", tuple(range(size))),)))
    assert sampler_of(flags).grid.space is flags
