// OpenCL C: conversions with a rounding or saturation. Read after opencl.h where a text names one.
// --- conversions to whole numbers with a rounding, and such as keep to the range (nothing becomes 0) -------------------
#define HL_ROUND_AT(N, T, F, MODE, WAY) HL_FN T##N convert_##T##N##_##MODE(F##N x) { return convert_##T##N(WAY(x)); }
#define HL_ROUND(T, F, MODE, WAY)                                                                                     \
    HL_FN T convert_##T##_##MODE(F x) { return (T)WAY(x); }                                                           \
    HL_SIZES(HL_ROUND_AT, T, F, MODE, WAY)
#define HL_KEEP_AT(N, T, F, NAME, WAY)                                                                                \
    HL_FN T##N convert_##T##N##_##NAME(F##N x)                                                                        \
    {                                                                                                                 \
        T##N made;                                                                                                    \
        for (int i = 0; i < N; i++) made[i] = convert_##T##_##NAME(x[i]);                                             \
        return made;                                                                                                  \
    }
#define HL_KEEP_REAL(T, F, LEAST, MOST, NAME, WAY)                                                                    \
    HL_FN T convert_##T##_##NAME(F x)                                                                                 \
    {                                                                                                                 \
        const F y = WAY(x);                                                                                           \
        return y != y ? 0 : y <= (F)(LEAST) ? (LEAST) : y >= (F)(MOST) ? (MOST) : (T)y;                               \
    }                                                                                                                 \
    HL_SIZES(HL_KEEP_AT, T, F, NAME, WAY)
#define HL_KEEP_WHOLE(T, F, LEAST, MOST, WIDE)                                                                        \
    HL_FN T convert_##T##_sat(F x) { return x < 0 && (LEAST) == 0 ? 0 : (T)clamp((WIDE)x, (WIDE)(LEAST), (WIDE)(MOST)); } \
    HL_SIZES(HL_KEEP_AT, T, F, sat, )
#define HL_ROUNDINGS(T, F) HL_ROUND(T, F, rte, rint) HL_ROUND(T, F, rtz, trunc) HL_ROUND(T, F, rtp, ceil) HL_ROUND(T, F, rtn, floor)
#define HL_KEEPS(T, F, LEAST, MOST)                                                                                   \
    HL_KEEP_REAL(T, F, LEAST, MOST, sat, trunc) HL_KEEP_REAL(T, F, LEAST, MOST, sat_rtz, trunc)                       \
    HL_KEEP_REAL(T, F, LEAST, MOST, sat_rte, rint) HL_KEEP_REAL(T, F, LEAST, MOST, sat_rtp, ceil)                     \
    HL_KEEP_REAL(T, F, LEAST, MOST, sat_rtn, floor)
#define HL_RANGE(T, LEAST, MOST)                                                                                      \
    HL_ROUNDINGS(T, float) HL_ROUNDINGS(T, double) HL_KEEPS(T, float, LEAST, MOST) HL_KEEPS(T, double, LEAST, MOST)   \
    HL_KEEP_WHOLE(T, char, LEAST, MOST, long) HL_KEEP_WHOLE(T, short, LEAST, MOST, long)                              \
    HL_KEEP_WHOLE(T, int, LEAST, MOST, long) HL_KEEP_WHOLE(T, uchar, LEAST, MOST, long)                               \
    HL_KEEP_WHOLE(T, ushort, LEAST, MOST, long) HL_KEEP_WHOLE(T, uint, LEAST, MOST, long)                             \
    HL_KEEP_WHOLE(T, long, LEAST, MOST, long)                                                                         \
    HL_FN T convert_##T##_sat(ulong x) { return x > (ulong)(MOST) ? (MOST) : (T)x; }                                  \
    HL_SIZES(HL_KEEP_AT, T, ulong, sat, )
HL_RANGE(char, -128, 127) HL_RANGE(uchar, 0, 255) HL_RANGE(short, -32768, 32767) HL_RANGE(ushort, 0, 65535)
HL_RANGE(int, INT_MIN, INT_MAX) HL_RANGE(uint, 0u, UINT_MAX)
