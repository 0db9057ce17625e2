"""Plans of the Triton implementation: what crosses to the worker is what the source's functions take."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT, awkward
from hotloop.kernels.gemm.triton import TRITON
from hotloop.kernels.gemm.triton.plan import source
from hotloop.kernels.gemm.triton.space import START
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Array

HOPPER = Device(
    name="H", kind="gpu", backend="triton", runtime="r", runtime_key="cuda", target="sm_90", compute_units=132,
    max_workgroup=1024,
)  # fmt: skip
COMPILER = {"num_warps", "num_stages"}
SIGNATURES = {
    node.name: [a.arg for a in node.args.args] for node in ast.parse(source()).body if isinstance(node, ast.FunctionDef)
}
configs = st.fixed_dictionaries({p.name: st.sampled_from(p.values) for p in TRITON.space.parameters}).map(
    lambda values: START.replace(**values)
)


def plan(config=START, device=HOPPER, **sizes):
    return TRITON.plan(DEFAULT.replace(**sizes), config, device)


@given(
    configs.filter(TRITON.space.valid),
    st.sampled_from(("float16", "bfloat16", "float32")),
    st.sampled_from(("nn", "tt")),
)
def test_every_parameter_has_a_value_and_every_value_a_parameter(config, dtype, op):
    program = plan(config if dtype == "float32" else config.replace(PRECISION="ieee"), dtype=dtype, op=op)
    values = set(parse(program.options).values)
    taken = set()
    for launch in program.launches:
        names = SIGNATURES[launch.entry]
        free = [name for name in names if name not in values]
        assert len(free) == len(launch.arguments)
        for name, argument in zip(free, launch.arguments, strict=True):
            assert isinstance(argument, Array) == (name in ("a", "b", "c", "bias", "work"))
        taken |= set(names)
    assert values - taken == COMPILER


def test_awkward_problems_are_taken_with_descriptors_asked_for():
    config = START.replace(PATH="descriptors")
    for problem in awkward(DEFAULT):
        program = TRITON.plan(problem, config, HOPPER)
        meta = parse(program.options)
        assert (meta.values["PATH"] == "descriptors") == bool(meta.descriptors)
    assert set(parse(plan(config).options).descriptors) == {"a", "b"}
    assert not parse(plan(config, lda=1025).options).descriptors


@pytest.mark.parametrize("path", ["pointers", "descriptors"])
def test_bfloat16_reaches_the_kernel_by_name(path):
    meta = parse(plan(START.replace(PATH=path, SPLITS=2), dtype="bfloat16", epilogue="bias").options)
    assert meta.dtypes == {**dict.fromkeys(("a", "b", "c", "bias"), "bfloat16"), "work": "float32"}


def test_the_family_has_it():
    assert KERNEL.implementation("triton") is TRITON


def test_split_k_adds_a_launch_and_memory():
    program = plan(START.replace(SPLITS=4), m=100, n=50)
    assert [launch.phase for launch in program.launches] == ["main", "add"]
    assert [area.scratch_bytes for area in program.scratch] == [4 * 4 * 100 * 50]
    assert program.launches[0].groups == 4 * 2 * 4


def test_persistent_programs_are_as_many_as_units():
    assert plan(START.replace(PERSISTENT=2)).launches[0].groups == 264
    assert plan(START.replace(PERSISTENT=2), m=64, n=64).launches[0].groups == 4


def test_operands_that_must_not_be_read_are_not():
    depth = SIGNATURES["tile"].index("k")
    launch = plan(alpha=0.0).launches[0]
    assert launch.arguments[depth].value == 0


def test_an_empty_product_launches_nothing():
    assert plan(m=0).launches == ()


@pytest.mark.parametrize(
    ("config", "device", "sizes", "why"),
    [
        ({}, HOPPER, {"dtype": "float64"}, "float64"),
        ({"PRECISION": "tf32x3"}, HOPPER, {"dtype": "float16"}, "PRECISION"),
        ({"PATH": "descriptors"}, Device(name="A", kind="gpu", backend="triton", runtime="r", runtime_key="cuda",
                                         target="sm_80"), {}, "descriptors"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_ruled_out(config, device, sizes, why):
    with pytest.raises(ValueError, match=why):
        plan(START.replace(**config), device, **sizes)
