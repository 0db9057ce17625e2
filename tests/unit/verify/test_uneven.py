from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hotloop.model.kernel import Empty, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.cases import Case, UnvariedError, draw
from hotloop.verify.told.notable import noted
from hotloop.verify.told.uneven import uneven
from hotloop.verify.variety import NOTABLE, UNEVEN

N = 4096


def made(draws, words=None, seed=1, sizes=()):
    both = (draws(np.random.default_rng(number)) for number in (7, 8))
    return uneven(*both, words or {}, sizes, np.random.default_rng(seed))


def keys(rng):
    return {"keys": np.sort(rng.random(N, "f4")), "asked": rng.random(N, "f4"), "signed": rng.standard_normal(N, "f4")}


def intervals(rng):
    low = np.sort(rng.random(N, "f4"))
    return {"low": low, "high": low + np.float32(0.01) * (1 + rng.random(N, "f4"))}


def rows(rng):
    offsets = np.concatenate([[0], np.cumsum(rng.integers(3, 9, 200))]).astype("i4")
    return {"offsets": offsets, "columns": rng.integers(0, 200, offsets[-1]).astype("i4")}


def segments(rng):
    return {"ids": np.sort(rng.integers(0, 64, N)).astype("i4"), "x": rng.standard_normal(N, "f4")}


@pytest.mark.parametrize("seed", range(4))
def test_sorted_keys_are_no_longer_even_and_what_lies_among_them_goes_with_them(seed):
    found, before = made(keys, seed=seed), keys(np.random.default_rng(7))
    assert (np.diff(found["keys"]) >= 0).all()
    assert np.abs(found["keys"] - np.arange(N) / N).max() > 0.3
    assert np.array_equal(*(np.searchsorted(one["keys"], one["asked"]) for one in (before, found)))
    assert np.array_equal(found["signed"], before["signed"])
    assert np.unique(found["keys"]).size == np.unique(before["keys"]).size


def test_keys_that_are_integers_are_spaced_as_well_and_indices_are_not():
    def draws(rng):
        return {
            "keys": np.sort(rng.choice(2**31 - 1, N, replace=False)).astype("i4"),
            "at": rng.integers(0, N, N).astype("i4"),
        }

    found, before = made(draws), draws(np.random.default_rng(7))
    assert (np.diff(found["keys"].astype("i8")) > 0).all()
    assert np.abs(found["keys"] / 2**31 - np.arange(N) / N).max() > 0.3
    assert np.array_equal(found["at"], before["at"])


def test_intervals_keep_their_ends_in_order_and_become_longer_somewhere():
    found, before = made(intervals), intervals(np.random.default_rng(7))
    assert (found["low"] < found["high"]).all()
    assert (found["high"] - found["low"]).max() > 2 * (before["high"] - before["low"]).max()


def test_one_row_is_long_and_none_is_shorter_than_the_shortest():
    found = np.diff(made(rows)["offsets"])
    assert (found.min(), found.sum()) == (3, rows(np.random.default_rng(7))["offsets"][-1])
    assert found.max() > 100
    assert np.diff(made(rows, sizes=(200, 40, 3))["offsets"]).max() == 40  # what may be the longest that is legal
    longest = np.diff(made(lambda rng: {**rows(rng), "longest": np.int32(8)})["offsets"]).max()
    assert longest == 8  # a kernel may be told how long the longest row is


def test_rows_whose_columns_rise_stay():
    def rising(rng):
        drawn = rows(rng)
        for begin, end in zip(drawn["offsets"], drawn["offsets"][1:], strict=False):
            drawn["columns"][begin:end].sort()
        return drawn

    assert made(rising) is None


@pytest.mark.parametrize("told", ["plain", "lengths", "rising", "begins", "both"])
def test_offsets_of_long_rows_are_no_keys(told):
    def long(rng):
        lengths = rng.integers(80, 200, 200).astype("i4")
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype("i4")
        columns = rng.integers(0, 5000, offsets[-1]).astype("i4")
        if told == "rising":
            for begin, end in pairwise(offsets):
                columns[begin:end].sort()
        drawn = {"offsets": offsets[:-1] if told in ("begins", "both") else offsets, "columns": columns}
        return drawn | {"lengths": {"lengths": lengths}, "both": {"ends": offsets[1:]}}.get(told, {})

    found = made(long)
    if told == "plain":
        assert np.diff(found["offsets"]).min() == np.diff(long(np.random.default_rng(7))["offsets"]).min()
    else:
        assert found is None


