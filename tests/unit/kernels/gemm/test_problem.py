from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT, awkward, gemm, work
from hotloop.kernels.gemm.reference import inputs, magnitude, reference
from hotloop.model.kernel import Empty
from hotloop.verify.tolerance import bound

SMALL = DEFAULT.replace(m=5, n=7, k=3)


def test_row_major_stays_as_it_is():
    form = gemm(SMALL.replace(op="nt"))
    assert (form.m, form.n, form.k) == (5, 7, 3)
    assert (form.a.name, form.b.name) == ("a", "b")
    assert (form.transposed_a, form.transposed_b) == (False, True)
    assert (form.a.ld, form.b.ld, form.c.ld) == (3, 3, 7)


def test_column_major_swaps_operands_and_extents_but_moves_nothing():
    form = gemm(SMALL.replace(layout="col", op="nt"))
    assert (form.m, form.n, form.k) == (7, 5, 3)
    assert (form.a.name, form.b.name) == ("b", "a")
    assert (form.transposed_a, form.transposed_b) == (True, False)
    assert (form.a.ld, form.b.ld, form.c.ld) == (7, 5, 5)


@pytest.mark.parametrize("layout", ["row", "col"])
@pytest.mark.parametrize("op", ["nn", "nt", "tn", "tt"])
def test_the_row_major_form_computes_the_same_product(layout: str, op: str):
    """The canonical form, evaluated literally, agrees with the reference written from the user's view."""
    problem = SMALL.replace(layout=layout, op=op, lda=11, ldb=12, ldc=13, offset_a=2, offset_b=1, offset_c=3, beta=0.5)
    arrays = inputs(problem, np.random.default_rng(1))
    form = gemm(problem)

    def element(matrix, row, column):
        return float(arrays[matrix.name][matrix.offset + row * matrix.ld + column])

    expected = reference(problem, arrays)["c"]
    for i in range(form.m):
        for j in range(form.n):
            total = sum(
                element(form.a, *((p, i) if form.transposed_a else (i, p)))
                * element(form.b, *((j, p) if form.transposed_b else (p, j)))
                for p in range(form.k)
            )
            old = element(form.c, i, j)
            assert expected[form.c.offset + i * form.c.ld + j] == pytest.approx(total + 0.5 * old, rel=1e-12, abs=1e-12)


def test_the_reference_leaves_gaps_and_offset_untouched():
    problem = SMALL.replace(ldc=10, offset_c=4)
    arrays = inputs(problem, np.random.default_rng(2))
    expected, old = reference(problem, arrays)["c"], np.asarray(arrays["c"], np.float64)
    inside = np.zeros(old.size, bool)
    for row in range(5):
        inside[4 + row * 10 : 4 + row * 10 + 7] = True
    assert np.array_equal(expected[~inside], old[~inside])
    assert not np.array_equal(expected[inside], old[inside])


@pytest.mark.parametrize("change", [{"alpha": 0.0}, {"k": 0}])
def test_operands_that_are_not_read_do_not_spread_nan(change):
    problem = SMALL.replace(beta=2.0, **change)
    arrays = dict(inputs(problem, np.random.default_rng(3)))
    arrays["a"] = np.full_like(arrays["a"], np.nan)
    assert np.allclose(reference(problem, arrays)["c"], 2.0 * arrays["c"].astype("f8"))


def test_bias_follows_the_columns_of_c_in_both_layouts():
    assert gemm(SMALL.replace(epilogue="bias")).bias == "columns"
    assert gemm(SMALL.replace(epilogue="bias", layout="col")).bias == "rows"
    for layout in ("row", "col"):
        problem = SMALL.replace(epilogue="bias-relu", layout=layout, alpha=0.0)
        arrays = inputs(problem, np.random.default_rng(4))
        got = reference(problem, arrays)["c"].reshape((5, 7) if layout == "row" else (7, 5))
        assert np.array_equal(got if layout == "row" else got.T, np.tile(np.maximum(arrays["bias"], 0), (5, 1)))


