// The part of HIP and CUDA C++ that kernels need, for clang without ROCm or the CUDA toolkit.
//
// Attributes, indices, vector types, barriers, shuffles, atomics and common functions; no host side, no libraries, and
// device functions of <cmath> under their C names only.
#ifndef HOTLOOP_DEVICE_H
#define HOTLOOP_DEVICE_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#if defined(__HIP__)
#define __launch_bounds__(THREADS, ...) __attribute__((amdgpu_flat_work_group_size(1, THREADS)))
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
#define HL_DEVICE static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;
#ifndef INFINITY // of <cmath>, which the vendor's header includes
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef _Float16 half;
typedef _Float16 __half;
#if defined(__HIP__) || __CUDA_ARCH__ >= 800
typedef __bf16 __hip_bfloat16;
typedef __bf16 __nv_bfloat16;
#endif
#include "threes.h"
typedef unsigned long ulong;
typedef long long longlong;
typedef unsigned long long ulonglong;
#define HL_VECTORS(T)                                                                                                  \
    typedef T T##1 __attribute__((ext_vector_type(1)));                                                                \
    typedef T T##2 __attribute__((ext_vector_type(2)));                                                                \
    typedef hl_three<T> T##3;                                                                                          \
    typedef T T##4 __attribute__((ext_vector_type(4)));
HL_VECTORS(char) HL_VECTORS(uchar) HL_VECTORS(short) HL_VECTORS(ushort) HL_VECTORS(int) HL_VECTORS(uint)
HL_VECTORS(long) HL_VECTORS(ulong) HL_VECTORS(longlong) HL_VECTORS(ulonglong) HL_VECTORS(float) HL_VECTORS(double) HL_VECTORS(half)
typedef half2 __half2;
struct dim3 {
    unsigned x, y, z;
    constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
#define HL_MAKE(T)                                                                                                     \
    HL_DEVICE T##2 make_##T##2(T x, T y) { return T##2{x, y}; }                                                        \
    HL_DEVICE T##4 make_##T##4(T x, T y, T z, T w) { return T##4{x, y, z, w}; }
HL_MAKE(int) HL_MAKE(uint) HL_MAKE(float) HL_MAKE(double)

// --- indices ----------------------------------------------------------------------------------------------------------
#define HL_INDEX(NAME, X, Y, Z)                                                                                        \
    struct hl_##NAME {                                                                                                 \
        __declspec(property(get = get_x)) unsigned x;                                                                  \
        __declspec(property(get = get_y)) unsigned y;                                                                  \
        __declspec(property(get = get_z)) unsigned z;                                                                  \
        static __device__ __forceinline__ unsigned get_x() { return X; }                                               \
        static __device__ __forceinline__ unsigned get_y() { return Y; }                                               \
        static __device__ __forceinline__ unsigned get_z() { return Z; }                                               \
        __device__ __forceinline__ operator uint3() const { return {get_x(), get_y(), get_z()}; }                      \
        __device__ __forceinline__ operator dim3() const { return {get_x(), get_y(), get_z()}; }                       \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) hl_##NAME NAME;
