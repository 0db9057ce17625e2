// OpenCL C: functions of AMD's extensions cl_amd_media_ops and cl_amd_media_ops2, whose names clang defines as macros for AMD's
// GPUs. What they compute stands in Khronos' registry of extensions. Not here: amd_qsad, amd_mqsad. Read where a text names one.
HL_FN uint amd_bitalign(uint a, uint b, uint c) { return (uint)((((ulong)a << 32) | b) >> (c & 31)); }
HL_FN uint amd_bytealign(uint a, uint b, uint c) { return (uint)((((ulong)a << 32) | b) >> (8 * (c & 3))); }
HL_FN uint hl_byte(uint x, int i) { return x >> (8 * i) & 255; }
HL_FN uint hl_apart(uint a, uint b) { return a > b ? a - b : b - a; }
HL_FN uint hl_sad(uint a, uint b)
{
    uint sum = 0;
    for (int i = 0; i < 4; ++i) sum += hl_apart(hl_byte(a, i), hl_byte(b, i));
    return sum;
}
HL_FN uint amd_sad(uint a, uint b, uint c) { return c + hl_sad(a, b); }
HL_FN uint amd_sadhi(uint a, uint b, uint c) { return c + (hl_sad(a, b) << 16); }
HL_FN uint amd_sadw(uint a, uint b, uint c) { return c + hl_apart(a & 65535, b & 65535) + hl_apart(a >> 16, b >> 16); }
HL_FN uint amd_sadd(uint a, uint b, uint c) { return c + hl_apart(a, b); }
HL_FN uint amd_msad(uint a, uint b, uint c)
{
    for (int i = 0; i < 4; ++i) c += hl_byte(b, i) ? hl_apart(hl_byte(a, i), hl_byte(b, i)) : 0;
    return c;
}
HL_FN uint amd_lerp(uint a, uint b, uint c)
{
    uint y = 0;
    for (int i = 0; i < 4; ++i) y |= (hl_byte(a, i) + hl_byte(b, i) + (hl_byte(c, i) & 1)) >> 1 << (8 * i);
    return y;
}
HL_FN uint amd_bfm(uint width, uint offset) { return ((1u << (width & 31)) - 1) << (offset & 31); }
#define HL_MEDIA_FIELD(T)                                                                                             \
    HL_FN T amd_bfe(T x, uint offset, uint width)                                                                     \
    {                                                                                                                 \
        offset &= 31, width &= 31;                                                                                    \
        return width == 0 ? 0 : offset + width < 32 ? (T)((uint)x << (32 - offset - width)) >> (32 - width) : x >> offset; \
    }
HL_MEDIA_FIELD(uint) HL_MEDIA_FIELD(int)
#define HL_MEDIA_ORDER(T)                                                                                             \
    HL_FN T amd_min3(T a, T b, T c) { return min(min(a, b), c); }                                                     \
    HL_FN T amd_max3(T a, T b, T c) { return max(max(a, b), c); }                                                     \
    HL_FN T amd_median3(T a, T b, T c) { return max(min(a, b), min(max(a, b), c)); }
HL_MEDIA_ORDER(uint) HL_MEDIA_ORDER(int) HL_MEDIA_ORDER(float)
#define HL_MEDIA_EACH(N, T, A, F)                                                                                     \
    HL_FN T##N F(T##N a, A##N b, A##N c)                                                                              \
    { T##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(a[i], b[i], c[i]); return y; }
HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_bitalign) HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_bytealign)
HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_sad) HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_sadhi)
HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_sadw) HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_sadd)
HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_msad) HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_lerp)
HL_SIZES(HL_MEDIA_EACH, uint, uint, amd_bfe) HL_SIZES(HL_MEDIA_EACH, int, uint, amd_bfe)
#define HL_MEDIA_ORDERS(T)                                                                                            \
    HL_SIZES(HL_MEDIA_EACH, T, T, amd_min3) HL_SIZES(HL_MEDIA_EACH, T, T, amd_max3) HL_SIZES(HL_MEDIA_EACH, T, T, amd_median3)
HL_MEDIA_ORDERS(uint) HL_MEDIA_ORDERS(int) HL_MEDIA_ORDERS(float)
HL_FN uint amd_sad4(uint4 a, uint4 b, uint c) { return c + hl_sad(a.x, b.x) + hl_sad(a.y, b.y) + hl_sad(a.z, b.z) + hl_sad(a.w, b.w); }
HL_FN uint hl_packed(float x) { return (uint)__builtin_rintf(x < 0 ? 0 : x > 255 ? 255 : x); }
HL_FN uint amd_pack(float4 x) { return hl_packed(x.x) | hl_packed(x.y) << 8 | hl_packed(x.z) << 16 | hl_packed(x.w) << 24; }
#define HL_MEDIA_UNPACK(I)                                                                                            \
    HL_FN float amd_unpack##I(uint x) { return (float)hl_byte(x, I); }                                                \
    HL_SIZES(HL_MEDIA_FLOATS, amd_unpack##I)
#define HL_MEDIA_FLOATS(N, F)                                                                                         \
    HL_FN float##N F(uint##N x) { float##N y; _Pragma("unroll") for (int i = 0; i < N; ++i) y[i] = F(x[i]); return y; }
HL_MEDIA_UNPACK(0) HL_MEDIA_UNPACK(1) HL_MEDIA_UNPACK(2) HL_MEDIA_UNPACK(3)
