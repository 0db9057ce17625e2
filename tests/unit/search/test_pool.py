from __future__ import annotations

import itertools

import numpy as np

from hotloop.model.space import Parameter, Space
from hotloop.search.features import Features
from hotloop.search.grid import Grid
from hotloop.search.pool import Pool

ROWS = np.array(list(itertools.product(range(4), repeat=3)), np.int32)


def pool_without(*tried):
    pool = Pool(Features(Grid(Space(tuple(Parameter(name, (1, 2, 4, 8)) for name in "abc")))), ROWS)
    for positions in tried:
        pool.take(positions)
    return pool


def moves(centre):
    return [tuple(row) for row in ROWS.tolist() if sum(a != b for a, b in zip(row, centre, strict=True)) == 1]


def test_the_most_promising_is_chosen_among_all_or_among_the_moves_of_a_centre():
    promise = np.arange(len(ROWS), dtype=float)
    assert pool_without().choose(promise) == (3, 3, 3)
    assert pool_without().choose(promise, [(0, 0, 0)]) == (3, 0, 0)


def test_where_the_moves_of_the_best_are_used_up_the_next_best_has_its_turn():
    """A needle beside the second best is found, whatever the model thinks of it."""
    best, second = (0, 0, 0), (1, 2, 3)
    promise = np.array([-50.0 if tuple(row) in moves(second) else 0.0 for row in ROWS.tolist()])
    assert pool_without(*moves(best)).choose(promise, [best, second]) in moves(second)
    assert pool_without(*moves(best), *moves(second)).choose(promise, [best, second]) not in moves(second)


def test_none_is_left():
    assert pool_without(*map(tuple, ROWS.tolist())).choose(np.zeros(len(ROWS)), [(0, 0, 0)]) is None


def test_once_something_failed_what_is_larger_is_avoided_and_what_is_smaller_is_not():
    pool = pool_without()
    promise = np.full(len(ROWS), -50.0)
    promise[[tuple(row) == (3, 3, 3) for row in ROWS.tolist()]] = 0.5
    promise[[tuple(row) == (1, 1, 1) for row in ROWS.tolist()]] = 0.0
    assert pool.choose(promise) == (3, 3, 3)
    pool.learn([((2, 2, 2), False)])
    assert pool.choose(promise) == (1, 1, 1)
