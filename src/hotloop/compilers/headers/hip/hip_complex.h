// Stands in for ROCm's header where that is not installed: complex numbers as pairs, by their meaning in the HIP API reference.
#ifndef HOTLOOP_HIP_COMPLEX_H
#define HOTLOOP_HIP_COMPLEX_H
#include "hip_runtime.h"
#define HL_COMPLEX(TYPE, T, PAIR, F, ROOT)                                                                             \
    typedef PAIR TYPE;                                                                                                 \
    HL_DEVICE TYPE make_##TYPE(T re, T im) { return PAIR{re, im}; }                                                    \
    HL_DEVICE T hipCreal##F(TYPE a) { return a.x; }                                                                    \
    HL_DEVICE T hipCimag##F(TYPE a) { return a.y; }                                                                    \
    HL_DEVICE TYPE hipConj##F(TYPE a) { return PAIR{a.x, -a.y}; }                                                      \
    HL_DEVICE T hipCsqabs##F(TYPE a) { return a.x * a.x + a.y * a.y; }                                                 \
    HL_DEVICE T hipCabs##F(TYPE a) { return ROOT(hipCsqabs##F(a)); }                                                   \
    HL_DEVICE TYPE hipCadd##F(TYPE a, TYPE b) { return PAIR{a.x + b.x, a.y + b.y}; }                                   \
    HL_DEVICE TYPE hipCsub##F(TYPE a, TYPE b) { return PAIR{a.x - b.x, a.y - b.y}; }                                   \
    HL_DEVICE TYPE hipCmul##F(TYPE a, TYPE b) { return PAIR{a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y}; }           \
    HL_DEVICE TYPE hipCdiv##F(TYPE a, TYPE b)                                                                          \
    {                                                                                                                  \
        const TYPE up = hipCmul##F(a, hipConj##F(b));                                                                  \
        const T size = hipCsqabs##F(b);                                                                                \
        return PAIR{up.x / size, up.y / size};                                                                         \
    }
HL_COMPLEX(hipFloatComplex, float, float2, f, __builtin_sqrtf)
HL_COMPLEX(hipDoubleComplex, double, double2, , __builtin_sqrt)
typedef hipFloatComplex hipComplex;
HL_DEVICE hipComplex make_hipComplex(float re, float im) { return make_hipFloatComplex(re, im); }
HL_DEVICE hipComplex hipCfmaf(hipComplex a, hipComplex b, hipComplex c) { return hipCaddf(hipCmulf(a, b), c); }
HL_DEVICE hipDoubleComplex hipCfma(hipDoubleComplex a, hipDoubleComplex b, hipDoubleComplex c) { return hipCadd(hipCmul(a, b), c); }
#endif
