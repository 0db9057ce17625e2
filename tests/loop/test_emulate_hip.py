"""HIP sources with hotloop's own headers, compiled for AMD GPUs and executed: tables, mathematics, votes, atomics."""

import math
import zlib
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.app.emulate.ask import Request, task_of
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.errors import HotloopError
from hotloop.host import toolchain

pytest.importorskip("ziglang")

TABLES = """
__constant__ unsigned nibble[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
static const __device__ unsigned char steps[] = {9, 8, 34, 92, 0, 255};
__device__ int counter = 3;
extern "C" __global__ void k(const unsigned char *x, unsigned *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c = ~0u;
    for (int j = 0; j < n; ++j) {
        c ^= x[i * n + j];
        c = (c >> 4) ^ nibble[c & 15];
        c = (c >> 4) ^ nibble[c & 15];
    }
    y[i] = ~c + steps[i % 6];
}
extern "C" __global__ void counted(int *y) { y[threadIdx.x] = counter; }
extern "C" __global__ void beyond(const unsigned char *x, unsigned *y, int n) { y[threadIdx.x] = nibble[x[threadIdx.x] + n]; }
"""
VARIABLES = """
__device__ unsigned arrived = 0;
__device__ int sums[4], first = 3;
static __device__ int tens;
extern "C" __global__ void k(const int *x, int *y) {
    __shared__ bool last;
    atomicAdd(&sums[blockIdx.x], x[blockIdx.x * 64 + threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(&tens, 10);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (!last || threadIdx.x) return;
    __threadfence();
    int sum = first + atomicAdd(&tens, 0);
    for (int k = 0; k < 4; ++k) sum += atomicAdd(&sums[k], 0);
    y[0] = sum;
}
"""
SEGMENTS = """
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <cassert>
#include <cstdio>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const int *x, int *y, __half2 *h, __hip_bfloat16 *b) {
    const int t = threadIdx.x, v = x[t];
    int *o = y + 10 * t;
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    assert(t < 64);
    if (v < 0) printf("%d", v);
    o[0] = __shfl(v, 19, 16), o[1] = __shfl_up(v, 3, 8), o[2] = __shfl_down(v, 3, 8), o[3] = __shfl_xor(v, 5, 8);
    o[4] = __shfl_up(v, 1), o[5] = tile.shfl_down(v, 1) + 1000 * tile.any(v > 90) + 10000 * (int)tile.ballot(v & 1);
    o[6] = __byte_perm(v, 0x01020304, 0x3715), o[7] = __float2int_rn(v * 0.5f), o[8] = __umulhi(v, 0x9E3779B9u), o[9] = -1;
    if (v % 3 == 0) {
        auto some = cg::coalesced_threads();
        o[9] = some.shfl(v, 1) + 1000 * some.thread_rank();
    }
    h[t] = __hfma2(h[t], __float2half2_rn(2.0f), __floats2half2_rn(1.0f, -1.0f));
    b[t] = __hadd(__float2bfloat16(0.5f), b[t]);
}
"""
MATHEMATICS = """
// A function of the text's own is preferred to the header's.
__device__ double hypot(double a, double b) { return a + 10.0 * b; }
extern "C" __global__ void k(const float *x, double *y) {
    const int i = threadIdx.x;
    double *o = y + 12 * i;
    float s, c;
    sincosf(x[i], &s, &c);
    o[0] = erff(x[i]), o[1] = s, o[2] = c, o[3] = powf(fabsf(x[i]), 0.3f), o[4] = log2((double)fabsf(x[i]));
    o[5] = atan2f(x[i], 0.5f), o[6] = hypot((double)x[i], 1.0), o[7] = truncf(x[i]), o[8] = cbrtf(x[i]), o[9] = sqrt(2.0);
    o[10] = copysignf(3.0f, x[i]), o[11] = expm1f(x[i]);
}
"""
VOTES = """
extern "C" __global__ void k(const int *x, int *y, int *count, unsigned long long *z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = x[i] % 3 == 0;
    const unsigned long long m = __ballot(keep);
    const int lane = threadIdx.x % warpSize, before = __popcll(m & ((1ull << lane) - 1));
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popcll(m));
    base = __shfl(base, 0);
    if (keep) y[base + before] = x[i];
    atomicMax(z, (unsigned long long)x[i] << 20);
    atomicXor((unsigned *)(z + 1), (unsigned)x[i]);
    z[2 + i] = __shfl_xor((unsigned long long)x[i] << 33, 1) + __clz(x[i]) + 100 * __ffs(x[i]) + (__any(x[i] < 0) ? 7 : 0);
}
"""

