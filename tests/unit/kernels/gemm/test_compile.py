"""What Triton and ptxas make of the Hopper kernels: registers, spills, shared memory, instructions. No GPU."""

from __future__ import annotations

import pytest

SHARED_BYTES = 227 * 1024
WIDE = {"BM": 128, "BN": 256, "BK": 64, "STAGES": 4, "GROUPS": 2, "BUFFERS": 2, "GROUP": 16, "CHAIN": 1}
GELU = {"m": 256, "n": 16384, "k": 4096, "dtype": "bfloat16", "epilogue": "bias-gelu-erf"}


@pytest.mark.parametrize(
    ("config", "products"),
    [({**WIDE, "AHEAD": 2}, 8), ({**WIDE, "BN": 128, "STAGES": 5, "TAKE_TURNS": 1}, 16)],
    ids=["shared tiles", "turns"],
)
def test_gelu_is_nine_instructions_and_nothing_spills(planned_code, config, products):
    made = planned_code("gemm", "hopper", config, GELU, listed=True)
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES
    assert made["wgmma"] == products
    counts, sums = made["instructions"], 2 * 128  # both groups hold 128 sums a thread
    assert counts["FFMA"] == 6 * sums
    assert counts["FMNMX"] == 2 * sums
    assert sums <= counts["MUFU"] < 1.1 * sums  # exp2; the rest are divisions of tile numbers


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
    made = planned_code("gemm", "hopper-skinny", config, {**GELU, "m": 16}, listed=True)
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
        ("hopper-stream", {"BM": 128, "BN": 256, "BK": 64, "GROUPS": 2, "STAGES": 4}),
    ],
)  # fmt: skip
def test_a_bias_that_is_read_early_costs_no_spills(planned_code, implementation, config):
    made = planned_code("gemm", implementation, {**config, "CHAIN": 1}, {**GELU, "n": 1024})
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES


@pytest.mark.parametrize("implementation", ["persistent", "split", "meet", "hopper", "hopper-skinny", "hopper-stream"])
def test_what_optimize_begins_with_compiles(planned_code, implementation):
    made = planned_code("gemm", implementation, {}, {**GELU, "m": 64, "n": 1024, "epilogue": "bias-silu"})
    assert made["stack_bytes"] == 0
    assert made["places"]["griddepcontrol.wait"] == -1
    assert made["shared_bytes"] <= SHARED_BYTES
