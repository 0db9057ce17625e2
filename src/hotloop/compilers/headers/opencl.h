// OpenCL C builtins for clang without libclc, ROCm or a vendor's compiler: everything is inlined, nothing stays a call.
//
// AMDGPU and NVPTX. What few kernels ask for lies in files beside it, as reading it takes time. Not here: pipes, work-group
// collectives; images are only declared. What printf prints is dropped. Without
// HOTLOOP_OCML (AMD's ocml.bc is linked) pow, tanh, erf and friends are short formulas: right enough for a listing's
// shape, not for results.
#ifndef HOTLOOP_OPENCL_H
#define HOTLOOP_OPENCL_H
#pragma clang system_header // what is said of variables is to be said of a kernel's own

// What a runtime defines and the compiler does not; sources ask by it whether they are OpenCL at all.
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 200
#endif
#ifndef __ENDIAN_LITTLE__
#define __ENDIAN_LITTLE__ 1
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define HL_FN static inline __attribute__((always_inline, overloadable))
#define HL_SIZES(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define HL_VECTOR(N, T) typedef T T##N __attribute__((ext_vector_type(N)));
HL_SIZES(HL_VECTOR, char) HL_SIZES(HL_VECTOR, uchar) HL_SIZES(HL_VECTOR, short) HL_SIZES(HL_VECTOR, ushort)
HL_SIZES(HL_VECTOR, int) HL_SIZES(HL_VECTOR, uint) HL_SIZES(HL_VECTOR, long) HL_SIZES(HL_VECTOR, ulong)
HL_SIZES(HL_VECTOR, float) HL_SIZES(HL_VECTOR, double) HL_SIZES(HL_VECTOR, half)

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define CHAR_BIT 8
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define FLT_DIG __FLT_DIG__
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define FLT_RADIX 2
#define FLT_MAX_EXP __FLT_MAX_EXP__
#define FLT_MIN_EXP __FLT_MIN_EXP__
#define FLT_MAX_10_EXP __FLT_MAX_10_EXP__
#define FLT_MIN_10_EXP __FLT_MIN_10_EXP__
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_DIG __DBL_DIG__
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define DBL_MAX_EXP __DBL_MAX_EXP__
#define DBL_MIN_EXP __DBL_MIN_EXP__
#define DBL_MAX_10_EXP __DBL_MAX_10_EXP__
#define DBL_MIN_10_EXP __DBL_MIN_10_EXP__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define HALF_MAX 65504.0h
#define HALF_MIN 6.103515625e-05h
#define HALF_EPSILON 9.765625e-04h
#define INFINITY (__builtin_inff())
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define NAN (__builtin_nanf(""))
#define MAXFLOAT FLT_MAX
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define M_E 2.718281828459045
#define M_E_F 2.718281828459045f
#define M_LOG2E 1.4426950408889634
#define M_LOG2E_F 1.4426950408889634f
#define M_LOG10E 0.4342944819032518
#define M_LOG10E_F 0.4342944819032518f
#define M_LN2 0.6931471805599453
#define M_LN2_F 0.6931471805599453f
#define M_LN10 2.302585092994046
#define M_LN10_F 2.302585092994046f
#define M_PI 3.141592653589793
#define M_PI_F 3.141592653589793f
#define M_PI_2 1.5707963267948966
#define M_PI_2_F 1.5707963267948966f
#define M_PI_4 0.7853981633974483
#define M_PI_4_F 0.7853981633974483f
#define M_1_PI 0.3183098861837907
#define M_1_PI_F 0.3183098861837907f
#define M_2_PI 0.6366197723675814
#define M_2_PI_F 0.6366197723675814f
#define M_2_SQRTPI 1.1283791670955126
#define M_2_SQRTPI_F 1.1283791670955126f
#define M_SQRT2 1.4142135623730951
#define M_SQRT2_F 1.4142135623730951f
#define M_SQRT1_2 0.7071067811865476
#define M_SQRT1_2_F 0.7071067811865476f

