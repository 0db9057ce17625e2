import numpy as np
import pytest

from hotloop.model.check import Guard
from hotloop.verify.compare import compare
from hotloop.verify.guards import make_banded, payload_view
from hotloop.verify.tolerance import EXACT, Bound

LOOSE = Bound(1e-6, 0.0)


def test_equal_arrays_have_no_error():
    values = np.random.default_rng(0).standard_normal((70, 1100)).astype("f4")
    found = compare("y", values, values.astype("f8"), LOOSE)
    assert found.passed
    assert (found.max_err, found.norm_err, found.worst_ratio, found.wrong, found.worst) == (0.0, 0.0, 0.0, 0, None)
    assert found.cos_sim == pytest.approx(1.0)


def test_measures_of_a_known_error():
    reference = np.array([3.0, 4.0, 0.0])
    found = compare("y", np.array([3.0, 4.0, 0.5], "f4"), reference, Bound(0.0, 1.0))
    assert found.passed
    assert found.max_err == 0.5
    assert found.norm_err == pytest.approx(0.1)
    assert found.cos_sim == pytest.approx(25 / (5 * 25.25**0.5))
    assert found.worst_ratio == 0.5


def test_worst_element_is_named_across_pieces():
    reference = np.ones((300, 400))
    values = reference.astype("f4")
    values[250, 17] = 1.5
    values[3, 3] = 1.1
    found = compare("C", values, reference, LOOSE)
    assert found.worst == (250, 17)
    assert found.wrong == 2
    assert found.reason.startswith("C[250, 17]: got 1.5, expected 1; error 5e+05 of its bound")
    assert "(2 of 120000 elements wrong)" in found.reason


@pytest.mark.parametrize("poison", [0, 1])
def test_never_written_is_said(poison):
    reference = np.full(20, 0.25)
    values = payload_view(make_banded(shape=(20,), poison=poison), "float32", (20,))
    values[:17] = 0.25
    found = compare("y", values, reference, LOOSE, poison=poison)
    assert found.worst == (17,)
    assert found.wrong == 3
    assert "expected 0.25; never written (3 of 20" in found.reason
    assert found.reason.startswith("y[17]: got nan" if poison == 0 else "y[17]: got 7.25")


def test_an_unpoisoned_array_is_not_called_unwritten():
    found = compare("y", np.array([np.nan], "f4"), np.array([1.0]), LOOSE)
    assert found.reason.startswith("y[0]: got nan, expected 1; this NaN comes from arithmetic")
    assert found.guard is Guard.REFERENCE
    beside = np.array([0x7FC5A5A5], "u4").view("f4")
    assert compare("y", beside, np.array([1.0]), LOOSE).guard is Guard.FOREIGN
    assert found.worst_ratio is None


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_special_values_must_match(value):
    reference = np.array([1.0, value, 2.0])
    assert compare("y", reference.astype("f4"), reference, LOOSE).passed
    for other in (0.0, np.nan, np.inf, -np.inf):
        if not (np.isnan(other) and np.isnan(value)) and other != value:
            found = compare("y", np.array([1.0, other, 2.0], "f4"), reference, LOOSE)
            assert found.worst == (1,)
            assert found.max_err == 0.0


def test_overflow_is_judged_by_the_types_range():
    reference = np.array([1e6, -1e6, 65504.0, 100.0])
    right = np.array([np.inf, -np.inf, 65504.0, 100.0], "f2")
    assert compare("y", right, reference, Bound(1e-3, 0.0)).passed
    assert compare("y", np.array([np.inf, -np.inf, np.inf, 100.0], "f2"), reference, Bound(1e-3, 0.0)).passed
    assert compare("y", np.array([np.inf, np.inf, 65504.0, 100.0], "f2"), reference, Bound(1e-3, 0.0)).worst == (1,)
    assert compare("y", np.array([np.inf, -np.inf, 65504.0, np.inf], "f2"), reference, Bound(1e-3, 0.0)).worst == (3,)
    assert not compare("y", np.array([65504.0, -np.inf, 65504.0, 100.0], "f2"), reference, Bound(1e-3, 0.0)).passed


def test_shapes_must_agree():
    found = compare("y", np.zeros((2, 3), "f4"), np.zeros((3, 2)), LOOSE)
    assert not found.passed
    assert found.reason == "y has shape [2, 3], the reference [3, 2]"


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 0, 2)])
def test_nothing_is_right(shape):
    found = compare("y", np.zeros(shape, "f4"), np.zeros(shape), EXACT)
    assert found.passed
    assert (found.max_err, found.cos_sim) == (0.0, 1.0)


def test_scalars():
    assert compare("s", np.array(2.0, "f4"), np.array(2.0), LOOSE).passed
    assert compare("s", np.array(2.5, "f4"), np.array(2.0), LOOSE).reason.startswith("s: got 2.5, expected 2;")


def test_large_integers_are_compared_exactly():
    reference = np.array([2**62 + 1, 5])
    assert compare("n", reference.copy(), reference, EXACT).passed
    found = compare("n", np.array([2**62, 5]), reference, EXACT)
    assert found.worst == (0,)
    assert found.max_err == 1.0
    assert found.worst_ratio is None
    assert str(2**62 + 1) in found.reason


