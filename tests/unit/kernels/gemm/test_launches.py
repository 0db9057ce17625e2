"""Programs of the 16-bit kernels: each row of the tables is launched as it was when it was measured.

`launches.json` holds what the launchers of `hotloop.ops` passed when the rows were measured, written down before plans took
their place: grid, constants, compiler options, descriptors and workspaces of every row, and of two products in slices.
"""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.drivers.jit import grid
from hotloop.kernels._jit import text
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT, awkward
from hotloop.kernels.gemm.rows import TABLE
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Array, Value
from hotloop.model.space import Config

MEASURED = json.loads(Path(__file__).with_name("launches.json").read_text())
COMPILER = {"num_warps", "num_stages", "maxnreg", "launch_cooperative_grid", "launch_pdl"}
TURNS = {"TRANSA", "TRANSB"}
"""Constants that plans give only for operands that lie by columns; the rows were measured before there were such."""
NAMES = ("persistent", "split", "meet", "hopper", "hopper-skinny", "hopper-stream")
ENTRIES = {"hopper-skinny": "skinny", "hopper-stream": "skinny"}
H200 = Device(
    name="H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90", compute_units=132,
    local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
USUAL = {"m": 64, "n": 512, "k": 1024, "dtype": "bfloat16"}
FUNCTIONS = {
    node.name: [argument.arg for argument in node.args.args]
    for path in ("persistent.kernel", "split.kernel", "hopper.kernel", "hopper_skinny.kernel", "shared.jit")
    for node in ast.parse(text(f"hotloop.kernels.gemm.{path}")).body
    if isinstance(node, ast.FunctionDef)
}  # fmt: skip


def problem(shape, epilogue="none", **more):
    m, n, k = shape
    return DEFAULT.replace(m=m, n=n, k=k, dtype="bfloat16", epilogue=epilogue, **more)


def plan(name, device=H200, config=None, **sizes):
    implementation = KERNEL.implementation(name)
    return implementation.plan(DEFAULT.replace(**{**USUAL, **sizes}), config or implementation.start, device)


def test_all_rows_are_there():
    rows = [(name, row.shape, row.epilogue, dict(row.config)) for name, row in TABLE]
    recorded = [(r["implementation"], tuple(r["shape"]), r["epilogue"], r["config"]) for r in MEASURED[:48]]
    assert sorted(rows, key=repr) == sorted(((n, s, e, dict(Config(c))) for n, s, e, c in recorded), key=repr)


@pytest.mark.parametrize("row", MEASURED, ids=lambda row: f"{row['implementation']}-{row['shape']}-{row['epilogue']}")
def test_a_row_is_launched_as_it_was_measured(row):
    implementation, config = KERNEL.implementation(row["implementation"]), Config(row["config"])
    assert implementation.space.violation(config) is None
    program = implementation.plan(problem(row["shape"], row["epilogue"]), config, H200)
    meta, sliced = parse(program.options), len(row["launches"]) > 1
    areas = {area.name: area.scratch_bytes for area in program.scratch}
    assert [launch.entry for launch in program.launches] == [launch["entry"] for launch in row["launches"]]
    for launch, recorded in zip(program.launches, row["launches"], strict=True):
        assert list(grid(launch)) == recorded["grid"]
        for name, value in recorded["constants"].items():
            if not (
                sliced and launch.phase == "main" and name in ("BIAS", "ACT")
            ):  # the kernel leaves both to the second one
                expected = (
                    H200.compute_units if name == "PROGRAMS" else value
                )  # was the number of tiles where there are fewer
                assert meta.values[name] == expected
                assert type(meta.values[name]) is type(value)
        assert {name: meta.values[name] for name in recorded["options"]} == recorded["options"]
        names = [name for name in FUNCTIONS[launch.entry] if name not in meta.values and name not in TURNS]
        given = dict(zip(names, launch.arguments, strict=True))
        described = {name: given[name].name for name in recorded["descriptors"]}
        for name, wanted in recorded["descriptors"].items():
            made = meta.seen_by(launch.entry).descriptors[described[name]]
            assert [list(made.shape), list(made.block), list(made.strides)] == [
                wanted["shape"],
                wanted["block"],
                wanted["strides"],
            ]
            assert made.layout == wanted["layout"]
        plain = {
            argument.name for name, argument in given.items() if isinstance(argument, Array) and name not in described
        }
        assert not plain & set(meta.seen_by(launch.entry).descriptors)
        for name, least in recorded["bytes"].items():
            assert isinstance(given[name], Value) or areas[given[name].name] >= least
        assert (given["bias"] == Array("bias")) == (row["epilogue"] != "none")
    assert set(meta.values) - {name for la in program.launches for name in FUNCTIONS[la.entry]} <= COMPILER


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "float32"}, "not float32"),
        ({"accumulate": "float16"}, "add up in float32, not in float16"),
        ({"beta": 1.0}, "no alpha, beta and c"),
        ({"alpha": 0.5}, "no alpha, beta and c"),
        ({"epilogue": "gelu-tanh"}, "no gelu-tanh"),
        ({"op": "tn", "m": 60}, "a (has not all its rows at multiples of 16 bytes|lies by columns)"),
        ({"op": "nt", "k": 1020}, "a has not all its rows at multiples of 16 bytes"),
        ({"op": "nt", "ldb": 1028}, "b has not all its rows at multiples of 16 bytes"),
        ({"k": 1020, "n": 512}, "a has not all its rows at multiples of 16 bytes"),
        ({"n": 516}, "b has not all its rows at multiples of 16 bytes"),
        ({"offset_a": 8}, "a has not all its rows"),
        ({"k": 0}, "nothing to multiply"),
        ({"layout": "col", "epilogue": "bias"}, "columns of a row-major result"),
        ({"m": 1 << 31}, "32-bit"),
    ],
)  # fmt: skip
def test_what_no_kernel_takes_is_refused_in_words(name, changed, said):
    with pytest.raises(ValueError, match=said):
        plan(name, **changed)


