"""The family of products of 8-bit floats: what a problem asks for, its reference and what errors are allowed."""

import numpy as np
import pytest

from hotloop.app.userfile import problem_of
from hotloop.kernels.gemm_fp8 import KERNEL
from hotloop.kernels.gemm_fp8.problem import DEFAULT, awkward, product, work
from hotloop.kernels.gemm_fp8.reference import inputs, magnitude, reference
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.verify.cases import Case, cases, draw
from hotloop.verify.distributions import ALL
from hotloop.verify.guards import make_banded, payload_view
from hotloop.verify.judge import judge

SMALL = DEFAULT.replace(m=40, n=48, k=320)


def drawn(problem, seed=0):
    return inputs(problem, np.random.default_rng(seed))


def test_the_reference_is_the_sum_in_the_users_words():
    problem = DEFAULT.replace(m=3, n=8, k=16, scales="both", epilogue="bias-relu")
    given = drawn(problem)
    numbers = {name: value.astype(np.float64) for name, value in given.items() if not isinstance(value, Empty)}
    made = reference(problem, given)["c"]
    for i in range(3):
        for j in range(8):
            total = sum(numbers["a"][i, x] * numbers["w"][j, x] for x in range(16))
            wanted = total * numbers["scale_a"][i] * numbers["scale_b"][j] + numbers["bias"][j]
            assert made[i, j] == pytest.approx(max(wanted, 0.0), abs=1e-12)
    assert (magnitude(problem, given)["c"] >= np.abs(made)).all()


def test_inputs_have_the_types_and_forms_that_the_problem_names():
    given = drawn(DEFAULT.replace(m=5, n=24, k=32, dtype="float16", scales="rows", epilogue="bias"))
    assert {name: (value.shape, dtype_of(value.dtype).name) for name, value in given.items()} == {
        "a": ((5, 32), "float8_e4m3fn"),
        "w": ((24, 32), "float8_e4m3fn"),
        "c": ((5, 24), "float16"),
        "scale_a": ((5,), "float32"),
        "scale_b": ((1,), "float32"),
        "bias": ((24,), "float16"),
    }


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"k": 24}, "k=24 a multiple of 16"),
        ({"n": 12}, "n=12 of 8"),
        ({"m": 0}, "m=0 must be at least 1"),
        ({"dtype": "float32"}, "dtype='float32' is not one of bfloat16, float16"),
        ({"scales": "blocks"}, "scales='blocks' is not one of"),
        ({"epilogue": "gelu-tanh"}, "is not"),
        ({"k": 64, "lda": 48}, "lda=48 must be at least k=64"),
        ({"k": 64, "ldw": 72}, "ldw=72 must be at least k=64 and a multiple of 16"),
    ],
)
def test_what_the_family_does_not_have_is_refused(change, why):
    with pytest.raises(ValueError, match=why):
        product(DEFAULT.replace(**change))


def test_shapes_are_read_by_position_and_by_name():
    problem = problem_of(KERNEL, "4096x2048x1024")
    assert [problem.integer(name) for name in "mnk"] == [4096, 2048, 1024]
    named = problem_of(KERNEL, "m=16,scales=both,fast_accum=true")
    assert product(named).fast
    assert product(named).row_scales


def test_work_counts_operands_of_one_byte():
    counted = work(DEFAULT.replace(m=2, n=8, k=16, scales="rows", epilogue="bias"))
    assert counted.flops == 2 * 2 * 8 * 16
    assert counted.bytes == 16 * (2 + 8) + 4 * (2 + 1) + 2 * (2 * 8 + 8)


def test_awkward_problems_have_every_option():
    problems = [product(problem) for problem in awkward(DEFAULT)]
    assert {form.activation for form in problems} == {"none", "relu", "gelu-erf", "silu"}
    assert {(form.row_scales, form.column_scales) for form in problems} == {
        (False, False), (True, False), (False, True), (True, True),
    }  # fmt: skip
    assert {form.fast for form in problems} == {form.bias for form in problems} == {False, True}
    assert {form.dtype for form in problems} == {"bfloat16", "float16"}


# --- what is right and what is not ---------------------------------------------------------------------------------------


def cut(terms, together):
    """Return the sums of the last axis as the instruction adds: 32 at a time, cut 13 bits below the largest."""
    total, partial = np.zeros(terms.shape[:-1]), np.zeros(terms.shape[:-1])
    for start in range(0, terms.shape[-1], 32):
        if start % together == 0:
            total, partial = total + partial, np.zeros_like(partial)
        beside = np.concatenate([partial[..., None], terms[..., start : start + 32]], -1)
        largest = np.abs(np.nan_to_num(beside)).max(-1, keepdims=True)
        unit = np.exp2(np.floor(np.log2(np.where(largest == 0, 1, largest))) - 13)
        partial = (np.trunc(beside / unit) * unit).sum(-1)
    return total + partial


def verdict(problem, distribution="normal", spoil=lambda terms: terms, seed=3):
    case = Case(problem, distribution, seed, 0)
    given = draw(KERNEL, case)
    form = product(problem)
    numbers = {name: value.astype(np.float64) for name, value in given.items() if not isinstance(value, Empty)}
    with np.errstate(all="ignore"):
        terms = spoil(numbers["a"][:, None, :] * numbers["w"][None, :, :])
        sums = cut(terms, form.k if form.fast else 256)
        finished = sums.astype(np.float32) * numbers["scale_a"].astype("f4")[:, None] * numbers["scale_b"].astype("f4")
        banded = {name: make_banded(value) for name, value in given.items() if not isinstance(value, Empty)}
        banded["c"] = make_banded(shape=given["c"].shape, dtype=given["c"].dtype)
        payload_view(banded["c"], form.dtype, given["c"].shape)[...] = finished.astype(dtype_of(form.dtype))
    return judge(KERNEL, case, given, banded)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("distribution", ALL)
@pytest.mark.parametrize("k", [16, 320, 1024])
def test_sums_as_the_instruction_makes_them_raise_no_alarm(k, distribution, fast, dtype):
    found = verdict(SMALL.replace(k=k, fast_accum=fast, dtype=dtype, scales="both"), distribution)
    assert found.passed, found.reason


def lost(terms):
    return terms[..., 1:]


def doubled(terms):
    return np.concatenate([terms, terms[..., :1]], -1)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("spoil", [lost, doubled])
def test_a_lost_or_doubled_step_of_k_is_caught(spoil, fast):
    assert not verdict(SMALL.replace(fast_accum=fast), "integers", spoil).passed
    assert not verdict(SMALL.replace(fast_accum=fast), "normal", spoil).passed


def test_every_case_of_a_full_check_can_be_judged():
    for case in cases(KERNEL, SMALL.replace(m=3), "quick"):
        assert verdict(case.problem, case.distribution, seed=case.seed).passed or case.problem.epilogue != "none"
