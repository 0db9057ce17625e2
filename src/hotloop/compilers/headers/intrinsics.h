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
#define HL_FROM(FROM, F, TO, T) HL_PURE T __##FROM##2##TO##_rn(F a) { return (T)a; }
HL_FROM(int, int, float, float) HL_FROM(uint, unsigned, float, float) HL_FROM(ll, long long, float, float)
HL_FROM(ull, unsigned long long, float, float) HL_FROM(int, int, double, double) HL_FROM(uint, unsigned, double, double)
HL_FROM(ll, long long, double, double) HL_FROM(ull, unsigned long long, double, double)
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
#define HL_PARTS(T, F, MANTISSA, EXPONENT)                                                                             \
    HL_PURE T ldexp##F(T a, int n) { return __builtin_ldexp##F(a, n); }                                                \
    HL_PURE T scalbn##F(T a, int n) { return __builtin_ldexp##F(a, n); }                                               \
    HL_PURE T nearbyint##F(T a) { return __builtin_elementwise_roundeven(a); }                                         \
    HL_PURE long lrint##F(T a) { return (long)__builtin_elementwise_roundeven(a); }                                    \
    HL_PURE long long llrint##F(T a) { return (long long)__builtin_elementwise_roundeven(a); }                         \
    HL_PURE long lround##F(T a) { return (long)__builtin_elementwise_round(a); }                                       \
    HL_PURE long long llround##F(T a) { return (long long)__builtin_elementwise_round(a); }                            \
    HL_PURE T fdim##F(T a, T b) { return a != a || b != b ? a + b : a > b ? a - b : (T)0; }                            \
    HL_PURE T nan##F(const char *) { return (T)NAN; }                                                                  \
    HL_PURE T modf##F(T a, T *whole)                                                                                   \
    {                                                                                                                  \
        *whole = __builtin_elementwise_trunc(a);                                                                       \
        return __builtin_copysign##F(__builtin_isinf(a) ? (T)0 : a - *whole, a);                                       \
    }                                                                                                                  \
    HL_EXPONENTS(T, F, MANTISSA, EXPONENT)
#if defined(__AMDGCN__)
#define HL_EXPONENTS(T, F, MANTISSA, EXPONENT)                                                                         \
    HL_PURE bool hl_odd##F(T a) { return a == 0 || !__builtin_isfinite(a); }                                           \
    HL_PURE T frexp##F(T a, int *n) { return *n = hl_odd##F(a) ? 0 : EXPONENT(a), hl_odd##F(a) ? a : MANTISSA(a); }    \
    HL_PURE int ilogb##F(T a) { return a == 0 ? -0x7fffffff - 1 : hl_odd##F(a) ? 0x7fffffff : EXPONENT(a) - 1; }       \
    HL_PURE T logb##F(T a) { return a == 0 ? -(T)INFINITY : hl_odd##F(a) ? a * a : (T)(EXPONENT(a) - 1); }
#else
#define HL_EXPONENTS(...)
#endif
HL_PARTS(float, f, __builtin_amdgcn_frexp_mantf, __builtin_amdgcn_frexp_expf)
HL_PARTS(double, , __builtin_amdgcn_frexp_mant, __builtin_amdgcn_frexp_exp)
HL_PURE float __tanf(float a) { return __sinf(a) / __cosf(a); }
HL_PURE void __sincosf(float a, float *s, float *c) { *s = __sinf(a), *c = __cosf(a); }
HL_PURE void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
HL_PURE void *memset(void *to, int octet, size_t n) { return __builtin_memset(to, octet, n); }
HL_PURE long labs(long a) { return a < 0 ? -a : a; }
HL_PURE void abort() { __builtin_trap(); }

// --- vectors ----------------------------------------------------------------------------------------------------------
#define HL_MAKE3(T)                                                                                                    \
    HL_PURE T##1 make_##T##1(T x) { return T##1(x); }                                                                  \
    HL_PURE T##3 make_##T##3(T x, T y, T z) { return T##3{x, y, z}; }
HL_MAKE3(int) HL_MAKE3(uint) HL_MAKE3(float) HL_MAKE3(double)
#define HL_MAKE_SMALL(T)                                                                                               \
    HL_PURE T##1 make_##T##1(T x) { return T##1(x); }                                                                  \
    HL_PURE T##2 make_##T##2(T x, T y) { return T##2{x, y}; }                                                          \
    HL_PURE T##3 make_##T##3(T x, T y, T z) { return T##3{x, y, z}; }                                                  \
    HL_PURE T##4 make_##T##4(T x, T y, T z, T w) { return T##4{x, y, z, w}; }
