from __future__ import annotations

import numpy as np
import pytest

from hotloop.model.kernel import Empty
from hotloop.verify.domain import STAYS, Freedom
from hotloop.verify.variety import (
    BLOCKS,
    CHAINS,
    DIGESTS,
    IDLE,
    KINDS,
    LANDMARKS,
    LARGEST,
    NOTABLE,
    ORDERS,
    SCALARS,
    STEERED,
    UNEVEN,
    vary,
)

RNG = np.random.default_rng(3)
INPUTS = {
    "x": RNG.standard_normal((6, 40), "f4"), "k": RNG.integers(0, 9, 50, dtype="i4"), "b": RNG.integers(0, 256, 90, dtype="u1"),
    "ptr": np.arange(7, dtype="i4"), "y": Empty((4,)), "alpha": 1.0, "n": np.int32(40), "seed": np.uint32(5),
}  # fmt: skip
FREE = {
    "x": Freedom(values=True, signs=True, specials=(float("nan"), float("inf"), -0.0)), "k": Freedom(values=True), "b": Freedom(values=True, extremes=True), "ptr": STAYS,
}  # fmt: skip


def varied(kind, inputs=INPUTS, free=FREE):
    return vary(kind, inputs, free, np.random.default_rng(1))


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind not in (IDLE, UNEVEN, NOTABLE, ORDERS, CHAINS, STEERED)]
)
def test_types_shapes_sizes_and_structure_stay(kind):
    found = varied(kind)
    for name in ("x", "k", "b"):
        assert (found[name].dtype, found[name].shape) == (INPUTS[name].dtype, INPUTS[name].shape)
    assert found["k"].min() >= INPUTS["k"].min()
    assert found["k"].max() <= INPUTS["k"].max()
    assert found["ptr"] is INPUTS["ptr"]
    assert found["y"] is INPUTS["y"]
    assert found["n"] == 40


def test_each_kind_is_what_it_says():
    assert len(np.unique(varied("ties")["x"])) < INPUTS["x"].size
    assert len(np.unique(varied("constant")["x"])) == 1
    assert (np.diff(varied("sorted")["x"], axis=1) >= 0).all()
    assert (np.diff(varied("reversed")["x"], axis=1) <= 0).all()
    assert (varied("negative")["x"] <= 0).all()
    assert varied("far up")["x"].min() > 100
    assert varied("far down")["x"].max() < -100
    assert {0, 255, 254, 127, 128} <= set(varied("ends")["b"].tolist())
    assert varied(SCALARS)["alpha"] != 1.0
    assert varied(SCALARS)["seed"].dtype == np.uint32
    assert varied("ties", {**INPUTS, "alpha": 0.7})["alpha"] == 0.5


def test_spikes_are_rows_of_small_values_with_one_as_large_as_any():
    drawn = np.linspace(-1, 2, 3000, dtype="f4").reshape(30, 100)
    found = varied("spikes", {"x": drawn}, {"x": Freedom(values=True)})["x"]
    large = np.abs(found) > 2.0**-10
    assert (large.sum(1) == 1).all()
    assert (found[large] == 2).all()
    assert {0, 99} < set(large.argmax(1))
    assert varied("spikes", {"x": drawn + 2}, {"x": Freedom(values=True)}) is None  # nothing as small is ever drawn


def test_patches_are_flat_areas_some_of_them_zero():
    image = np.random.default_rng(5).integers(0, 256, (40, 60)).astype("u1")
    found = varied("patches", {"image": image}, {"image": Freedom(values=True)})["image"].astype(int)
    assert (np.diff(found, axis=0) == 0).mean() > 0.7
    assert (np.diff(found, axis=1) == 0).mean() > 0.7
    assert len(np.unique(found)) > 10
    assert 0.02 < (found == 0).mean() < 0.7
    positive = varied("patches", {"image": image | 1}, {"image": Freedom(values=True)})["image"]
    assert positive.all()