NAMES = """#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>
extern "C" __global__ void k(const float3 *x, float3 *y, double *o, int *n, long4 *w) {
    const uint3 at = threadIdx;
    const dim3 size = blockDim;
    const int t = at.x;
    int e;
    double whole;
    y[t] = -(2.0f * x[t] + make_float3(1, 2, 3)) / x[t].z;
    const double z = x[t].x;
    const hipFloatComplex c = hipCmulf(make_hipFloatComplex(x[t].x, 1), make_hipFloatComplex(2, x[t].y));
    double *d = o + 8 * t;
    d[0] = frexp(z, &e), d[1] = e, d[2] = modf(z, &whole), d[3] = whole, d[4] = lround(z), d[5] = fdim(z, 0.25), d[6] = logb(z);
    d[7] = hipCrealf(c) + 1000 * hipCimagf(c);
    n[t] = __syncthreads_count(t % 3 == 0) + 100 * (__syncthreads_or(t == 5) != 0) + 1000 * (__syncthreads_and(t < 9) != 0) + size.x;
    w[t] = make_long4(__match_any(t % 5), __bitextract_u32(t * 77, 2, 5), __bitinsert_u32(~0u, t, 3, 4), atomicAdd_system(n + 64, 2) & 1);
}
extern "C" __global__ void heaped(float *y) { float *x = (float *)malloc(64); x[threadIdx.x] = 0; y[0] = x[1]; free(x); }
extern "C" __global__ void gridded(float *y) { y[threadIdx.x] = 0; cooperative_groups::this_grid().sync(); }
extern "C" __global__ void textured(hipTextureObject_t t, float *y) { y[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.5f); }
"""


def listing(folder, text, target, kernel="k"):
    path = folder / "k.hip"
    path.write_text(text)
    return compile_offline(f"{path}:{kernel}", target).listing


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("target", ["gfx942", "gfx1030", "gfx1201"])
def test_tables_of_the_listing_are_in_memory(tmp_path, target, native):
    x = np.random.default_rng(1).integers(0, 256, (64, 11)).astype(np.uint8)
    launch = Launch(arguments=[x, np.zeros(64, np.uint32), np.int32(11)], grid=(1, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(tmp_path, TABLES, target), "k"), launch, backend=executor.native() if native else None)
    steps = [9, 8, 34, 92, 0, 255]
    wanted = [zlib.crc32(row.tobytes()) + steps[i % 6] & 0xFFFFFFFF for i, row in enumerate(x)]
    assert done.findings == ()
    assert done.arrays[1].tolist() == wanted


def test_a_table_has_bounds(tmp_path):
    x, y = np.full(64, 15, np.uint8), np.zeros(64, np.uint32)
    launch = Launch(arguments=[x, y, np.int32(1)], grid=(1, 1, 1), workgroup=(64, 1, 1))
    found = run(load(listing(tmp_path, TABLES, "gfx1100", "beyond"), "beyond"), launch).findings
    assert "at byte 64 of nibble (64 bytes)" in found[0].text


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_variables_of_the_listing_are_in_memory_and_shared_by_work_groups(tmp_path, target, native):
    """The last work-group to end adds up what all left, as CUDA's samples do it."""
    x = np.arange(256, dtype=np.int32)
    launch = Launch(arguments=[x, np.zeros(1, np.int32)], grid=(4, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(tmp_path, VARIABLES, target), "k"), launch, backend=executor.native() if native else None)
    assert done.findings == ()
    assert int(done.arrays[1][0]) == 3 + 4 * 10 + x.sum()


