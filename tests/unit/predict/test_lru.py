"""Caches against one that is kept line by line, and reuse between groups against whole launches gone through request by request."""

from collections import OrderedDict

import numpy as np
import pytest

from hotloop.predict import lru
from hotloop.predict.paths import Even
from hotloop.predict.requests import Requests

LINE = 64


def requests(addresses, steps, shift=(0, 0, 0)):
    """Reads of one wave that all move alike."""
    count = len(addresses)
    paths = Even.along(np.tile(np.array(shift, np.int64), (count, 1)), (1 << 20, 1, 1), (0, 0, 0))
    return Requests(
        np.asarray(addresses, np.int64),
        paths.tracks,
        np.asarray(steps),
        np.zeros(count, np.int64),
        np.zeros(count, bool),
        np.zeros(count, bool),
        paths,
    )


def misses(lines, capacity):
    """Count the misses of a cache that keeps its order exactly."""
    cache, missed = OrderedDict(), 0
    for line in lines:
        missed += line not in cache
        cache[line] = None
        cache.move_to_end(line)
        if len(cache) > capacity:
            cache.popitem(last=False)
    return missed


def in_step(asked, groups):
    """Return the lines of groups that run in step, one request after the other."""
    addresses = asked.of(asked.paths.offsets(groups)) // LINE
    return [int(line) for row in addresses for line in row]


def test_groups_in_step_find_what_their_neighbours_fetched():
    own = np.arange(32) * LINE
    apart, alike = requests(own, np.arange(32), (1 << 16, 0, 0)), requests(own, np.arange(32))
    groups = np.arange(4)
    assert lru.exactly(apart, groups, LINE, 8)[0].sum() == 4 * 32
    found, looked = lru.exactly(alike, groups, LINE, 8)
    assert (found.sum(), looked) == (32, 32)
    assert found.sum(axis=1).tolist() == [32, 0, 0, 0]  # the first to ask fetches


@pytest.mark.parametrize("seed", range(6))
def test_an_exact_cache_is_exact(seed):
    drawn = np.random.default_rng(seed)
    asked = requests(drawn.integers(0, 64, 400) * LINE, np.arange(400), (LINE * int(drawn.integers(0, 5)), 0, 0))
    groups, lines = np.arange(5), int(drawn.integers(4, 80))
    assert lru.exactly(asked, groups, LINE, lines)[0].sum() == misses(in_step(asked, groups), lines)


@pytest.mark.parametrize("reach", [400, 900, 1500, 4000])
def test_a_larger_cache_is_right_to_a_few_percent(reach):
    drawn = np.random.default_rng(reach)
    asked = requests(drawn.integers(0, reach, 6000) * LINE, np.arange(6000), (LINE, 0, 0))
    groups = np.arange(8)
    wanted = misses(in_step(asked, groups), 1000) / 48_000
    assert lru.missed([[(asked, groups)]], LINE, 1000) == pytest.approx(wanted, abs=0.04)


def test_a_part_of_the_lines_speaks_for_all(monkeypatch):
    monkeypatch.setattr(lru, "_KEPT", 30_000)
    drawn = np.random.default_rng(1)
    asked = requests(drawn.integers(0, 60_000, 3000) * LINE, np.arange(3000), (LINE * 7, 0, 0))
    groups = np.arange(40)  # 120,000 requests, of which a quarter of the lines is looked at
    wanted = misses(in_step(asked, groups), 8192) / 120_000
    assert lru.missed([[(asked, groups)]], LINE, 8192) == pytest.approx(wanted, abs=0.03)


def test_what_earlier_groups_left_is_found():
    asked = requests(np.arange(100) * LINE, np.arange(100))
    first, second = np.arange(2), np.arange(2, 4)
    assert lru.missed([[(asked, second)]], LINE, 200) == 0.5  # the first of two asks in vain
    assert lru.missed([[(asked, first)], [(asked, second)]], LINE, 200) == 0
    assert lru.missed([[(asked, first)], [(asked, second)]], LINE, 50) == 0.5


def test_no_request_misses_nothing():
    assert lru.missed([[(requests([], []), np.arange(3))]], LINE, 100) == 0
