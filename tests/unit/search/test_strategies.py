from __future__ import annotations

import statistics
from math import exp, log2

import numpy as np
import pytest

from hotloop import registry
from hotloop.model.space import Config, Constraint, Parameter, Space

PACKAGE = "hotloop.search.strategies"
NAMES = registry.names(PACKAGE)
TILES = (1, 2, 4, 8, 16, 32, 64, 128)


def make(name: str, space: Space, seed: int, start=(), applies=None):
    return registry.load(PACKAGE, name, "STRATEGY")(space, seed, start=start, applies=applies)


def kernel_like() -> Space:
    """Two tiles, a vector width, an unrolling factor, two switches; 3,500 valid of 7,168."""
    parameters = (
        Parameter("x", TILES), Parameter("y", TILES), Parameter("vector", (1, 2, 4, 8)),
        Parameter("unroll", (1, 2, 3, 4, 5, 6, 8)), Parameter("cached", (0, 1)),
        Parameter("layout", ("row", "column"), ordinal=False),
    )  # fmt: skip
    rules = (
        Constraint("x y <= 1024", lambda c: c.x * c.y <= 1024, ("x", "y")),
        Constraint("x is a multiple of vector", lambda c: c.x % c.vector == 0, ("x", "vector")),
    )
    return Space(parameters, rules)


def duration_ns(config: Config) -> float | None:
    """A valley with interactions; too much unrolling of large tiles fails, as a compiler running out of registers."""
    x, y = log2(config.integer("x")), log2(config.integer("y"))
    if config.integer("unroll") * config.integer("vector") * x > 90:
        return None
    ideal = 3.0 if config["layout"] == "row" else 5.0
    slow = 0.08 * (x + y - 8) ** 2 + 0.05 * (x - ideal) ** 2 + 0.15 * abs(log2(config.integer("vector")) - 2)
    slow += 0.03 * (config.integer("unroll") - 2 * log2(config.integer("vector"))) ** 2
    slow += 0.4 * (config["cached"] == (1 if x > 4 else 0))
    return 1e6 * exp(slow)


def search(strategy, evaluations: int) -> list[tuple[Config, float | None]]:
    results = []
    for _ in range(evaluations):
        config = strategy.ask()
        if config is None:
            break
        results.append((config, duration_ns(config)))
        strategy.tell(*results[-1])
    return results


@pytest.mark.parametrize("name", NAMES)
def test_asks_are_valid_distinct_and_repeat_with_the_seed(name):
    space = kernel_like()
    first = search(make(name, space, 4), 60)
    configs = [config for config, _ in first]
    assert len(set(configs)) == 60
    assert all(space.valid(config) for config in configs)
    assert search(make(name, kernel_like(), 4), 60) == first
    assert search(make(name, space, 5), 60) != first


@pytest.mark.parametrize("name", NAMES)
def test_told_results_alone_restore_a_search(name):
    whole = search(make(name, kernel_like(), 2), 90)
    for cut in (1, 9, 41, 70):
        resumed = make(name, kernel_like(), 2)
        for config, ns in whole[:cut]:
            resumed.tell(config, ns)
        assert search(resumed, 90 - cut) == whole[cut:]


@pytest.mark.parametrize("name", NAMES)
def test_start_points_come_first_and_bad_ones_are_skipped(name):
    good = [Config(x=8, y=8, vector=2, unroll=u, cached=0, layout="row") for u in (3, 5)]
    bad = [good[0].replace(x=128, y=128), good[0].replace(unroll=7)]
    strategy = make(name, kernel_like(), 0, start=[bad[0], good[0], bad[1], good[1], good[0]])
    asked = [strategy.ask() for _ in range(3)]
    assert asked[:2] == good
    assert asked[2] not in good


@pytest.mark.parametrize("name", NAMES)
def test_small_space_is_exhausted_exactly(name):
    odd = Constraint("sum is odd", lambda c: (c.a + c.b) % 2 == 1, ("a", "b"))
    space = Space((Parameter("a", tuple(range(6))), Parameter("b", tuple(range(5)))), (odd,))
    strategy, seen = make(name, space, 1), []
    while (config := strategy.ask()) is not None:
        seen.append(config)
        strategy.tell(config, None if config.integer("a") == 2 else 1.0 + config.integer("b"))
    assert len(seen) == len(set(seen)) == 15
    assert strategy.ask() is None


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_apply_is_never_asked_for_and_judged_once(name):
    """As where a problem rules out nearly all of a space: 28 of some thousands apply."""

    def applies(config: Config) -> bool:
        judged.append(config)
        return config["layout"] == "row" and config.integer("x") == 2 and config.integer("y") == 2

    judged: list[Config] = []
    start = [Config(x=8, y=8, vector=2, unroll=3, cached=0, layout="row")]
    found = search(make(name, kernel_like(), 1, start=start, applies=applies), 100)
    assert len({config for config, _ in found}) == len(found) == 28
    assert all(applies(config) for config, _ in found)
    judged = judged[:-28]
    assert len(judged) == len(set(judged))
    resumed = make(name, kernel_like(), 1, start=start, applies=applies)
    for config, ns in found[:14]:
        resumed.tell(config, ns)
    assert search(resumed, 100) == found[14:]