#if defined(__HIP__)
HL_INDEX(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z())
HL_INDEX(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
HL_INDEX(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
HL_INDEX(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
         __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
         __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
struct hl_warpSize { __device__ __forceinline__ operator int() const { return (int)__builtin_amdgcn_wavefrontsize(); } };
extern const __device__ __attribute__((weak)) hl_warpSize warpSize;
HL_DEVICE void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
HL_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
HL_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
HL_DEVICE int __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
HL_DEVICE int hl_lane(int x, int lane) { return __builtin_amdgcn_ds_bpermute(lane << 2, x); }
#define HL_SCOPE "agent"
#else
HL_INDEX(threadIdx, __nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z())
HL_INDEX(blockIdx, __nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), __nvvm_read_ptx_sreg_ctaid_z())
HL_INDEX(blockDim, __nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(), __nvvm_read_ptx_sreg_ntid_z())
HL_INDEX(gridDim, __nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(), __nvvm_read_ptx_sreg_nctaid_z())
static constexpr int warpSize = 32;
// __syncthreads is a builtin of clang here.
HL_DEVICE void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
HL_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
HL_DEVICE void __threadfence() { __nvvm_membar_gl(); }
HL_DEVICE int __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
HL_DEVICE int hl_lane(int x, int lane) { return __nvvm_shfl_sync_idx_i32(~0u, x, lane, 31); }
HL_DEVICE size_t __cvta_generic_to_shared(const void* p)
{
    size_t r;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(r) : "l"(p));
    return r;
}
#endif

// --- shuffles within segments of `width` lanes, the wave's by default: values of 1 to 8 bytes -----------------------------
// A lane whose source lies outside its segment keeps its own value (__shfl takes the number modulo the width).
template <typename T> HL_DEVICE T hl_shuffle(T x, int lane)
{
    if constexpr (sizeof(T) == 8) {
        const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
        const unsigned long long low = (unsigned)hl_lane((int)bits, lane), high = (unsigned)hl_lane((int)(bits >> 32), lane);
        return __builtin_bit_cast(T, high << 32 | low);
    } else if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(T, hl_lane(__builtin_bit_cast(int, x), lane));
    } else if constexpr (sizeof(T) == 2) {
        return __builtin_bit_cast(T, (short)hl_lane(__builtin_bit_cast(short, x), lane));
    } else {
        static_assert(sizeof(T) == 1, "shuffles move 1, 2, 4 or 8 bytes");
        return __builtin_bit_cast(T, (char)hl_lane(__builtin_bit_cast(char, x), lane));
    }
}
HL_DEVICE int hl_width(int width) { return width ? width : (int)warpSize; }
HL_DEVICE int hl_first(int width) { return __lane_id() & -hl_width(width); }
HL_DEVICE int hl_index(int lane, int width) { return width ? hl_first(width) + (lane & (width - 1)) : lane; }
HL_DEVICE int hl_above(int delta, int width)
{
    const int self = __lane_id(), lane = self + delta;
    return lane < hl_first(width) + hl_width(width) ? lane : self;
}
HL_DEVICE int hl_below(int delta, int width)
{
    const int self = __lane_id(), lane = self - delta;
    return lane >= hl_first(width) ? lane : self;
}
HL_DEVICE int hl_across(int mask, int width)
{
    const int self = __lane_id(), lane = self ^ mask;
    return !width || lane < hl_first(width) + width ? lane : self;
}
template <typename T> HL_DEVICE T __shfl(T x, int lane, int width = 0) { return hl_shuffle(x, hl_index(lane, width)); }
template <typename T> HL_DEVICE T __shfl_xor(T x, int mask, int width = 0) { return hl_shuffle(x, hl_across(mask, width)); }
template <typename T> HL_DEVICE T __shfl_down(T x, int delta, int width = 0) { return hl_shuffle(x, hl_above(delta, width)); }
template <typename T> HL_DEVICE T __shfl_up(T x, int delta, int width = 0) { return hl_shuffle(x, hl_below(delta, width)); }
#define HL_SYNC(NAME)                                                                                                  \
    template <typename T> HL_DEVICE T NAME##_sync(unsigned long long, T x, int lane, int width = 0)                    \
    {                                                                                                                  \
        return NAME(x, lane, width);                                                                                   \
    }
HL_SYNC(__shfl) HL_SYNC(__shfl_xor) HL_SYNC(__shfl_down) HL_SYNC(__shfl_up)

// --- arithmetic -------------------------------------------------------------------------------------------------------
#define HL_ORDER(T)                                                                                                    \
    HL_DEVICE T min(T a, T b) { return a < b ? a : b; }                                                                \
    HL_DEVICE T max(T a, T b) { return a > b ? a : b; }
