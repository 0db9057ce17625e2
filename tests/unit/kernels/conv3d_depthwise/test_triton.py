"""Plans of the Triton implementation: what crosses to the worker is what the source's functions take."""

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.kernels.conv3d_depthwise import KERNEL
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, awkward, shape_of
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.conv3d_depthwise.triton import TRITON
from hotloop.kernels.conv3d_depthwise.triton import plan as triton
from hotloop.kernels.conv3d_depthwise.triton.plan import best, patch_of, programs, source
from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE, SPACE
from hotloop.model.device import Device
from hotloop.model.jit import parse

HOPPER = Device(
    name="H", kind="gpu", backend="triton", runtime="r", runtime_key="cuda", target="sm_90", compute_units=132,
    local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
COMPILER = {"num_warps", "num_stages"}
SIGNATURES = {
    node.name: [a.arg for a in node.args.args] for node in ast.parse(source()).body if isinstance(node, ast.FunctionDef)
}
PATCHES = NAIVE.replace(FORM="patches", PATCHES=64)
TAPS, OTHERS = ("BLOCK", "CHANNELS", "HOLD"), ("PATCHES", "TILE_H", "TILE_W", "num_stages")


def drawn(form, names):
    free = {p.name: st.sampled_from(p.values) for p in SPACE.parameters if p.name in (*names, "PLANES", "num_warps")}
    return st.fixed_dictionaries(free).map(lambda values: NAIVE.replace(FORM=form, **values))


configs = st.one_of(drawn("taps", TAPS), drawn("patches", OTHERS))


def plan(config=NAIVE, device=HOPPER, **sizes):
    return TRITON.plan(DEFAULT.replace(**sizes), config, device)


@given(
    configs,
    st.sampled_from(("float16", "bfloat16", "float32")),
    st.sampled_from(("ncdhw", "ndhwc")),
    st.sampled_from((1, 2)),
)
def test_every_parameter_has_a_value_and_every_value_a_parameter(config, dtype, layout, stride):
    assert SPACE.valid(config)
    try:
        program = plan(config, dtype=dtype, layout=layout, sd=stride, sw=stride)
    except ValueError:
        return
    (launch,) = program.launches
    values, names = set(parse(program.options).values), SIGNATURES[launch.entry]
    assert [name for name in names if name not in values] == [argument.name for argument in launch.arguments]
    assert values - set(names) == COMPILER


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_the_rule_takes_every_awkward_problem(dtype):
    for problem in (DEFAULT, *awkward(DEFAULT)):
        made = problem.replace(dtype=dtype)
        config = best(shape_of(made))
        assert SPACE.valid(config)
        assert TRITON.plan(made, config, HOPPER).launches
        taps = made.integer("kh") * made.integer("kw")
        stride = max(made.integer("sh"), made.integer("sw"))
        worth = taps > 1 if stride == 1 else taps >= 25  # strides leave most products idle
        near = max(made.integer("lh"), made.integer("lw")) == 1
        patches = dtype != "float32" and made.layout == "ncdhw" and near and worth
        assert (config["FORM"] == "patches") == patches


@pytest.mark.parametrize(
    ("shape", "planes", "programs_least"),
    [
        (VIDEO, 60, 2000),  # many channels: whole depths
        (Shape(1, 8, (16, 16, 16), (3, 3, 3), (1, 1, 1)), 1, 128),  # 2.8 µs against 9.7 with whole depths
        (Shape(1, 8, (16, 128, 128), (3, 7, 7), (1, 3, 3), (1, 2, 2)), 5, 128),  # 17.7 against 38.4
        # 11.0 with whole depths, 6.1 with 5
        (Shape(1, 128, (16, 16, 16), (3, 3, 3), (1, 1, 1), dtype="float32"), 10, 400),
    ],
    ids=str,
)
def test_few_channels_share_the_depth(shape, planes, programs_least):
    config = best(shape)
    assert config["PLANES"] == planes
    assert programs(shape, config) >= programs_least


def test_an_estimate_grows_with_the_work_and_is_for_patches_only():
    shape = Shape(1, 32, (61, 45, 80), (3, 7, 7), (1, 3, 3))
    near = triton.estimate_us(shape, best(shape))
    assert near == pytest.approx(54.2, rel=0.2)  # measured
    assert triton.estimate_us(replace(shape, c=320), best(replace(shape, c=320))) > 5 * near
    assert triton.estimate_us(shape, NAIVE) == float("inf")


def test_the_starting_configuration_takes_every_awkward_problem():
    for problem in (DEFAULT, *awkward(DEFAULT)):
        assert plan(**problem.sizes).launches


def test_the_family_has_it():
    assert KERNEL.implementation("triton") is TRITON


def test_a_patch_of_four_by_four_has_no_idle_input():
    patch = patch_of(VIDEO, 4, 4)
    assert (patch.inputs, patch.outputs) == ((8, 8), 16)
    chosen = best(VIDEO)
    assert (chosen["TILE_H"], chosen["TILE_W"], chosen["PLANES"], chosen["JOIN"], chosen["num_warps"]) == (
        4,
        4,
        60,
        1,
        4,
    )


def test_one_warp_is_for_many_programs_and_the_compiler_that_was_measured():
    assert best(VIDEO, "Triton 3.6.0, PyTorch 2.11")["num_warps"] == 1
    assert best(VIDEO, "Triton 3.9.0, PyTorch 2.13")["num_warps"] == 4
    assert best(replace(VIDEO, c=16), "Triton 3.6.0")["num_warps"] == 4


@pytest.mark.parametrize(
    ("kernel", "stride", "dilation", "inputs", "outputs"),
    [
        ((3, 3, 3), (1, 1, 1), (1, 1, 1), (8, 4), 16),
        ((3, 3, 3), (1, 2, 2), (1, 1, 1), (16, 8), 16),
        ((3, 3, 3), (1, 1, 1), (1, 3, 2), (16, 8), 16),
        ((1, 1, 1), (1, 1, 1), (1, 1, 1), (8, 2), 16),
    ],
)
def test_inputs_around_a_patch(kernel, stride, dilation, inputs, outputs):
    patch = patch_of(Shape(1, 1, (9, 40, 40), kernel, (1, 1, 1), stride, dilation), 6, 2)
    assert (patch.inputs, patch.outputs) == (inputs, outputs)


def test_a_matrix_instruction_is_never_smaller_than_the_hardware_has():
    patch = patch_of(Shape(1, 1, (9, 40, 40), (1, 1, 1)), 1, 1)
    assert (patch.deep, patch.outputs) == (16, 8)


def test_every_output_has_a_program():
    shape = Shape(2, 3, (7, 20, 30), (3, 3, 3), (1, 1, 1), multiplier=2)
    assert programs(shape, NAIVE.replace(PLANES=5, BLOCK=256)) == 2 * 6 * 2 * 3
    assert programs(shape, PATCHES.replace(PLANES=20)) == 2 * 6 * 1 * 1
    last = Shape(2, 3, (7, 20, 30), (3, 3, 3), (1, 1, 1), multiplier=2, channels_last=True)
    assert programs(last, NAIVE.replace(CHANNELS=8, BLOCK=64, PLANES=10)) == 2 * 1 * 1 * 10


def test_only_the_interpreter_widens():
    interpreter = Device(name="I", kind="cpu", backend="triton", runtime="r", runtime_key="interpreter", target="")
    for device, dtype, widened in ((HOPPER, "bfloat16", False), (interpreter, "bfloat16", True), (interpreter, "float16", False)):  # fmt: skip
        assert parse(plan(PATCHES, device, dtype=dtype).options).values["WIDEN"] is widened


@pytest.mark.parametrize(
    ("config", "sizes", "why"),
    [
        (PATCHES, {"dtype": "float32"}, "16-bit"),
        (PATCHES, {"dtype": "float16", "layout": "ndhwc"}, "channels first"),
        (PATCHES.replace(TILE_H=8, TILE_W=8), {"dtype": "float16", "kh": 11, "ph": 5}, "a patch of"),
        (PATCHES.replace(num_warps=1, PATCHES=256), {"dtype": "float16"}, "sums"),
        (NAIVE.replace(CHANNELS=8), {}, "lie last"),
        (NAIVE.replace(HOLD=1), {"kh": 9, "ph": 4}, "weights"),
        (NAIVE, {"kd": 9, "kh": 9, "kw": 9}, "729 taps"),
        (NAIVE.replace(BLOCK=1024, num_warps=1), {"kd": 5}, "sums"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_ruled_out(config, sizes, why):
    assert SPACE.valid(config)
    with pytest.raises(ValueError, match=why):
        plan(config, **sizes)


def test_a_block_of_another_device_has_less_shared_memory():
    config = PATCHES.replace(PATCHES=256, num_warps=8, num_stages=4)
    assert plan(config, dtype="float16").launches
    with pytest.raises(ValueError, match="65536 B is all"):
        plan(config, replace(HOPPER, local_mem_bytes=65536), dtype="float16")


def test_parameters_of_the_other_form_keep_their_start():
    assert not SPACE.valid(NAIVE.replace(PATCHES=128))
    assert not SPACE.valid(PATCHES.replace(HOLD=1))


def test_traits_tell_the_forms_apart():
    taps, patches = (triton.traits(DEFAULT.replace(dtype="float16"), one, HOPPER) for one in (NAIVE, PATCHES))
    assert patches["config.local_bytes"] > taps["config.local_bytes"] == 0
    assert patches["config.reuse"] > taps["config.reuse"]
