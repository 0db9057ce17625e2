// OpenCL C: functions of one real number, each a scalar definition that vectors apply element by element. A part of opencl.h.
#pragma clang system_header
#define HL_EACH(N, T, F)                                                                                              \
    HL_FN T##N F(T##N x)                                                                                              \
    {                                                                                                                 \
        T##N y;                                                                                                       \
        _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i]);                                                 \
        return y;                                                                                                     \
    }
#define HL_SCALAR(F, BODY)                                                                                            \
    HL_FN float F(float x) { return BODY; }                                                                           \
    HL_FN half F(half x) { return (half)F((float)x); }                                                                \
    HL_SIZES(HL_EACH, float, F) HL_SIZES(HL_EACH, half, F)
#define HL_LOG2E 1.44269504f
#define HL_LN2 0.693147181f
#ifdef __NVPTX__ // LLVM has no code for exact ones there
#define HL_LOG2(x) __nvvm_lg2_approx_f(x)
#define HL_SIN(x) __nvvm_sin_approx_f(x)
#define HL_COS(x) __nvvm_cos_approx_f(x)
#else
#define HL_LOG2(x) __builtin_elementwise_log2(x)
#define HL_SIN(x) __builtin_elementwise_sin(x)
#define HL_COS(x) __builtin_elementwise_cos(x)
#endif
HL_SCALAR(native_exp2, __builtin_elementwise_exp2(x))
HL_SCALAR(native_log2, HL_LOG2(x))
HL_SCALAR(native_exp, __builtin_elementwise_exp2(x * HL_LOG2E))
HL_SCALAR(native_log, HL_LOG2(x) * HL_LN2)
HL_SCALAR(native_sin, HL_SIN(x))
HL_SCALAR(native_cos, HL_COS(x))
#ifdef HOTLOOP_OCML
#define HL_OCML(F)                                                                                                    \
    extern __attribute__((const)) float __ocml_##F##_f32(float);                                                      \
    extern __attribute__((const)) double __ocml_##F##_f64(double);                                                    \
    HL_SCALAR(F, __ocml_##F##_f32(x))                                                                                 \
    HL_FN double F(double x) { return __ocml_##F##_f64(x); }                                                          \
    HL_SIZES(HL_EACH, double, F)
HL_OCML(exp) HL_OCML(exp2) HL_OCML(log) HL_OCML(log2) HL_OCML(log10) HL_OCML(sin) HL_OCML(cos) HL_OCML(tan)
HL_OCML(tanh) HL_OCML(erf) HL_OCML(round)
HL_OCML(asin) HL_OCML(acos) HL_OCML(atan) HL_OCML(sinh) HL_OCML(cosh) HL_OCML(asinh) HL_OCML(acosh) HL_OCML(atanh)
HL_OCML(cbrt) HL_OCML(exp10) HL_OCML(expm1) HL_OCML(log1p) HL_OCML(erfc) HL_OCML(lgamma) HL_OCML(tgamma)
#define HL_OCML2(F)                                                                                                   \
    extern __attribute__((const)) float __ocml_##F##_f32(float, float);                                               \
    extern __attribute__((const)) double __ocml_##F##_f64(double, double);                                            \
    HL_FN float F(float x, float y) { return __ocml_##F##_f32(x, y); }                                                \
    HL_FN double F(double x, double y) { return __ocml_##F##_f64(x, y); }                                             \
    HL_SIZES(HL_EACH2, float, F)
#define HL_EACH2(N, T, F)                                                                                             \
    HL_FN T##N F(T##N x, T##N z)                                                                                      \
    {                                                                                                                 \
        T##N y;                                                                                                       \
        _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i], z[i]);                                           \
        return y;                                                                                                     \
    }
HL_OCML2(pow) HL_OCML2(atan2) HL_OCML2(fmod) HL_OCML2(hypot) HL_OCML2(remainder)
#else
#define HL_FORMULA(F, BODY)                                                                                           \
    HL_SCALAR(F, BODY)                                                                                                \
    HL_FN double F(double x) { return F((float)x); }                                                                  \
    HL_SIZES(HL_EACH, double, F)
HL_FORMULA(exp, native_exp(x))
HL_FORMULA(exp2, native_exp2(x))
HL_FORMULA(log, native_log(x))
HL_FORMULA(log2, native_log2(x))
HL_FORMULA(log10, native_log2(x) * 0.301029996f)
HL_FORMULA(sin, native_sin(x))
HL_FORMULA(cos, native_cos(x))
HL_FORMULA(tan, native_sin(x) / native_cos(x))
HL_FORMULA(tanh, 1.0f - 2.0f / (native_exp(2.0f * x) + 1.0f))
HL_FORMULA(round, trunc(x + copysign(0.5f, x)))
// Abramowitz and Stegun 7.1.26, error below 1.5e-7.
HL_FN float hl_erf_tail(float x, float t)
{
    return ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t *
           native_exp(-x * x);
}
HL_FORMULA(erf, copysign(1.0f - hl_erf_tail(fabs(x), 1.0f / (1.0f + 0.3275911f * fabs(x))), x))
HL_FN float pow(float x, float y) { return native_exp2(y * native_log2(x)); }
#endif

#define HL_TEST(F, TEST)                                                                                              \
    HL_FN int F(float x) { return TEST; }                                                                             \
    HL_FN int F(double x) { return TEST; }
HL_TEST(isnan, x != x)
HL_TEST(isinf, __builtin_isinf(x))
HL_TEST(isfinite, __builtin_isfinite(x))
