"""Programs that measure a device's ceilings through OpenCL, with the same engine that times candidates.

The FMA kernel keeps `CHAINS` independent accumulators per work-item in registers, enough to cover latency × issue width
on every core we know (Zen 3: 4 cycles × 2 units = 8; Ice Lake: 4 × 2; Zen 5: 4 × 2), and no memory access in its loop.
"""

from __future__ import annotations

from dataclasses import dataclass

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

FMA_SOURCE = """
#if WIDTH == 1
typedef T V;
#else
#define CAT(a, b) a##b
#define CAT2(a, b) CAT(a, b)
typedef CAT2(T, WIDTH) V;
#endif
#ifdef FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void fma_rate(__global T *out, const T scale, const T shift, const int iterations) {
    const int item = get_global_id(0);
#define DECLARE(i) V a##i = (V)((T)(item + i));
    EACH(DECLARE)
    const V s = (V)(scale), t = (V)(shift);
    for (int k = 0; k < iterations; ++k) {
#define STEP(i) a##i = fma(a##i, s, t);
        EACH(STEP)
    }
    V sum = (V)(0);
#define ADD(i) sum += a##i;
    EACH(ADD)
#if WIDTH == 1
    out[item] = sum;
#else
    T lanes[WIDTH] __attribute__((aligned(128)));
    *(V *)lanes = sum;
    T total = 0;
    for (int lane = 0; lane < WIDTH; ++lane) total += lanes[lane];
    out[item] = total;
#endif
}
"""

COPY_SOURCE = """
#ifdef COALESCED
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void copy(__global const float4 *x, __global float4 *y, const long vectors) {
    const long i = get_global_id(0);
    if (i < vectors) y[i] = x[i];
}
#else
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void copy(__global const float16 *x, __global float16 *y, const long vectors_per_item, const long vectors) {
    const long first = get_global_id(0) * vectors_per_item;
    const long last = min(first + vectors_per_item, vectors);
    for (long i = first; i < last; ++i) y[i] = x[i];
}
#endif
"""

UPDATE_SOURCE = """
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void update(__global float16 *y, const long vectors_per_item, const long vectors) {
    const long first = get_global_id(0) * vectors_per_item;
    const long last = min(first + vectors_per_item, vectors);
    for (long i = first; i < last; ++i) y[i] = 1.0f - y[i];
}
"""

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
    program = Program("opencl", FMA_SOURCE, options, (launch,), source_name="fma_rate.cl")
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
        return Program("opencl", COPY_SOURCE, options, (launch,), source_name="copy.cl")
    vectors = count // 16
    items = min(vectors, 4 * device.compute_units)
    per_item = -(-vectors // items)
    arguments = (Array("x"), Array("y"), Value(per_item, "int64"), Value(vectors, "int64"))
    return Program(
        "opencl", COPY_SOURCE, ("-DGROUP=1",), (Launch("copy", arguments, (items,), (1,)),), source_name="copy.cl"
    )


def update(device: Device, count: int) -> Program | None:
    """Return the program that replaces each of `count` float32, a multiple of 16, by 1 − x in place; None on a GPU.

    A CPU fetches the lines that a copy overwrites, traffic that is not counted; what works in place moves more that counts.
    """
    if device.kind == "gpu":
        return None
    vectors = count // 16
    items = min(vectors, 4 * device.compute_units)
    arguments = (Array("y"), Value(-(-vectors // items), "int64"), Value(vectors, "int64"))
    return Program("opencl", UPDATE_SOURCE, (), (Launch("update", arguments, (items,), (1,)),), source_name="update.cl")


def empty() -> Program:
    """Return the program that does nothing, to time a launch."""
    return Program("opencl", EMPTY_SOURCE, (), (Launch("empty", (Array("out"),), (1,), (1,)),), source_name="empty.cl")