def test_numbers_of_ranges_that_do_not_meet_stay_in_their_own():
    def apart(rng):
        return {"share": rng.random(N, "f4"), "weight": 2 + rng.random(N, "f4")}

    def both_sorted(rng):
        return {name: np.sort(value) for name, value in apart(rng).items()}

    assert made(apart) is None
    found = made(both_sorted)
    assert found["share"].max() < 1
    assert found["weight"].min() > 2
    assert np.abs(found["weight"] - 2 - np.arange(N) / N).max() > 0.3


def test_one_run_of_sorted_numbers_is_long_and_all_numbers_are_still_there():
    found = made(segments)["ids"]
    assert (np.diff(found) >= 0).all()
    assert np.unique(found).size == 64
    assert np.unique(found, return_counts=True)[1].max() > N // 8


def test_shares_are_peaked_and_still_add_up_to_one():
    found = made(lambda rng: {"w": rng.dirichlet(np.ones(30), 50).astype("f4")})["w"]
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    assert (found.max(axis=1) >= 0.5).all()


def test_no_share_falls_to_a_place_that_had_none():
    def causal(rng):
        made = np.tril(rng.random((40, 40)))
        return {"p": (made / made.sum(axis=1, keepdims=True)).astype("f4")}

    found = made(causal)["p"]
    assert not np.triu(found, 1).any()
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("told", ["offsets", "begins", "ends"])
def test_numbers_of_rows_stay_where_another_array_says_where_the_rows_begin(told):
    def both(rng):
        lengths = rng.integers(3, 9, 200)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype("i4")
        parts = {"offsets": offsets, "begins": offsets[:-1], "ends": offsets[1:]}
        return {"row": np.repeat(np.arange(200, dtype="i4"), lengths), "at": parts[told]}

    assert made(both) is None


def test_matrices_come_nearer_to_having_no_inverse_only_where_the_file_calls_them_definite():
    def matrices(rng):
        half = rng.standard_normal((9, 6, 6))
        return {"a": (half @ half.transpose(0, 2, 1) + 6 * np.eye(6)).astype("f4")}

    least = np.linalg.eigvalsh(made(matrices, {"a": "definite"})["a"].astype("f8"))[:, 0]
    assert (least > 0).all()
    assert (least < 0.2 * np.linalg.eigvalsh(matrices(np.random.default_rng(7))["a"].astype("f8"))[:, 0]).all()
    assert made(matrices) is None


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        (lambda _rng: {"t": np.sort(np.random.default_rng(1).random(N, "f4"))}, {}),  # a table
        (lambda rng: {"t": rng.random() + np.arange(N, dtype="f4") / 64}, {}),  # a grid
        (keys, {"keys": "fixed"}),
        (lambda rng: {"x": rng.standard_normal(N, "f4")}, {}),
        (lambda rng: {"p": rng.permutation(N).astype("i4")}, {}),
    ],
)  # fmt: skip
def test_tables_grids_permutations_and_what_a_file_calls_fixed_stay(draws, words):
    assert made(draws, words) is None


def kernel(inputs):
    return Kernel(
        family="k", problem=Problem("k", Record(n=N)), inputs=inputs, reference=lambda p, arrays: {"y": arrays["y"]},
        work=lambda p: Work(0, 1), implementations=(), origin="k.py", varied=True,
    )  # fmt: skip


def test_a_check_draws_such_inputs():
    ordered = kernel(lambda p, rng: {"t": np.sort(rng.random(N, "f4")), "y": Empty((N,))})
    case = Case(ordered.problem, UNEVEN, 3, 0, added=True)
    assert np.abs(draw(ordered, case)["t"] - np.arange(N) / N).max() > 0.3
    with pytest.raises(UnvariedError):
        draw(replace(ordered, domain={"t": "fixed"}), case)


def test_notable_numbers_stand_side_by_side_within_what_is_drawn():
    rng = np.random.default_rng(1)
    drawn = [np.random.default_rng(seed).integers(0, 2**32, 1 << 16).astype("u4") for seed in (2, 3)]
    a, b = (noted(one, rng, whole_type=True) for one in drawn)
    assert {2047, 3215031751, 4294967295, 65521**2} <= set(a.tolist())
    assert {(2971215073, 1836311903)} & set(zip(a.tolist(), b.tolist(), strict=True))  # 45 divisions
    small = noted(drawn[0] % 100000, rng, whole_type=False)
    assert small.max() < 100000
    assert {2047, 77031} <= set(small.tolist())
    assert noted(drawn[0] % 20, rng, whole_type=False) is None
    assert noted(drawn[0].astype("u1"), rng, whole_type=True) is None


def test_a_check_draws_notable_numbers():
    wide = kernel(lambda p, rng: {"v": rng.integers(0, 2**32, N).astype("u4"), "y": Empty((N,))})
    assert 2047 in draw(wide, Case(wide.problem, NOTABLE, 3, 0, added=True))["v"]
