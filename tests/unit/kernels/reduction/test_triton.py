"""The Triton form of the row operations: its launches, and what the compiler makes of them. No GPU."""

from __future__ import annotations

import importlib.util

import pytest

from hotloop.kernels.reduction import KERNEL
from hotloop.kernels.reduction.triton import TRITON
from hotloop.model.jit import parse
from hotloop.model.program import Array, Value

SIZES = {"rows": 37, "columns": 131, "dtype": "bfloat16"}


def planned(device, config=TRITON.start, **sizes):
    return TRITON.plan(KERNEL.problem.replace(**{**SIZES, **sizes}), config, device)


def test_a_program_normalises_a_row(h200):
    program = planned(h200, TRITON.start.replace(BLOCK=256, num_warps=2))
    (launch,) = program.launches
    assert (launch.entry, launch.groups, launch.local_size) == ("softmax", 37, (64,))
    assert launch.arguments == (Array("x"), Array("y"), Value(131, "int32"))
    assert parse(program.options).values == {"BLOCK": 256, "num_warps": 2}
    assert parse(program.options).dtypes == {"x": "bfloat16", "y": "bfloat16"}


def test_rms_norm_takes_factors_and_a_floor(h200):
    (launch,) = planned(h200, operation="rmsnorm", epsilon=1e-6).launches
    assert launch.arguments[1:] == (Array("scale"), Array("y"), Value(131, "int32"), Value(1e-6, "float32"))


@pytest.mark.parametrize(
    ("sizes", "said"),
    [({"operation": "layernorm"}, "layernorm has no kernel"), ({"columns": 20000}, "exceed the 16384")],
)
def test_what_it_does_not_take_is_said(h200, sizes, said):
    with pytest.raises(ValueError, match=said):
        planned(h200, **sizes)


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize("operation", ["softmax", "rmsnorm"])
def test_a_row_stays_in_registers(planned_code, operation):
    made = planned_code(
        "reduction", "triton", {"BLOCK": 4096, "num_warps": 8}, {"columns": 4096, "operation": operation}
    )
    assert made["stack_bytes"] == 0
    assert made["registers"] <= 64  # 16 elements a thread
