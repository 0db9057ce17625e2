"""The OpenCL C form: space, plan, reference, problem."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.conv3d_depthwise import KERNEL
from hotloop.kernels.conv3d_depthwise.opencl.plan import padded, plan
from hotloop.kernels.conv3d_depthwise.opencl.space import NAIVE, PARAMETERS, SPACE, simplicity
from hotloop.kernels.conv3d_depthwise.opencl.traits import traits
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, awkward, shape_of, work
from hotloop.kernels.conv3d_depthwise.reference import inputs, magnitude, reference
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.device import Device

TUNED = NAIVE.replace(LX=1, LY=1, VW=8, HWI=5, NWI=2, PLANES=4, PACK=1)


@pytest.fixture
def device() -> Device:
    return Device(
        name="two cores", kind="cpu", backend="opencl", runtime="Intel OpenCL", runtime_key="intel",
        target="x86-64-avx2", vector_bits=256, vector_registers=16, max_workgroup=64, fp16=False,
    )  # fmt: skip


def naive(shape, x, taps):
    """Seven loops, straight from the definition."""
    y = np.zeros((shape.n, shape.c * shape.multiplier, *shape.output))
    for at in np.ndindex(y.shape):
        image, channel, *out = at
        for tap in np.ndindex(shape.kernel):
            place = [
                o * s - p + t * far
                for o, s, p, t, far in zip(out, shape.stride, shape.padding, tap, shape.dilation, strict=True)
            ]
            if all(0 <= i < size for i, size in zip(place, shape.size, strict=True)):
                y[at] += x[(image, channel // shape.multiplier, *place)] * taps[(channel, *tap)]
    return y


@pytest.mark.parametrize("index", range(5))
def test_the_reference_is_the_definition(index):
    problem = awkward(DEFAULT)[index]
    shape = shape_of(problem)
    arrays = inputs(problem, np.random.default_rng(index))
    x = np.moveaxis(arrays["x"], -1, 1) if shape.channels_last else arrays["x"]
    want = naive(shape, x.astype(float), arrays["weights"].astype(float))
    got = reference(problem, arrays)["y"]
    got = np.moveaxis(got, -1, 1) if shape.channels_last else got
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
    assert (magnitude(problem, arrays)["y"] >= np.abs(reference(problem, arrays)["y"]) - 1e-12).all()
    assert arrays["y"].shape == reference(problem, arrays)["y"].shape


def test_start_is_valid_and_every_parameter_reaches_the_source(device):
    program = plan(DEFAULT, NAIVE, device)
    assert SPACE.violation(NAIVE) is None
    for parameter in PARAMETERS:
        assert f"-D{parameter.name}={NAIVE[parameter.name]}" in program.options
        assert parameter.name in program.source
    assert simplicity(NAIVE) == 0 < simplicity(TUNED)
    assert "at most 40" in (SPACE.violation(NAIVE.replace(HWI=8, NWI=5, VW=1).replace(NWI=5, HWI=8)) or "at most 40")
    assert KERNEL.implementation("opencl").start == NAIVE


def test_launches_cover_the_output_and_whole_tiles_lie_in_the_padded_copy(device):
    program = plan(DEFAULT, TUNED, device)
    pack, main = program.launches
    shape = shape_of(DEFAULT)
    assert pack.phase == "pack"
    assert main.global_size == (5, 9, 16 * 3)
    assert pack.global_size == (49, 11, 16)
    assert padded(shape, TUNED) == (11, 49, 84)
    assert program.scratch[0].scratch_bytes == 4 * 16 * 11 * 49 * 84
    wide = TUNED.replace(VW=16, NWI=3, HWI=4)
    assert padded(shape, wide) == (11, 52, 100)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"dtype": "float16"}, "no float16"),
        ({"dtype": "bfloat16"}, "OpenCL C has no bfloat16"),
        ({"dtype": "float8"}, "not one of float32, float16, bfloat16"),
        ({"layout": "nchw"}, "not one of ncdhw"),
        ({"sd": 0}, "sd=0 is too small"),
        ({"ph": -1}, "ph=-1 is too small"),
        ({"kd": 12}, "does not fit"),
    ],
)
def test_what_cannot_run_says_why(change, text, device):
    with pytest.raises(ValueError, match=text):
        plan(DEFAULT.replace(**change), NAIVE, device)
    with pytest.raises(ValueError, match="128 work-items"):
        plan(DEFAULT, NAIVE.replace(LX=32), device)


def test_traits_are_known_names_and_follow_the_tile(device):
    facts = traits(DEFAULT, TUNED, device)
    assert set(facts) <= set(BY_NAME)
    assert facts["config.accumulator_registers"] == 10
    assert facts["config.reuse"] > traits(DEFAULT, NAIVE, device)["config.reuse"]
    assert facts["config.packed"] == 1


def test_work_is_two_flops_per_tap():
    assert work(DEFAULT).flops == 2 * 75 * 16 * 9 * 45 * 80
    assert work(DEFAULT).bytes == 4 * (16 * 11 * 45 * 80 + 16 * 75 + 16 * 9 * 45 * 80)
