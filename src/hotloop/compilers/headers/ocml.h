// HIP: functions of <cmath> that AMD's library ocml.bc computes. Read after device.h where a text names one and the library is there.
//
// Templates, so that a function of the same name in the text itself is preferred.
#define HL_MATH template <int = 0> HL_DEVICE
#define HL_ONE(F)                                                                                                     \
    extern "C" __device__ __attribute__((const)) float __ocml_##F##_f32(float);                                       \
    extern "C" __device__ __attribute__((const)) double __ocml_##F##_f64(double);                                     \
    HL_MATH float F##f(float x) { return __ocml_##F##_f32(x); }                                                       \
    HL_MATH float F(float x) { return __ocml_##F##_f32(x); }                                                          \
    HL_MATH double F(double x) { return __ocml_##F##_f64(x); }
#define HL_NAMED(F, NAME)                                                                                              \
    extern "C" __device__ __attribute__((const)) float __ocml_##NAME##_f32(float);                                     \
    extern "C" __device__ __attribute__((const)) double __ocml_##NAME##_f64(double);                                   \
    HL_MATH float F##f(float x) { return __ocml_##NAME##_f32(x); }                                                     \
    HL_MATH double F(double x) { return __ocml_##NAME##_f64(x); }
#define HL_TWO(F)                                                                                                     \
    extern "C" __device__ __attribute__((const)) float __ocml_##F##_f32(float, float);                                \
    extern "C" __device__ __attribute__((const)) double __ocml_##F##_f64(double, double);                             \
    HL_MATH float F##f(float x, float y) { return __ocml_##F##_f32(x, y); }                                           \
    HL_MATH float F(float x, float y) { return __ocml_##F##_f32(x, y); }                                              \
    HL_MATH double F(double x, double y) { return __ocml_##F##_f64(x, y); }
HL_ONE(sin) HL_ONE(cos) HL_ONE(tan) HL_ONE(asin) HL_ONE(acos) HL_ONE(atan) HL_ONE(sinh) HL_ONE(cosh) HL_ONE(asinh)
HL_ONE(acosh) HL_ONE(atanh) HL_ONE(sinpi) HL_ONE(cospi) HL_ONE(erf) HL_ONE(erfc) HL_ONE(tgamma) HL_ONE(lgamma)
HL_ONE(exp) HL_ONE(exp2) HL_ONE(exp10) HL_ONE(expm1) HL_ONE(log) HL_ONE(log2) HL_ONE(log10) HL_ONE(log1p) HL_ONE(cbrt)
HL_ONE(tanh) HL_ONE(round) HL_ONE(tanpi) HL_ONE(erfinv) HL_ONE(erfcinv) HL_ONE(erfcx) HL_ONE(rcbrt) HL_ONE(j0) HL_ONE(j1)
HL_ONE(y0) HL_ONE(y1) HL_NAMED(normcdf, ncdf) HL_NAMED(normcdfinv, ncdfinv) HL_NAMED(cyl_bessel_i0, i0) HL_NAMED(cyl_bessel_i1, i1)
HL_TWO(rhypot) HL_TWO(pow) HL_TWO(atan2) HL_TWO(fmod) HL_TWO(hypot) HL_TWO(remainder) HL_TWO(nextafter)
HL_MATH void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
HL_MATH void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
HL_MATH void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
HL_MATH void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
#define HL_LENGTHS(T, F, SIZE)                                                                                         \
    extern "C" __device__ __attribute__((const)) T __ocml_len3_##SIZE(T, T, T);                                        \
    extern "C" __device__ __attribute__((const)) T __ocml_len4_##SIZE(T, T, T, T);                                     \
    extern "C" __device__ __attribute__((const)) T __ocml_rlen3_##SIZE(T, T, T);                                       \
    extern "C" __device__ __attribute__((const)) T __ocml_rlen4_##SIZE(T, T, T, T);                                    \
    extern "C" __device__ T __ocml_remquo_##SIZE(T, T, __attribute__((address_space(5))) int *);                       \
    HL_MATH T norm3d##F(T x, T y, T z) { return __ocml_len3_##SIZE(x, y, z); }                                         \
    HL_MATH T norm4d##F(T x, T y, T z, T w) { return __ocml_len4_##SIZE(x, y, z, w); }                                 \
    HL_MATH T rnorm3d##F(T x, T y, T z) { return __ocml_rlen3_##SIZE(x, y, z); }                                       \
    HL_MATH T rnorm4d##F(T x, T y, T z, T w) { return __ocml_rlen4_##SIZE(x, y, z, w); }                               \
    HL_MATH T remquo##F(T x, T y, int *n)                                                                              \
    {                                                                                                                  \
        int found;                                                                                                     \
        const T rest = __ocml_remquo_##SIZE(x, y, (__attribute__((address_space(5))) int *)&found);                    \
        return *n = found, rest;                                                                                       \
    }
HL_LENGTHS(float, f, f32) HL_LENGTHS(double, , f64)
HL_MATH float __sinf(float x) { return __builtin_elementwise_sin(x); }
HL_MATH float __cosf(float x) { return __builtin_elementwise_cos(x); }
HL_MATH float __powf(float x, float y) { return exp2f(y * log2f(x)); }