def test_integers_of_other_widths_and_booleans():
    assert compare("n", np.array([1, -2], "i2"), np.array([1, -2], "i8"), EXACT).passed
    assert compare("b", np.array([True, False]), np.array([True, False]), EXACT).passed
    odd = payload_view(make_banded(shape=(2,), dtype="bool"), "bool", (2,))
    assert "never written" in compare("b", odd, np.array([True, True]), EXACT, poison=0).reason


def test_magnitude_widens_where_the_reference_cancels():
    reference, values = np.array([1e-9, 1.0]), np.array([2e-9, 1.0], "f4")
    assert not compare("y", values, reference, LOOSE).passed
    assert compare("y", values, reference, LOOSE, magnitude=np.array([1.0, 1.0])).passed
    assert compare("y", values, reference, LOOSE, magnitude=np.array([np.nan, 1.0])).passed
    assert not compare("y", values, reference, LOOSE, magnitude=np.array([np.nan, 1e-9])).passed


def test_a_bound_that_is_no_number_excuses_nothing():
    found = compare("y", np.array([1.5, 2.0], "f4"), np.array([1.0, 2.0]), Bound(float("nan"), 0.0))
    assert (found.worst, found.wrong) == ((0,), 1)


def test_right_and_wrong_pieces_add_up():
    """One piece takes the quick way, the next the careful one; the measures are those of the whole."""
    reference = np.random.default_rng(1).standard_normal(50_000)
    values = reference * (1 + 1e-7)
    values[30_000] += 1.0
    found = compare("y", values, reference, LOOSE)
    error = values - reference
    assert found.worst == (30_000,)
    assert found.max_err == pytest.approx(np.abs(error).max())
    assert found.norm_err == pytest.approx(np.linalg.norm(error) / np.linalg.norm(reference))
    cosine = values @ reference / np.linalg.norm(values) / np.linalg.norm(reference)
    assert found.cos_sim == pytest.approx(cosine, abs=1e-12)
    assert found.worst_ratio == pytest.approx((np.abs(error) / (1e-6 * np.abs(reference))).max())


def test_norms_of_huge_and_tiny_numbers_do_not_overflow():
    for size in (1e200, 1e-200):
        reference = np.array([3.0, 4.0]) * size
        found = compare("y", reference * (1 + 1e-10), reference, LOOSE)
        assert found.norm_err == pytest.approx(1e-10, rel=1e-3)
        assert found.cos_sim == pytest.approx(1.0)


def test_small_results_within_a_bound_as_large_as_the_reference_have_a_norm():
    reference = np.random.default_rng(8).uniform(1e12, 4e12, 8192)
    found = compare("y", np.full(8192, 1e-3, "f4"), reference, Bound(1e13, 0.0))
    assert found.passed
    assert 0.0 <= found.cos_sim <= 1.0


def test_all_zero_and_opposite():
    assert compare("y", np.zeros(3, "f4"), np.zeros(3), LOOSE).cos_sim == 1.0
    assert compare("y", -np.ones(3, "f4"), np.ones(3), LOOSE).cos_sim == pytest.approx(-1.0)
    assert compare("y", np.zeros(3, "f4"), np.ones(3), LOOSE).cos_sim == 0.0


def test_memory_stays_small():
    import tracemalloc

    reference = np.ones((2048, 1024))
    values = reference.astype("f4")
    tracemalloc.start()
    compare("y", values, reference, LOOSE, magnitude=reference, poison=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < reference.nbytes / 2


def test_a_large_array_is_compared_in_parts_as_in_one():
    rng = np.random.default_rng(5)
    reference = rng.standard_normal(3 * (1 << 19) + 77)
    actual = reference.astype(np.float32)
    for place, value in ((1 << 19, 9.0), (2 * (1 << 19) + 5, 11.0), (3 * (1 << 19) + 76, -7.0)):
        actual[place] = value
    reference[4], actual[4] = np.nan, np.nan
    found = compare("y", actual, reference, Bound(1e-6, 1e-6))
    error = np.abs(np.delete(actual, 4) - np.delete(reference, 4))
    assert (found.wrong, found.worst) == (3, (2 * (1 << 19) + 5,))
    assert found.max_err == pytest.approx(error.max())
    assert found.norm_err == pytest.approx(np.linalg.norm(error) / np.linalg.norm(np.delete(reference, 4)))


@pytest.mark.parametrize("at", [0, (1 << 19) - 1, 1 << 19, 2 * (1 << 19)])
def test_one_wrong_nan_of_a_large_array_is_found_wherever_it_lies(at):
    reference = np.ones(2 * (1 << 19) + 1)
    actual = reference.astype(np.float32)
    actual[at] = np.nan
    found = compare("y", actual, reference, Bound(1e-6, 1e-6))
    assert (found.wrong, found.worst, found.worst_ratio) == (1, (at,), None)


def test_magnitudes_beyond_those_whose_squares_are_finite_are_compared_in_parts_too():
    reference = np.full((1 << 19) + 3, 1e200)
    reference[7] = np.nan
    found = compare("y", reference.copy(), reference, Bound(1e-9, 0.0))
    assert found.passed
    assert (found.norm_err, found.cos_sim) == (0.0, pytest.approx(1.0))
