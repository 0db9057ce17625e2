"""Programs of the products of 8-bit floats: what is launched, with which constants, and what the sources take."""

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.kernels import _jit
from hotloop.kernels.gemm_fp8 import KERNEL
from hotloop.kernels.gemm_fp8.problem import DEFAULT, awkward
from hotloop.kernels.gemm_fp8.rule import variant
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Array, Value

H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90",
    compute_units=132, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
B200 = replace(H200, name="NVIDIA B200", target="sm_100", compute_units=148)
TRITON, GLUON = (KERNEL.implementation(name) for name in ("triton", "gluon"))
SIGNATURES = {
    node.name: [argument.arg for argument in node.args.args]
    for module in ("triton.scaled", "gluon.scaled_hopper")
    for node in ast.parse(_jit.text(f"hotloop.kernels.gemm_fp8.{module}")).body
    if isinstance(node, ast.FunctionDef)
}
COMPILER = {"num_warps", "num_stages", "launch_pdl"}


def planned(problem, device=H200):
    chosen = variant(problem, device)
    return chosen.program(problem, device)


def shared(**values):
    return {"ROWS": False, "COLUMNS": False, "BIAS": False, "ACT": 0, "CHAIN": 1, "launch_pdl": True, **values}


MANY = {"BM": 128, "BN": 128, "BK": 128, "GROUP": 8, "num_warps": 8, "num_stages": 4, "EXACT": True, "WIDEN": False}
FEW = {"BM": 16, "BN": 64, "BK": 256, "SPLITS": 1, "num_warps": 4, "num_stages": 4, "EXACT": True, "WIDEN": False}
HOPPER = {"GROUP": 8, "PROGRAMS": 132, "STAGES": 6, "BUFFERS": 1, "EXACT": 2, "num_warps": 4}


