"""Programs that measure a device's ceilings through OpenCL, with the same engine that times candidates.

The FMA kernel keeps `CHAINS` independent accumulators per work-item in registers, enough to cover latency × issue width
on every core we know (Zen 3: 4 cycles × 2 units = 8; Ice Lake: 4 × 2; Zen 5: 4 × 2), and no memory access in its loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels import _text
from hotloop.model.device import Device
from hotloop.model.program import Array, Launch, Program, Value

CHAINS = 12
"""Accumulators per work-item; 12 vectors plus two constants fit 16 registers."""
ITERATIONS = 20_000
"""Long against the launch, short against bursts of other processes."""
_ITEMS_PER_UNIT = 4
GPU_GROUP = 256
"""Work-items of a group on a GPU, whose units need many waves to be busy."""
_GPU_GROUPS_PER_UNIT = 16
_GPU_ITERATIONS = 4_000
"""Steps of the measuring loop: with thousands of items per unit it runs for milliseconds on the fastest GPUs we know."""

EMPTY_SOURCE = "__kernel void empty(__global float *out) { if (get_global_id(0) > 1000000) out[0] = 0; }"

CTYPES = {"float32": "float", "float64": "double", "float16": "half"}


@dataclass(frozen=True, slots=True)
class FmaRate:
    """Programs that measure the FMA rate of a device."""

    program: Program
    flops: float
    items: int
    """Elements of the output array."""
    width: int


def fma_rate(device: Device, dtype: str, width: int, iterations: int | None = None) -> FmaRate:
    """Return the program that runs `width`-element FMA chains on every compute unit, and its flops per call."""
    group, per_unit, usual = 1, _ITEMS_PER_UNIT, ITERATIONS
    if device.kind == "gpu":
        group, per_unit, usual = GPU_GROUP, GPU_GROUP * _GPU_GROUPS_PER_UNIT, _GPU_ITERATIONS
    items, iterations = per_unit * device.compute_units, iterations or usual
    arguments = (Array("out"), Value(0.5, dtype), Value(1.0, dtype), Value(iterations, "int32"))
    options: tuple[str, ...] = (f"-DWIDTH={width}", f"-DT={CTYPES[dtype]}", f"-DGROUP={group}")
    options += ("-DFP64",) if dtype == "float64" else ()
    launch = Launch("fma_rate", arguments, (items,), (group,))
    program = _program("fma_rate", launch, options)
    return FmaRate(program, 2.0 * CHAINS * width * iterations * items, items, width)


def copy(device: Device, count: int) -> Program:
    """Return the program that copies `count` float32, a multiple of 16.

    On a CPU each compute unit copies contiguous parts, on a GPU neighbouring work-items copy neighbouring vectors.
    """
    if device.kind == "gpu":
        vectors = count // 4
        groups = -(-vectors // GPU_GROUP)
        arguments: tuple[Array | Value, ...] = (Array("x"), Array("y"), Value(vectors, "int64"))
        launch = Launch("copy", arguments, (groups * GPU_GROUP,), (GPU_GROUP,))
        options = ("-DCOALESCED", f"-DGROUP={GPU_GROUP}")
        return _program("copy", launch, options)
    vectors = count // 16
    items = min(vectors, 4 * device.compute_units)
    per_item = -(-vectors // items)
    arguments = (Array("x"), Array("y"), Value(per_item, "int64"), Value(vectors, "int64"))
    return _program("copy", Launch("copy", arguments, (items,), (1,)), ("-DGROUP=1",))


def update(device: Device, count: int) -> Program | None:
    """Return the program that replaces each of `count` float32, a multiple of 16, by 1 − x in place; None on a GPU.

    A CPU fetches the lines that a copy overwrites, traffic that is not counted; what works in place moves more that counts.
    """
    if device.kind == "gpu":
        return None
    vectors = count // 16
    items = min(vectors, 4 * device.compute_units)
    arguments = (Array("y"), Value(-(-vectors // items), "int64"), Value(vectors, "int64"))
    return _program("update", Launch("update", arguments, (items,), (1,)))


def empty() -> Program:
    """Return the program that does nothing, to time a launch."""
    return Program("opencl", EMPTY_SOURCE, (), (Launch("empty", (Array("out"),), (1,), (1,)),), source_name="empty.cl")


def _program(name: str, launch: Launch, options: tuple[str, ...] = ()) -> Program:
    file = f"{name}.cl"
    return Program("opencl", _text.read(__package__, file), options, (launch,), source_name=file)
