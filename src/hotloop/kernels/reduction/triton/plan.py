"""From a configuration to a launch of the Triton kernel: a program for each row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from hotloop.kernels.reduction.geometry import Rows
from hotloop.kernels.reduction.problem import ELEMENT_BYTES, rows_of
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

_WARP = 32


@cache
def source() -> str:
    """Return Triton's text."""
    return (resources.files("hotloop.kernels.reduction.triton") / "kernel.py").read_text(encoding="utf-8")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem has no meaning, its operation has no kernel in Triton, or a row is longer than a block.
    """
    rows, block, warps = rows_of(problem), config.integer("BLOCK"), config.integer("num_warps")
    if rows.columns > block:
        raise ValueError(f"rows of {rows.columns} exceed the {block} elements that a program holds")
    arguments = _arguments(rows)
    group = threads(warps, device.target)
    meta = Meta(
        values={"BLOCK": block, "num_warps": warps},
        dtypes={one.name: rows.dtype for one in arguments if isinstance(one, Array)},
    )
    launch = Launch(rows.operation, arguments, (rows.rows * group,), (group,))
    return Program("triton", source(), meta.options, (launch,), source_name="kernel.py")


def _arguments(rows: Rows) -> tuple[Argument, ...]:
    x, y, width = Array("x"), Array("y"), Value(rows.columns, "int32")
    match rows.operation:
        case "softmax":
            return x, y, width
        case "rmsnorm":
            return x, Array("scale"), y, width, Value(rows.epsilon, "float32")
        case other:
            raise ValueError(f"{other} has no kernel in Triton")


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    each = config.integer("BLOCK") / (_WARP * config.integer("num_warps"))
    return {"config.accumulators": each, "config.contiguous_bytes": float(ELEMENT_BYTES[rows_of(problem).dtype])}