@pytest.mark.parametrize("name", NAMES)
def test_asking_ahead_gives_different_configurations(name):
    strategy = make(name, kernel_like(), 3)
    search(strategy, 15)
    ahead = [strategy.ask() for _ in range(6)]
    assert len(set(ahead)) == 6
    for config in reversed(ahead):
        strategy.tell(config, duration_ns(config))
    assert strategy.ask() not in ahead


def windowed(ranks, told):
    """Return what was asked for with eight configurations out at a time, and the search."""
    strategy, out, asked = make("surrogate", kernel_like(), 5), [], []
    for _ in range(told):
        while len(out) < 8:
            out.append(strategy.ask())
            asked.append(out[-1])
        if ranks:
            strategy.ranked(out)
        config = out.pop(0)
        strategy.tell(config, duration_ns(config))
    return asked, strategy, out


def test_to_rank_what_is_out_changes_no_question():
    assert windowed(True, 30)[0] == windowed(False, 30)[0]


def test_what_is_out_is_ranked_by_what_is_known_now():
    """First points stay in their order; what would be asked for now comes before what is known to be poor."""
    _, strategy, out = windowed(False, 7)
    assert strategy.ranked(out) == out
    _, strategy, out = windowed(False, 40)
    assert set(strategy.ranked(out)) == set(out)
    assert strategy.ranked(out) != out
    fresh, poor = strategy.ask(), Config(x=1, y=1, vector=1, unroll=8, cached=0, layout="column")
    ranked = strategy.ranked([poor, *out, fresh])
    assert ranked.index(fresh) < ranked.index(poor)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_failures_is_survived(name):
    strategy = make(name, kernel_like(), 0)
    for _ in range(30):
        strategy.tell(strategy.ask(), None)
    assert strategy.ask() is not None


@pytest.mark.parametrize("name", NAMES)
def test_empty_and_single_spaces(name):
    never = Constraint("never", lambda _: False, ("a",))
    assert make(name, Space((Parameter("a", (1, 2)),), (never,)), 0).ask() is None
    single = make(name, Space((Parameter("a", (1,)),)), 0)
    assert single.ask() == Config(a=1)
    single.tell(Config(a=1), 10.0)
    assert single.ask() is None


def _large() -> Space:
    tiles = tuple(Parameter(n, TILES) for n in "abcdefg")
    fits = Constraint("product fits", lambda c: c.a * c.b * c.c * c.d <= 4096, ("a", "b", "c", "d"))
    return Space(tiles, (fits,))


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_without_parameters_has_one_configuration(name):
    strategy = make(name, Space(()), 1)
    assert strategy.ask() == Config()
    strategy.tell(Config(), 5.0)
    assert strategy.ask() is None


@pytest.mark.parametrize("name", NAMES)
def test_large_spaces_resume_too(name):
    def ns(config: Config) -> float:
        return 1e3 + sum((i + 1) * (log2(v) - 4) ** 2 for i, v in enumerate(config.values()))

    def go(strategy, count: int) -> list[tuple[Config, float]]:
        results = []
        for _ in range(count):
            config = strategy.ask()
            results.append((config, ns(config)))
            strategy.tell(*results[-1])
        return results

    whole = go(make(name, _large(), 8), 30)
    resumed = make(name, _large(), 8)
    for config, time_ns in whole[:21]:
        resumed.tell(config, time_ns)
    assert go(resumed, 9) == whole[21:]


def _needed(name: str, seed: int, goal_ns: float, cap: int) -> int:
    for count, (_, ns) in enumerate(search(make(name, kernel_like(), seed), cap), 1):
        if ns is not None and ns <= goal_ns:
            return count
    return cap


def test_surrogate_needs_a_fraction_of_random_evaluations():
    from hotloop.search.catalogue import catalogue
    from hotloop.search.grid import Grid

    listed = catalogue(Grid(kernel_like()))
    assert listed is not None
    times = sorted(ns for ns in map(duration_ns, listed) if ns is not None)
    goal_ns = 1.05 * times[0]
    good = sum(ns <= goal_ns for ns in times)
    by_chance = (listed.count + 1) / (good + 1)  # expected draws without replacement until the first good one
    needed = [_needed("surrogate", seed, goal_ns, 250) for seed in range(5)]
    assert statistics.median(needed) < by_chance / 3
    assert max(needed) < 250


def test_local_climbs_from_where_it_starts():
    start = Config(x=64, y=16, vector=1, unroll=1, cached=0, layout="row")
    began_ns = duration_ns(start)
    results = search(make("local", kernel_like(), 0, start=[start]), 40)
    assert results[0] == (start, began_ns)
    assert len(start.changes_to(results[1][0])) == 1
    times = np.array([ns or np.inf for _, ns in results])
    assert times.min() < 0.5 * began_ns
