"""From a problem and a configuration to a launch of the Triton row operations: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.reduction.geometry import ELEMENT_BYTES, OPERATIONS
from hotloop.kernels.reduction.problem import rows_of
from hotloop.kernels.reduction.triton.space import START
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

_MODULE = "hotloop.kernels.reduction.triton.kernel"
MOST_HELD = 16384
"""Longest row that one program holds in registers."""
_FILLED, _MOST_ROWS = 2048, 8
"""Elements that short rows of a program have together, and most rows that it has."""
_WARP_ELEMENTS = 512
"""Elements of a held row for each warp: 16 for each thread."""


def config_for(columns: int) -> Config:
    """Return the configuration of rows of which nothing was measured: each in the registers of a program of its own."""
    return START.replace(HELD=1, num_warps=min(16, max(1, _power(columns) // _WARP_ELEMENTS)))


def worth_trying(columns: int) -> tuple[Config, ...]:
    """Return configurations of rows of which nothing was measured, the likeliest first."""
    if columns > MOST_HELD:
        return (START.replace(BLOCK=4096, num_warps=8), START.replace(BLOCK=4096, num_warps=16))
    many = min(_MOST_ROWS, _FILLED // _power(columns))
    alone = config_for(columns)
    return (START.replace(HELD=1, ROWS=many, num_warps=4), alone) if many > 1 else (alone,)


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or its rows do not fit in registers.
    """
    rows = rows_of(problem)
    is_held, many = config.integer("HELD"), config.integer("ROWS")
    if is_held and rows.columns * many > MOST_HELD:
        raise ValueError(f"{many} rows of {rows.columns} exceed the {MOST_HELD} elements that a program holds")
    meta = Meta(
        values={
            "OP": OPERATIONS.index(rows.operation), "BLOCK": _power(rows.columns) if is_held else config["BLOCK"],
            "ROWS": many, "HELD": is_held, "num_warps": config["num_warps"], **_jit.chained(config, device),
        },
        dtypes=dict.fromkeys(("x", "scale", "shift", "y"), rows.dtype),
    )  # fmt: skip
    group = threads(config.integer("num_warps"), device.target)
    arguments: tuple[Argument, ...] = (
        *(Array(name) for name in ("x", "scale", "shift", "y")),
        Value(rows.rows, "int32"), Value(rows.columns, "int32"), Value(rows.epsilon, "float32"),
    )  # fmt: skip
    launch = Launch("rows_reduce", arguments, (-(-rows.rows // many) * group,), (group,))
    return Program("triton", _jit.text(_MODULE), meta.options, (launch,), source_name="kernel.py")


def _power(extent: int) -> int:
    return 1 << (extent - 1).bit_length()


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    rows = rows_of(problem)
    block = _power(rows.columns) if config.integer("HELD") else config.integer("BLOCK")
    return {"config.contiguous_bytes": float(min(block, rows.columns) * ELEMENT_BYTES[rows.dtype])}
