// OpenCL C: functions of whole numbers. Read after opencl.h where a text names one.
#define HL_WHOLES(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)
#define HL_W1(N, T, R, F)                                                                                             \
    HL_FN R##N F(T##N x) { R##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i]); return y; }
#define HL_W2(N, T, R, F)                                                                                             \
    HL_FN R##N F(T##N a, T##N b) { R##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(a[i], b[i]); return y; }
#define HL_W3(N, T, R, F)                                                                                             \
    HL_FN R##N F(T##N a, T##N b, T##N c)                                                                              \
    { R##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(a[i], b[i], c[i]); return y; }
#define HL_WHOLE(T, U, BITS, HIGH, COUNT)                                                                             \
    HL_FN U abs_diff(T a, T b) { return a > b ? (U)a - (U)b : (U)b - (U)a; }                                          \
    HL_FN T add_sat(T a, T b) { return __builtin_elementwise_add_sat(a, b); }                                         \
    HL_FN T sub_sat(T a, T b) { return __builtin_elementwise_sub_sat(a, b); }                                         \
    HL_FN T hadd(T a, T b) { return (a & b) + ((a ^ b) >> 1); }                                                       \
    HL_FN T rhadd(T a, T b) { return (a | b) - ((a ^ b) >> 1); }                                                      \
    HL_FN T rotate(T a, T n) { const int s = (int)(n & (BITS - 1)); return (T)(((U)a << s) | ((U)a >> ((BITS - s) & (BITS - 1)))); } \
    HL_FN T clz(T x) { return (U)x == 0 ? BITS : (T)(__builtin_clzl((ulong)(U)x) - (64 - BITS)); }                     \
    HL_FN T ctz(T x) { return (U)x == 0 ? BITS : (T)__builtin_ctzl((ulong)(U)x); }                                    \
    COUNT HIGH                                                                                                        \
    HL_SIZES(HL_W2, T, U, abs_diff) HL_SIZES(HL_W2, T, T, add_sat) HL_SIZES(HL_W2, T, T, sub_sat)                     \
    HL_SIZES(HL_W2, T, T, hadd) HL_SIZES(HL_W2, T, T, rhadd) HL_SIZES(HL_W2, T, T, rotate)                            \
    HL_SIZES(HL_W1, T, T, clz) HL_SIZES(HL_W1, T, T, ctz) HL_SIZES(HL_W1, T, T, popcount) HL_SIZES(HL_W2, T, T, mul_hi) \
    HL_FN T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; }                                                        \
    HL_SIZES(HL_W3, T, T, mad_hi)
#define HL_POPCOUNT(T, U) HL_FN T popcount(T x) { return (T)__builtin_popcountl((ulong)(U)x); }
#define HL_HIGH(T, WIDE, BITS) HL_FN T mul_hi(T a, T b) { return (T)(((WIDE)a * (WIDE)b) >> BITS); }
#define HL_MAD_SAT(T, WIDE, LEAST, MOST)                                                                              \
    HL_FN T mad_sat(T a, T b, T c)                                                                                    \
    { const WIDE x = (WIDE)a * (WIDE)b + (WIDE)c; return x < (WIDE)(LEAST) ? (LEAST) : x > (WIDE)(MOST) ? (MOST) : (T)x; } \
    HL_SIZES(HL_W3, T, T, mad_sat)
HL_WHOLE(char, uchar, 8, HL_HIGH(char, int, 8), HL_POPCOUNT(char, uchar))
HL_WHOLE(uchar, uchar, 8, HL_HIGH(uchar, int, 8), HL_POPCOUNT(uchar, uchar))
HL_WHOLE(short, ushort, 16, HL_HIGH(short, int, 16), HL_POPCOUNT(short, ushort))
HL_WHOLE(ushort, ushort, 16, HL_HIGH(ushort, uint, 16), HL_POPCOUNT(ushort, ushort))
HL_WHOLE(int, uint, 32, HL_HIGH(int, long, 32), HL_POPCOUNT(int, uint))
HL_WHOLE(uint, uint, 32, , )
HL_WHOLE(long, ulong, 64, HL_HIGH(long, __int128, 64), HL_POPCOUNT(long, ulong))
HL_WHOLE(ulong, ulong, 64, HL_HIGH(ulong, unsigned __int128, 64), HL_POPCOUNT(ulong, ulong))
HL_MAD_SAT(char, int, -128, 127) HL_MAD_SAT(uchar, int, 0, 255) HL_MAD_SAT(short, long, -32768, 32767)
HL_MAD_SAT(ushort, long, 0, 65535) HL_MAD_SAT(int, long, INT_MIN, INT_MAX)
HL_MAD_SAT(long, __int128, LONG_MIN, LONG_MAX) HL_MAD_SAT(ulong, unsigned __int128, 0, ULONG_MAX)
HL_FN uint mad_sat(uint a, uint b, uint c) { const ulong x = (ulong)a * b + c; return x > UINT_MAX ? UINT_MAX : (uint)x; }
HL_SIZES(HL_W3, uint, uint, mad_sat)
#define HL_ABS_OF(T, U) HL_FN U abs(T x) { return x < 0 ? (U)0 - (U)x : (U)x; } HL_SIZES(HL_W1, T, U, abs)
#define HL_ABS_UNSIGNED(T) HL_FN T abs(T x) { return x; } HL_SIZES(HL_W1, T, T, abs)
HL_ABS_OF(char, uchar) HL_ABS_OF(short, ushort) HL_ABS_OF(long, ulong) HL_SIZES(HL_W1, int, uint, abs)
HL_ABS_UNSIGNED(uchar) HL_ABS_UNSIGNED(ushort) HL_ABS_UNSIGNED(uint) HL_ABS_UNSIGNED(ulong)
#define HL_UPSAMPLE_AT(N, T, U, WIDE, BITS)                                                                           \
    HL_FN WIDE##N upsample(T##N hi, U##N lo)                                                                          \
    { WIDE##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = upsample(hi[i], lo[i]); return y; }
#define HL_UPSAMPLE(T, U, WIDE, BITS)                                                                                 \
    HL_FN WIDE upsample(T hi, U lo) { return (WIDE)(((u##WIDE)hi << BITS) | (u##WIDE)lo); }                           \
    HL_SIZES(HL_UPSAMPLE_AT, T, U, WIDE, BITS)
typedef ushort uushort;
typedef uint uuint;
typedef ulong uulong;
HL_UPSAMPLE(char, uchar, short, 8) HL_UPSAMPLE(uchar, uchar, ushort, 8) HL_UPSAMPLE(short, ushort, int, 16)
HL_UPSAMPLE(ushort, ushort, uint, 16) HL_UPSAMPLE(int, uint, long, 32) HL_UPSAMPLE(uint, uint, ulong, 32)
