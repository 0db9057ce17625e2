"""bfloat16 through verification: every planted bug is caught, a right product raises no alarm."""

import subprocess
import sys

import numpy as np
import pytest

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.reference import magnitude, reference
from hotloop.model.dtype import bfloat16, dtype_of, floating, item_bytes, limits, numeric
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.ports import BAND_BYTES, Slot
from hotloop.verify.cases import Case, cases, draw
from hotloop.verify.compare import compare
from hotloop.verify.distributions import ALL, redraw
from hotloop.verify.guards import canary, make_banded, make_scratch, overrun, payload_view
from hotloop.verify.judge import judge
from hotloop.verify.poison import fill, fill_scratch, is_poison, pattern
from hotloop.verify.tolerance import EXACT, Bound, bound, eps, exact_sums

BF16 = bfloat16()
PRODUCT = DEFAULT.replace(m=64, n=48, k=320, dtype="bfloat16")
M, N, K = (PRODUCT.integer(name) for name in "mnk")


def rounded(values):
    return np.asarray(values).astype(BF16)


# --- the type --------------------------------------------------------------------------------------------------------


def test_the_properties_are_those_of_the_type_itself():
    def number(bits):
        return float(np.array([bits], "<u2").view(BF16)[0])

    known = limits(BF16)
    assert (known.largest, known.normal, known.smallest) == (number(0x7F7F), number(0x0080), number(0x0001))
    assert known.eps == number(0x3F81) - 1.0 == eps("bfloat16") == eps(BF16)
    assert float(rounded(2.0**known.digits - 1)) == 2.0**known.digits - 1
    assert float(rounded(2.0**known.digits + 1)) == 2.0**known.digits


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_properties_of_other_types_are_numpys(dtype):
    known, numpys = limits(np.dtype(dtype)), np.finfo(dtype)
    assert (known.eps, known.largest, known.normal) == (numpys.eps, numpys.max, numpys.tiny)
    assert known.digits == numpys.nmant + 1


def test_what_counts_as_a_number():
    assert [floating(dtype_of(name)) for name in ("bfloat16", "f2", "i2", "?", "V2", "c8")] == [
        True,
        True,
        *[False] * 4,
    ]
    assert [numeric(dtype_of(name)) for name in ("bfloat16", "f2", "i2", "?", "V2", "c8")] == [
        *[True] * 4,
        False,
        False,
    ]
    assert Slot("x", "bfloat16", (3, 5), "", output=False, input=True).payload_bytes == 30
    assert [item_bytes(name) for name in ("bfloat16", "float64")] == [2, 8]
    with pytest.raises(TypeError):
        dtype_of("bfloat17")


# --- poison and bands ------------------------------------------------------------------------------------------------


def test_poison_is_nan_or_large_and_recognised_until_written():
    assert np.isnan(pattern("bfloat16", 0).view(BF16)).all()
    large = float(pattern("bfloat16", 1).view(BF16)[0])
    assert np.isfinite(large)
    assert large > limits(BF16).largest / 1e4
    for poison in (0, 1):
        payload = np.zeros(20, np.uint8)
        fill(payload, "bfloat16", poison)
        values = payload.view(BF16)
        assert is_poison(values, poison).all()
        assert not is_poison(values, poison + 1).any()
        values[3] = 1
        assert is_poison(values, poison).tolist() == [i != 3 for i in range(10)]
    assert not is_poison(np.array([np.nan], BF16), 0).any()


def test_scratch_is_poison_too():
    area = np.zeros(64, np.uint8)
    fill_scratch(area, 0)
    assert np.isnan(area.view(BF16)).all()
    fill_scratch(area, 1)
    assert (np.isfinite(area.view(BF16)) & (area.view(BF16).astype("f4") > 1e4)).all()


@pytest.mark.parametrize("phase", range(13))
def test_bands_are_nan_and_arithmetic_on_their_beginning_shows(phase):
    with np.errstate(invalid="ignore"):  # they signal
        assert np.isnan(canary(phase).view(BF16)).all()
    words = canary(phase).view("<u2").reshape(-1, 4)[:, :2]
    wide = np.ascontiguousarray(words.astype("<u4") << 16).view(
        "<f4"
    )  # exact: a bfloat16 is the upper half of a float32
    with np.errstate(all="ignore"):
        again = ((wide + np.float32(1)).view("<u4") >> 16).astype("<u2")
    assert (again != words).all()