HL_ORDER(int) HL_ORDER(unsigned) HL_ORDER(long) HL_ORDER(unsigned long) HL_ORDER(long long)
HL_DEVICE float min(float a, float b) { return __builtin_fminf(a, b); }
HL_DEVICE float max(float a, float b) { return __builtin_fmaxf(a, b); }
HL_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
HL_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
HL_DEVICE float fabsf(float a) { return __builtin_fabsf(a); }
HL_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HL_DEVICE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HL_DEVICE float sqrtf(float a) { return __builtin_sqrtf(a); }
#if defined(__AMDGCN__)
HL_DEVICE float rsqrtf(float a) { return __builtin_amdgcn_rsqf(a); }
HL_DEVICE float __sinf(float a) { return __builtin_amdgcn_sinf(__builtin_amdgcn_fractf(a * 0.159154943f)); }
HL_DEVICE float __cosf(float a) { return __builtin_amdgcn_cosf(__builtin_amdgcn_fractf(a * 0.159154943f)); }
#else
HL_DEVICE float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
HL_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
HL_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
#endif
HL_DEVICE float __frsqrt_rn(float a) { return 1.0f / __builtin_sqrtf(a); }
HL_DEVICE float floorf(float a) { return __builtin_floorf(a); }
HL_DEVICE float ceilf(float a) { return __builtin_ceilf(a); }
HL_DEVICE float exp2f(float a) { return __builtin_elementwise_exp2(a); }
HL_DEVICE float log2f(float a) { return __builtin_elementwise_log2(a); }
HL_DEVICE float expf(float a) { return exp2f(a * 1.44269504f); }
HL_DEVICE float __expf(float a) { return expf(a); }
HL_DEVICE float logf(float a) { return log2f(a) * 0.693147181f; }
HL_DEVICE float __logf(float a) { return logf(a); }
HL_DEVICE float tanhf(float a) { return 1.0f - 2.0f / (expf(2.0f * a) + 1.0f); }
HL_DEVICE float __fdividef(float a, float b) { return a / b; }
HL_DEVICE float __half2float(half a) { return (float)a; }
HL_DEVICE half __float2half(float a) { return (half)a; }
HL_DEVICE half __float2half_rn(float a) { return (half)a; }
HL_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
HL_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
HL_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
#if defined(__HIP__)
template <typename T> HL_DEVICE T __ldg(const T *p) { return *p; }
#endif
HL_DEVICE int __popc(unsigned a) { return __builtin_popcount(a); }
HL_DEVICE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
HL_DEVICE int __ffs(unsigned a) { return __builtin_ffs((int)a); }
HL_DEVICE int __ffsll(unsigned long long a) { return __builtin_ffsll((long long)a); }
HL_DEVICE int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
HL_DEVICE int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
HL_DEVICE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
// Templates, so that a function of the same name in the text itself is preferred.
#define HL_PLAIN(F)                                                                                                    \
    template <int = 0> HL_DEVICE float F##f(float a) { return __builtin_##F##f(a); }                                   \
    template <int = 0> HL_DEVICE float F(float a) { return __builtin_##F##f(a); }                                      \
    template <int = 0> HL_DEVICE double F(double a) { return __builtin_##F(a); }
HL_PLAIN(trunc) HL_PLAIN(rint) HL_PLAIN(sqrt) HL_PLAIN(fabs) HL_PLAIN(floor) HL_PLAIN(ceil)
template <int = 0> HL_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <int = 0> HL_DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
template <int = 0> HL_DEVICE double copysign(double a, double b) { return __builtin_copysign(a, b); }

#if defined(__HIP__)
// --- votes ------------------------------------------------------------------------------------------------------------
HL_DEVICE unsigned long long __ballot(int p) { return __builtin_amdgcn_uicmp((unsigned)p, 0u, 33); }
HL_DEVICE unsigned long long __activemask() { return __ballot(1); }
HL_DEVICE int __any(int p) { return __ballot(p) != 0; }
HL_DEVICE int __all(int p) { return __ballot(!p) == 0; }
#endif

// --- atomics ----------------------------------------------------------------------------------------------------------
#define HL_ATOMIC(T, NAME, OP)                                                                                         \
    template <int = 0> HL_DEVICE T NAME(T *p, T x) { return __scoped_atomic_##OP(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
#define HL_ATOMICS(T)                                                                                                  \
    HL_ATOMIC(T, atomicAdd, fetch_add) HL_ATOMIC(T, atomicSub, fetch_sub) HL_ATOMIC(T, atomicMin, fetch_min)           \
    HL_ATOMIC(T, atomicMax, fetch_max) HL_ATOMIC(T, atomicAnd, fetch_and) HL_ATOMIC(T, atomicOr, fetch_or)             \
    HL_ATOMIC(T, atomicXor, fetch_xor) HL_ATOMIC(T, atomicExch, exchange_n)                                            \
    template <int = 0> HL_DEVICE T atomicCAS(T *p, T old, T x)                                                         \
    {                                                                                                                  \
        __scoped_atomic_compare_exchange_n(p, &old, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); \
        return old;                                                                                                    \
    }
HL_ATOMICS(int) HL_ATOMICS(unsigned) HL_ATOMICS(unsigned long) HL_ATOMICS(long long) HL_ATOMICS(unsigned long long)
HL_ATOMIC(double, atomicAdd, fetch_add)
template <int = 0> HL_DEVICE float atomicExch(float *p, float x)
{
    return __builtin_bit_cast(float, atomicExch((unsigned *)p, __builtin_bit_cast(unsigned, x)));
}
HL_DEVICE int atomicAdd(int *p, int x) { return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
HL_DEVICE unsigned atomicAdd(unsigned *p, unsigned x) { return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
HL_DEVICE float atomicAdd(float *p, float x) { return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
HL_DEVICE int atomicMax(int *p, int x) { return __scoped_atomic_fetch_max(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
#include "intrinsics.h"
#if defined(__HIP__)
#include "textures.h"
#endif
#endif
