"""What Triton and ptxas make of the Hopper kernels: registers, spills, shared memory, instructions. No GPU."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.kernels.gemm import fp8

CHILD = Path(__file__).with_name("compile_child.py")
SHARED_BYTES = 227 * 1024
pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def compiled(tmp_path, name, **choices):
    """Compile in a process of its own: Triton keeps state and warns."""
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path), "TRITON_DEFAULT_FP_FUSION": "1"}
    command = [sys.executable, str(CHILD), name, json.dumps(choices)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


WIDE = {"BM": 128, "BN": 256, "BK": 64, "STAGES": 4, "GROUPS": 2, "BUFFERS": 2, "GROUP": 16, "CHAIN": 1}
GELU = {"m": 256, "n": 16384, "k": 4096, "dtype": "bfloat16", "epilogue": "bias-gelu-erf"}


@pytest.mark.parametrize(
    ("config", "products"),
    [({**WIDE, "AHEAD": 2}, 8), ({**WIDE, "BN": 128, "STAGES": 5, "TAKE_TURNS": 1}, 16)],
    ids=["shared tiles", "turns"],
)
def test_gelu_is_nine_instructions_and_nothing_spills(planned_code, config, products):
    made = planned_code("gemm", "hopper", config, GELU)
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES
    assert made["wgmma"] == products
    counts, sums = made["instructions"], 2 * 128  # both groups hold 128 sums a thread
    assert counts["FFMA"] == 6 * sums
    assert counts["FMNMX"] == 2 * sums
    assert sums <= counts["MUFU"] < 1.1 * sums  # exp2; the rest are divisions of tile numbers


@pytest.mark.parametrize(("rows", "columns", "element"), [(16, 64, "bf16"), (64, 128, "fp16")])
def test_weights_of_four_bits_go_from_their_lane_to_the_product(tmp_path, rows, columns, element):
    made = compiled(tmp_path, "weights4", rows=rows, columns=columns, splits=4, stages=4, element=element)
    assert made["registers"] <= 255
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES / (2 if rows == 64 else 4)
    blocks, counts = columns // 64, made["instructions"]
    assert made["wgmma"] == 8 * blocks
    # six instructions widen four weights; each lane has 64 of a block
    assert counts["HFMA2"] <= 36 * blocks
    assert counts["PRMT"] <= 40 * blocks


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("sizes", [(16, 4096, 4096), (64, 8192, 8192), (256, 4096, 4096), (4096, 4096, 4096)], ids=str)
def test_products_of_eight_bits_add_as_they_are_told(tmp_path, sizes, fast):
    cut = fp8.plan(*sizes, 132, hopper=False, fast=fast)
    made = compiled(
        tmp_path, "eight", entry=cut.kernel, rows=cut.rows, columns=cut.columns, depth=cut.depth, warps=cut.warps,
        stages=cut.stages, splits=cut.splits, exact=not fast,
    )  # fmt: skip
    assert made["stack_bytes"] == 0
    assert made["registers"] <= min(255, 65536 // (32 * cut.warps))
    assert made["shared_bytes"] <= SHARED_BYTES
    rows = cut.columns if cut.kernel == fp8.FEW else cut.rows
    products = max(1, rows // (16 * cut.warps)) * cut.depth // 32
    assert made["wgmma"] == products
    assert made["instructions"]["QGMMA"] == products
    if not fast:  # an addition for each sum and block of k
        assert made["instructions"]["FADD"] >= cut.rows * cut.columns // (32 * cut.warps)


@pytest.mark.parametrize("fast", [False, True])
def test_two_warp_groups_of_eight_bits_keep_all_sums_in_registers(tmp_path, fast):
    cut = fp8.plan(4096, 4096, 4096, 132, hopper=True, fast=fast)
    made = compiled(
        tmp_path, "scaled_hopper", rows=cut.rows, columns=cut.columns, stages=cut.stages, exact=0 if fast else 2
    )  # fmt: skip
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES
    products = 2 * (cut.rows // 128) * 4 * (1 if fast else 2)  # both groups, rows of 64, blocks of 128 in steps of 32
    assert made["instructions"]["QGMMA"] == products
    sums = cut.rows // 2 * cut.columns // 128
    assert (made["instructions"].get("FADD", 0) >= 2 * sums) is not fast


def test_a_chained_kernel_waits_before_it_reads(planned_code):
    """The instruction's place in the text is before all reads: the compilers move none over it."""
    made = planned_code("gemm", "hopper", WIDE, {**GELU, "epilogue": "none"})
    wait, reads = made["places"]["griddepcontrol.wait"], ("cp.async.bulk.tensor", "ld.global", "st.global", "atom.")
    assert wait >= 0
    found = [made["places"][name] for name in reads if made["places"][name] >= 0]
    assert found
    assert wait < min(found)


@pytest.mark.parametrize(("columns", "depth", "chain"), [(64, 256, 4), (128, 64, 5)])
def test_few_rows_read_a_block_ahead_and_wait_wherever_they_then_read(planned_code, columns, depth, chain):
    config = {"BM": 16, "BN": columns, "BK": depth, "STAGES": 5, "CHAIN": chain}
    made = planned_code("gemm", "hopper-skinny", config, {**GELU, "m": 16})
    waits, before, after = made["around_last_wait"]
    assert waits == 2  # each group of warps on its own
    assert (
        before == depth // 64 + columns // 64
    )  # a copy for each 128 bytes of a row; they stand in the last group's text
    assert after > 0
    assert made["instructions"]["PREEXIT"] == 1
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES


@pytest.mark.parametrize(
    ("implementation", "config"),
    [
        ("persistent", {"BM": 64, "BN": 128, "BK": 128, "GROUP": 8, "FLATTEN": 1, "num_stages": 4}),
        ("persistent", {"BM": 128, "BN": 256, "BK": 64, "GROUP": 8, "HALVES": 1, "FLATTEN": 1, "num_warps": 8, "num_stages": 4}),
        ("split", {"BM": 128, "BN": 64, "BK": 64, "GROUP": 8, "num_stages": 7}),
        ("meet", {"BM": 128, "BN": 128, "BK": 64, "GROUP": 8, "num_warps": 8, "num_stages": 6}),
    ],
)  # fmt: skip
def test_a_bias_that_is_read_early_costs_no_spills(planned_code, implementation, config):
    made = planned_code("gemm", implementation, {**config, "CHAIN": 1}, {**GELU, "n": 1024})
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES


@pytest.mark.parametrize("implementation", ["persistent", "split", "meet", "hopper", "hopper-skinny"])
def test_what_optimize_begins_with_compiles(planned_code, implementation):
    made = planned_code("gemm", implementation, {}, {**GELU, "m": 64, "n": 1024, "epilogue": "bias-silu"})
    assert made["stack_bytes"] == 0
    assert made["places"]["griddepcontrol.wait"] == -1
    assert made["shared_bytes"] <= SHARED_BYTES
