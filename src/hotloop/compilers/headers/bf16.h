// HIP and CUDA C++: functions of bfloat16, one and two at a time, by their names in the vendors' references.
#ifndef HOTLOOP_BF16_H
#define HOTLOOP_BF16_H
#include "fp16.h"
typedef __bf16 hip_bfloat16;
typedef __bf16 __hip_bfloat162 __attribute__((ext_vector_type(2)));
typedef __hip_bfloat162 __nv_bfloat162;

HL_PURE float __bfloat162float(__bf16 a) { return (float)a; }
HL_PURE __bf16 __float2bfloat16(float a) { return (__bf16)a; }
HL_PURE __bf16 __float2bfloat16_rn(float a) { return (__bf16)a; }
HL_PURE __bf16 __double2bfloat16(double a) { return (__bf16)a; }
HL_PURE __hip_bfloat162 __float2bfloat162_rn(float a) { return __hip_bfloat162{(__bf16)a, (__bf16)a}; }
HL_PURE __hip_bfloat162 __floats2bfloat162_rn(float a, float b) { return __hip_bfloat162{(__bf16)a, (__bf16)b}; }
HL_PURE __hip_bfloat162 __float22bfloat162_rn(float2 a) { return __hip_bfloat162{(__bf16)a.x, (__bf16)a.y}; }
HL_PURE float2 __bfloat1622float2(__hip_bfloat162 a) { return float2{(float)a.x, (float)a.y}; }
HL_PURE float __low2float(__hip_bfloat162 a) { return (float)a.x; }
HL_PURE float __high2float(__hip_bfloat162 a) { return (float)a.y; }
HL_PURE __bf16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
HL_PURE __bf16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
HL_PURE __hip_bfloat162 __bfloat162bfloat162(__bf16 a) { return __hip_bfloat162{a, a}; }
HL_PURE __hip_bfloat162 __halves2bfloat162(__bf16 a, __bf16 b) { return __hip_bfloat162{a, b}; }
HL_PURE unsigned short __bfloat16_as_ushort(__bf16 a) { return __builtin_bit_cast(unsigned short, a); }
HL_PURE __bf16 __ushort_as_bfloat16(unsigned short a) { return __builtin_bit_cast(__bf16, a); }

#define HL_BF16(NAME, OP)                                                                                              \
    HL_PURE __bf16 NAME(__bf16 a, __bf16 b) { return (__bf16)((float)a OP (float)b); }                                 \
    HL_PURE __hip_bfloat162 NAME##2(__hip_bfloat162 a, __hip_bfloat162 b) { return __hip_bfloat162{NAME(a.x, b.x), NAME(a.y, b.y)}; }
HL_BF16(__hadd, +) HL_BF16(__hsub, -) HL_BF16(__hmul, *) HL_BF16(__hdiv, /)
HL_PURE __bf16 __hmax(__bf16 a, __bf16 b) { return (__bf16)__builtin_fmaxf((float)a, (float)b); }
HL_PURE __bf16 __hmin(__bf16 a, __bf16 b) { return (__bf16)__builtin_fminf((float)a, (float)b); }
HL_PURE __bf16 __hneg(__bf16 a) { return -a; }
HL_PURE __bf16 __habs(__bf16 a) { return (__bf16)__builtin_fabsf((float)a); }
HL_PURE __bf16 __hfma(__bf16 a, __bf16 b, __bf16 c) { return (__bf16)__builtin_fmaf((float)a, (float)b, (float)c); }
HL_PURE __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c)
{
    return __hip_bfloat162{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#define HL_BF16_ORDER(NAME, OP) HL_PURE bool __h##NAME(__bf16 a, __bf16 b) { return (float)a OP (float)b; }
HL_BF16_ORDER(eq, ==) HL_BF16_ORDER(lt, <) HL_BF16_ORDER(le, <=) HL_BF16_ORDER(gt, >) HL_BF16_ORDER(ge, >=)
#endif