def test_inputs_survive_the_banding():
    values = rounded(np.random.default_rng(0).standard_normal((5, 7)))
    banded = make_banded(values)
    assert np.array_equal(payload_view(banded, "bfloat16", (5, 7)), values)
    assert overrun(banded) is None


# --- inputs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distribution", ALL)
def test_inputs_stay_bfloat16_whatever_the_distribution(distribution):
    before = {"x": rounded(np.random.default_rng(0).standard_normal((40, 25))), "y": Empty((40,), "bfloat16")}
    after = redraw(distribution, before, ("x",), np.random.default_rng(1))
    assert (after["x"].dtype, after["x"].shape, after["y"]) == (BF16, (40, 25), before["y"])
    wide = after["x"].astype("f8")
    seen = {
        "normal": bool((wide < 0).any()),
        "positive": bool((wide >= 0).all()),
        "wide": bool(np.abs(wide).max() > 1000 and np.abs(wide).min() < 1e-3),
        "integers": set(np.unique(wide)) == {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0},
        "special": bool(np.isnan(wide).sum() == 1 and np.isinf(wide).sum() == 2),
    }
    assert seen[distribution]


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_bounds_follow_the_arithmetic():
    problem = Problem("dot", Record(k=100))
    own, single = Tolerance(terms=lambda p: p.k), Tolerance(terms=lambda p: p.k, eps_dtype=lambda _p: "float32")
    assert bound(own, problem, "bfloat16").relative == pytest.approx(400 * 2**-7)
    found = bound(single, problem, BF16)
    assert (found.relative, found.rounding) == (pytest.approx(400 * 2**-23), 2**-7)
    assert found.absolute == limits(BF16).normal  # what may be flushed to zero


def test_exact_sums_have_eight_bits():
    whole = np.arange(32.0)
    assert exact_sums(whole, whole + 30, BF16)
    assert not exact_sums(whole, whole + 60, BF16)


def test_beyond_the_largest_number_lies_infinity():
    reference = np.array([3.4e38, 1e39, -1e39, 1.0])
    found = compare("y", rounded(np.array([np.inf, np.inf, -np.inf, 1.0])), reference, Bound(0.01, 0.0))
    assert found.passed
    assert not compare("y", rounded(np.array([np.inf])), np.array([1e38]), Bound(0.01, 0.0)).passed


def test_integers_as_reference_are_compared_as_numbers():
    assert compare("y", rounded([1.0, 2.5]), np.array([1, 2]), Bound(0.0, 0.5)).passed
    assert not compare("y", rounded([1.0, 3.0]), np.array([1, 2]), EXACT).passed


# --- whole cases -----------------------------------------------------------------------------------------------------


def numbers(banded, name, inputs):
    return payload_view(banded[name], inputs[name].dtype, inputs[name].shape)


def product(inputs, banded, *, form=PRODUCT):
    """Compute as a kernel does: products and sums in float32, one rounding at the end."""
    wide = {name: value.astype("f4") for name, value in inputs.items() if isinstance(value, np.ndarray)}
    numbers(banded, "c", inputs)[...] = rounded(np.float32(1) * reference(form, {**inputs, **wide})["c"].astype("f4"))


def case_of(problem, distribution="normal", poison=0, seed=3):
    case = Case(problem, distribution, seed, poison)
    inputs = draw(KERNEL, case)
    banded = {name: make_banded(value) for name, value in inputs.items() if isinstance(value, np.ndarray)}
    if isinstance(inputs["c"], Empty):
        banded["c"] = make_banded(shape=inputs["c"].shape, dtype="bfloat16", poison=poison)
    banded["scratch:t"] = make_scratch(256, poison)
    return case, inputs, banded


def verdict(act, distribution="normal", poison=0):
    """Judge what `act` makes of inputs and banded arrays."""
    case, inputs, banded = case_of(PRODUCT, distribution, poison)
    with np.errstate(all="ignore"):
        act(inputs, banded)
    return judge(KERNEL, case, inputs, banded)


