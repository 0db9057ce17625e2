"""Attention's problem, float64 reference and OpenCL plan."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hotloop.kernels.attention import KERNEL
from hotloop.kernels.attention.opencl.plan import plan
from hotloop.kernels.attention.opencl.space import NAIVE, PARAMETERS, SPACE, simplicity
from hotloop.kernels.attention.problem import DEFAULT, awkward, shape_of, work
from hotloop.kernels.attention.reference import attend, inputs, magnitude, reference, tolerances
from hotloop.model.device import Device


@pytest.fixture
def device() -> Device:
    return Device(
        name="two cores", kind="cpu", backend="opencl", runtime="Intel OpenCL", runtime_key="intel",
        target="x86-64-avx2", vector_bits=256, vector_registers=16, max_workgroup=32, fp16=False,
    )  # fmt: skip


def by_hand(q, k, v, row, causal, shift=0):
    """Attention of one row in plain Python."""
    scores = [sum(a * b for a, b in zip(q[row], key, strict=True)) / math.sqrt(len(key)) for key in k]
    scores = [s for j, s in enumerate(scores) if not causal or j <= row + shift]
    weights = [math.exp(s) for s in scores]
    norm = sum(weights)
    return [sum(w * v[j][d] for j, w in enumerate(weights)) / norm for d in range(len(v[0]))], math.log(norm)


@pytest.mark.parametrize(("causal", "shift"), [(False, 0), (True, 0), (True, 2)])
def test_the_reference_is_attention(causal, shift):
    rng = np.random.default_rng(1)
    q, k, v = (rng.standard_normal((2, heads, n, 3)) for heads, n in ((4, 5), (2, 6), (2, 6)))
    o, lse, _ = attend(q, k, v, causal=causal, shift=shift)
    for b, h, row in np.ndindex(2, 4, 5):
        want, log = by_hand(q[b, h].tolist(), k[b, h // 2].tolist(), v[b, h // 2].tolist(), row, causal, shift)
        np.testing.assert_allclose(o[b, h, row], want, rtol=1e-12)
        assert lse[b, h, row] == pytest.approx(log, rel=1e-12)


def test_the_first_causal_row_is_its_own_value_and_equal_keys_average():
    rng = np.random.default_rng(2)
    q, v = rng.standard_normal((1, 1, 4, 8)), rng.standard_normal((1, 1, 4, 8))
    o, _, size = attend(q, np.ones((1, 1, 4, 8)), v, causal=True)
    np.testing.assert_allclose(o[0, 0, 0], v[0, 0, 0])
    np.testing.assert_allclose(o[0, 0, 3], v[0, 0].mean(0))
    assert (size >= np.abs(o) - 1e-12).all()


def test_rows_without_keys_are_zero_and_nan_spreads():
    rng = np.random.default_rng(3)
    q, k, v = (rng.standard_normal((1, 1, 3, 4)) for _ in range(3))
    o, lse, _ = attend(q, k, v, causal=True, shift=-2)
    assert not o[0, 0, :2].any()
    assert np.isneginf(lse[0, 0, :2]).all()
    np.testing.assert_allclose(o[0, 0, 2], v[0, 0, 0])
    k[0, 0, 1] = np.nan
    assert np.isnan(attend(q, k, v, causal=False)[0]).all()


def test_a_shifted_score_changes_nothing_but_the_logarithm():
    rng = np.random.default_rng(4)
    q, k, v = (rng.standard_normal((1, 2, 7, 16)) for _ in range(3))
    step = rng.standard_normal((1, 2, 1, 16))
    o, lse, _ = attend(q, k, v, causal=False)
    moved, log, _ = attend(q, k + step, v, causal=False)
    np.testing.assert_allclose(moved, o, rtol=1e-10)
    np.testing.assert_allclose(log, lse + (q * step).sum(3) / 4, rtol=1e-10)


def test_work_counts_a_causal_mask_half():
    full = work(DEFAULT.replace(causal=0))
    assert full.flops == 4 * 4 * 256 * 256 * 64
    assert work(DEFAULT).flops == full.flops / 2
    assert work(DEFAULT).bytes == 4 * 4 * 256 * 64 * 4
    assert work(DEFAULT.replace(length_q=512)).flops == full.flops / 2 + full.flops


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dtype": "int8"}, "dtype='int8' is not one of float32, float16"),
        ({"size": 0}, "size=0 is not positive"),
        ({"kv_heads": 3}, "heads=4 is no multiple of kv_heads=3"),
        ({"causal": 2}, "causal=2 is neither 0 nor 1"),
    ],
)
def test_sizes_without_meaning_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        shape_of(DEFAULT.replace(**change))


@pytest.mark.parametrize("problem", [DEFAULT, *awkward(DEFAULT)], ids=str)
def test_every_problem_has_inputs_a_result_and_a_plan(problem, device):
    arrays = inputs(problem, np.random.default_rng(5))
    o = reference(problem, arrays)["o"]
    assert o.shape == arrays["o"].shape
    assert np.isfinite(o).all()
    assert (magnitude(problem, arrays)["o"] > 0).all()
    assert tolerances(problem) >= 2
    program = plan(problem, NAIVE, device)
    assert program.launches[0].global_size[0] % NAIVE.integer("LX") == 0
    assert f"-DSIZE={shape_of(problem).size}" in program.options


def test_every_parameter_reaches_the_source_and_limits_are_said(device):
    program = plan(DEFAULT, NAIVE, device)
    assert SPACE.violation(NAIVE) is None
    assert simplicity(NAIVE) == 0 < simplicity(NAIVE.replace(SPLIT=4))
    for parameter in PARAMETERS:
        assert f"-D{parameter.name}={NAIVE[parameter.name]}" in program.options
        assert parameter.name in program.source or parameter.name == "LX"
    with pytest.raises(ValueError, match="64 work-items per group exceed"):
        plan(DEFAULT, NAIVE.replace(LX=64), device)
    with pytest.raises(ValueError, match="a head of 63 does not divide into 2 sums"):
        plan(DEFAULT.replace(size=63), NAIVE.replace(SPLIT=2), device)
    with pytest.raises(ValueError, match="no float16"):
        plan(DEFAULT.replace(dtype="float16"), NAIVE, device)
    assert KERNEL.implementation().plan is plan
