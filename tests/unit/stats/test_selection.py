import numpy as np
import pytest

from hotloop.model.outcome import Sample
from hotloop.ports import Round
from hotloop.stats.selection import finalists, standings


def test_near_ties_are_finalists_and_the_rest_is_not():
    assert finalists([[110.0] * 5, [100.0] * 5, [101.0] * 5, [150.0] * 5]) == (1, 2)


def test_a_clear_winner_still_gets_a_runner_up():
    assert finalists([[500.0] * 3, [100.0] * 3, [300.0] * 3]) == (1, 2)


def test_noisy_candidates_get_their_chance():
    rng = np.random.default_rng(0)
    noisy = 104 * rng.lognormal(0, 0.1, 6)
    assert 2 in finalists([[100.0] * 6, [101.0] * 6, noisy])


def test_limit_failures_and_nothing():
    assert finalists([[100.0]] * 9, limit=3) == (0, 1, 2)
    assert finalists([[], [5.0], []]) == (1,)
    assert finalists([]) == ()


def test_standings_compare_within_rounds():
    rng = np.random.default_rng(1)
    truth, rounds = (1.0, 0.97, 1.05), []
    for load in rng.lognormal(
        0, 1.0, 30
    ):  # the load changes from round to round by far more than the contenders differ
        order = (0, 1, 2, 2, 1, 0)
        rounds.append(
            Round(tuple((i, Sample(wall_ns=1e6 * load * truth[i] * rng.lognormal(0, 0.01), calls=1)) for i in order))
        )
    assert standings(rounds, 3) == (1, 0, 2)
    with pytest.raises(ValueError, match="at least one round"):
        standings([], 3)