// --- work-items, barriers -------------------------------------------------------------------------------------------
#if defined(__AMDGCN__)
#define HL_BY_DIM(d, f) ((d) == 0 ? f##_x() : (d) == 1 ? f##_y() : f##_z())
HL_FN size_t get_local_id(uint d) { return HL_BY_DIM(d, __builtin_amdgcn_workitem_id); }
HL_FN size_t get_group_id(uint d) { return HL_BY_DIM(d, __builtin_amdgcn_workgroup_id); }
HL_FN size_t get_local_size(uint d) { return HL_BY_DIM(d, __builtin_amdgcn_workgroup_size); }
HL_FN size_t get_global_size(uint d) { return HL_BY_DIM(d, __builtin_amdgcn_grid_size); }
HL_FN size_t get_num_groups(uint d) { return (get_global_size(d) + get_local_size(d) - 1) / get_local_size(d); }
// The hidden argument hidden_global_offset_x of code object version 5 and later lies at byte 40.
HL_FN size_t get_global_offset(uint d) { return ((__constant const size_t *)__builtin_amdgcn_implicitarg_ptr())[5 + d]; }
HL_FN void mem_fence(uint f) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup"); }
HL_FN void barrier(uint f)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
HL_FN uint get_sub_group_local_id(void) { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
HL_FN uint get_max_sub_group_size(void) { return __builtin_amdgcn_wavefrontsize(); }
HL_FN int hl_shuffle(int x, uint lane) { return __builtin_amdgcn_ds_bpermute((int)(lane << 2), x); }
#elif defined(__NVPTX__)
#define HL_BY_DIM(d, f) ((d) == 0 ? f##_x() : (d) == 1 ? f##_y() : f##_z())
HL_FN size_t get_local_id(uint d) { return HL_BY_DIM(d, __nvvm_read_ptx_sreg_tid); }
HL_FN size_t get_group_id(uint d) { return HL_BY_DIM(d, __nvvm_read_ptx_sreg_ctaid); }
HL_FN size_t get_local_size(uint d) { return HL_BY_DIM(d, __nvvm_read_ptx_sreg_ntid); }
HL_FN size_t get_num_groups(uint d) { return HL_BY_DIM(d, __nvvm_read_ptx_sreg_nctaid); }
HL_FN size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
HL_FN size_t get_global_offset(uint d) { return 0; }
HL_FN void mem_fence(uint f) { __nvvm_membar_cta(); }
HL_FN void barrier(uint f) { __nvvm_bar_sync(0); }
HL_FN uint get_sub_group_local_id(void) { return __nvvm_read_ptx_sreg_laneid(); }
HL_FN uint get_max_sub_group_size(void) { return 32; }
HL_FN int hl_shuffle(int x, uint lane) { return __nvvm_shfl_sync_idx_i32(~0u, x, lane, 31); }
#endif
HL_FN size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d); }
HL_FN size_t get_local_linear_id(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
HL_FN uint get_work_dim(void) { return 3; }
HL_FN void work_group_barrier(uint f) { barrier(f); }
HL_FN void read_mem_fence(uint f) { mem_fence(f); }
HL_FN void write_mem_fence(uint f) { mem_fence(f); }

HL_FN uint get_sub_group_size(void) { return get_max_sub_group_size(); }
HL_FN uint get_sub_group_id(void) { return (uint)(get_local_linear_id() / get_max_sub_group_size()); }
HL_FN void sub_group_barrier(uint f) { mem_fence(f); }
HL_FN int sub_group_shuffle(int x, uint lane) { return hl_shuffle(x, lane); }
HL_FN uint sub_group_shuffle(uint x, uint lane) { return (uint)hl_shuffle((int)x, lane); }
HL_FN float sub_group_shuffle(float x, uint lane) { return __builtin_astype(hl_shuffle(__builtin_astype(x, int), lane), float); }
#define HL_SUBGROUP(T)                                                                                                \
    HL_FN T sub_group_shuffle_xor(T x, uint mask) { return sub_group_shuffle(x, get_sub_group_local_id() ^ mask); }   \
    HL_FN T sub_group_broadcast(T x, uint lane) { return sub_group_shuffle(x, lane); }                                \
    HL_FN T sub_group_reduce_add(T x)                                                                                 \
    {                                                                                                                 \
        _Pragma("unroll") for (uint m = 1; m < 64; m <<= 1) if (m < get_max_sub_group_size())                         \
            x += sub_group_shuffle_xor(x, m);                                                                         \
        return x;                                                                                                     \
    }                                                                                                                 \
    HL_FN T sub_group_reduce_max(T x)                                                                                 \
    {                                                                                                                 \
        _Pragma("unroll") for (uint m = 1; m < 64; m <<= 1) if (m < get_max_sub_group_size()) {                       \
            const T y = sub_group_shuffle_xor(x, m);                                                                  \
            x = y > x ? y : x;                                                                                        \
        }                                                                                                             \
        return x;                                                                                                     \
    }
HL_SUBGROUP(int) HL_SUBGROUP(uint) HL_SUBGROUP(float)

// --- conversions ----------------------------------------------------------------------------------------------------
#define as_char(x) __builtin_astype((x), char)
#define as_char2(x) __builtin_astype((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define as_short2(x) __builtin_astype((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define as_int2(x) __builtin_astype((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define as_uint2(x) __builtin_astype((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define as_long2(x) __builtin_astype((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define as_float(x) __builtin_astype((x), float)
#define as_float2(x) __builtin_astype((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#define as_double(x) __builtin_astype((x), double)
#define as_double2(x) __builtin_astype((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#define as_half(x) __builtin_astype((x), half)
#define as_half2(x) __builtin_astype((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define as_half16(x) __builtin_astype((x), half16)

#define HL_CONVERT(N, T, F) HL_FN T##N convert_##T##N(F##N x) { return __builtin_convertvector(x, T##N); }
#define HL_CONVERT_FROM(T, F)                                                                                         \
    HL_FN T convert_##T(F x) { return (T)x; }                                                                         \
    HL_SIZES(HL_CONVERT, T, F)
#define HL_CONVERT_TO(T)                                                                                              \
    HL_CONVERT_FROM(T, char) HL_CONVERT_FROM(T, uchar) HL_CONVERT_FROM(T, short) HL_CONVERT_FROM(T, ushort)           \
    HL_CONVERT_FROM(T, int) HL_CONVERT_FROM(T, uint) HL_CONVERT_FROM(T, long) HL_CONVERT_FROM(T, ulong)               \
    HL_CONVERT_FROM(T, float) HL_CONVERT_FROM(T, double) HL_CONVERT_FROM(T, half)
HL_CONVERT_TO(char) HL_CONVERT_TO(uchar) HL_CONVERT_TO(short) HL_CONVERT_TO(ushort) HL_CONVERT_TO(int)
HL_CONVERT_TO(uint) HL_CONVERT_TO(long) HL_CONVERT_TO(ulong) HL_CONVERT_TO(float) HL_CONVERT_TO(double) HL_CONVERT_TO(half)

// --- loads and stores: aligned to the element only ------------------------------------------------------------------
#define HL_MEMORY_AT(N, T, SPACE)                                                                                     \
    HL_FN T##N vload##N(size_t i, SPACE const T *p)                                                                   \
    {                                                                                                                 \
        typedef T##N loose __attribute__((aligned(sizeof(T))));                                                       \
        return *(SPACE const loose *)(p + N * i);                                                                     \
    }
#define HL_STORE_AT(N, T, SPACE)                                                                                      \
    HL_FN void vstore##N(T##N x, size_t i, SPACE T *p)                                                                \
    {                                                                                                                 \
        typedef T##N loose __attribute__((aligned(sizeof(T))));                                                       \
        *(SPACE loose *)(p + N * i) = x;                                                                              \
    }
#define HL_MEMORY3_AT(T, SPACE)                                                                                       \
    HL_FN T##3 vload3(size_t i, SPACE const T *p) { p += 3 * i; return (T##3)(p[0], p[1], p[2]); }
#define HL_STORE3_AT(T, SPACE)                                                                                        \
    HL_FN void vstore3(T##3 x, size_t i, SPACE T *p) { p += 3 * i; p[0] = x.x; p[1] = x.y; p[2] = x.z; }
#define HL_MEMORY3(T)                                                                                                 \
    HL_MEMORY3_AT(T, __global) HL_MEMORY3_AT(T, __local) HL_MEMORY3_AT(T, __private) HL_MEMORY3_AT(T, __constant)     \
    HL_STORE3_AT(T, __global) HL_STORE3_AT(T, __local) HL_STORE3_AT(T, __private)
#if __OPENCL_C_VERSION__ >= 200
#define HL_GENERIC(N, T) HL_MEMORY_AT(N, T, __generic) HL_STORE_AT(N, T, __generic)
#else
#define HL_GENERIC(N, T)
#endif
#define HL_MEMORY(N, T)                                                                                               \
    HL_MEMORY_AT(N, T, __global) HL_MEMORY_AT(N, T, __local) HL_MEMORY_AT(N, T, __private)                            \
    HL_MEMORY_AT(N, T, __constant) HL_STORE_AT(N, T, __global) HL_STORE_AT(N, T, __local)                             \
    HL_STORE_AT(N, T, __private) HL_GENERIC(N, T)
#define HL_MEMORY_OF(T) HL_MEMORY3(T) HL_MEMORY(2, T) HL_MEMORY(4, T) HL_MEMORY(8, T) HL_MEMORY(16, T)
HL_MEMORY_OF(char) HL_MEMORY_OF(uchar) HL_MEMORY_OF(short) HL_MEMORY_OF(ushort) HL_MEMORY_OF(int) HL_MEMORY_OF(uint)
HL_MEMORY_OF(long) HL_MEMORY_OF(ulong) HL_MEMORY_OF(float) HL_MEMORY_OF(double) HL_MEMORY_OF(half)

#define HL_HALF_AT(SPACE)                                                                                             \
    HL_FN float vload_half(size_t i, SPACE const half *p) { return (float)p[i]; }                                     \
    HL_FN float2 vload_half2(size_t i, SPACE const half *p) { return convert_float2(vload2(i, p)); }                  \
    HL_FN float4 vload_half4(size_t i, SPACE const half *p) { return convert_float4(vload4(i, p)); }
HL_HALF_AT(__global) HL_HALF_AT(__local) HL_HALF_AT(__constant)
HL_FN void vstore_half(float x, size_t i, __global half *p) { p[i] = (half)x; }
HL_FN void vstore_half2(float2 x, size_t i, __global half *p) { vstore2(convert_half2(x), i, p); }
HL_FN void vstore_half4(float4 x, size_t i, __global half *p) { vstore4(convert_half4(x), i, p); }
#define printf(...) 0
#define prefetch(p, n) __builtin_prefetch((const __generic void *)(p))

// --- arithmetic: scalars and vectors --------------------------------------------------------------------------------
#define HL_REAL(M) M(float) M(double) M(half)
#define HL_WITH_SIZES(M, T) M(T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
#define HL_FUSED(T) HL_FN T fma(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); }
#define HL_MAD(T) HL_FN T mad(T a, T b, T c) { return a * b + c; }
#define HL_ONE(T)                                                                                                     \
    HL_FN T fabs(T x) { return __builtin_elementwise_abs(x); }                                                        \
    HL_FN T floor(T x) { return __builtin_elementwise_floor(x); }                                                     \
    HL_FN T ceil(T x) { return __builtin_elementwise_ceil(x); }                                                       \
    HL_FN T trunc(T x) { return __builtin_elementwise_trunc(x); }                                                     \
    HL_FN T rint(T x) { return __builtin_elementwise_rint(x); }                                                       \
    HL_FN T sqrt(T x) { return __builtin_elementwise_sqrt(x); }                                                       \
    HL_FN T native_sqrt(T x) { return __builtin_elementwise_sqrt(x); }                                                \
    HL_FN T rsqrt(T x) { return (T)(1) / __builtin_elementwise_sqrt(x); }                                             \
    HL_FN T native_rsqrt(T x) { return (T)(1) / __builtin_elementwise_sqrt(x); }                                      \
    HL_FN T native_recip(T x) { return (T)(1) / x; }                                                                  \
    HL_FN T native_divide(T x, T y) { return x / y; }                                                                 \
    HL_FN T fmin(T x, T y) { return __builtin_elementwise_minnum(x, y); }                                             \
    HL_FN T fmax(T x, T y) { return __builtin_elementwise_maxnum(x, y); }                                             \
    HL_FN T copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); }                                       \
    HL_FN T mix(T x, T y, T a) { return x + (y - x) * a; }
