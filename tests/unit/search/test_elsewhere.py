"""Searches that are told what the same kernel did elsewhere."""

import random

import numpy as np
import pytest

from hotloop.model.space import Config, Parameter, Space
from hotloop.search.elsewhere import FEWEST, Elsewhere
from hotloop.search.features import Features
from hotloop.search.foretold import Foretold
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


def believed(source, results, seed=0):
    """The trust in the source `TWIN` after results of which so much follows it (1: all, 0: none, -1: the reverse)."""
    features = Features(GRID)
    elsewhere, rng = Elsewhere(GRID, features, [TWIN]), np.random.default_rng(seed)
    best = sorted(ALL, key=TWIN.__getitem__)[:3]
    tried = [*best, *random.Random(seed).sample([one for one in ALL if one not in best], results - 3)]
    rows = np.array([GRID.encode(config) for config in tried], np.int32)
    points = features.of(rows) * np.exp(0.5 * features.log_weights)[features.groups]
    twin = np.log([TWIN[config] for config in tried])
    times = {1: twin, 0: rng.normal(twin.mean(), twin.std(), results), -1: -twin}[source]
    return elsewhere.trust(points, times + 0.02 * rng.normal(size=results), elsewhere.at(rows))


def test_a_source_that_explains_the_results_is_believed():
    assert min(believed(1, 5, seed) for seed in range(20)) > 0.5
    assert min(believed(1, 12, seed) for seed in range(20)) > 0.7


def test_a_source_that_is_wrong_is_soon_not_believed_at_all():
    assert np.mean([believed(-1, 6, seed) == 0.0 for seed in range(20)]) > 0.8
    assert np.mean([believed(0, 16, seed) == 0.0 for seed in range(20)]) > 0.8


def test_a_wrong_source_costs_little():
    """Without the judgement of trust it cost nearly twice as much as no source at all."""
    reverse = {config: 1e9 / ns for config, ns in TWIN.items()}
    plain = sum(evaluations([], seed) for seed in range(8))
    assert sum(evaluations([reverse], seed) for seed in range(8)) <= 1.35 * plain


@pytest.mark.parametrize(("how", "far"), [({"foretold": Foretold(NEIGHBOUR)}, 0), ({"elsewhere": [NEIGHBOUR]}, 2)])
def test_predicted_times_are_followed_at_first(how, far):
    """Results that fit them leave no place for configurations that are far from all others, which other sources are tested by."""
    search, ranks = Surrogate(SPACE, 1, **how), []
    for _ in range(12):
        config = search.ask()
        ranks.append(sum(ns < NEIGHBOUR[config] for ns in NEIGHBOUR.values()))
        search.tell(config, NEIGHBOUR[config] / 3)
    assert sum(rank > 100 for rank in ranks) == far


def test_wrong_predictions_are_given_up():
    reverse = {config: 1e9 / ns for config, ns in TWIN.items()}
    plain = wrong = 0
    for seed in range(8):
        for foretold in (Foretold(), Foretold(reverse)):
            search, number = Surrogate(SPACE, seed, foretold=foretold), 0
            while number < 216:
                number += 1
                config = search.ask()
                search.tell(config, time_ns(config))
                if time_ns(config) == 1000.0:
                    break
            plain, wrong = (plain, wrong + number) if foretold else (plain + number, wrong)
    assert wrong <= 1.5 * plain


def test_doubted_predictions_are_silent_until_results_agree_with_them():
    """Right ones are followed after a few results, wrong ones cost nothing: the same is tried as without them."""
    reverse = {config: 1e9 / ns for config, ns in NEIGHBOUR.items()}
    tried = []
    for times in ({}, NEIGHBOUR, reverse):
        search, asked = Surrogate(SPACE, 1, foretold=Foretold(times, doubted=True)), []
        for _ in range(12):
            asked.append(search.ask())
            search.tell(asked[-1], NEIGHBOUR[asked[-1]] / 3)
        tried.append(asked)
    without, right, wrong = tried
    assert wrong == without
    assert right[:4] == without[:4]
    assert min(NEIGHBOUR[one] for one in right[4:6]) == min(NEIGHBOUR.values())


def test_doubted_predictions_are_left_out_beside_times_of_other_devices():
    one, other = (
        Surrogate(SPACE, 1, elsewhere=[TWIN], foretold=told) for told in (None, Foretold(NEIGHBOUR, doubted=True))
    )
    for _ in range(5):
        config = one.ask()
        assert config == other.ask()
        for search in (one, other):
            search.tell(config, NEIGHBOUR[config])
