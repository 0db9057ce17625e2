from __future__ import annotations

import itertools

import numpy as np
import pytest

from hotloop.model.space import Parameter, Space
from hotloop.search.demand import Demand, Sizes, fitted
from hotloop.search.grid import Grid

TILES = (8, 16, 32, 64, 128, 256)
SPACE = Space(
    (Parameter("x", TILES), Parameter("y", TILES), Parameter("cached", (0, 1)), Parameter("way", ("a", "b", "c"), ordinal=False))
)  # fmt: skip
GRID = Grid(SPACE)
ROWS = np.array(list(itertools.product(range(6), range(6), range(2), range(3))), np.int32)
SIZES = Sizes(GRID)


def too_large(rows):
    """Tell which configurations have more than 4,096 places in a tile."""
    return rows[:, 0] + rows[:, 1] > 6


def learnt(tried, failed):
    demand = Demand(SIZES, ROWS)
    demand.learn(tried, [not failure for failure in failed])
    found = demand.log_chance()
    assert found is not None
    return np.exp(found)


def test_nothing_is_foreseen_until_something_failed():
    demand = Demand(SIZES, ROWS)
    assert demand.log_chance() is None
    demand.learn(ROWS[::7], [True] * len(ROWS[::7]))
    assert demand.log_chance() is None


def test_one_failure_warns_of_whatever_is_larger_and_less_of_what_is_smaller():
    chance = learnt(np.array([[3, 3, 0, 0]], np.int32), [True])
    at = {tuple(row): p for row, p in zip(ROWS.tolist(), chance, strict=True)}
    assert at[5, 5, 0, 0] < at[3, 3, 0, 0] < at[0, 0, 0, 0]
    assert at[5, 5, 0, 0] < 0.2
    assert at[0, 0, 0, 0] > 0.8


@pytest.mark.parametrize("seed", range(4))
def test_a_limit_on_a_product_is_learnt_from_few_results(seed):
    tried = np.random.default_rng(seed).choice(ROWS, 24, replace=False)
    chance = learnt(tried, too_large(tried))
    fails = too_large(ROWS)
    pairs = (chance[fails][:, None] < chance[~fails][None]).mean()
    assert pairs > 0.95


def test_what_is_expected_of_sizes_gives_way_to_results():
    """Where the small configurations fail, it is they that are foreseen to fail."""
    tried = np.random.default_rng(1).choice(ROWS, 40, replace=False)
    small = tried[:, 0] + tried[:, 1] < 5
    chance = learnt(tried, small)
    assert chance[0] < 0.3
    assert chance[-1] > 0.7


def test_results_in_parts_say_what_they_say_together():
    tried = ROWS[5::9]
    demand = Demand(SIZES, ROWS)
    for part in (tried[:3], tried[3:4], tried[4:]):
        demand.learn(part, list(~too_large(part)))
        demand.log_chance()
    assert np.allclose(np.exp(demand.log_chance()), learnt(tried, too_large(tried)))


def test_the_fit_is_where_no_direction_is_better():
    points, failed = SIZES.of(ROWS[::5]), too_large(ROWS[::5]).astype(float)
    here = fitted(SIZES, points, failed)
    chance = 1 / (1 + np.exp(-points @ here))
    slope = points.T @ (chance - failed) + (here - SIZES.expected) / SIZES.spread**2
    assert np.abs(slope).max() < 0.05


def test_a_space_of_one_configuration_has_no_sizes():
    sizes = Sizes(Grid(Space((Parameter("x", (4,)),))))
    demand = Demand(sizes, np.zeros((1, 1), np.int32))
    demand.learn(np.zeros((1, 1), np.int32), [False])
    assert demand.log_chance().shape == (1,)
