// OpenCL C: numbers of 16 bits with a rounding by name. Read after opencl.h and halves.h where a text names one.
// --- the nearest value, then one step where that lies on the wrong side ------------------------------------------------
#define HL_HALF_ROUNDED(F)                                                                                            \
    HL_FN half convert_half_rte(F x) { return (half)x; }                                                              \
    HL_FN half convert_half_rtz(F x) { return as_half((ushort)(as_ushort((half)x) - (fabs((F)(half)x) > fabs(x)))); } \
    HL_FN half convert_half_rtp(F x)                                                                                  \
    {                                                                                                                 \
        const ushort near = as_ushort((half)x);                                                                       \
        return as_half((ushort)((F)(half)x < x ? (near & 0x8000 ? near - 1 : near + 1) : near));                        \
    }                                                                                                                 \
    HL_FN half convert_half_rtn(F x)                                                                                  \
    {                                                                                                                 \
        const ushort near = as_ushort((half)x);                                                                       \
        return as_half((ushort)((F)(half)x > x ? (near & 0x8000 ? near + 1 : near - 1) : near));                        \
    }
HL_HALF_ROUNDED(float) HL_HALF_ROUNDED(double)
#define HL_HALF_ROUNDED_AT(N, F, MODE)                                                                                \
    HL_FN half##N convert_half##N##_##MODE(F##N x)                                                                    \
    {                                                                                                                 \
        half##N made;                                                                                                 \
        for (int i = 0; i < N; i++) made[i] = convert_half_##MODE(x[i]);                                              \
        return made;                                                                                                  \
    }
#define HL_HALF_STORED_AT(N, F, MODE, SPACE)                                                                          \
    HL_FN void vstore_half##N##_##MODE(F##N x, size_t i, SPACE half *p) { vstore##N(convert_half##N##_##MODE(x), i, p); } \
    HL_FN void vstorea_half##N##_##MODE(F##N x, size_t i, SPACE half *p)                                              \
    {                                                                                                                 \
        vstore##N(convert_half##N##_##MODE(x), 0, p + (N == 3 ? 4 : N) * i);                                          \
    }
#define HL_HALF_STORED(F, MODE, SPACE)                                                                                \
    HL_FN void vstore_half_##MODE(F x, size_t i, SPACE half *p) { p[i] = convert_half_##MODE(x); }                    \
    HL_FN void vstorea_half_##MODE(F x, size_t i, SPACE half *p) { p[i] = convert_half_##MODE(x); }                   \
    HL_SIZES(HL_HALF_STORED_AT, F, MODE, SPACE)
#define HL_HALF_MODE(F, MODE)                                                                                         \
    HL_SIZES(HL_HALF_ROUNDED_AT, F, MODE)                                                                             \
    HL_HALF_STORED(F, MODE, __global) HL_HALF_STORED(F, MODE, __local) HL_HALF_STORED(F, MODE, __private)
HL_HALF_MODE(float, rte) HL_HALF_MODE(float, rtz) HL_HALF_MODE(float, rtp) HL_HALF_MODE(float, rtn)
HL_HALF_MODE(double, rte) HL_HALF_MODE(double, rtz) HL_HALF_MODE(double, rtp) HL_HALF_MODE(double, rtn)