@pytest.mark.parametrize(
    ("sizes", "device", "entry", "grid", "values"),
    [
        ({"m": 1, "n": 8192, "k": 8192}, H200, "scaled_few", (128, 1), FEW),
        ({"m": 16, "n": 4096, "k": 4096}, H200, "scaled_few", (64, 2), {**FEW, "SPLITS": 2}),
        ({"m": 33, "n": 1024, "k": 8192}, H200, "scaled_few", (16, 8), {**FEW, "BM": 64, "SPLITS": 8}),
        ({"m": 24, "n": 4096, "k": 14336, "fast_accum": True}, B200, "scaled_few", (64, 2), {**FEW, "BM": 32, "SPLITS": 2, "EXACT": False}),
        ({"m": 256, "n": 14336, "k": 4096}, H200, "scaled_hopper", (132,), HOPPER),
        ({"m": 256, "n": 1024, "k": 4096, "fast_accum": True}, H200, "scaled_hopper", (16,), {**HOPPER, "PROGRAMS": 16, "EXACT": 0}),
        ({"m": 4096, "n": 4096, "k": 4096, "fast_accum": True}, H200, "scaled_hopper", (132,), {**HOPPER, "STAGES": 4, "EXACT": 0}),
        ({"m": 4096, "n": 4096, "k": 4096}, B200, "scaled", (148,), {**MANY, "PROGRAMS": 148}),
        ({"m": 300, "n": 520, "k": 1024}, B200, "scaled", (25,), {**MANY, "PROGRAMS": 25, "BM": 64, "num_warps": 4}),
    ],
    ids=str,
)  # fmt: skip
def test_the_rule_launches_what_was_measured(sizes, device, entry, grid, values):
    problem = DEFAULT.replace(**sizes)
    program = planned(problem, device)
    (launch,) = program.launches
    assert launch.entry == entry
    assert tuple(whole // part for whole, part in zip(launch.global_size, launch.local_size, strict=True)) == grid
    assert launch.local_size[0] == 32 * values["num_warps"]
    meta = parse(program.options)
    assert meta.values == shared(**values)
    assert [a.value for a in launch.arguments if isinstance(a, Value)] == [sizes["m"], sizes["n"], sizes["k"]]


@pytest.mark.parametrize(
    ("sizes", "blocks"),
    [
        ({"m": 16, "n": 4096, "k": 4096}, {"a": (16, 256), "w": (64, 256)}),
        ({"m": 256, "n": 14336, "k": 4096}, {"a": (128, 128), "w": (128, 128), "c": (64, 64)}),
        ({"m": 4096, "n": 4096, "k": 4096, "fast_accum": True}, {"a": (256, 128), "w": (128, 128), "c": (128, 64)}),
    ],
    ids=str,
)
def test_blocks_that_copies_move(sizes, blocks):
    program = planned(DEFAULT.replace(**sizes))
    descriptors = parse(program.options).descriptors
    assert {name: made.block for name, made in descriptors.items()} == blocks
    m, n, k = (sizes[name] for name in "mnk")
    shapes = {"a": (m, k), "w": (n, k), "c": (m, n)}
    assert all(made.shape == shapes[name] for name, made in descriptors.items())
    wanted = {"a": "NVMMASharedLayout(128, 8)", "w": "NVMMASharedLayout(128, 8)", "c": "NVMMASharedLayout(128, 16)"}
    laid = {name: made.layout for name, made in descriptors.items() if made.layout}
    assert laid == (wanted if program.language == "gluon" else {})


def test_slices_need_memory_whose_counters_begin_at_zero():
    program = planned(DEFAULT.replace(m=16, n=4096, k=4096))
    work, arrived = program.scratch
    assert (work.name, work.scratch_bytes, work.zeroed) == ("work", 4 * 64 * 2 * 16 * 64, False)
    assert (arrived.name, arrived.scratch_bytes, arrived.zeroed) == ("arrived", 4 * 64, True)
    assert not planned(DEFAULT.replace(m=1, n=8192, k=8192)).scratch


def configs(made):
    drawn = st.fixed_dictionaries({p.name: st.sampled_from(p.values) for p in made.space.parameters})
    return drawn.map(lambda values: made.start.replace(**values)).filter(made.space.valid)


problems = st.builds(
    lambda small, scales, epilogue, fast: small.replace(scales=scales, epilogue=epilogue, fast_accum=fast),
    st.sampled_from(awkward(DEFAULT)),
    st.sampled_from(("one", "rows", "columns", "both")),
    st.sampled_from(("none", "bias", "bias-silu", "relu")),
    st.booleans(),
)


@given(configs(TRITON), problems)
def test_every_parameter_of_the_triton_kernels_has_a_value(config, problem):
    everything_is_given(TRITON.plan(problem, config, H200))


@given(configs(GLUON), problems)
def test_every_parameter_of_the_gluon_kernel_has_a_value(config, problem):
    everything_is_given(GLUON.plan(problem, config, H200))


def everything_is_given(program):
    meta, (launch,) = parse(program.options), program.launches
    names = SIGNATURES[launch.entry]
    free = [name for name in names if name not in meta.values]
    assert len(free) == len(launch.arguments)
    areas = {area.name for area in program.scratch}
    for name, argument in zip(free, launch.arguments, strict=True):
        assert isinstance(argument, Array) == (name not in ("m", "n", "k"))
        if isinstance(argument, Array):
            stands_in = {"bias": "scale_a", "work": "c", "arrived": "c"}
            assert argument.name in (name, stands_in.get(name))
            assert argument.name in areas | set(meta.dtypes)
    assert set(meta.values) - set(names) <= COMPILER


def test_both_implementations_take_every_awkward_problem():
    for problem in awkward(DEFAULT):
        for made in (TRITON, GLUON):
            assert made.plan(problem, made.start, H200).launches


@pytest.mark.parametrize(
    ("target", "taken"), [("sm_80", ()), ("gfx942", ()), ("sm_90", ("triton", "gluon")), ("sm_120", ("triton",))]
)
def test_devices_without_the_instructions_are_refused_in_words(target, taken):
    device = replace(H200, name="The GPU", target=target)
    for made in KERNEL.implementations:
        if made.name in taken:
            made.plan(DEFAULT, made.start, device)
        else:
            with pytest.raises(ValueError, match="The GPU is no "):
                made.plan(DEFAULT, made.start, device)


def test_a_change_of_what_a_source_imports_is_another_program():
    uses = parse(planned(DEFAULT).options).uses
    assert set(uses) == {"hotloop.kernels.gemm.hopper.kernel"}
    assert set(parse(TRITON.plan(DEFAULT, TRITON.start, H200).options).uses) >= {"hotloop.kernels.gemm.shared.jit"}


def test_launches_that_follow_each_other_are_for_gpus_that_know_them():
    config = TRITON.start.replace(CHAIN=1)
    interpreter = replace(H200, name="cpu", kind="cpu", runtime_key="interpreter", target="")
    assert parse(TRITON.plan(DEFAULT, config, H200).options).values["launch_pdl"] is True
    values = parse(TRITON.plan(DEFAULT, config, interpreter).options).values
    assert (values["CHAIN"], values["WIDEN"], "launch_pdl" in values) == (0, True, False)
