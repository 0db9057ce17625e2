// OpenCL C: real functions that few kernels ask for. Read after opencl.h where a text names one. Those that need AMD's ocml
// are left out without it: a text that calls them is told so by the compiler.
#define HL_M1(N, T, R, F) HL_FN R##N F(T##N x) { R##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i]); return y; }
#define HL_M2(N, T, U, F)                                                                                             \
    HL_FN T##N F(T##N a, U##N b) { T##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(a[i], b[i]); return y; }
#define HL_M3(N, T, F)                                                                                                \
    HL_FN T##N F(T##N a, T##N b, T##N c)                                                                              \
    { T##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(a[i], b[i], c[i]); return y; }
// Two values: the second through a pointer.
#define HL_MP_AT(N, T, U, F, SPACE)                                                                                   \
    HL_FN T##N F(T##N x, SPACE U##N *p)                                                                               \
    { T##N y; U##N other; _Pragma("unroll") for (int i = 0; i < N; ++i) { U o; y[i] = F(x[i], &o); other[i] = o; } *p = other; return y; }
#define HL_MP(T, U, F, BODY, SPACE)                                                                                   \
    HL_FN T F(T x, SPACE U *p) { BODY }                                                                               \
    HL_SIZES(HL_MP_AT, T, U, F, SPACE)
#define HL_POINTED(T, U, F, BODY) HL_MP(T, U, F, BODY, __private) HL_MP(T, U, F, BODY, __global) HL_MP(T, U, F, BODY, __local)
#define HL_MORE(T, INF, MANT, EXPO, BELOW_ONE)                                                                              \
    HL_FN T degrees(T x) { return x * (T)57.295779513082320877; }                                                     \
    HL_FN T radians(T x) { return x * (T)0.017453292519943295769; }                                                   \
    HL_FN T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }                                    \
    HL_FN T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                                      \
    HL_FN T smoothstep(T a, T b, T x) { const T t = clamp((x - a) / (b - a), (T)0, (T)1); return t * t * ((T)3 - (T)2 * t); } \
    HL_FN T fdim(T x, T y) { return x > y ? x - y : x != x ? x : y != y ? y : (T)0; }                                 \
    HL_FN T maxmag(T x, T y) { return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y); }                   \
    HL_FN T minmag(T x, T y) { return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y); }                   \
    HL_FN T ldexp(T x, int n) { return __builtin_elementwise_ldexp(x, n); }                                           \
    HL_FN T half_recip(T x) { return (T)1 / x; }                                                                      \
    HL_FN T half_divide(T x, T y) { return x / y; }                                                                   \
    HL_FN T half_sqrt(T x) { return sqrt(x); }                                                                        \
    HL_FN T half_rsqrt(T x) { return rsqrt(x); }                                                                      \
    HL_FN int ilogb(T x) { return x == 0 ? -INT_MAX - 1 : x != x ? INT_MAX : fabs(x) == (T)INF ? INT_MAX : EXPO(x) - 1; } \
    HL_FN T logb(T x) { return x == 0 ? -(T)INF : x != x ? x : fabs(x) == (T)INF ? (T)INF : (T)(EXPO(x) - 1); }       \
    HL_SIZES(HL_M1, T, T, degrees) HL_SIZES(HL_M1, T, T, radians) HL_SIZES(HL_M1, T, T, sign)                         \
    HL_SIZES(HL_M2, T, T, step) HL_SIZES(HL_M3, T, smoothstep) HL_SIZES(HL_M2, T, T, fdim)                            \
    HL_SIZES(HL_M2, T, T, maxmag) HL_SIZES(HL_M2, T, T, minmag) HL_SIZES(HL_M2, T, int, ldexp)                        \
    HL_SIZES(HL_M1, T, T, half_recip) HL_SIZES(HL_M2, T, T, half_divide) HL_SIZES(HL_M1, T, T, half_sqrt)             \
    HL_SIZES(HL_M1, T, T, half_rsqrt) HL_SIZES(HL_M1, T, int, ilogb) HL_SIZES(HL_M1, T, T, logb)                      \
    HL_POINTED(T, int, frexp, const int odd = x == 0 || x != x || fabs(x) == (T)INF; *p = odd ? 0 : EXPO(x); return odd ? x : MANT(x);) \
    HL_POINTED(T, T, modf, const T w = trunc(x); *p = w; return copysign(fabs(x) == (T)INF ? (T)0 : x - w, x);)       \
    HL_POINTED(T, T, fract, const T w = floor(x); *p = w; return x != x ? x : fabs(x) == (T)INF ? copysign((T)0, x) : fmin(x - w, (T)BELOW_ONE);)
#define HL_EDGES_AT(N, T)                                                                                             \
    HL_FN T##N step(T edge, T##N x) { return step((T##N)edge, x); }                                                   \
    HL_FN T##N smoothstep(T a, T b, T##N x) { return smoothstep((T##N)a, (T##N)b, x); }                               \
    HL_FN T##N ldexp(T##N x, int n) { return ldexp(x, (int##N)n); }
