"""Programs that measure a GPU's ceilings through Triton: FMA rate, matrix rate of 16-bit types, copy bandwidth, launch cost.

They have the interface of those in OpenCL. The FMA kernel keeps `CHAINS` independent accumulators per element in registers;
the matrix kernel multiplies the same two tiles again and again, so that nothing but the matrix unit is busy.
"""

from __future__ import annotations

from hotloop.kernels.ceiling.opencl import CHAINS, FmaRate
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.program import Argument, Array, Launch, Program, Value

WARPS = 8
ITERATIONS = 2_000
_GROUPS_PER_UNIT = 16
"""Programs per unit: with thousands of elements each they run for milliseconds on the fastest GPUs we know."""
_MATRIX_ITERATIONS = 4_000
_ROWS, _COLUMNS, _DEPTH = 128, 256, 64
"""Tile of one group: the largest that 8 warps of a Hopper GPU accumulate in registers."""
_COPIED = 4096
_MATRIX = {"float16": "float16", "bfloat16": "bfloat16", "tfloat32": "float32"}
"""Types whose ceiling is the matrix unit's, and how they are written; the last is its way of multiplying single precision."""

SOURCE = f"""
import triton
import triton.language as tl


@triton.jit
def fma_rate(out, scale, shift, iterations, ITEMS: tl.constexpr, WIDTH: tl.constexpr, TYPE: tl.constexpr):
    items = tl.program_id(0) * ITEMS + tl.arange(0, ITEMS)
    s, t = scale.to(TYPE), shift.to(TYPE)
    first = (items[:, None] + tl.arange(0, WIDTH)[None, :]).to(TYPE)
    {"; ".join(f"a{i} = first + {i}" for i in range(CHAINS))}
    for _ in range(iterations):
        {"; ".join(f"a{i} = a{i} * s + t" for i in range(CHAINS))}
    total = {" + ".join(f"a{i}" for i in range(CHAINS))}
    tl.store(out + items, tl.sum(total, 1))


@triton.jit
def matrix_rate(out, result, iterations, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr, TYPE: tl.constexpr):
    rows = tl.arange(0, ROWS)
    a = tl.full((ROWS, DEPTH), 0.5, TYPE)
    b = tl.full((DEPTH, COLUMNS), 0.5, TYPE)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for _ in range(iterations):
        total = tl.dot(a, b, total)
    mean = tl.max(total, 1) / (iterations * DEPTH * 0.25)
    tl.store(out + tl.program_id(0) * ROWS + rows, (mean * result).to(TYPE))


@triton.jit
def copy(x, y, count, BLOCK: tl.constexpr):
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < count
    tl.store(y + where, tl.load(x + where, mask=inside), mask=inside)


@triton.jit
def empty(out):
    if tl.program_id(0) > 1000000:
        tl.store(out, 0.0)
"""


def fma_rate(device: Device, dtype: str, width: int, iterations: int | None = None) -> FmaRate:
    """Return the program that runs FMA chains on every compute unit, and its flops per call.

    For 16-bit types it is the matrix unit that sets the ceiling: the width makes no difference then.
    """
    if dtype in _MATRIX:
        return _matrix_rate(device, dtype, width, iterations or _MATRIX_ITERATIONS)
    group = threads(WARPS, device.target)
    groups = _GROUPS_PER_UNIT * device.compute_units
    items, iterations = groups * group, iterations or ITERATIONS
    meta = Meta(
        values={"ITEMS": group, "WIDTH": width, "num_warps": WARPS},
        expressions={"TYPE": f"tl.{dtype}"},
        dtypes={"out": dtype},
    )
    arguments = (Array("out"), Value(0.5, "float32"), Value(1.0, "float32"), Value(iterations, "int32"))
    program = _program("fma_rate", arguments, groups, group, meta)
    return FmaRate(program, 2.0 * CHAINS * width * iterations * items, items, width)


def _matrix_rate(device: Device, dtype: str, width: int, iterations: int) -> FmaRate:
    """Return the program that keeps the matrix unit busy; its result is that of the FMA chains, so one check fits both."""
    groups, written = device.compute_units, _MATRIX[dtype]
    meta = Meta(
        values={"ROWS": _ROWS, "COLUMNS": _COLUMNS, "DEPTH": _DEPTH, "num_warps": WARPS},
        expressions={"TYPE": f"tl.{written}"},
        dtypes={"out": written},
    )
    arguments = (Array("out"), Value(2.0 * CHAINS * width, "float32"), Value(iterations, "int32"))
    program = _program("matrix_rate", arguments, groups, threads(WARPS, device.target), meta)
    flops = 2.0 * _ROWS * _COLUMNS * _DEPTH * iterations * groups
    return FmaRate(program, flops, groups * _ROWS, width)


def copy(device: Device, count: int) -> Program:
    """Return the program that copies `count` float32."""
    meta = Meta(values={"BLOCK": _COPIED, "num_warps": WARPS}, dtypes={"x": "float32", "y": "float32"})
    arguments = (Array("x"), Array("y"), Value(count, "int64"))
    return _program("copy", arguments, -(-count // _COPIED), threads(WARPS, device.target), meta)


def empty() -> Program:
    """Return the program that does nothing, to time a launch."""
    return _program("empty", (Array("out"),), 1, 32, Meta(values={"num_warps": 1}, dtypes={"out": "float32"}))


def _program(entry: str, arguments: tuple[Argument, ...], groups: int, group: int, meta: Meta) -> Program:
    launch = Launch(entry, arguments, (groups * group,), (group,))
    return Program("triton", SOURCE, meta.options, (launch,), source_name="ceiling.py")