def single(a, b, round_sums=lambda x: x, block=K):
    """Return the product with sums in float32, passed through `round_sums` after every `block` of k."""
    total = np.zeros((M, N), np.float32)
    for start in range(0, K, block):
        total = round_sums(total + a[:, start : start + block] @ b[start : start + block])
    return total


def operands(inputs):
    return inputs["a"].reshape(M, K).astype("f4"), inputs["b"].reshape(K, N).astype("f4")


def store(inputs, banded, total):
    numbers(banded, "c", inputs)[...] = rounded(total).reshape(-1)


@pytest.mark.parametrize("seed", range(3))
def test_right_products_raise_no_alarm(seed):
    """Every awkward problem with every distribution and both poisons."""
    for case in cases(KERNEL, PRODUCT, "full", seed):
        case, inputs, banded = case_of(case.problem, case.distribution, case.poison, case.seed)
        with np.errstate(all="ignore"):
            product(inputs, banded, form=case.problem)
        found = judge(KERNEL, case, inputs, banded)
        assert found.passed, (case, found.reason)


@pytest.mark.parametrize("distribution", ALL)
@pytest.mark.parametrize("block", [1, 16, K])
def test_any_order_of_summation_is_right(distribution, block):
    found = verdict(lambda i, s: store(i, s, single(*operands(i), block=block)), distribution)
    assert found.passed, found.reason


def cut(bits):
    """Return a function that keeps so many bits of a float32's significand."""

    def keep(values):
        return (
            np.ascontiguousarray(values, "f4").view("u4") & np.uint32((0xFFFFFFFF << (24 - bits)) & 0xFFFFFFFF)
        ).view("f4")

    return keep


def test_the_last_rounding_may_truncate():
    assert verdict(lambda i, s: store(i, s, cut(8)(single(*operands(i))))).passed


@pytest.mark.parametrize(
    ("what", "act"),
    [
        ("sums in bfloat16", lambda a, b: single(a, b, lambda x: rounded(x).astype("f4"), 1)),
        ("sums in bfloat16 after every block", lambda a, b: single(a, b, lambda x: rounded(x).astype("f4"), 16)),
        ("sums cut to bfloat16 after every block", lambda a, b: single(a, b, cut(8), 64)),
        ("operands of 5 bits", lambda a, b: single(cut(5)(a), cut(5)(b))),
        ("one operand of 7 bits", lambda a, b: single(cut(7)(a), b)),
        ("a lost step of k", lambda a, b: single(a[:, 1:], b[1:])),
        ("a step of k twice", lambda a, b: single(a, b) + a[:, :1] @ b[:1]),
        ("results of 7 bits", lambda a, b: cut(7)(single(a, b))),
    ],
)
def test_arithmetic_of_too_few_bits_or_terms_is_caught(what, act):
    found = verdict(lambda i, s: store(i, s, act(*operands(i))))
    assert not found.passed, what
    assert "c" in found.reason


@pytest.mark.parametrize("distribution", ["normal", "positive", "integers"])
def test_one_wrong_element_is_caught(distribution):
    def act(inputs, banded):
        product(inputs, banded)
        flat = numbers(banded, "c", inputs)
        at = int(np.argmax(np.abs(flat.astype("f4")) > 4))
        flat.view("u2")[at] += 4  # four units in the last place

    found = verdict(act, distribution)
    assert not found.passed
    assert "c[" in found.reason


def test_small_integers_must_be_whole_and_right():
    def act(inputs, banded):
        product(inputs, banded)
        flat = numbers(banded, "c", inputs)
        at = int(np.argmax(np.abs(flat.astype("f4")) < 100))
        flat[at] = float(flat[at]) + 1.0

    assert "of its bound" in verdict(act, "integers").reason


@pytest.mark.parametrize("poison", [0, 1])
def test_an_element_that_was_never_written_is_called_so(poison):
    def act(inputs, banded):
        before = numbers(banded, "c", inputs)[17]
        product(inputs, banded)
        numbers(banded, "c", inputs)[17] = before

    assert "c[17]: got" in (reason := verdict(act, poison=poison).reason)
    assert "never written" in reason