#define HL_ALL(T) HL_WITH_SIZES(HL_FUSED, T) HL_WITH_SIZES(HL_MAD, T) HL_WITH_SIZES(HL_ONE, T)
HL_REAL(HL_ALL)

#define HL_ORDER(T)                                                                                                   \
    HL_FN T min(T x, T y) { return __builtin_elementwise_min(x, y); }                                                 \
    HL_FN T max(T x, T y) { return __builtin_elementwise_max(x, y); }                                                 \
    HL_FN T clamp(T x, T l, T h) { return min(max(x, l), h); }
#define HL_ORDER_REAL(T)                                                                                              \
    HL_FN T min(T x, T y) { return __builtin_elementwise_minnum(x, y); }                                              \
    HL_FN T max(T x, T y) { return __builtin_elementwise_maxnum(x, y); }                                              \
    HL_FN T clamp(T x, T l, T h) { return min(max(x, l), h); }
HL_WITH_SIZES(HL_ORDER, char) HL_WITH_SIZES(HL_ORDER, uchar) HL_WITH_SIZES(HL_ORDER, short) HL_WITH_SIZES(HL_ORDER, ushort)
HL_WITH_SIZES(HL_ORDER, int) HL_WITH_SIZES(HL_ORDER, uint) HL_WITH_SIZES(HL_ORDER, long) HL_WITH_SIZES(HL_ORDER, ulong)
HL_WITH_SIZES(HL_ORDER_REAL, float) HL_WITH_SIZES(HL_ORDER_REAL, double) HL_WITH_SIZES(HL_ORDER_REAL, half)
#define HL_INTEGER(T) HL_FN T mad24(T a, T b, T c) { return a * b + c; } HL_FN T mul24(T a, T b) { return a * b; }
HL_WITH_SIZES(HL_INTEGER, int) HL_WITH_SIZES(HL_INTEGER, uint)
HL_FN uint abs(int x) { return (uint)__builtin_elementwise_abs(x); }
HL_FN uint popcount(uint x) { return (uint)__builtin_popcount(x); }
HL_FN uint mul_hi(uint a, uint b) { return (uint)(((ulong)a * b) >> 32); }
HL_FN float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
HL_FN float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