@pytest.mark.parametrize("name", ["relu", "gelu-tanh", "gelu-erf", "silu"])
def test_activations_have_their_known_values(name):
    problem = DEFAULT.replace(m=1, n=3, k=1, epilogue=name)
    arrays = {"a": np.ones(1, "f4"), "b": np.array([-1, 0, 2], "f4"), "c": np.zeros(3, "f4")}
    known = {
        "relu": [0, 0, 2],
        "gelu-tanh": [-0.158808, 0, 1.954598],
        "gelu-erf": [-0.158655, 0, 1.954500],
        "silu": [-0.268941, 0, 1.761594],
    }
    assert np.allclose(reference(problem, arrays)["c"], known[name], atol=1e-6)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"m": -1}, "m=-1 is negative"),
        ({"lda": 2}, "lda=2 is smaller"),
        ({"op": "nc"}, "op='nc'"),
        ({"epilogue": "tanh"}, "epilogue='tanh'"),
        ({"dtype": "int8"}, "dtype='int8'"),
        ({"dtype": "bfloat16", "accumulate": "bfloat16"}, "accumulate='bfloat16' is not one of float16"),
    ],
)
def test_meaningless_problems_are_refused(change, text):
    with pytest.raises(ValueError, match=text):
        gemm(SMALL.replace(**change))


def test_work_counts_what_is_needed():
    assert (work(SMALL).flops, work(SMALL).bytes) == (2 * 5 * 7 * 3, 4 * (15 + 21 + 35))
    assert work(SMALL.replace(beta=1.0)).bytes == 4 * (15 + 21 + 70)
    assert work(SMALL.replace(alpha=0.0)).flops == 0
    assert work(SMALL.replace(m=0)).bytes == 0
    assert work(SMALL.replace(epilogue="bias", dtype="float64")).bytes == 8 * (15 + 21 + 35 + 7)


def test_awkward_problems_are_small_and_valid_and_give_usable_references():
    problems = awkward(DEFAULT)
    assert {p.op for p in problems} == {"nn", "nt", "tn", "tt"}
    for problem in problems:
        assert work(problem).flops < 2e6
        arrays = KERNEL.inputs(problem, np.random.default_rng(0))
        assert np.isfinite(reference(problem, arrays)["c"]).all()
        assert (magnitude(problem, arrays)["c"] >= 0).all()


@pytest.mark.parametrize(("dtype", "eps"), [("float16", 2.0**-10), ("bfloat16", 2.0**-7)])
def test_bounds_of_16_bits_have_k_roundings_of_the_sums_and_one_of_the_result(dtype, eps):
    found = bound(KERNEL.tolerance, SMALL.replace(dtype=dtype, k=1024), dtype)
    assert (found.relative, found.rounding) == (4 * 1025 * 2.0**-23, eps)


def test_bounds_of_sums_in_the_matrices_own_type_have_no_further_rounding():
    found = bound(KERNEL.tolerance, SMALL.replace(k=1024), "float32")
    assert (found.relative, found.rounding) == (4 * 1025 * 2.0**-23, 0.0)
    half = bound(KERNEL.tolerance, SMALL.replace(dtype="float16", accumulate="float16", k=64), "float16")
    assert (half.relative, half.rounding) == (4 * 65 * 2.0**-10, 0.0)
    assert bound(KERNEL.tolerance, SMALL.replace(dtype="float64", k=64), "float64").relative == 4 * 65 * 2.0**-52


def test_bfloat16_problems_have_inputs_and_references():
    for problem in awkward(DEFAULT.replace(dtype="bfloat16")):
        arrays = KERNEL.inputs(problem, np.random.default_rng(0))
        types = {value.dtype if isinstance(value, Empty) else value.dtype.name for value in arrays.values()}
        assert types == {"bfloat16"}
        assert np.isfinite(reference(problem, arrays)["c"]).all()
        assert work(problem).bytes == work(problem.replace(dtype="float16")).bytes
