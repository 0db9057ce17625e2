"""The family of products with 4-bit weights: what a problem asks for, its reference and what errors are allowed."""

import numpy as np
import pytest

from hotloop.app.userfile import problem_of
from hotloop.kernels.gemm_int4 import KERNEL
from hotloop.kernels.gemm_int4.problem import DEFAULT, awkward, product, work
from hotloop.kernels.gemm_int4.reference import inputs, magnitude, reference
from hotloop.kernels.gemm_int4.storage import dequantized, unpack
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.verify.cases import Case, draw
from hotloop.verify.distributions import ALL
from hotloop.verify.guards import make_banded, payload_view
from hotloop.verify.judge import judge

SMALL = DEFAULT.replace(m=9, n=64, k=512)


def drawn(problem, seed=0):
    return inputs(problem, np.random.default_rng(seed))


def test_the_reference_is_the_sum_in_the_users_words():
    problem = DEFAULT.replace(m=2, n=64, k=128, epilogue="bias-relu", lda=140)
    given = drawn(problem)
    assert given["a"].shape == (2, 140)
    q = unpack(given["w"]).astype(np.float64)
    made = reference(problem, given)["c"]
    for i, j in ((0, 0), (1, 63), (0, 17)):
        scale = float(given["scale"][0, j])
        total = sum(float(given["a"][i, x]) * (q[x, j] - 8) * scale for x in range(128))
        assert made[i, j] == pytest.approx(max(total + float(given["bias"][j]), 0.0), abs=1e-9)
    assert (magnitude(problem, given)["c"] >= np.abs(made)).all()


def test_gelu_of_minus_infinity_is_its_limit():
    problem = DEFAULT.replace(m=1, n=64, k=128, epilogue="gelu-erf")
    given = dict(drawn(problem))
    given["a"] = np.zeros_like(given["a"])
    given["a"][0, 0] = -np.inf
    made, weights = reference(problem, given)["c"], dequantized(unpack(given["w"]), given["scale"])
    assert (made[0][weights[0] > 0] == 0).all()
    assert np.isposinf(made[0][weights[0] < 0]).all()
    assert np.isnan(made[0][weights[0] == 0]).all()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"k": 192}, "k=192 a multiple of 128"),
        ({"n": 96}, "n=96 of 64"),
        ({"m": 0}, "m=0 must be at least 1"),
        ({"dtype": "float32"}, "dtype='float32' is not one of bfloat16, float16"),
        ({"lda": 512}, "lda=512 must be at least k=1024"),
    ],
)
def test_what_the_family_does_not_have_is_refused(change, why):
    with pytest.raises(ValueError, match=why):
        product(DEFAULT.replace(**change))


def test_shapes_are_read_by_position():
    problem = problem_of(KERNEL, "64x2048x512")
    assert [problem.integer(name) for name in "mnk"] == [64, 2048, 512]


def test_work_counts_weights_of_half_a_byte():
    counted = work(DEFAULT.replace(m=2, n=64, k=128, epilogue="bias"))
    assert counted.flops == 2 * 2 * 64 * 128
    assert counted.bytes == 128 * 64 / 2 + 2 * 64 + 2 * 2 * (128 + 64) + 2 * 64


def test_awkward_problems_have_every_option():
    forms = [product(problem) for problem in awkward(DEFAULT)]
    assert {form.activation for form in forms} == {"none", "relu", "gelu-erf", "silu"}
    assert {form.dtype for form in forms} == {"bfloat16", "float16"}
    assert {form.bias for form in forms} == {False, True}
    assert any(form.lda > form.k for form in forms)


def verdict(distribution, spoil=lambda a, w: a @ w, problem=SMALL):
    case = Case(problem, distribution, 3, 0)
    given = draw(KERNEL, case)
    banded = {name: make_banded(value) for name, value in given.items() if not isinstance(value, Empty)}
    banded["c"] = make_banded(shape=given["c"].shape, dtype=given["c"].dtype)
    with np.errstate(all="ignore"):
        weights = dequantized(unpack(given["w"]), given["scale"]).astype(np.float32)
        made = spoil(given["a"].astype(np.float32), weights)
        payload_view(banded["c"], given["c"].dtype, given["c"].shape)[...] = made.astype(dtype_of(given["c"].dtype))
    return judge(KERNEL, case, given, banded)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("distribution", ALL)
def test_right_sums_raise_no_alarm(distribution, dtype):
    found = verdict(distribution, problem=SMALL.replace(dtype=dtype))
    assert found.passed, found.reason


@pytest.mark.parametrize(
    "spoil",
    [
        lambda a, w: a[:, 1:] @ w[1:],
        lambda a, w: a @ w + a[:, :1] @ w[:1],
        lambda a, w: a @ np.roll(w, 1, axis=0),
        lambda a, w: a @ w[:, ::-1],
    ],
    ids=["a lost step", "a step twice", "weights of the next row", "columns the wrong way round"],
)
@pytest.mark.parametrize("distribution", ["normal", "integers"])
def test_wrong_weights_are_caught(spoil, distribution):
    assert not verdict(distribution, spoil).passed
