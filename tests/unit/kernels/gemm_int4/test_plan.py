"""Programs of the products with 4-bit weights: what is launched, with which constants, and what the source takes."""

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.kernels import _jit
from hotloop.kernels.gemm_int4 import KERNEL
from hotloop.kernels.gemm_int4.problem import DEFAULT, awkward
from hotloop.kernels.gemm_int4.rows import ROWS
from hotloop.kernels.gemm_int4.rule import variant
from hotloop.kernels.gemm_int4.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Array, Value

H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90",
    compute_units=132, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
SOURCE = _jit.text("hotloop.kernels.gemm_int4.triton.weights4")
(NAMES,) = (
    [argument.arg for argument in node.args.args]
    for node in ast.parse(SOURCE).body
    if isinstance(node, ast.FunctionDef) and node.name == "weights4"
)


def ruled(m, n, k):
    return variant(DEFAULT.replace(m=m, n=n, k=k), H200).config


@pytest.mark.parametrize(
    ("sizes", "grid", "tile"),
    [
        ((1, 4096, 4096), (64, 8), (16, 64)),
        ((16, 14336, 4096), (224, 4), (16, 64)),
        ((32, 1024, 8192), (16, 8), (32, 64)),
        ((64, 14336, 4096), (112, 2), (64, 128)),
        ((64, 1024, 8192), (16, 16), (64, 64)),
        ((256, 8192, 8192), (256, 1), (64, 128)),
    ],
    ids=str,
)
def test_the_rule_launches_what_was_measured(sizes, grid, tile):
    problem = DEFAULT.replace(**dict(zip("mnk", sizes, strict=True)), epilogue="bias-silu")
    program = variant(problem, H200).program(problem, H200)
    (launch,) = program.launches
    assert tuple(whole // part for whole, part in zip(launch.global_size, launch.local_size, strict=True)) == grid
    assert launch.local_size == (128, 1)
    assert parse(program.options).values == {
        "BM": tile[0], "BN": tile[1], "SPLITS": grid[1], "BIAS": True, "ACT": 3, "FAST": True, "WIDEN": False,
        "num_warps": 4, "num_stages": 4,
    }  # fmt: skip
    assert [a.value for a in launch.arguments if isinstance(a, Value)] == [*sizes, sizes[2]]
    areas = [(area.name, area.scratch_bytes, area.zeroed) for area in program.scratch]
    tiles = grid[0]
    work = [("work", 4 * tiles * grid[1] * tile[0] * tile[1], False), ("arrived", 4 * tiles, True)]
    assert areas == (work if grid[1] > 1 else [])


@pytest.mark.parametrize("m", [1, 7, 16, 33, 64, 200])
@pytest.mark.parametrize(("n", "k"), [(64, 128), (4096, 4096), (14336, 4096), (4096, 14336), (1088, 384), (8192, 8192)])
def test_every_cut_covers_the_product(m, n, k):
    cut = ruled(m, n, k)
    assert TRITON.space.violation(cut) is None
    rows, columns, splits, stages = cut.integers("BM", "BN", "SPLITS", "num_stages")
    assert n % columns == 0
    assert rows >= min(m, 64)
    assert splits <= max(1, k // 512)
    tiles = -(-m // rows) * (n // columns)
    assert splits == 1 or tiles * splits <= 7 * 132
    # weights, activations: staged blocks of a program
    assert stages * (columns * 64 + rows * 256) <= 227 * 1024 // 2


def test_few_tiles_are_cut_along_k():
    assert ruled(1, 4096, 4096).integer("SPLITS") > 1
    assert ruled(1, 4096, 128).integer("SPLITS") == 1


def test_rows_are_presets_of_the_family():
    assert len(KERNEL.presets) == len(ROWS) == 22
    for row in ROWS:
        assert TRITON.space.violation(row.config) is None
        assert TRITON.simplicity(row.config) > TRITON.simplicity(TRITON.start) == 0
    same = [row for row in ROWS if ruled(*(row.sizes.integer(name) for name in "mnk")) == row.config]
    assert len(same) == 19  # elsewhere another cut of those that were tried was faster, by 4 % at most


configs = st.fixed_dictionaries({p.name: st.sampled_from(p.values) for p in TRITON.space.parameters}).map(
    lambda values: TRITON.start.replace(**values)
)


@given(configs.filter(TRITON.space.valid), st.sampled_from(awkward(DEFAULT)))
def test_every_parameter_has_a_value_and_every_value_a_parameter(config, problem):
    program = TRITON.plan(problem, config, H200)
    meta, (launch,) = parse(program.options), program.launches
    free = [name for name in NAMES if name not in meta.values]
    assert len(free) == len(launch.arguments)
    areas = {area.name for area in program.scratch}
    for name, argument in zip(free, launch.arguments, strict=True):
        assert isinstance(argument, Array) == (name not in ("m", "n", "k", "stride"))
        if isinstance(argument, Array):
            assert argument.name in (name, "c")
            assert argument.name in areas | set(meta.dtypes)
    assert set(meta.values) - set(NAMES) == {"num_warps", "num_stages"}
    assert problem.integer("n") % int(meta.values["BN"]) == 0


@pytest.mark.parametrize(("target", "fast"), [("sm_80", True), ("sm_90", True), ("gfx942", False)])
def test_machine_instructions_are_for_nvidia(target, fast):
    device = replace(H200, target=target)
    program = TRITON.plan(DEFAULT, TRITON.start.replace(PACKED=1), device)
    assert parse(program.options).values["FAST"] is fast


def test_old_gpus_are_refused_in_words():
    with pytest.raises(ValueError, match="no matrix instructions for bfloat16"):
        TRITON.plan(DEFAULT, TRITON.start, replace(H200, target="sm_75"))


def test_the_interpreter_multiplies_in_float32():
    device = replace(H200, kind="cpu", runtime_key="interpreter", target="")
    values = parse(TRITON.plan(DEFAULT, TRITON.start.replace(PACKED=1), device).options).values
    assert (values["FAST"], values["WIDEN"]) == (False, True)
