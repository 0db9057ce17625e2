// HIP and CUDA C++: intrinsics of whole numbers, bits, conversions and rounding, by their meaning in the vendors' programming guides.
//
// Read by device.h. Templates, so that a function of the same name in the text itself is preferred.
#define HL_PURE template <int = 0> HL_DEVICE

// --- whole numbers and bits -------------------------------------------------------------------------------------------
HL_PURE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HL_PURE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
HL_PURE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
HL_PURE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HL_PURE int __mul24(int a, int b) { return ((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8); }
HL_PURE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
HL_PURE unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a); }
HL_PURE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
HL_PURE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HL_PURE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HL_PURE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
HL_PURE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
HL_PURE unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
HL_PURE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    const unsigned long long bytes = (unsigned long long)b << 32 | a;
    unsigned made = 0;
    for (int i = 0; i < 4; i++) made |= (unsigned)(bytes >> (s >> 4 * i & 7) * 8 & 255) << 8 * i;
    return made;
}
HL_PURE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return __builtin_elementwise_fshl(hi, lo, n & 31); }
HL_PURE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return __builtin_elementwise_fshr(hi, lo, n & 31); }
HL_PURE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) { return n < 32 ? __funnelshift_l(lo, hi, n) : lo; }
HL_PURE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) { return n < 32 ? __funnelshift_r(lo, hi, n) : hi; }
HL_PURE int abs(int a) { return a < 0 ? -a : a; }
HL_PURE long long llabs(long long a) { return a < 0 ? -a : a; }
HL_PURE float abs(float a) { return __builtin_fabsf(a); }
HL_PURE double abs(double a) { return __builtin_fabs(a); }

// --- bits of real numbers ---------------------------------------------------------------------------------------------
HL_PURE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
HL_PURE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
HL_PURE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
HL_PURE int __double2loint(double a) { return (int)__double_as_longlong(a); }
HL_PURE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
HL_PURE double __hiloint2double(int hi, int lo) { return __longlong_as_double((long long)hi << 32 | (unsigned)lo); }
#define HL_CLASS(T)                                                                                                    \
    HL_PURE bool isnan(T a) { return __builtin_isnan(a); }                                                             \
    HL_PURE bool isinf(T a) { return __builtin_isinf(a); }                                                             \
    HL_PURE bool isfinite(T a) { return __builtin_isfinite(a); }                                                       \
    HL_PURE bool signbit(T a) { return __builtin_signbit(a); }
HL_CLASS(float) HL_CLASS(double)

// --- conversions: to the nearest even, down, up, towards zero ---------------------------------------------------------
#define HL_TO(FROM, F, NAME, T, LEAST, MOST)                                                                           \
    HL_DEVICE T hl_##FROM##NAME(F a) { return a != a ? (T)0 : a <= LEAST ? (T)(LEAST) : a >= (F)(MOST) ? (T)(MOST) : (T)a; } \
    HL_PURE T __##FROM##2##NAME##_rn(F a) { return hl_##FROM##NAME(__builtin_elementwise_roundeven(a)); }              \
    HL_PURE T __##FROM##2##NAME##_rd(F a) { return hl_##FROM##NAME(__builtin_elementwise_floor(a)); }                  \
    HL_PURE T __##FROM##2##NAME##_ru(F a) { return hl_##FROM##NAME(__builtin_elementwise_ceil(a)); }                   \
    HL_PURE T __##FROM##2##NAME##_rz(F a) { return hl_##FROM##NAME(__builtin_elementwise_trunc(a)); }
HL_TO(float, float, int, int, -0x1p31f, 0x7fffffff) HL_TO(float, float, uint, unsigned, 0.0f, 0xffffffffu)
HL_TO(double, double, int, int, -0x1p31, 0x7fffffff) HL_TO(double, double, uint, unsigned, 0.0, 0xffffffffu)
HL_TO(float, float, ll, long long, -0x1p63f, 0x7fffffffffffffffll) HL_TO(double, double, ll, long long, -0x1p63, 0x7fffffffffffffffll)
HL_TO(float, float, ull, unsigned long long, 0.0f, ~0ull) HL_TO(double, double, ull, unsigned long long, 0.0, ~0ull)
HL_PURE float __int2float_rn(int a) { return (float)a; }
HL_PURE float __uint2float_rn(unsigned a) { return (float)a; }
HL_PURE float __ll2float_rn(long long a) { return (float)a; }
HL_PURE double __int2double_rn(int a) { return a; }
HL_PURE double __ll2double_rn(long long a) { return (double)a; }
HL_PURE float __double2float_rn(double a) { return (float)a; }
HL_PURE unsigned short __half_as_ushort(half a) { return __builtin_bit_cast(unsigned short, a); }
HL_PURE short __half_as_short(half a) { return __builtin_bit_cast(short, a); }
HL_PURE half __ushort_as_half(unsigned short a) { return __builtin_bit_cast(half, a); }
HL_PURE half __short_as_half(short a) { return __builtin_bit_cast(half, a); }

