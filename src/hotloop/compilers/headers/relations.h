// OpenCL C: comparisons by name, tests, and choices between elements. Read after opencl.h where a text names one.
#define HL_R2(N, T, I, F, BODY) HL_FN I##N F(T##N x, T##N y) { return BODY; }
#define HL_RELATION(F, BODY)                                                                                          \
    HL_FN int F(float x, float y) { return BODY; }                                                                    \
    HL_FN int F(double x, double y) { return BODY; }                                                                  \
    HL_FN int F(half x, half y) { return BODY; }                                                                      \
    HL_SIZES(HL_R2, float, int, F, BODY) HL_SIZES(HL_R2, double, long, F, BODY) HL_SIZES(HL_R2, half, short, F, BODY)
HL_RELATION(isequal, x == y) HL_RELATION(isnotequal, x != y) HL_RELATION(isgreater, x > y)
HL_RELATION(isgreaterequal, x >= y) HL_RELATION(isless, x < y) HL_RELATION(islessequal, x <= y)
HL_RELATION(islessgreater, (x < y) | (x > y)) HL_RELATION(isordered, (x == x) & (y == y))
HL_RELATION(isunordered, (x != x) | (y != y))
#define HL_R1(N, T, I, F)                                                                                             \
    HL_FN I##N F(T##N x) { I##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i]) ? -1 : 0; return y; }
#define HL_TESTS(F) HL_SIZES(HL_R1, float, int, F) HL_SIZES(HL_R1, double, long, F) HL_SIZES(HL_R1, half, short, F)
HL_FN int isnan(half x) { return x != x; }
HL_FN int isinf(half x) { return __builtin_isinf((float)x); }
HL_FN int isfinite(half x) { return __builtin_isfinite((float)x); }
HL_FN int isnormal(half x) { return __builtin_isnormal(x); }
HL_FN int signbit(half x) { return (as_short(x) & (short)0x8000) != 0; }
HL_TEST(isnormal, __builtin_isnormal(x))
HL_TEST(signbit, copysign(1.0f, (float)x) < 0.0f)
HL_TESTS(isnan) HL_TESTS(isinf) HL_TESTS(isfinite) HL_TESTS(isnormal) HL_TESTS(signbit)

#define HL_ANY_AT(N, T)                                                                                               \
    HL_FN int any(T##N x) { int y = 0; _Pragma("unroll") for (int i = 0; i < N; ++i) y |= x[i] < 0; return y; }       \
    HL_FN int all(T##N x) { int y = 1; _Pragma("unroll") for (int i = 0; i < N; ++i) y &= x[i] < 0; return y; }
#define HL_ANY(T) HL_FN int any(T x) { return x < 0; } HL_FN int all(T x) { return x < 0; } HL_SIZES(HL_ANY_AT, T)
HL_ANY(char) HL_ANY(short) HL_ANY(int) HL_ANY(long)

#define HL_BITS_AT(N, T, U) HL_FN T##N bitselect(T##N a, T##N b, T##N c) {                                            \
        const U##N m = __builtin_astype(c, U##N), x = __builtin_astype(a, U##N) & ~m, y = __builtin_astype(b, U##N) & m;   \
        return __builtin_astype((U##N)(x | y), T##N); }
#define HL_BITS(T, U) HL_BITS_AT(, T, U) HL_SIZES(HL_BITS_AT, T, U)
HL_BITS(char, uchar) HL_BITS(uchar, uchar) HL_BITS(short, ushort) HL_BITS(ushort, ushort) HL_BITS(int, uint)
HL_BITS(uint, uint) HL_BITS(long, ulong) HL_BITS(ulong, ulong) HL_BITS(float, uint) HL_BITS(double, ulong) HL_BITS(half, ushort)

#define HL_SELECT_AT(N, T, C)                                                                                         \
    HL_FN T##N select(T##N a, T##N b, C##N c)                                                                         \
    { T##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = c[i] < 0 ? b[i] : a[i]; return y; }
#define HL_SELECT_SIGN(N, T, C, S) HL_FN T##N select(T##N a, T##N b, C##N c) { return select(a, b, __builtin_astype(c, S##N)); }
#define HL_SELECT(T, S, U)                                                                                            \
    HL_FN T select(T a, T b, S c) { return c ? b : a; }                                                               \
    HL_FN T select(T a, T b, U c) { return c ? b : a; }                                                               \
    HL_SIZES(HL_SELECT_AT, T, S) HL_SIZES(HL_SELECT_SIGN, T, U, S)
HL_SELECT(char, char, uchar) HL_SELECT(uchar, char, uchar) HL_SELECT(short, short, ushort) HL_SELECT(ushort, short, ushort)
HL_SELECT(half, short, ushort) HL_SELECT(int, int, uint) HL_SELECT(uint, int, uint) HL_SELECT(float, int, uint)
HL_SELECT(long, long, ulong) HL_SELECT(ulong, long, ulong) HL_SELECT(double, long, ulong)