@pytest.mark.parametrize("poison", [0, 1])
def test_reading_scratch_before_writing_it_shows(poison):
    def act(inputs, banded):
        product(inputs, banded)
        numbers(banded, "c", inputs)[5] += payload_view(banded["scratch:t"], "bfloat16", (128,))[0]

    assert not verdict(act, poison=poison).passed


def test_reading_behind_an_input_shows():
    def act(inputs, banded):
        product(inputs, banded)
        behind = banded["a"][-BAND_BYTES:].view(BF16)[0]
        numbers(banded, "c", inputs)[5] += behind

    assert not verdict(act).passed


@pytest.mark.parametrize("name", ["a", "c", "scratch:t"])
def test_writing_one_element_behind_the_end_shows(name):
    def act(inputs, banded):
        product(inputs, banded)
        banded[name][-BAND_BYTES:].view(BF16)[0] = 1.0

    assert f"canary after {name} overwritten at +" in verdict(act).reason


def test_a_changed_input_shows():
    def act(inputs, banded):
        product(inputs, banded)
        numbers(banded, "b", inputs).view("u2")[11] ^= 1

    assert "input b changed at [11]" in verdict(act).reason


def test_results_of_other_inputs_are_stale():
    other = draw(KERNEL, Case(PRODUCT, "normal", 4, 0))
    assert not verdict(lambda i, s: store(i, s, single(*operands(other)))).passed


def test_results_that_move_between_runs_are_a_race():
    case, inputs, first = case_of(PRODUCT)
    second = case_of(PRODUCT)[2]
    product(inputs, first)
    product(inputs, second)
    numbers(second, "c", inputs)[3] = 100.0
    assert "a race, or memory that was never set (c[3]:" in judge(KERNEL, case, inputs, first, second).reason


def test_a_user_kernel_of_many_small_steps_may_round_each_of_them():
    """Without a word about its arithmetic a kernel computes in the type of its output."""
    kernel = Kernel(
        family="axpy",
        problem=Problem("axpy", Record(n=1000)),
        inputs=lambda p, rng: {"x": rounded(rng.standard_normal(p.n)), "y": rounded(rng.standard_normal(p.n))},
        reference=lambda _p, i: {"y": 2.5 * i["x"].astype("f8") + i["y"].astype("f8")},
        magnitude=lambda _p, i: {"y": np.abs(2.5 * i["x"].astype("f8")) + np.abs(i["y"].astype("f8"))},
        work=lambda _p: Work(1, 1),
        implementations=(),
    )
    case = Case(kernel.problem, "normal", 1, 0)
    inputs = draw(kernel, case)
    banded = {name: make_banded(value) for name, value in inputs.items()}
    payload_view(banded["y"], "bfloat16", (1000,))[...] = rounded(rounded(2.5) * inputs["x"]) + inputs["y"]
    assert judge(kernel, case, inputs, banded).passed
    values = payload_view(banded["y"], "bfloat16", (1000,))
    at = int(np.argmax(np.abs(values)))
    values.view("u2")[at] ^= 64  # the highest bit of the fraction
    assert f"y[{at}]" in judge(kernel, case, inputs, banded).reason


def test_the_scale_of_rounding_is_that_of_the_sums():
    inputs = draw(KERNEL, Case(PRODUCT, "normal", 1, 0))
    a, b = operands(inputs)
    assert np.allclose(magnitude(PRODUCT, inputs)["c"].reshape(M, N), np.abs(a) @ np.abs(b), rtol=1e-5)


def test_nobody_else_loads_the_package():
    code = """
import sys
import numpy as np
from hotloop.verify.cases import cases, draw
from hotloop.verify.judge import judge
from hotloop.verify.guards import make_banded
from hotloop.kernels.gemm import KERNEL
from hotloop.model.kernel import Empty
case = cases(KERNEL, KERNEL.problem.replace(m=5, n=4, k=3), "quick")[0]
inputs = draw(KERNEL, case)
arrays = {k: make_banded(shape=v.shape) if isinstance(v, Empty) else make_banded(v) for k, v in inputs.items()}
assert not judge(KERNEL, case, inputs, arrays).passed
import hotloop.engine.worker, hotloop.app.run.timing
assert "ml_dtypes" not in sys.modules
import hotloop as hl
assert hl.empty(3, "bfloat16").dtype == "bfloat16" == hl.bfloat16.name
assert "ml_dtypes" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