def test_whole_rows_are_special_values_where_any_may_stand():
    found = varied("special rows")["x"]
    same = [row for row in found if len(set(row.astype("U"))) == 1]
    assert 1 <= len(same) < len(found)
    assert {str(row[0]) for row in same} <= {"nan", "inf", "-0.0"}
    assert varied("special rows", free=FREE | {"x": Freedom(values=True, signs=True)}) is None


def test_a_special_value_stands_alone_in_a_row_that_is_ordinary_otherwise():
    free = Freedom(values=True, signs=True, specials=(float("nan"), float("inf")))
    made = vary("lone specials", {"x": np.ones((40, 9), "f4")}, {"x": free}, np.random.default_rng(1))["x"]
    counts = (~np.isfinite(made)).sum(1)
    assert set(counts) == {0, 1}
    assert {0, 8} < set(np.nonzero(~np.isfinite(made))[1])
    flat = vary("lone specials", {"x": np.ones(50, "f4")}, {"x": free}, np.random.default_rng(1))["x"]
    assert flat.shape == (50,)
    assert (flat == 1).any()
    assert (
        vary("lone specials", {"x": np.ones(50, "f4")}, {"x": Freedom(values=True)}, np.random.default_rng(1)) is None
    )


@pytest.mark.parametrize("kind", ["ties", "far up", "ends", "stretched", "patches", "sorted"])
def test_numbers_amid_missing_values_vary_as_others_do(kind):
    """The least of an array with a NaN is none: all kinds that ask for it would draw nothing but NaN."""
    value = np.random.default_rng(2).standard_normal((30, 8)).astype("f4")
    value[::3, 2] = np.nan
    free = Freedom(values=True, signs=True, specials=(float("nan"),))
    made = vary(kind, {"x": value}, {"x": free}, np.random.default_rng(1))["x"]
    assert (np.isnan(made) == np.isnan(value)).all()
    assert (made != value)[~np.isnan(value)].mean() > 0.3
    assert kind != "ends" or (made == 0).any()


def test_what_changes_nothing_is_no_case():
    assert varied("negative", {"k": INPUTS["k"]}, {"k": FREE["k"]}) is None
    assert varied(SCALARS, {"x": INPUTS["x"], "n": np.int32(3)}) is None


def test_of_several_arrays_every_other_one_is_moved():
    free = dict.fromkeys("abc", Freedom(values=True, signs=True))
    inputs = {name: RNG.standard_normal(64).astype("f4") for name in "abc"}
    moved = {
        kind: {name for name, value in vary(kind, inputs, free, RNG).items() if abs(value.mean()) > 50}
        for kind in ("far up", "far down")
    }
    assert sorted(moved["far up"] | moved["far down"]) == ["a", "b", "c"]
    assert not moved["far up"] & moved["far down"]
    again = {name for name, value in vary("far up", inputs, free, RNG, turn=1).items() if abs(value.mean()) > 50}
    assert again == moved["far down"], "each array is moved up and down, in two turns"
    alone = vary("far up", {"a": inputs["a"]}, free, RNG)
    assert alone["a"].mean() > 50


def landed(name, value, *, marks=(), extremes=False, **numbers):
    free = {name: Freedom(values=True, signs=True, extremes=extremes)}
    return vary(LANDMARKS, {name: value, **numbers}, free, np.random.default_rng(2), frozenset(marks))[name]


def test_numbers_of_the_file_and_what_drawn_ones_lack_of_them_are_tried_within_the_range():
    drawn = RNG.integers(0, 998244353, 4000, dtype="u4")
    found = landed("r", drawn, marks=(998244353, 12345678, 2**40, -3))
    assert {12345677, 12345678, 12345679} <= set(found.tolist())
    assert (np.isin(998244353 - found.astype("i8"), drawn) & (found > 12345679)).any(), "pairs whose sum is the modulus"
    assert drawn.min() <= found.min() < 2**20 < found.max() <= drawn.max()


def test_multiples_of_numbers_of_the_file_are_tried():
    drawn = RNG.integers(-(2**60), 2**60, 4000)
    found = landed("t", drawn, marks=(86_400_000_000,))
    assert ((found % 86_400_000_000 == 0) & (found < 0) & (found < -86_400_000_000)).any()


