from __future__ import annotations

import numpy as np
import pytest

from hotloop.verify.domain import COUNTER, STAYS, Freedom, counts, freedoms

N = 64


def free(make, word=""):
    first, again = (make(np.random.default_rng(seed)) for seed in (1, 2))
    return freedoms({"x": first}, {"x": again}, {"x": word} if word else {})["x"]


def chain(rng, end=None, size=N):
    """Return a list's links in the order of its places; the last one leads to itself, or to `end`."""
    order, links = rng.permutation(size), np.empty(size, "i4")
    links[order[:-1]], links[order[-1]] = order[1:], order[-1] if end is None else end
    return links


def definite(rng):
    g = rng.standard_normal((6, 6))
    return g @ g.T + 6 * np.eye(6)


@pytest.mark.parametrize(
    "make",
    [
        lambda rng: np.linspace(0, 1, N),
        lambda rng: np.zeros(N, "u4"),
        lambda rng: np.sort(rng.standard_normal(N)),
        lambda rng: np.cumsum(rng.integers(0, 9, N)).astype("i4"),
        lambda rng: rng.permutation(N),
        definite,
        lambda rng: np.tril(rng.standard_normal((8, 8))),
        lambda rng: rng.standard_normal((8, 8)) + 60 * np.eye(8),
        lambda rng: (p := rng.random((9, 16))) / p.sum(axis=1, keepdims=True),
        lambda rng: np.sort(rng.integers(0, 999, (N, 2)), axis=1),
        lambda rng: np.sort(rng.random((N, 2, 2)), axis=1).reshape(N, 4),
        lambda rng: np.stack([chain(rng, -1) for _ in range(5)]),
        lambda rng: np.stack([chain(rng) for _ in range(5)]),
        lambda rng: chain(rng, size=500),
    ],
)
def test_what_shows_an_order_or_relation_stays(make):
    assert free(make) == STAYS
    assert free(make, "any").values


def test_ends_of_intervals_stay():
    def made(seed):
        low = np.random.default_rng(seed).standard_normal(N)
        return {"low": low, "high": low + 1, "x": np.random.default_rng(seed + 9).standard_normal(N)}

    found = freedoms(made(1), made(2), {})
    assert (found["low"], found["high"]) == (STAYS, STAYS)
    assert found["x"].signs


def test_ordinary_arrays_are_free_within_what_they_draw():
    assert free(lambda rng: rng.standard_normal(N)) == Freedom(values=True, signs=True)
    assert free(lambda rng: rng.random(N)) == Freedom(values=True)
    assert free(lambda rng: rng.random((N, 4))) == Freedom(values=True)
    assert free(lambda rng: np.add(rng.random((N, 2)), [0, 9])) == Freedom(values=True), "an age and a size"
    assert free(lambda rng: rng.integers(0, 2, (N, 8))) == Freedom(values=True)
    assert free(lambda rng: rng.integers(0, 9, N)) == Freedom(values=True)
    assert free(lambda rng: rng.integers(0, N, (9, N))) == Freedom(values=True), "places that lead in circles"
    assert free(lambda rng: np.minimum(rng.integers(0, 9, (9, N)), np.arange(N) % 9)) == Freedom(values=True), "labels"
    assert free(lambda rng: rng.integers(0, 256, N, dtype="u1")) == Freedom(values=True, extremes=True)
    assert free(lambda rng: rng.integers(-(2**31), 2**31, N, dtype="i4")) == Freedom(values=True, extremes=True)
    assert free(lambda rng: rng.integers(0, 2**31, N, dtype="i4")) == Freedom(values=True)
    assert free(lambda rng: rng.standard_normal(N), "sorted") == STAYS
    assert free(lambda rng: rng.standard_normal(N), "positive") == Freedom(values=True)


def test_how_often_keys_occur_follows_from_them_and_so_do_distances_of_offsets():
    rng = np.random.default_rng(3)
    draw = lambda: {  # noqa: E731
        "keys": (keys := rng.integers(0, 20, 100)), "degree": np.bincount(keys, minlength=20),
        "start": (start := np.sort(rng.integers(0, 900, 21))), "length": np.diff(start), "other": rng.integers(0, 9, 20),
        "row": (row := rng.integers(0, 9, 75)), "slice": np.cumsum([0, *(8 * np.append(row, [0] * 5).reshape(10, 8).max(1))]),
    }  # fmt: skip
    found = freedoms(draw(), draw(), {})
    assert {name for name, one in found.items() if one.values} == {"other"}


def test_counters_are_told_from_sizes():
    assert counts("first", np.uint64(3))
    assert counts("key", np.uint32(3))
    assert not counts("n", np.uint32(3))
    assert not counts("n", np.int32(3))
    assert not counts("seed", 3)
    assert counts("first", np.uint32(3), "any")
    assert not counts("key", np.uint32(3), "range")
    assert freedoms({"first": np.uint32(3)}, {}, {"first": "any"}) == {"first": COUNTER}


def test_special_values_may_stand_where_the_file_says_so_or_draws_them():
    plain, odd = np.ones(20, "f4"), np.array([1.0, np.inf] * 10, "f4")
    again = {"x": np.zeros(20, "f4")}
    assert freedoms({"x": plain}, again, {})["x"].specials == ()
    assert freedoms({"x": odd}, again, {})["x"].specials == (float("inf"),)
    marked = np.where(np.arange(20) % 5, np.linspace(-2, 2, 20), -np.inf)
    assert freedoms({"x": marked}, again, {})["x"].signs, "numbers around zero beside a mark"
    every = freedoms({"x": plain}, again, {"x": "any"})["x"].specials
    assert len(every) == 8
    small = [value / float(np.finfo(plain.dtype).tiny) for value in every if 0 < value < 1e-30]
    assert min(small) < 1 < max(small)  # squares of the least normal numbers vanish, too
    assert len(freedoms({"x": plain}, again, {"x": "nan"})["x"].specials) == 4
    assert freedoms({"x": odd}, again, {"x": "finite"})["x"].specials == ()
