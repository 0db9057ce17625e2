"""Programs that measure a GPU's ceilings in C++: FMA rate, matrix rate of 16-bit types, copy bandwidth, launch cost.

They have the interface of those in OpenCL and run through CUDA; `hotloop.kernels.ceiling.hip` runs the same text through
HIP. The matrix kernels multiply two tiles in which every element is the same, again and again: their layout makes no
difference then, and the result can be checked. Such data switches few transistors, so the clock stays higher than with
real data, and the rate is a bound rather than a goal (bf16 product of 8192³ on an H200: 894 TFLOP/s with zeros, 788 with
random numbers, one run each, 2026-10-28).
"""

from __future__ import annotations

from hotloop.kernels import _text
from hotloop.kernels.ceiling.opencl import CHAINS, FmaRate
from hotloop.model.device import Device
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.targets.target import Target

GROUP = 256
_GROUPS_PER_UNIT = 16
ITERATIONS = 4_000
"""Steps of the measuring loop: with thousands of threads per unit it runs for milliseconds on the fastest GPUs we know."""
_MATRIX_GROUPS_PER_UNIT = 2
_MATRIX_ITERATIONS = 1_000
_MATRIX_UNROLL = 16
"""Matrix instructions of one iteration."""
_HALF = ("float16", "bfloat16")
_WARP_GROUP_TARGET = "sm_90"
"""Only this processor has wgmma; later ones have tcgen05, whose rate mma.sync does not reach."""
_FULL_RATE_BELOW = 90
"""Compute capability from which mma.sync no longer reaches the matrix unit's rate: NVIDIA, Hopper tuning guide."""
_WARP = 32

EMPTY_SOURCE = 'extern "C" __global__ void empty(float *out) { if (blockIdx.x > 1000000) out[0] = 0; }'

_MMA_TILES = 8
"""Independent accumulator tiles of one warp."""
_MMA_FLOPS = 2 * 16 * 8 * 16
"""Operations of one mma.sync m16n8k16: PTX ISA, warp-level matrix instructions."""

_WGMMA_FLOPS = 2 * 64 * 256 * 16
"""Operations of one wgmma m64n256k16: PTX ISA, asynchronous warpgroup-level matrix instructions."""
_WGMMA_SUMS = 128
"""Accumulators of one thread."""


def _wgmma_source() -> str:
    """Return the kernel of 128 accumulators per thread; descriptors as in PTX ISA, matrix descriptor, no swizzling."""
    numbers = range(_WGMMA_SUMS)
    names = ", ".join(f"%{i}" for i in numbers)
    operands = ", ".join(f'"+f"(s[{i}])' for i in numbers)
    first, second = _WGMMA_SUMS, _WGMMA_SUMS + 1
    return f"""
#define MULTIPLY asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32." PTX "." PTX " {{{names}}}, %{first}, %{second}, 1, 1, 1, 0, 0;" : {operands} : "l"(a), "l"(b));
__device__ __forceinline__ unsigned long long descriptor(const void *tile) {{
    const unsigned address = (unsigned)__cvta_generic_to_shared(tile);
    return (unsigned long long)((address & 0x3FFFF) >> 4) | (128ull >> 4) << 16 | (256ull >> 4) << 32;
}}
extern "C" __global__ void __launch_bounds__(GROUP) matrix_rate(unsigned short *out, const float result, const int iterations) {{
    __shared__ __align__(128) unsigned tiles[(64 + 256) * 16 / 2];
    for (int i = threadIdx.x; i < (64 + 256) * 16 / 2; i += GROUP) tiles[i] = HALVES;
    __syncthreads();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned long long a = descriptor(tiles), b = descriptor(tiles + 64 * 16 / 2);
    float s[{_WGMMA_SUMS}];
#pragma unroll
    for (int i = 0; i < {_WGMMA_SUMS}; ++i) s[i] = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < iterations; ++k) {{
        {"MULTIPLY " * _MATRIX_UNROLL}
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }}
    float total = 0;
#pragma unroll
    for (int i = 0; i < {_WGMMA_SUMS}; ++i) total += s[i];
    const float mean = total / {_WGMMA_SUMS} / (4.0f * {_MATRIX_UNROLL} * iterations);
    unsigned short bits;
    asm("cvt.rn." PTX ".f32 %0, %1;" : "=h"(bits) : "f"(mean * result));
    out[blockIdx.x * GROUP + threadIdx.x] = bits;
}}
"""


