"""Searches that are told what the same kernel did elsewhere."""

import random

import numpy as np
import pytest

from hotloop.model.space import Config, Parameter, Space
from hotloop.search.elsewhere import FEWEST, Elsewhere
from hotloop.search.features import Features
from hotloop.search.grid import Grid
from hotloop.search.strategies.surrogate import Surrogate

SPACE = Space(tuple(Parameter(name, (1, 2, 4, 8, 16, 32)) for name in ("A", "B", "C")))
GRID = Grid(SPACE)
ALL = [Config(A=a, B=b, C=c) for a in (1, 2, 4, 8, 16, 32) for b in (1, 2, 4, 8, 16, 32) for c in (1, 2, 4, 8, 16, 32)]


def time_ns(config, best=(8, 2, 16), scale=1.0):
    """A valley around `best`, in powers of two."""
    off = sum(
        abs(config[name].bit_length() - at.bit_length()) * weight
        for name, at, weight in zip("ABC", best, (1, 2, 3), strict=True)
    )
    return scale * (1000.0 + 150 * off)


def evaluations(elsewhere, seed=1, most=216):
    """Return how many were tried until the optimum was."""
    search = Surrogate(SPACE, seed, elsewhere=elsewhere)
    for number in range(1, most + 1):
        config = search.ask()
        search.tell(config, time_ns(config))
        if time_ns(config) == 1000.0:
            return number
    return most


TWIN = {config: time_ns(config, scale=7.0) for config in ALL}
NEIGHBOUR = {config: time_ns(config, (16, 2, 8), 3.0) for config in ALL}


def test_the_best_of_a_device_of_the_same_order_comes_first():
    assert evaluations([TWIN]) == 1


def test_a_source_with_another_optimum_is_corrected_by_results():
    assert evaluations([NEIGHBOUR]) <= 12


def test_one_good_source_outweighs_wrong_ones():
    opposite = {config: 1e9 / ns for config, ns in TWIN.items()}
    assert evaluations([opposite, TWIN]) <= 12


def test_a_source_of_noise_costs_little():
    rng = random.Random(3)
    noise = {config: rng.uniform(1000, 4000) for config in ALL}
    plain = sum(evaluations([], seed) for seed in range(4))
    assert sum(evaluations([noise], seed) for seed in range(4)) <= 2 * plain + 40


def test_what_few_trials_say_is_used_too():
    rng = random.Random(5)
    some = {config: TWIN[config] for config in rng.sample(ALL, 40)}
    assert evaluations([some]) <= 25


def test_too_few_times_are_no_source():
    few = dict(list(TWIN.items())[: FEWEST - 1])
    assert Surrogate(SPACE, 1, elsewhere=[few]).ask() == Surrogate(SPACE, 1).ask()


def test_configurations_that_failed_there_are_not_tried_first():
    failing = {config: None if config["B"] == 2 else ns for config, ns in TWIN.items()}
    assert Surrogate(SPACE, 1, elsewhere=[failing]).ask()["B"] != 2


@pytest.mark.parametrize("foreign", [Config(A=3, B=1, C=1), Config(A=1, B=1), Config(Z=1, B=1, C=1)])
def test_rows_that_the_space_does_not_have_are_ignored(foreign):
    assert evaluations([{**TWIN, foreign: 1.0}]) == 1


def test_a_search_goes_on_where_it_was_when_told_its_results_again():
    first, told = Surrogate(SPACE, 1, elsewhere=[NEIGHBOUR]), []
    for _ in range(9):
        told.append(first.ask())
        first.tell(told[-1], time_ns(told[-1]))
    again = Surrogate(SPACE, 1, elsewhere=[NEIGHBOUR])
    for config in told:
        again.tell(config, time_ns(config))
    assert again.ask() == first.ask()


def told_by(source, seed, results=24, noise=0.3):
    """How much an expectation scatters over the space after results that it explains (source 1) or has nothing to do with (0)."""
    rng = np.random.default_rng(seed)
    elsewhere = Elsewhere(GRID, Features(GRID), [TWIN])
    seen, at = rng.normal(size=(1, results)), rng.normal(size=(1, 500))
    targets = source * seen[0] + (noise if source else 1.0) * rng.normal(size=results)
    return float(elsewhere.mean(seen, targets, at)[1].std())


def test_chance_alone_makes_no_source_believed():
    assert np.mean([told_by(0.0, seed) for seed in range(40)]) < 0.1


def test_a_source_that_explains_the_results_is_believed():
    kept = [told_by(1.0, seed) for seed in range(40)]
    assert min(kept) > 0.6
    assert np.mean(kept) > 0.9