@pytest.mark.skipif(not toolchain.device_libraries(), reason="AMD's device library is not here")
@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_functions_of_cmath(tmp_path, target):
    x = (np.random.default_rng(1).standard_normal(64) * 2).astype(np.float32)
    launch = Launch(arguments=[x, np.zeros((64, 12))], grid=(1, 1, 1), workgroup=(64, 1, 1), fresh=frozenset({1}))
    done = run(load(listing(tmp_path, MATHEMATICS, target), "k"), launch)
    v = x.astype(np.float64)
    wanted = [
        np.array([math.erf(a) for a in v]),
        np.sin(v),
        np.cos(v),
        np.abs(v) ** 0.3,
        np.log2(np.abs(v)),
        np.arctan2(v, 0.5),
    ]
    wanted += [v + 10, np.trunc(v), np.cbrt(v), np.full(64, math.sqrt(2)), np.copysign(3, v), np.expm1(v)]
    assert done.findings == ()
    assert np.allclose(done.arrays[1], np.stack(wanted, 1), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("target", ["gfx942", "gfx1030"])
def test_votes_and_an_order_that_an_atomic_tells(tmp_path, target):
    text = listing(tmp_path, VOTES, target)
    x = np.random.default_rng(1).integers(0, 10**6, 512).astype(np.int32)
    arrays = {"x": x, "y": np.full(512, -1, np.int32), "count": np.zeros(1, np.int32), "z": np.zeros(514, np.uint64)}
    step = Step(program=load(text, "k"), listing=text, arguments=tuple(arrays), grid=(4, 1, 1), workgroup=(128, 1, 1))
    answer = execute(Task(label="k", target=target, steps=(step,), arrays=arrays), Adversary())
    kept = np.sort(x[x % 3 == 0])
    made, z = np.asarray(answer.arrays["y"]), np.asarray(answer.arrays["z"])
    assert answer.findings == ()
    assert [note for note in answer.notes if "atomics tell them who came first" in note]
    assert np.array_equal(np.sort(made[made >= 0]), kept)
    assert int(np.asarray(answer.arrays["count"])[0]) == len(kept)
    assert int(z[0]) == int(x.max()) << 20
    assert int(z[1]) == int(np.bitwise_xor.reduce(x))
    firsts = [(int(v) & -int(v)).bit_length() for v in x]
    extra = np.array([32 - int(v).bit_length() for v in x]) + 100 * np.array(firsts)
    assert np.array_equal(z[2:], (x[np.arange(512) ^ 1].astype(np.uint64) << np.uint64(33)) + extra.astype(np.uint64))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_segments_of_a_wave_halves_and_cooperative_groups(tmp_path, target):
    x = np.random.default_rng(1).integers(0, 100, 32).astype(np.int32)
    h, b = np.linspace(-3, 3, 64).astype(np.float16), np.arange(32).astype(ml_dtypes.bfloat16)
    launch = Launch(arguments=[x, np.zeros((32, 10), np.int32), h, b], grid=(1, 1, 1), workgroup=(32, 1, 1))
    done = run(load(listing(tmp_path, SEGMENTS, target), "k"), launch)
    assert done.findings == ()
    y, lane, fours = done.arrays[1], np.arange(32), x.reshape(8, 4)
    assert np.array_equal(y[:, 0], x[lane // 16 * 16 + 3])
    assert np.array_equal(y[:, 1], x[np.where(lane % 8 >= 3, lane - 3, lane)])
    assert np.array_equal(y[:, 2], x[np.where(lane % 8 < 5, lane + 3, lane)])
    assert np.array_equal(y[:, 3], x[lane ^ 5])
    assert np.array_equal(y[:, 4], x[np.maximum(lane - 1, 0)])
    votes = 1000 * (fours > 90).any(1) + 10000 * ((fours & 1) @ [1, 2, 4, 8])
    assert np.array_equal(y[:, 5], (fours[:, [1, 2, 3, 3]] + votes[:, None]).ravel())
    octets = [int(v).to_bytes(4, "little") + bytes([4, 3, 2, 1]) for v in x]
    assert y[:, 6].tolist() == [int.from_bytes(bytes(o[n] for n in (5, 1, 7, 3)), "little") for o in octets]
    assert np.array_equal(y[:, 7], np.rint(x / 2))
    assert y[:, 8].tolist() == [int(v) * 0x9E3779B9 >> 32 for v in x]
    thirds = np.flatnonzero(x % 3 == 0)
    assert np.array_equal(y[thirds, 9], x[thirds[1]] + 1000 * np.arange(len(thirds)))
    assert np.array_equal(done.arrays[2], (h.astype(np.float32) * 2 + np.tile([1.0, -1.0], 32)).astype(np.float16))
    assert np.array_equal(done.arrays[3], (b.astype(np.float32) + 0.5).astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_names_of_hip_beyond_the_common_ones(tmp_path, target):
    """Vectors of three take three elements' bytes, as in HIP; groups vote; numbers are taken apart."""
    x = np.random.default_rng(1).uniform(0.5, 9, (64, 3)).astype(np.float32)
    arrays = [x, np.zeros((64, 3), np.float32), np.zeros((64, 8)), np.zeros(65, np.int32), np.zeros((64, 4), np.int64)]
    launch = Launch(arguments=arrays, grid=(1, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(tmp_path, NAMES, target), "k"), launch)
    y, o, n, w = done.arrays[1:]
    v, t = x[:, 0].astype(np.float64), np.arange(64)
    assert done.findings == ()
    assert np.allclose(y, -(2 * x + [1, 2, 3]) / x[:, 2:], rtol=1e-5)
    fraction, whole = np.modf(v)
    mantissa, exponent = np.frexp(v)
    product = (x[:, 0] + 1j) * (2 + 1j * x[:, 1])
    wanted = [mantissa, exponent, fraction, whole, np.floor(v + 0.5), np.maximum(v - 0.25, 0), exponent - 1]
    assert np.allclose(o, np.stack([*wanted, product.real + 1000 * product.imag], 1), rtol=1e-5)
    assert n.tolist() == [22 + 100 + 64] * 64 + [128]
    wide = 64 if target == "gfx942" else 32
    mates = [sum(1 << j for j in range(wide) if (i // wide * wide + j) % 5 == i % 5) for i in range(64)]
    assert w[:, 0].astype(np.uint64).tolist() == mates
    assert np.array_equal(w[:, 1:], np.stack([t * 77 >> 2 & 31, 0xFFFFFFFF & ~(15 << 3) | (t & 15) << 3, 0 * t], 1))


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        ("textured", "an image or a sampler"),
        ("heaped", "malloc: the heap of a device"),
        ("gridded", "barriers of a whole grid"),
    ],
)
def test_what_needs_more_than_the_code_is_refused_in_a_sentence(tmp_path, kernel, why):
    with pytest.raises(HotloopError, match=why):
        load(listing(tmp_path, NAMES, "gfx1100", kernel), kernel)


LANES = """#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b, const half2 *h, half2 *sums) {
    __shared__ half2 own[4];
    const int i = threadIdx.x;
    if (i < 4) own[i] = half2{0, 0};
    __syncthreads();
    atomicAdd(own + i % 4, h[i]);
    unsafeAtomicAdd(sums + i % 4, h[i]);
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const auto part = cg::binary_partition(tile, a[i] > 0);
    int same;
    const unsigned long long alike = tile.match_all(a[i], same);
    const unsigned long long mask = 0xffffull << (__lane_id() & 48);
    b[7 * i] = __reduce_add_sync(mask, a[i]), b[7 * i + 1] = __reduce_min_sync(mask, a[i]), b[7 * i + 2] = __reduce_xor_sync(mask, a[i]);
    b[7 * i + 3] = part.size() * 100 + cg::thread_rank(part), b[7 * i + 4] = same, b[7 * i + 5] = (int)alike;
    b[7 * i + 6] = cg::this_grid().thread_rank() + 100 * cg::this_grid().num_blocks();
    __syncthreads();
    if (i < 4) sums[4 + i] = own[i];
}
"""


@pytest.mark.parametrize("target", ["gfx950", "gfx1100"])
def test_reductions_parts_of_tiles_and_atomics_of_pairs_of_halves(tmp_path, target):
    """Waves of a group meet in local memory by a load of a generic address and a compare-and-swap, which is no race."""
    a = np.array([3] * 16 + [*range(-8, 8)] + [*range(5, 21)] + [-1] * 15 + [1], np.int32)
    h = (np.arange(128) % 7 - 3).reshape(64, 2).astype(np.float16)
    program = load(listing(tmp_path, LANES, target), "k")
    given = (a, np.zeros((64, 7), np.int32), h, np.zeros((8, 2), np.float16))
    done = run(program, Launch(arguments=given, grid=(1, 1, 1), workgroup=(64, 1, 1)))
    assert not done.findings
    tiles = a.reshape(4, 16)
    rows = [(t.sum(), t.min(), np.bitwise_xor.reduce(t), t) for t in tiles for _ in t]
    assert np.array_equal(done.arrays[1][:, :3], [row[:3] for row in rows])
    alike = [(t > 0) == (x > 0) for t in tiles for x in t]
    parts = [100 * fits.sum() + fits[: n % 16].sum() for n, fits in enumerate(alike)]
    assert np.array_equal(done.arrays[1][:, 3], parts)
    assert np.array_equal(done.arrays[1][:, 4:], [(n < 16, 65535 * (n < 16), n + 100) for n in range(64)])
    assert np.array_equal(done.arrays[3], np.tile(h.reshape(16, 4, 2).sum(0), (2, 1)))


@pytest.mark.parametrize(("kind", "name"), [("short", "b128_v8i16"), ("unsigned char", "b64_v2i32")])
def test_transposing_loads_of_device_memory(tmp_path, kind, name):
    """16-bit numbers as ROCm's documentation has their lanes, bytes as a 16x16 operand of a product is loaded."""
    words = {
        "short": "typedef short V __attribute__((ext_vector_type(8)));",
        "unsigned char": "typedef int V __attribute__((ext_vector_type(2)));",
    }
    where = {"short": "t / 4 * 32 + t % 4 * 8", "unsigned char": "(t / 8 * 4 + t % 4) * 16 + t / 4 % 2 * 8"}
    text = words[kind] + (
        f'extern "C" __global__ void k({kind} *x, V *y, int lanes) {{ const int t = threadIdx.x; if (t < lanes)'
        f" y[t] = __builtin_amdgcn_global_load_tr_{name}((__attribute__((address_space(1))) V *)(x + {where[kind]})); }}"
    )
    x = np.arange(256).astype(np.int16 if kind == "short" else np.uint8)
    rows = x.reshape(8, 32) if kind == "short" else x.reshape(16, 16)
    program = load(listing(tmp_path, text, "gfx1201"), "k")
    launch = Launch(arguments=[x, np.zeros_like(x), np.int32(32)], grid=(1, 1, 1), workgroup=(32, 1, 1))
    done = run(program, launch)
    t, e = np.arange(32)[:, None], np.arange(8)
    wanted = rows[t // 8 * 2 + e // 4, e % 4 * 8 + t % 8] if kind == "short" else rows[t // 16 * 8 + e, t % 16]
    assert done.findings == ()
    assert np.array_equal(done.arrays[1].reshape(32, 8), wanted)
    with pytest.raises(HotloopError, match="with lanes switched off"):
        run(program, replace(launch, arguments=[x, np.zeros_like(x), np.int32(31)]))
    hollow = run(program, replace(launch, fresh=frozenset({0})))
    assert {finding.trouble for finding in hollow.findings} == {"uninitialised"}


LAST_BLOCK = """
__device__ unsigned arrived;
extern "C" __global__ void k(const int *x, int *part, int *out, int n) {
    __shared__ int s[128];
    __shared__ bool last;
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += x[i];
    s[threadIdx.x] = own;
    __syncthreads();
    for (int o = 64; o; o >>= 1) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += part[i];
    *out = sum;
}
"""


@pytest.mark.parametrize("target", ["gfx950", "gfx1201"])
def test_the_last_of_several_work_groups_has_met_all_others(tmp_path, target):
    """Groups whose lanes change one place at once come one after the other, not in the order of their numbers."""
    x = np.arange(1000, dtype=np.int32)
    arrays = [x, np.zeros(5, np.int32), np.zeros(1, np.int32), np.int32(1000)]
    launch = Launch(arguments=arrays, grid=(5, 1, 1), workgroup=(128, 1, 1))
    done = run(load(listing(tmp_path, LAST_BLOCK, target), "k"), launch)
    assert done.findings == ()
    assert int(done.arrays[2][0]) == x.sum()


NEIGHBOURS = """
#define LOAD(P) __scoped_atomic_load_n(P, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE)
extern "C" __global__ void k(int *a, int *b, unsigned *c) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    for (unsigned s = 0; s < 2; ++s) {
        __scoped_atomic_store_n(b + i, LOAD(a + (i + 64) % 256) + LOAD(a + (i + 192) % 256), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(c, 1u);
            while (LOAD(c) < 4 * s + ARRIVALS);
        }
        __syncthreads();
        int *t = a;
        a = b, b = t;
    }
}
"""


@pytest.mark.parametrize(("arrivals", "troubles"), [(4, set()), (3, {"depends on order"}), (0, {"depends on order"})])
def test_a_barrier_over_the_grid_that_does_not_wait_for_all(tmp_path, arrivals, troubles):
    """All accesses are atomic, so none races: only a work-group that is left behind shows that others go on without it."""
    text = listing(tmp_path, NEIGHBOURS.replace("ARRIVALS", str(arrivals)), "gfx942")
    arrays = {"a": np.arange(256, dtype=np.int32), "b": np.zeros(256, np.int32), "c": np.zeros(1, np.uint32)}
    step = Step(program=load(text, "k"), listing=text, arguments=tuple(arrays), grid=(4, 1, 1), workgroup=(64, 1, 1))
    answer = execute(Task(label="k", target="gfx942", steps=(step,), arrays=arrays), Adversary())
    assert {told.finding.trouble for told in answer.findings} == troubles


PARTITIONS = """#include <hip/hip_cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const int *x, int *y) {
    const int t = threadIdx.x;
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    auto alike = cg::labeled_partition(tile, x[t] & 3);
    y[t] = cg::reduce(alike, x[t], cg::plus<int>());
    y[64 + t] = cg::inclusive_scan(tile, x[t], cg::greater<int>());
    y[128 + t] = cg::tiled_partition<4>(tile).meta_group_rank() + 10 * cg::tiled_partition(cg::this_thread_block(), 8).shfl(x[t], 2);
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_groups_by_label_are_reduced_and_tiles_count_in_their_parent(tmp_path, target):
    x = np.random.default_rng(5).integers(-99, 99, 64).astype(np.int32)
    launch = Launch(arguments=[x, np.zeros(192, np.int32)], grid=(1, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(tmp_path, PARTITIONS, target), "k"), launch)
    rows, lane = x.reshape(4, 16), np.arange(64)
    sums = [int(row[(row & 3) == (v & 3)].sum()) for row in rows for v in row]
    most = np.maximum.accumulate(rows, axis=1).reshape(-1)
    assert done.findings == ()
    assert done.arrays[1].tolist() == [*sums, *most.tolist(), *(lane % 16 // 4 + 10 * x[lane // 8 * 8 + 2]).tolist()]


HOLLOW = """
#include <hip/hip_runtime.h>
extern "C" __global__ void k(const int *x, int *y, int n) {
    int at;
    for (int b = 0; b < n; ++b)
        if ((int)threadIdx.x < x[b]) {
            SET
            break;
        }
    y[threadIdx.x] = x[at];
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("statement", "found"), [("", True), ("at = b;", False)])
def test_a_variable_that_the_compiler_left_out_as_undefined_is_found_by_what_it_begins_with(tmp_path, statement, found, target):  # fmt: skip
    """That one may be used unset is said of both; of the second one the launch sets it always."""
    file = tmp_path / "k.hip"
    file.write_text(HOLLOW.replace("SET", statement))
    given = ("x=i32:4:count", "y=i32:64:fresh", "n=i32:=4")
    asked = Request(text=str(file), target=target, given=given, workgroup=(64, 1, 1))
    task = task_of(asked)
    assert task.hollow is not None
    task.arrays["x"][:] = [20, 40, 60, 64]
    answer = execute(task, Adversary())
    assert [one.finding.trouble for one in answer.findings] == [Trouble.UNINITIALISED] * found
