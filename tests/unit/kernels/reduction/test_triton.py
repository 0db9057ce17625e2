"""The Triton row operations' plan, and what the compilers make of it for an H200. No GPU."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.reduction import KERNEL
from hotloop.kernels.reduction.problem import DEFAULT
from hotloop.kernels.reduction.triton.plan import config_for
from hotloop.kernels.reduction.triton.space import SPACE, START
from hotloop.model.jit import parse

TRITON = KERNEL.implementation("triton")
PROBLEM = DEFAULT.replace(rows=1001, columns=3000, dtype="bfloat16")


def test_a_held_row_has_its_own_block_and_others_are_read_in_pieces(h200):
    held = TRITON.plan(PROBLEM, config_for(3000).replace(ROWS=2), h200)
    assert parse(held.options).values["BLOCK"] == 4096
    assert (held.launches[0].groups, held.launches[0].local_size) == (501, (256,))
    pieces = TRITON.plan(PROBLEM, START.replace(BLOCK=512), h200)
    assert parse(pieces.options).values["BLOCK"] == 512
    assert pieces.launches[0].groups == 1001
    assert SPACE.violation(START.replace(HELD=1, BLOCK=512)) == "BLOCK belongs to rows that are not held"
    with pytest.raises(ValueError, match="exceed the 16384 elements"):
        TRITON.plan(PROBLEM.replace(columns=9000), START.replace(HELD=1, ROWS=2), h200)


def test_launches_are_chained_only_where_a_device_can(h200):
    chained = START.replace(CHAIN=1)
    assert parse(TRITON.plan(PROBLEM, chained, h200).options).values["launch_pdl"] is True
    older = parse(TRITON.plan(PROBLEM, chained, replace(h200, target="sm_80")).options).values
    assert older["CHAIN"] == 0
    assert "launch_pdl" not in older


@pytest.mark.parametrize("operation", ["softmax", "layernorm"])
def test_a_chained_launch_waits_before_it_reads(planned_code, operation):
    config = {"HELD": 1, "CHAIN": 2, "num_warps": 8}
    made = planned_code(
        "reduction", "triton", config, {"rows": 4096, "columns": 4096, "dtype": "bfloat16", "operation": operation}
    )
    assert made["stack_bytes"] == 0
    assert 0 <= made["places"]["griddepcontrol.wait"] < made["places"]["ld.global"]
