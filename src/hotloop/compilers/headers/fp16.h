// HIP and CUDA C++: functions of 16-bit floats, one and two at a time, by their names in the vendors' references.
#ifndef HOTLOOP_FP16_H
#define HOTLOOP_FP16_H
#include "device.h"
typedef half2 __half2_raw;

// --- conversions ------------------------------------------------------------------------------------------------------
HL_PURE half2 __float2half2_rn(float a) { return half2{(half)a, (half)a}; }
HL_PURE half2 __floats2half2_rn(float a, float b) { return half2{(half)a, (half)b}; }
HL_PURE half2 __float22half2_rn(float2 a) { return half2{(half)a.x, (half)a.y}; }
HL_PURE float2 __half22float2(half2 a) { return float2{(float)a.x, (float)a.y}; }
HL_PURE half __double2half(double a) { return (half)a; }
HL_PURE int __half2int_rn(half a) { return __float2int_rn((float)a); }
HL_PURE int __half2int_rz(half a) { return __float2int_rz((float)a); }
HL_PURE half __int2half_rn(int a) { return (half)a; }
HL_PURE half __uint2half_rn(unsigned a) { return (half)a; }
HL_PURE half __short2half_rn(short a) { return (half)a; }
HL_PURE half __ushort2half_rn(unsigned short a) { return (half)a; }

// --- parts ------------------------------------------------------------------------------------------------------------
HL_PURE float __low2float(half2 a) { return (float)a.x; }
HL_PURE float __high2float(half2 a) { return (float)a.y; }
HL_PURE half __low2half(half2 a) { return a.x; }
HL_PURE half __high2half(half2 a) { return a.y; }
HL_PURE half2 __half2half2(half a) { return half2{a, a}; }
HL_PURE half2 __halves2half2(half a, half b) { return half2{a, b}; }
HL_PURE half2 make_half2(half a, half b) { return half2{a, b}; }
HL_PURE half2 __low2half2(half2 a) { return half2{a.x, a.x}; }
HL_PURE half2 __high2half2(half2 a) { return half2{a.y, a.y}; }
HL_PURE half2 __lows2half2(half2 a, half2 b) { return half2{a.x, b.x}; }
HL_PURE half2 __highs2half2(half2 a, half2 b) { return half2{a.y, b.y}; }
HL_PURE half2 __lowhigh2highlow(half2 a) { return half2{a.y, a.x}; }

// --- arithmetic: each result is rounded once, also where the compiler may fuse ----------------------------------------
#define HL_HALF_PAIR(NAME, EXPRESSION)                                                                                 \
    HL_PURE half NAME(half a, half b) { _Pragma("clang fp contract(off)") return EXPRESSION; }                         \
    HL_PURE half2 NAME##2(half2 a, half2 b) { _Pragma("clang fp contract(off)") return EXPRESSION; }
HL_HALF_PAIR(__hadd, a + b) HL_HALF_PAIR(__hsub, a - b) HL_HALF_PAIR(__hmul, a * b)
HL_HALF_PAIR(__hadd_rn, a + b) HL_HALF_PAIR(__hsub_rn, a - b) HL_HALF_PAIR(__hmul_rn, a * b)
HL_HALF_PAIR(__hmax, __builtin_elementwise_max(a, b)) HL_HALF_PAIR(__hmin, __builtin_elementwise_min(a, b))
HL_PURE half __hdiv(half a, half b) { return (half)((float)a / (float)b); }
HL_PURE half2 __h2div(half2 a, half2 b) { return half2{__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
HL_PURE half __hfma(half a, half b, half c) { return __builtin_elementwise_fma(a, b, c); }
HL_PURE half2 __hfma2(half2 a, half2 b, half2 c) { return __builtin_elementwise_fma(a, b, c); }
HL_PURE half __hneg(half a) { return -a; }
HL_PURE half2 __hneg2(half2 a) { return -a; }
HL_PURE half __habs(half a) { return __builtin_elementwise_abs(a); }
HL_PURE half2 __habs2(half2 a) { return __builtin_elementwise_abs(a); }
HL_DEVICE half hl_saturated(half a) { return a != a ? (half)0 : a < (half)0 ? (half)0 : a > (half)1 ? (half)1 : a; }
HL_PURE half __hadd_sat(half a, half b) { return hl_saturated(__hadd(a, b)); }
HL_PURE half __hmul_sat(half a, half b) { return hl_saturated(__hmul(a, b)); }
HL_PURE half __hfma_sat(half a, half b, half c) { return hl_saturated(__hfma(a, b, c)); }

// --- atomics: both halves of a pair at once ---------------------------------------------------------------------------
#if defined(__HIP__)
HL_PURE half2 atomicAdd(half2 *p, half2 x)
{
    unsigned *place = (unsigned *)p, was = *(volatile unsigned *)p, met;
    do {
        met = was;
        was = atomicCAS(place, met, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(half2, met), x)));
    } while (was != met);
    return __builtin_bit_cast(half2, met);
}
HL_PURE half2 safeAtomicAdd(half2 *p, half2 x) { return atomicAdd(p, x); }
#if defined(__gfx942__) || defined(__gfx950__) || defined(__GFX12__)
HL_PURE half2 unsafeAtomicAdd(half2 *p, half2 x) { return __builtin_amdgcn_flat_atomic_fadd_v2f16(p, x); }
#else
HL_PURE half2 unsafeAtomicAdd(half2 *p, half2 x) { return atomicAdd(p, x); }
#endif
#endif

// --- comparisons ------------------------------------------------------------------------------------------------------
#define HL_HALF_ORDER(NAME, OP)                                                                                        \
    HL_PURE bool __h##NAME(half a, half b) { return a OP b; }                                                          \
    HL_PURE half2 __h##NAME##2(half2 a, half2 b) { return half2{(half)(a.x OP b.x), (half)(a.y OP b.y)}; }             \
    HL_PURE bool __hb##NAME##2(half2 a, half2 b) { return a.x OP b.x && a.y OP b.y; }
HL_HALF_ORDER(eq, ==) HL_HALF_ORDER(lt, <) HL_HALF_ORDER(le, <=) HL_HALF_ORDER(gt, >) HL_HALF_ORDER(ge, >=)
HL_PURE bool __hne(half a, half b) { return a < b || a > b; }
HL_PURE bool __hisnan(half a) { return a != a; }
HL_PURE int __hisinf(half a) { return __builtin_isinf((float)a) ? (a < (half)0 ? -1 : 1) : 0; }

// --- functions, by way of single precision ----------------------------------------------------------------------------
#define HL_HALF_FUNCTION(NAME, F)                                                                                      \
    HL_PURE half h##NAME(half a) { return (half)F((float)a); }                                                         \
    HL_PURE half2 h2##NAME(half2 a) { return half2{h##NAME(a.x), h##NAME(a.y)}; }
HL_HALF_FUNCTION(sqrt, sqrtf) HL_HALF_FUNCTION(rsqrt, rsqrtf) HL_HALF_FUNCTION(rcp, __frcp_rn) HL_HALF_FUNCTION(exp, __expf)
HL_HALF_FUNCTION(exp2, exp2f) HL_HALF_FUNCTION(log, __logf) HL_HALF_FUNCTION(log2, log2f) HL_HALF_FUNCTION(sin, __sinf)
HL_HALF_FUNCTION(cos, __cosf) HL_HALF_FUNCTION(floor, floorf) HL_HALF_FUNCTION(ceil, ceilf)
HL_HALF_FUNCTION(trunc, __builtin_truncf) HL_HALF_FUNCTION(rint, __builtin_rintf)
#endif