// --- arithmetic -------------------------------------------------------------------------------------------------------
#define HL_ROUNDED(P, T)                                                                                               \
    HL_PURE T __##P##add_rn(T a, T b) { _Pragma("clang fp contract(off)") return a + b; }                              \
    HL_PURE T __##P##sub_rn(T a, T b) { _Pragma("clang fp contract(off)") return a - b; }                              \
    HL_PURE T __##P##mul_rn(T a, T b) { _Pragma("clang fp contract(off)") return a * b; }                              \
    HL_PURE T __##P##div_rn(T a, T b) { return a / b; }                                                                \
    HL_PURE T __##P##sqrt_rn(T a) { return __builtin_elementwise_sqrt(a); }
HL_ROUNDED(f, float) HL_ROUNDED(d, double)
HL_PURE float __frcp_rn(float a) { return 1.0f / a; }
HL_PURE float __saturatef(float a) { return a != a ? 0.0f : __builtin_fminf(__builtin_fmaxf(a, 0.0f), 1.0f); }
HL_PURE double rsqrt(double a) { return 1.0 / __builtin_sqrt(a); }
HL_PURE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
HL_PURE double fmin(double a, double b) { return __builtin_fmin(a, b); }
HL_PURE double fmax(double a, double b) { return __builtin_fmax(a, b); }
HL_PURE double min(double a, double b) { return __builtin_fmin(a, b); }
HL_PURE double max(double a, double b) { return __builtin_fmax(a, b); }
HL_PURE float fdividef(float a, float b) { return a / b; }
HL_PURE float __log2f(float a) { return __builtin_elementwise_log2(a); }
HL_PURE float __log10f(float a) { return __builtin_elementwise_log2(a) * 0.301029996f; }
HL_PURE float __exp10f(float a) { return __builtin_elementwise_exp2(a * 3.32192809f); }
HL_PURE float ldexpf(float a, int n) { return __builtin_ldexpf(a, n); }
HL_PURE double ldexp(double a, int n) { return __builtin_ldexp(a, n); }

// --- vectors ----------------------------------------------------------------------------------------------------------
#define HL_MAKE3(T) HL_PURE T##3 make_##T##3(T x, T y, T z) { return T##3{x, y, z}; }
HL_MAKE3(int) HL_MAKE3(uint) HL_MAKE3(float) HL_MAKE3(double)
#define HL_MAKE_SMALL(T)                                                                                               \
    HL_PURE T##2 make_##T##2(T x, T y) { return T##2{x, y}; }                                                          \
    HL_PURE T##3 make_##T##3(T x, T y, T z) { return T##3{x, y, z}; }                                                  \
    HL_PURE T##4 make_##T##4(T x, T y, T z, T w) { return T##4{x, y, z, w}; }
HL_MAKE_SMALL(char) HL_MAKE_SMALL(uchar) HL_MAKE_SMALL(short) HL_MAKE_SMALL(ushort)

/// What a kernel prints is dropped.
template <typename... T> HL_DEVICE int printf(const char *, T...) { return 0; }

#if defined(__HIP__)
// --- waves and groups -------------------------------------------------------------------------------------------------
HL_PURE void __syncwarp(unsigned long long = ~0ull) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); __builtin_amdgcn_wave_barrier(); }
HL_PURE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
HL_PURE unsigned long long __ballot_sync(unsigned long long mask, int p) { return __ballot(p) & mask; }
HL_PURE int __any_sync(unsigned long long mask, int p) { return __ballot_sync(mask, p) != 0; }
HL_PURE int __all_sync(unsigned long long mask, int p) { return __ballot_sync(mask, !p) == 0; }
HL_PURE long long clock64() { return (long long)__builtin_readcyclecounter(); }
HL_PURE void __trap() { __builtin_trap(); }
HL_DEVICE unsigned long long hl_ballot(int p) { return __ballot(p); }
#else
HL_DEVICE unsigned long long hl_ballot(int p) { return (unsigned)__nvvm_vote_ballot_sync(__nvvm_activemask(), p); }
#endif

// --- atomics ----------------------------------------------------------------------------------------------------------
#if defined(__HIP__)
HL_PURE unsigned atomicInc(unsigned *p, unsigned most) { return __builtin_amdgcn_atomic_inc32(p, most, __ATOMIC_RELAXED, "agent"); }
HL_PURE unsigned atomicDec(unsigned *p, unsigned most) { return __builtin_amdgcn_atomic_dec32(p, most, __ATOMIC_RELAXED, "agent"); }
#define HL_ATOMIC_REAL(T)                                                                                              \
    HL_ATOMIC(T, atomicMin, fetch_min) HL_ATOMIC(T, atomicMax, fetch_max) HL_ATOMIC(T, unsafeAtomicAdd, fetch_add)
HL_ATOMIC_REAL(float) HL_ATOMIC_REAL(double)
#else
HL_PURE unsigned atomicInc(unsigned *p, unsigned most) { return __nvvm_atom_inc_gen_ui(p, most); }
HL_PURE unsigned atomicDec(unsigned *p, unsigned most) { return __nvvm_atom_dec_gen_ui(p, most); }
#endif