HL_MAKE_SMALL(char) HL_MAKE_SMALL(uchar) HL_MAKE_SMALL(short) HL_MAKE_SMALL(ushort)
HL_MAKE_SMALL(long) HL_MAKE_SMALL(ulong) HL_MAKE_SMALL(longlong) HL_MAKE_SMALL(ulonglong)

/// What a kernel prints is dropped.
template <typename... T> HL_DEVICE int printf(const char *, T...) { return 0; }

#if defined(__HIP__)
// --- waves and groups -------------------------------------------------------------------------------------------------
HL_PURE void __syncwarp(unsigned long long = ~0ull) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); __builtin_amdgcn_wave_barrier(); }
HL_PURE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
HL_PURE unsigned long long __ballot_sync(unsigned long long mask, int p) { return __ballot(p) & mask; }
HL_PURE int __any_sync(unsigned long long mask, int p) { return __ballot_sync(mask, p) != 0; }
HL_PURE int __all_sync(unsigned long long mask, int p) { return __ballot_sync(mask, !p) == 0; }
HL_PURE unsigned long long __ballot64(int p) { return __ballot(p); }
#define HL_GROUP(NAME, OP, START)                                                                                      \
    HL_PURE int NAME(int p)                                                                                            \
    {                                                                                                                  \
        static __shared__ int all;                                                                                     \
        __syncthreads();                                                                                               \
        if (!threadIdx.x && !threadIdx.y && !threadIdx.z) all = START;                                                 \
        __syncthreads();                                                                                               \
        OP(&all, (int)!!p);                                                                                            \
        __syncthreads();                                                                                               \
        return all;                                                                                                    \
    }
HL_GROUP(__syncthreads_count, atomicAdd, 0) HL_GROUP(__syncthreads_or, atomicOr, 0) HL_GROUP(__syncthreads_and, atomicAnd, 1)
template <typename T> HL_DEVICE unsigned long long __match_any(T v)
{
    unsigned long long mine = 0;
    for (unsigned long long rest = __ballot(1); rest;) {
        const bool same = hl_shuffle(v, __builtin_ctzll(rest)) == v;
        const unsigned long long found = __ballot(same);
        if (same) mine = found;
        rest &= ~found;
    }
    return mine;
}
template <typename T> HL_DEVICE unsigned long long __match_any_sync(unsigned long long mask, T v) { return __match_any(v) & mask; }
template <typename T> HL_DEVICE unsigned long long __match_all(T v, int *all)
{
    *all = __ballot(hl_shuffle(v, __builtin_ctzll(__ballot(1))) != v) == 0;
    return *all ? __ballot(1) : 0;
}
#define HL_REDUCED(NAME, EXPRESSION) /* of the mask's active lanes */                                                  \
    template <typename M, typename T> HL_DEVICE T __reduce_##NAME##_sync(M mask, T x)                                  \
    {                                                                                                                  \
        static_assert(__is_integral(T) && sizeof(T) >= 4, "of floating-point numbers no order of operations is defined"); \
        unsigned long long rest = (unsigned long long)mask & __ballot(1);                                              \
        T a = hl_shuffle(x, __builtin_ctzll(rest));                                                                    \
        while (rest &= rest - 1) {                                                                                     \
            const T b = hl_shuffle(x, __builtin_ctzll(rest));                                                          \
            a = EXPRESSION;                                                                                            \
        }                                                                                                              \
        return a;                                                                                                      \
    }