def test_multiples_once_a_number_is_added_are_tried():
    """A day of some offset that begins at midnight, and the last day of a cycle that is not counted from zero."""
    drawn = RNG.integers(-(2**60), 2**60, 4000)
    found = landed("t", drawn, marks=(86_400, 60), offset=np.int32(-347)) - 347 * 60
    assert ((found % 86_400 == 0) & (found < 0)).any()
    days = [landed("d", RNG.integers(-200000, 200000, 6000, dtype="i4"), marks=(146097, 719468)) for _ in range(4)]
    assert all(((day + 719468) % 146097 == 146096).any() for day in days)


def test_integers_of_the_largest_magnitude_are_no_multiples_of_powers_of_two():
    drawn = {"x": RNG.integers(-1000, 900, (3, 50), dtype="i4"), "y": RNG.standard_normal(9)}
    found = vary(LARGEST, drawn, dict.fromkeys("xy", Freedom(values=True, ends=(-1000, 899))), RNG)
    assert found["x"][:, 1:].tolist() == [[-1000] * 49] * 3
    assert found["x"][:, 0].tolist() == [-999] * 3
    assert found["y"] is drawn["y"]


def test_tied_integers_have_the_one_that_most_powers_of_two_divide():
    free = {"f": Freedom(values=True, ends=(2**30, 2**31 - 1))}
    drawn = RNG.integers(2**30, 2**31, 4000, dtype="i4")
    assert all(2**30 in vary("ties", {"f": drawn}, free, RNG)["f"] for _ in range(8))


def test_any_value_of_a_type_reaches_numbers_that_were_not_drawn():
    assert 2**31 - 1 in landed("r", RNG.integers(0, 2**30, 900, dtype="i4"), marks=(2**31 - 1,), extremes=True)


def test_ties_of_numbers_of_many_binades_are_halves_whatever_their_exponent_is():
    drawn = (RNG.standard_normal(4000) * 2.0 ** RNG.integers(-20, 18, 4000)).astype("f4")
    found = vary("ties", {"rgb": drawn}, {"rgb": Freedom(values=True, signs=True)}, RNG)["rgb"].astype("f8")
    mantissa = np.frexp(np.abs(found))[0]
    assert (found != 0).mean() > 0.99, "multiples of one number for all would be zeros"
    assert (np.ldexp(mantissa, 9) % 1 == 0.5).mean() > 0.03, "exact halves of nine bits"
    assert (np.ldexp(mantissa, 14) % 1 == 0).all()


def test_few_floats_become_numbers_that_are_exact_in_their_type():
    drawn = RNG.uniform(-2, 2, 6400).astype("f4")
    found = landed("x", drawn, marks=(0.1, 0.5, 3.0))
    changed = found[found != drawn]
    assert {0.0, 0.5, -0.5} == set(changed.tolist()), (
        "a tenth lies beside its limit in float32, three beyond what is drawn"
    )
    assert changed.size <= 20, "zero and zero seldom meet in a quotient"
    assert vary(LANDMARKS, {"x": drawn + 9}, {"x": Freedom(values=True)}, RNG, frozenset((0.5,))) is None


def test_a_mark_for_nothing_is_no_end_of_a_range():
    rng = np.random.default_rng(4)
    costs = np.where(rng.random(4000) < 0.2, 2**31 - 1, rng.integers(0, 2**20, 4000)).astype("i4")
    for kind in ("landmarks", "ties", "coarse", "ends"):
        found = vary(kind, {"d": costs}, {"d": Freedom(values=True)}, np.random.default_rng(5))["d"]
        assert found[found != 2**31 - 1].max() < 2**20
        assert found.min() >= 0


def test_about_half_of_tied_integers_are_multiples_of_powers_of_two():
    factors = np.random.default_rng(6).integers(2**30, 2**31, 500).astype("i4")
    found = [
        vary("ties", {"f": factors}, {"f": Freedom(values=True)}, np.random.default_rng(seed))["f"] for seed in range(9)
    ]
    assert sum(bool((one % 4096 == 0).any()) for one in found) > 4
    assert min(one.min() for one in found) >= factors.min()