#include "reals.h"

// --- atomics of 1.x -------------------------------------------------------------------------------------------------
#define HL_ATOMIC_AT(T, SPACE)                                                                                        \
    HL_FN T atomic_add(volatile SPACE T *p, T x)                                                                      \
    {                                                                                                                 \
        return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                              \
    }                                                                                                                 \
    HL_FN T atomic_inc(volatile SPACE T *p) { return atomic_add(p, (T)1); }                                           \
    HL_FN T atomic_min(volatile SPACE T *p, T x)                                                                      \
    {                                                                                                                 \
        return __scoped_atomic_fetch_min(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                              \
    }                                                                                                                 \
    HL_FN T atomic_max(volatile SPACE T *p, T x)                                                                      \
    {                                                                                                                 \
        return __scoped_atomic_fetch_max(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                              \
    }                                                                                                                 \
    HL_FN T atomic_xchg(volatile SPACE T *p, T x)                                                                     \
    {                                                                                                                 \
        return __scoped_atomic_exchange_n(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                             \
    }                                                                                                                 \
    HL_FN T atomic_cmpxchg(volatile SPACE T *p, T old, T x)                                                           \
    {                                                                                                                 \
        __scoped_atomic_compare_exchange_n(p, &old, x, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); \
        return old;                                                                                                   \
    }
HL_ATOMIC_AT(int, __global) HL_ATOMIC_AT(int, __local) HL_ATOMIC_AT(uint, __global) HL_ATOMIC_AT(uint, __local)
#endif