#if defined(__AMDGCN__)
HL_MORE(float, __builtin_inff(), __builtin_amdgcn_frexp_mantf, __builtin_amdgcn_frexp_expf, 0x1.fffffep-1)
HL_MORE(double, __builtin_inf(), __builtin_amdgcn_frexp_mant, __builtin_amdgcn_frexp_exp, 0x1.fffffffffffffp-1)
HL_SIZES(HL_EDGES_AT, float) HL_SIZES(HL_EDGES_AT, double)
#endif

HL_FN float nan(uint x) { return as_float(0x7fc00000u | x); }
HL_FN double nan(ulong x) { return as_double(0x7ff8000000000000ul | x); }
#define HL_NAN(N) HL_FN float##N nan(uint##N x) { return __builtin_astype(0x7fc00000u | x, float##N); }               \
    HL_FN double##N nan(ulong##N x) { return __builtin_astype(0x7ff8000000000000ul | x, double##N); }
HL_NAN(2) HL_NAN(3) HL_NAN(4) HL_NAN(8) HL_NAN(16)
#define HL_NATIVE(F, BODY) HL_FN float F(float x) { return BODY; } HL_SIZES(HL_M1, float, float, F)
HL_NATIVE(native_tan, native_sin(x) / native_cos(x))
HL_NATIVE(native_exp10, native_exp2(x * 3.32192809f))
HL_NATIVE(native_log10, native_log2(x) * 0.301029996f)
HL_NATIVE(half_exp, native_exp(x)) HL_NATIVE(half_exp2, native_exp2(x)) HL_NATIVE(half_exp10, native_exp10(x))
HL_NATIVE(half_log, native_log(x)) HL_NATIVE(half_log2, native_log2(x)) HL_NATIVE(half_log10, native_log10(x))
HL_NATIVE(half_sin, sin(x)) HL_NATIVE(half_cos, cos(x)) HL_NATIVE(half_tan, tan(x))
HL_FN float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }
HL_FN float half_powr(float x, float y) { return native_powr(x, y); }
HL_SIZES(HL_M2, float, float, native_powr) HL_SIZES(HL_M2, float, float, half_powr)

#define HL_SINCOS(T) HL_POINTED(T, T, sincos, *p = cos(x); return sin(x);)
HL_SINCOS(float) HL_SINCOS(double)
#ifdef HOTLOOP_OCML
HL_OCML(sinpi) HL_OCML(cospi) HL_OCML(tanpi) HL_OCML(asinpi) HL_OCML(acospi) HL_OCML(atanpi)
HL_OCML2(powr) HL_OCML2(nextafter) HL_OCML2(atan2pi)
#define HL_OCMLN(F)                                                                                                   \
    extern __attribute__((const)) float __ocml_##F##_f32(float, int);                                                 \
    extern __attribute__((const)) double __ocml_##F##_f64(double, int);                                               \
    HL_FN float F(float x, int n) { return __ocml_##F##_f32(x, n); }                                                  \
    HL_FN double F(double x, int n) { return __ocml_##F##_f64(x, n); }                                                \
    HL_SIZES(HL_M2, float, int, F) HL_SIZES(HL_M2, double, int, F)
HL_OCMLN(pown) HL_OCMLN(rootn)
extern float __ocml_lgamma_r_f32(float, __private int *);
extern double __ocml_lgamma_r_f64(double, __private int *);
HL_POINTED(float, int, lgamma_r, int s; const float y = __ocml_lgamma_r_f32(x, &s); *p = s; return y;)
HL_POINTED(double, int, lgamma_r, int s; const double y = __ocml_lgamma_r_f64(x, &s); *p = s; return y;)
extern float __ocml_remquo_f32(float, float, __private int *);
extern double __ocml_remquo_f64(double, double, __private int *);
#define HL_REMQUO_AT(N, T, SPACE)                                                                                     \
    HL_FN T##N remquo(T##N a, T##N b, SPACE int##N *p)                                                                \
    { T##N y; int##N other; _Pragma("unroll") for (int i = 0; i < N; ++i) { int o; y[i] = remquo(a[i], b[i], &o); other[i] = o; } *p = other; return y; }
#define HL_REMQUO(T, NAME, SPACE)                                                                                     \
    HL_FN T remquo(T a, T b, SPACE int *p) { int q; const T y = NAME(a, b, &q); *p = q; return y; }                   \
    HL_SIZES(HL_REMQUO_AT, T, SPACE)
HL_REMQUO(float, __ocml_remquo_f32, __private) HL_REMQUO(float, __ocml_remquo_f32, __global) HL_REMQUO(float, __ocml_remquo_f32, __local)
HL_REMQUO(double, __ocml_remquo_f64, __private) HL_REMQUO(double, __ocml_remquo_f64, __global) HL_REMQUO(double, __ocml_remquo_f64, __local)
#endif
