"""Inputs that chance hardly draws: chains, mazes, parts that hardly touch, long cycles and branches, two values that changed places."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.model.kernel import Kernel, Work
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.cases import Case, UnvariedError, draw
from hotloop.verify.variety import BLOCKS, CHAINS, EXCHANGED, KINDS, ORDERS, STEERED

ASKED = Problem("k", Record(n=40))


def drawn(kind, inputs, seed=3, **more):
    kernel = Kernel(
        family="k", problem=ASKED, inputs=lambda _, rng: inputs(rng), reference=lambda p, i: {}, work=lambda _: Work(1, 1),
        implementations=(), varied=True, **more,
    )  # fmt: skip
    return draw(kernel, Case(ASKED, kind, seed, 0, added=True))


def steps_needed(weights):
    """Return how many rounds of Bellman and Ford's a matrix of distances needs, all places at once."""
    found = np.where(np.arange(len(weights)), np.inf, 0.0)
    for step in range(len(weights)):
        nearer = np.minimum(found, (found[:, None] + weights).min(axis=0))
        if (nearer == found).all():
            return step
        found = nearer
    return len(weights)


@pytest.mark.parametrize("shape", [(40, 16, 16), (40, 256)])
def test_the_best_way_leads_through_all_places(shape):
    inputs = lambda rng: {"w": rng.uniform(0.1, 10, shape).astype("f4")}  # noqa: E731
    usual = max(steps_needed(w.reshape(16, 16)) for w in drawn("normal", inputs)["w"])
    made = drawn(CHAINS, inputs)["w"]
    assert usual < 10
    assert max(steps_needed(w.reshape(16, 16)) for w in made) == 15
    assert made.min() >= 0.1
    assert made.max() <= 10


def closed_after(rows):
    """Return how often a matrix of bits is squared until nothing is reached anew."""
    reached = (rows[:, None] >> np.arange(len(rows)) & 1).astype(bool) | np.eye(len(rows), dtype=bool)
    for squares in range(9):
        more = reached @ reached
        if (more == reached).all():
            return squares
        reached = more
    return 9


def test_rows_of_bits_are_chains_and_mazes():
    def inputs(rng):
        return {
            "a": np.uint32(1) << rng.integers(0, 32, (40, 32), dtype="u4")
            | np.uint32(1) << rng.integers(0, 32, (40, 32), dtype="u4")
        }

    made = drawn(CHAINS, inputs)["a"]
    assert max(map(closed_after, made)) == 5
    assert {2**32 - 1, 1, 2**31} <= set(made.ravel().tolist())  # rows of a maze


def test_relations_that_hold_both_ways_stay_so_in_every_kind():
    def inputs(rng):
        known = np.triu(rng.random((40, 12, 12)) < 0.6, 1)
        known |= known.transpose(0, 2, 1)
        return {"a": (known * 2 ** np.arange(12)).sum(axis=2).astype("u2")}

    for kind in KINDS:
        try:
            rows = drawn(kind, inputs)["a"]
        except UnvariedError:
            continue
        matrices = rows[..., None] >> np.arange(12) & 1
        assert (matrices == matrices.transpose(0, 2, 1)).all()
        assert not np.diagonal(matrices, axis1=1, axis2=2).any()
    assert max(map(closed_after, drawn(ORDERS, inputs)["a"])) == 4


def test_two_parts_hardly_touch():
    """The second eigenvalue of random positive matrices is far from the first one."""
    inputs = lambda rng: {"a": rng.uniform(0.1, 1, (40, 6, 6)).astype("f4")}  # noqa: E731

    def second(matrices):
        sizes = np.sort(np.abs(np.linalg.eigvals(matrices)), axis=1)
        return float((sizes[:, -2] / sizes[:, -1]).max())

    assert second(drawn("normal", inputs)["a"]) < 0.6
    assert second(drawn(BLOCKS, inputs)["a"]) > 0.7


def test_parts_of_integers_keep_away_from_marks_for_nothing():
    """A distance of `INT_MAX` says that there is no way: distances next to it, which no file draws, would overflow in a sum."""

    def inputs(rng):
        ways = rng.integers(0, 1 << 20, (1, 40, 40), dtype="i4")
        ways[rng.random(ways.shape) < 0.2] = np.iinfo("i4").max
        return {"d": ways}

    for kind in (BLOCKS, CHAINS):
        ways = drawn(kind, inputs)["d"]
        assert (ways[ways != np.iinfo("i4").max] < 1 << 21).all()


def test_permutations_have_long_cycles_and_rows_alike_and_stay_permutations():
    inputs = lambda rng: {"to": np.argsort(rng.random((40, 64)), axis=1).astype("i4")}  # noqa: E731
    every = [drawn(ORDERS, inputs, seed)["to"] for seed in range(6)]
    assert all((np.sort(rows, axis=1) == np.arange(64)).all() for rows in every)
    assert any((rows == rows[0]).all() for rows in every)
    assert any((row == np.roll(np.arange(64), -1)).all() for rows in every for row in rows)
    for kind in KINDS:
        if kind == STEERED:  # other numbers are sorted, not their order
            assert (np.sort(drawn(kind, inputs)["to"], axis=1) == np.arange(64)).all()
        elif kind != ORDERS:
            with pytest.raises(UnvariedError):
                drawn(kind, inputs)


@pytest.mark.parametrize("belongs", ["sorts", "inverse", "beside", "word"])
def test_permutations_that_belong_to_other_inputs_stay(belongs):
    def inputs(rng):
        keys = rng.random(50)
        order = np.argsort(keys)
        other = {"sorts": keys, "inverse": np.argsort(order), "beside": rng.integers(0, 40, 50), "word": np.zeros(3)}[
            belongs
        ]
        return {"order": order.astype("i4"), "other": other.astype("f4" if belongs in ("sorts", "word") else "i4")}

    with pytest.raises(UnvariedError):
        drawn(ORDERS, inputs, **({"domain": {"order": "indices"}} if belongs == "word" else {}))


def test_a_list_of_links_stays_one_and_a_tree_gets_deep():
    def links(rng):
        order, to = rng.permutation(50), np.zeros(50, "i4")
        to[order] = np.roll(order, -1)
        return {"to": to}

    made, at = drawn(ORDERS, links)["to"], 0
    for step in range(50):
        at = made[at]
        assert (at == 0) == (step == 49)
    up = drawn(ORDERS, lambda rng: {"up": (rng.random(90) * np.arange(90)).astype("i4")})["up"]
    assert (up[1:] == np.arange(89)).all()


def test_two_values_change_places_and_nothing_else_does():
    inputs = lambda rng: {"x": rng.integers(1, 10, (40, 81)).astype("u1")}  # noqa: E731
    made, before = drawn(EXCHANGED, inputs)["x"], drawn("normal", inputs)["x"]
    assert (np.sort(made, axis=1) == np.sort(before, axis=1)).all()
    assert 0 < (made != before).sum(axis=1).max() <= 4
    assert ((made != before).sum(axis=1) == 0).any()


def test_points_lie_on_a_ring_and_whole_numbers_stay_whole():
    inputs = lambda rng: {"x": rng.integers(-1000, 1001, (40, 32, 2)).astype("f4")}  # noqa: E731
    made = drawn(CHAINS, inputs)["x"]
    assert (made == np.round(made)).all()
    assert np.ptp(np.hypot(made[..., 0], made[..., 1])) < 10
    assert len(np.unique(made[0], axis=0)) == 32