@pytest.mark.parametrize("part", [lambda i: i % 2 == 0, lambda i: i & 64 > 0, lambda i: i // 256 % 2 == 1])
def test_striped_rows_differ_in_every_part_that_a_sum_may_leave_out(part):
    drawn = np.float32(0.5) + np.random.default_rng(2).random((3, 1024), "f4")
    found = varied("striped", {"x": drawn}, {"x": Freedom(values=True)})["x"]
    assert np.array_equal(np.sort(found, axis=1), np.sort(drawn, axis=1))
    assert np.array_equal(found[:, :128], drawn[:, :128])
    assert np.array_equal(found[:, -128:], drawn[:, -128:])
    assert (np.abs(found[:, part(np.arange(1024))].mean(axis=1) - found.mean(axis=1)) > 0.01).all()


def test_late_values_begin_as_drawn():
    drawn = np.random.default_rng(2).random(1024, "f4")
    for seed in range(8):
        found = vary("late", {"x": drawn}, {"x": Freedom(values=True)}, np.random.default_rng(seed))
        assert found is None or (
            np.array_equal(found["x"][:256], drawn[:256]) and not np.array_equal(found["x"][768:896], drawn[768:896])
        )


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in KINDS
        if kind not in (IDLE, UNEVEN, NOTABLE, SCALARS, ORDERS, CHAINS, BLOCKS, LARGEST, DIGESTS, STEERED)
    ],
)
@pytest.mark.parametrize("beside", [np.arange(90) % 7 == 0, np.array(3, "f4")], ids=["truth values", "no dimensions"])
def test_no_array_keeps_the_others_from_being_varied(kind, beside):
    """An error of one kind of array left a whole kind of input out, and nobody was told."""
    inputs = {"x": np.random.default_rng(1).standard_normal(90).astype("f4"), "m": beside}
    free = {"x": FREE["x"], "m": Freedom(values=True)}
    found = vary(kind, inputs, free, np.random.default_rng(2), frozenset({0.5}))
    assert not np.array_equal(found["x"], inputs["x"], equal_nan=True)
    assert (found["m"].dtype, found["m"].shape) == (beside.dtype, beside.shape)


def polynomial(values, multiplier):
    """Return the hash of each row modulo 2^32."""
    powers = np.array([pow(multiplier, at, 2**32) for at in range(values.shape[-1])][::-1], "u8")
    return (values.astype("i8").view("u8") * powers).sum(-1) % 2**32


@pytest.mark.parametrize("multiplier", [31, 0x9E3779B1])
def test_words_that_differ_have_one_hash(multiplier):
    drawn = RNG.integers(0, 256, (200, 8), dtype="u1")
    found = vary(DIGESTS, {"w": drawn}, {"w": Freedom(values=True)}, RNG, frozenset({float(multiplier)}))["w"]
    changed = (found != drawn).any(axis=-1)
    same = polynomial(found, multiplier) == polynomial(drawn, multiplier)
    assert (changed & same).sum() >= 5


def test_long_numbers_that_differ_have_one_hash():
    drawn = RNG.integers(0, 2**63, 400, dtype="u8")
    found = vary(DIGESTS, {"k": drawn}, {"k": Freedom(values=True)}, RNG, frozenset({40503.0}))["k"]
    low, high = (np.stack([value & np.uint64(2**32 - 1), value >> np.uint64(32)]) for value in (drawn, found))
    folded = [(half[0] + half[1] * np.uint64(40503)) % np.uint64(2**32) for half in (low, high)]
    assert ((found != drawn) & (folded[0] == folded[1])).sum() >= 20
    assert ((found != drawn) & (low[0] ^ low[1] == high[0] ^ high[1])).any()


def test_few_letters_have_no_room_for_an_equal_hash():
    drawn = RNG.integers(0, 4, (50, 8), dtype="u1")
    assert vary(DIGESTS, {"w": drawn}, {"w": Freedom(values=True)}, RNG, frozenset({31.0})) is None
