from __future__ import annotations

import numpy as np

from hotloop.model.space import Constraint, Parameter, Space
from hotloop.search.grid import Grid
from hotloop.search.sampler import Sampler

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