@pytest.mark.parametrize(
    ("name", "device", "said"),
    [
        *((name, replace(H200, target=target), "compute capability 8.0") for name in NAMES for target in ("sm_75", "gfx942", "")),
        *((name, replace(H200, target="sm_80"), "sm_90 only") for name in ("hopper", "hopper-skinny", "hopper-stream")),
        *((name, replace(H200, local_mem_bytes=4096), "exceed the device's 4096 B") for name in NAMES),
        ("meet", replace(H200, compute_units=4), "16 programs wait for one another on 4 multiprocessors"),
        ("meet", replace(H200, target="", runtime_key="interpreter"), "compute capability"),
    ],
)  # fmt: skip
def test_devices_that_lack_something_are_refused_in_words(name, device, said):
    with pytest.raises(ValueError, match=said):
        plan(name, device)


@pytest.mark.parametrize("name", ["hopper", "hopper-skinny", "hopper-stream"])
def test_kernels_that_read_rows_of_a_refuse_columns_in_words(name):
    with pytest.raises(ValueError, match="a lies by columns, and the kernel takes its rows only"):
        plan(name, op="tn")


@pytest.mark.parametrize("op", ["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize("name", NAMES)
def test_operands_by_columns_are_described_as_they_lie(name, op):
    if op[0] == "t" and name.startswith("hopper"):
        return
    config = KERNEL.implementation(name).start
    meta = parse(plan(name, op=op, lda=1048, ldb=2048).options)
    bm, bn, bk = config.integers("BM", "BN", "BK")
    a, b = meta.descriptors["a"], meta.descriptors["b"]
    assert (a.shape, a.block) == (((1024, 64), (bk, bm)) if op[0] == "t" else ((64, 1024), (bm, bk)))
    assert (b.shape, b.block) == (((512, 1024), (bn, bk)) if op[1] == "t" else ((1024, 512), (bk, bn)))
    assert (a.strides, b.strides) == ((1048, 1), (2048, 1))
    assert {name for name in TURNS if meta.values.get(name)} == {
        name for name, letter in zip(("TRANSA", "TRANSB"), op, strict=True) if letter == "t"
    }


def test_a_kernel_refuses_rows_that_it_cannot_place():
    with pytest.raises(ValueError, match="65 rows exceed its 64"):
        plan("hopper-skinny", m=65)
    hopper = KERNEL.implementation("hopper")
    with pytest.raises(ValueError, match="200 rows are no multiple of 64"):
        plan("hopper", config=hopper.start.replace(SPLITS=2), m=200)
    for name in ("split", "meet", "hopper-skinny", "hopper-stream"):
        with pytest.raises(ValueError, match="rows of c lie apart"):
            plan(name, ldc=520)
    assert plan("persistent", ldc=520).launches
    assert plan("hopper", ldc=520).launches


def test_launches_follow_the_one_before_where_the_device_knows_that():
    config = KERNEL.implementation("split").start.replace(CHAIN=2)
    early = parse(plan("split", config=config).options).values
    assert (early["CHAIN"], early["launch_pdl"]) == (2, True)
    plain = parse(plan("split", replace(H200, target="sm_86", local_mem_bytes=101376), config).options).values
    assert plain["CHAIN"] == 0
    assert "launch_pdl" not in plain


def test_counters_are_cleared_once():
    for name in ("meet", "hopper-skinny", "hopper-stream"):
        assert {area.name: area.zeroed for area in plan(name).scratch} == {"work": False, "arrived": True}
    assert plan("split").scratch == ()


def test_column_major_problems_are_row_major_ones_with_operands_exchanged():
    program = plan("persistent", layout="col", m=512, n=64)
    assert [argument.name for argument in program.launches[0].arguments[:3]] == ["b", "a", "c"]
    assert parse(program.options).descriptors["b"].shape == (64, 1024)


@pytest.mark.parametrize("name", NAMES)
def test_awkward_problems_of_16_bits_reach_every_kernel(name):
    planned = 0
    for awkward_problem in awkward(DEFAULT.replace(dtype="bfloat16")):
        try:
            program = KERNEL.implementation(name).plan(awkward_problem, KERNEL.implementation(name).start, H200)
        except ValueError:
            continue
        planned += bool(program.launches)
    assert planned >= (2 if name == "hopper-skinny" else 3)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_source_imports_is_part_of_the_program(name):
    program = plan(name)
    uses = parse(program.options).uses
    assert "hotloop.kernels.gemm.shared.jit" in uses
    for module in uses:
        assert f"from {module} import" in program.source or module.endswith("shared.jit")
    assert ENTRIES.get(name, name) in {launch.entry for launch in program.launches}