def fma_rate(device: Device, dtype: str, width: int, iterations: int | None = None) -> FmaRate | None:
    """Return the program that runs FMA chains on every multiprocessor, and its flops per call; None: not known how.

    GPUs compute lane by lane, so a width above 1 makes no difference and is not measured. For 16-bit types it is the
    matrix unit that sets the ceiling; None where hotloop has no kernel that fills it.
    """
    if width != 1:
        return None
    if dtype in _HALF:
        return _matrix_rate(device, dtype, iterations or _MATRIX_ITERATIONS)
    items, iterations = GROUP * _GROUPS_PER_UNIT * device.compute_units, iterations or ITERATIONS
    arguments = (Array("out"), Value(0.5, dtype), Value(1.0, dtype), Value(iterations, "int32"))
    kind, function = {"float32": ("float", "fmaf"), "float64": ("double", "fma")}[dtype]
    options = (f"-DT={kind}", f"-DFMA={function}", f"-DGROUP={GROUP}")
    program = _program("fma_rate", _text.read(__package__, "fma_rate.cu"), arguments, items, options)
    return FmaRate(program, 2.0 * CHAINS * iterations * items, items, width)


def _matrix_rate(device: Device, dtype: str, iterations: int) -> FmaRate | None:
    """Return the program that keeps the matrix unit busy; its result is that of the FMA chains, so one check fits both."""
    target = Target.of(device.target)
    if device.target == _WARP_GROUP_TARGET:
        source, warps, flops = _wgmma_source(), 4, _WGMMA_FLOPS
    elif target.at_least(80) and not target.at_least(_FULL_RATE_BELOW):
        source, warps, flops = _text.read(__package__, "matrix_rate_mma.cu"), 1, _MMA_FLOPS
    else:
        return None
    items = GROUP * _MATRIX_GROUPS_PER_UNIT * device.compute_units
    bits, ptx = ("0x38003800u", "f16") if dtype == "float16" else ("0x3F003F00u", "bf16")
    options = (
        f"-DGROUP={GROUP}", f"-DHALVES={bits}", f'-DPTX="{ptx}"', f"-DTILES={_MMA_TILES}", f"-DUNROLL={_MATRIX_UNROLL}",
    )  # fmt: skip
    arguments = (Array("out"), Value(2.0 * CHAINS, "float32"), Value(iterations, "int32"))
    program = _program("matrix_rate", source, arguments, items, options)
    issued = items / (_WARP * warps) * _MATRIX_UNROLL * iterations
    return FmaRate(program, float(flops * issued), items, 1)


def copy(device: Device, count: int) -> Program:  # noqa: ARG001 - the interface of all ceilings
    """Return the program that copies `count` float32, a multiple of 4, neighbouring threads copying neighbouring vectors."""
    vectors = count // 4
    arguments = (Array("x"), Array("y"), Value(vectors, "int64"))
    return _program(
        "copy", _text.read(__package__, "copy.cu"), arguments, -(-vectors // GROUP) * GROUP, (f"-DGROUP={GROUP}",)
    )


def empty() -> Program:
    """Return the program that does nothing, to time a launch."""
    launch = Launch("empty", (Array("out"),), (1,), (1,))
    return Program("cuda", EMPTY_SOURCE, (), (launch,), source_name="empty.cu")


def _program(entry: str, source: str, arguments: tuple[Argument, ...], items: int, options: tuple[str, ...]) -> Program:
    launch = Launch(entry, arguments, (items,), (GROUP,))
    return Program("cuda", source, options, (launch,), source_name=f"{entry}.cu")
