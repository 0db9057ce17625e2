"""From a configuration to the macros and the launch of ``rows.cuh``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from hotloop.kernels import _text
from hotloop.kernels.reduction.geometry import ACCESS_BYTES, ELEMENT_BYTES, HELD_MOST, Rows
from hotloop.kernels.reduction.problem import rows_of
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.model.space import Config
from hotloop.targets.target import Target

_PACKED = 2
"""The value of HELD that keeps a row as it came: vectors of 16-bit numbers, twice as many of them."""
_SCALED = ("rmsnorm", "layernorm")
_SWAPS = 3
"""The value of EXCHANGE that exchanges rows of lanes between registers."""
_HIP_WAVE = 64
"""Work-items of a wave that the text is compiled for under HIP: those of AMD's CDNA processors (gfx9)."""


PARTS = ("elements.cuh", "lanes.cuh", "rows.cuh")
"""The files of the text, in the order in which they are joined."""


@cache
def source() -> str:
    """Return the C++ text."""
    return _text.cxx(_text.read("hotloop.kernels.reduction.cuda", part) for part in PARTS)


def plan(language: str, problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem has no meaning, or rows cannot be cut into such accesses, or do not fit in registers.
    """
    rows = rows_of(problem)
    lanes, per_block, vec, held = (config.integer(name) for name in ("LANES", "ROWS", "VEC", "HELD"))
    if vec * ELEMENT_BYTES[rows.dtype] > ACCESS_BYTES or rows.columns % vec:
        raise ValueError(f"{vec} elements of {rows.dtype} do not fit accesses to rows of {rows.columns}")
    if held == _PACKED and (rows.dtype == "float32" or vec * ELEMENT_BYTES[rows.dtype] < ACCESS_BYTES):
        raise ValueError(f"HELD={held} is for vectors of eight 16-bit numbers")
    stream, early, crowd, exchange = (
        config.integer(name) if name in config else 0 for name in ("STREAM", "EARLY", "CROWD", "EXCHANGE")
    )
    if (stream or crowd) and language != "cuda":
        raise ValueError("STREAM and CROWD are for CUDA")
    if stream and vec * ELEMENT_BYTES[rows.dtype] < ACCESS_BYTES:
        raise ValueError("STREAM is for accesses of 16 bytes")
    if early and not (held and rows.operation in _SCALED):
        raise ValueError(f"EARLY is for rows in registers and {' and '.join(_SCALED)}")
    if held and -(-(rows.columns // vec) // lanes) * vec > HELD_MOST * held:
        raise ValueError(f"a row of {rows.columns} does not fit the registers of {lanes} threads")
    if language == "hip" and (lanes < _HIP_WAVE or Target.of(device.target).wave_sizes != (_HIP_WAVE,)):
        raise ValueError(
            f"waves of {_HIP_WAVE} are needed, and as many threads per row; there are {lanes} on {device.target}"
        )
    if exchange == _SWAPS and not Target.of(device.target).has("swaps of rows of lanes between registers"):
        raise ValueError(f"{device.target} cannot exchange rows of lanes between registers")
    cut = replace(
        rows, lanes=lanes, block=lanes * per_block, width=vec, hold=held, stream=stream, early=early, crowd=crowd
    )
    return _program(language, cut, (f"-DEXCHANGE={exchange}",) if language == "hip" else ())


def by_rule(language: str, problem: Problem) -> Program:
    """Return the program that the rule of `Rows` gives, which covers every shape."""
    return _program(language, rows_of(problem))


def _program(language: str, rows: Rows, more: tuple[str, ...] = ()) -> Program:
    """Return the launch of `rows`, compiled with `more` options than its own."""
    arrays = (Array(name) for name in ("x", "scale", "y", "shift"))
    threads = (rows.grid[0] * rows.threads,), (rows.threads,)
    launch = Launch("rows_reduce", (*arrays, Value(rows.rows, "int32")), *threads)
    return Program(language, source(), (*rows.options, *more), (launch,), source_name="rows.cuh")


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:  # noqa: ARG001 - one form for all
    """Return the ``config.*`` facts."""
    vec, element = config.integer("VEC"), ELEMENT_BYTES[rows_of(problem).dtype]
    return {"config.vector_elements": float(vec), "config.contiguous_bytes": float(vec * element)}