HL_REDUCED(add, a + b) HL_REDUCED(min, b < a ? b : a) HL_REDUCED(max, b > a ? b : a)
HL_REDUCED(and, a & b) HL_REDUCED(or, a | b) HL_REDUCED(xor, a ^ b)
template <typename M, typename T> HL_DEVICE unsigned long long __match_all_sync(M mask, T v, int *all)
{
    const unsigned long long taken = (unsigned long long)mask & __ballot(1);
    *all = (__match_any(v) & taken) == taken;
    return *all ? taken : 0;
}
// Memory from a heap that the host's runtime serves: declared, so that a file's other kernels compile.
extern "C" __attribute__((visibility("default"))) __device__ void *malloc(size_t);
extern "C" __attribute__((visibility("default"))) __device__ void free(void *);
HL_PURE unsigned __bitextract_u32(unsigned a, unsigned at, unsigned n) { return a >> (at & 31) & ((1u << (n & 31)) - 1); }
HL_PURE unsigned long long __bitextract_u64(unsigned long long a, unsigned at, unsigned n) { return a >> (at & 63) & ((1ull << (n & 63)) - 1); }
HL_PURE unsigned __bitinsert_u32(unsigned a, unsigned b, unsigned at, unsigned n)
{
    const unsigned mask = (1u << (n & 31)) - 1;
    return (a & ~(mask << (at & 31))) | (b & mask) << (at & 31);
}
HL_PURE unsigned long long __bitinsert_u64(unsigned long long a, unsigned long long b, unsigned at, unsigned n)
{
    const unsigned long long mask = (1ull << (n & 63)) - 1;
    return (a & ~(mask << (at & 63))) | (b & mask) << (at & 63);
}
HL_PURE int __hip_ds_bpermute(int octet, int v) { return __builtin_amdgcn_ds_bpermute(octet, v); }
HL_PURE int __hip_ds_permute(int octet, int v) { return __builtin_amdgcn_ds_permute(octet, v); }
template <int hl_pattern> HL_DEVICE int __hip_ds_swizzle_n(int v) { return __builtin_amdgcn_ds_swizzle(v, hl_pattern); }
template <int hl_how, int hl_rows, int hl_banks, bool hl_zero> HL_DEVICE int __hip_move_dpp_n(int v)
{
    return __builtin_amdgcn_mov_dpp(v, hl_how, hl_rows, hl_banks, hl_zero);
}
HL_PURE long long clock64() { return (long long)__builtin_readcyclecounter(); }
HL_PURE long long clock() { return clock64(); }
HL_PURE long long wall_clock64() { return (long long)__builtin_readsteadycounter(); }
HL_PURE void __trap() { __builtin_trap(); }
HL_DEVICE unsigned long long hl_ballot(int p) { return __ballot(p); }
#else
HL_DEVICE unsigned long long hl_ballot(int p) { return (unsigned)__nvvm_vote_ballot_sync(__nvvm_activemask(), p); }
#endif

// --- atomics ----------------------------------------------------------------------------------------------------------
#if defined(__HIP__)
HL_PURE unsigned atomicInc(unsigned *p, unsigned most) { return __builtin_amdgcn_atomic_inc32(p, most, __ATOMIC_RELAXED, "agent"); }
HL_PURE unsigned atomicDec(unsigned *p, unsigned most) { return __builtin_amdgcn_atomic_dec32(p, most, __ATOMIC_RELAXED, "agent"); }
HL_PURE float safeAtomicAdd(float *p, float x) { return atomicAdd(p, x); }
HL_PURE double safeAtomicAdd(double *p, double x) { return atomicAdd(p, x); }
#define HL_SCOPED(NAME) /* of the whole system, and of a group: the device's order has both */                         \
    template <typename T> HL_DEVICE T NAME##_system(T *p, hl_number<T> x) { return NAME(p, x); }                       \
    template <typename T> HL_DEVICE T NAME##_block(T *p, hl_number<T> x) { return NAME(p, x); }
HL_SCOPED(atomicAdd) HL_SCOPED(atomicSub) HL_SCOPED(atomicMin) HL_SCOPED(atomicMax) HL_SCOPED(atomicAnd) HL_SCOPED(atomicOr)
HL_SCOPED(atomicXor) HL_SCOPED(atomicExch)
template <typename T> HL_DEVICE T atomicCAS_system(T *p, hl_number<T> old, hl_number<T> x) { return atomicCAS(p, old, x); }
template <typename T> HL_DEVICE T atomicCAS_block(T *p, hl_number<T> old, hl_number<T> x) { return atomicCAS(p, old, x); }
HL_PURE float atomicCAS(float *p, float old, float x)
{
    return __int_as_float(atomicCAS((int *)p, __builtin_bit_cast(int, old), __builtin_bit_cast(int, x)));
}
HL_PURE double atomicCAS(double *p, double old, double x)
{
    const unsigned long long was = __double_as_longlong(old), now = __double_as_longlong(x);
    return __longlong_as_double((long long)atomicCAS((unsigned long long *)p, was, now));
}
#define HL_ATOMIC_REAL(T)                                                                                              \
    HL_ATOMIC(T, atomicMin, fetch_min) HL_ATOMIC(T, atomicMax, fetch_max) HL_ATOMIC(T, unsafeAtomicAdd, fetch_add)
HL_ATOMIC_REAL(float) HL_ATOMIC_REAL(double)
#else
HL_PURE unsigned atomicInc(unsigned *p, unsigned most) { return __nvvm_atom_inc_gen_ui(p, most); }
HL_PURE unsigned atomicDec(unsigned *p, unsigned most) { return __nvvm_atom_dec_gen_ui(p, most); }
#endif
