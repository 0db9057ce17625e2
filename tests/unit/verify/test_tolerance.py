import numpy as np
import pytest

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Tolerance
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.tolerance import EXACT, Bound, bound, eps, exact, exact_sums, typical

PROBLEM = Problem("dot", Record(k=100))
CHAIN = Tolerance(terms=lambda p: p.integer("k"))


@pytest.mark.parametrize(("dtype", "gap"), [("float16", 2**-10), ("float32", 2**-23), ("float64", 2**-52)])
def test_bound_follows_the_arithmetic(dtype, gap):
    found = bound(CHAIN, PROBLEM, dtype)
    assert eps(dtype) == gap
    assert found.relative == pytest.approx(4 * 100 * gap)
    assert found.rounding == 0.0
    assert 0 < found.absolute < 1e-6


@pytest.mark.parametrize("dtype", ["int32", "bool", "int64"])
def test_integers_are_exact(dtype):
    assert bound(Tolerance(absolute=1.0), PROBLEM, dtype) == EXACT


def test_coarse_output_of_fine_arithmetic_may_round_once():
    found = bound(Tolerance(eps_dtype="float32"), PROBLEM, "float16")
    assert found.relative == pytest.approx(4 * 2**-23)
    assert found.rounding == 2**-10


def test_bfloat16_arithmetic_in_float32_output():
    assert bound(Tolerance(eps_dtype="bfloat16"), PROBLEM, "float32").relative == 4 * 2**-7


def test_no_terms_count_as_one():
    assert bound(Tolerance(terms=lambda _: 0), PROBLEM, "float32").relative == 4 * 2**-23


def test_magnitude_replaces_a_cancelled_reference():
    one = Bound(0.1, 0.0)
    assert one.at(np.array([0.0, 5.0]), np.array([10.0, 20.0])).tolist() == [1.0, 2.0]
    assert one.at(np.array([0.0, -5.0])).tolist() == [0.0, 0.5]


def test_flush_to_zero_is_allowed():
    assert bound(Tolerance(), PROBLEM, "float32").at(np.array([1e-39]))[0] > 1e-39


def test_real_dot_products_respect_the_bound():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((200, 100)).astype("f4"), rng.standard_normal((100,)).astype("f4")
    exact, scale = a.astype("f8") @ b.astype("f8"), np.abs(a).astype("f8") @ np.abs(b).astype("f8")
    sequential = np.zeros(200, "f4")
    for i in range(100):
        sequential += a[:, i] * b[i]
    assert (np.abs(sequential - exact) <= bound(CHAIN, PROBLEM, "float32").at(exact, scale)).all()


def test_exact_sums_need_integers_room_and_enough_outputs():
    whole, single = np.arange(32.0), np.dtype("float32")
    assert exact_sums(whole, whole + 1, single)
    assert not exact_sums(whole, whole + 0.5, single)
    assert not exact_sums(whole, whole + 2.0**23, single)
    assert not exact_sums(whole[:4], whole[:4], single)
    assert not exact_sums(whole, np.full(32, np.nan), single)
    assert not exact_sums(whole, whole + 2000, np.dtype("float16"))


@pytest.mark.parametrize(
    "tolerance",
    [
        Tolerance(factor=float("inf")),
        Tolerance(factor=-1.0),
        Tolerance(absolute=float("nan")),
        Tolerance(terms=lambda _p: float("inf")),
        Tolerance(terms=lambda _p: None),
        Tolerance(loss=0.5),
        Tolerance(loss="much"),
    ],
)
def test_a_tolerance_that_accepts_anything_is_refused(tolerance):
    with pytest.raises(KernelFileError, match="must be finite and not negative|must be a number, 1 or more"):
        bound(tolerance, Problem("k", Record(n=1)), "float32")


@pytest.mark.parametrize("named", ["float31", "int32", lambda _p: "text"])
def test_arithmetic_must_be_in_a_floating_point_type(named):
    with pytest.raises(
        KernelFileError, match=r"tolerance of dot has eps_dtype = .*; it must name a floating-point type"
    ):
        bound(Tolerance(eps_dtype=named), PROBLEM, "float32")


def test_arithmetic_may_depend_on_the_problem():
    tolerance = Tolerance(eps_dtype=lambda p: "float16" if p.k > 50 else "")
    assert bound(tolerance, PROBLEM, "float32").relative == 4 * 2**-10
    assert bound(tolerance, Problem("dot", Record(k=10)), "float32").relative == 4 * 2**-23


def test_sums_of_integers_are_exact_in_the_arithmetic_and_rounded_once():
    whole = np.arange(32.0)
    fine, own = Tolerance(eps_dtype="float32"), Tolerance()
    sums = (whole, whole + 1000)
    assert exact(fine, PROBLEM, np.dtype("float16"), sums) == Bound(0.0, 0.0, 2.0**-10)
    assert exact(own, PROBLEM, np.dtype("float16"), sums) is None
    assert exact(own, PROBLEM, np.dtype("float32"), sums) == EXACT
    assert exact(Tolerance(eps_dtype="bfloat16"), PROBLEM, np.dtype("float32"), sums) == EXACT


def test_integers_are_exact_but_for_whole_numbers_that_the_file_allows():
    limits = [bound(Tolerance(absolute=one), PROBLEM, "uint8") for one in (0.0, 0.9, 1.01, 2.0)]
    assert limits == [EXACT, EXACT, Bound(0.0, 1.0), Bound(0.0, 2.0)]
    with pytest.raises(KernelFileError, match="absolute"):
        bound(Tolerance(absolute=float("inf")), PROBLEM, "uint8")


def test_typical_errors_grow_with_the_root_of_the_terms():
    tolerance, problem = Tolerance(terms=lambda p: float(p.n)), Problem("k", Record(n=10_000))
    assert typical(tolerance, problem, "float32").relative == pytest.approx(100 * 2.0**-23)
