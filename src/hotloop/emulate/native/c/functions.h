/* The functions that the tables' expressions call, on single values; functions.py has the same on arrays. */
INLINE u32 bits_of(f32 a) { u32 r; memcpy(&r, &a, 4); return r; }
INLINE f32 f32_of(u32 a) { f32 r; memcpy(&r, &a, 4); return r; }
INLINE u64 bits64(f64 a) { u64 r; memcpy(&r, &a, 8); return r; }
INLINE f64 f64_of(u64 a) { f64 r; memcpy(&r, &a, 8); return r; }
INLINE u16 bits_half(f16 a) { u16 r; memcpy(&r, &a, 2); return r; }
INLINE f16 f16_of(u16 a) { f16 r; memcpy(&r, &a, 2); return r; }

/* A double that float32 holds exactly and that rounds to float16 as the double does: sticky bits go into the last place. */
INLINE f16 half_of(f64 a) {
    u64 b = bits64(a), low = b & 0x1FFFFFFFull;
    u64 odd = (b & ~0x1FFFFFFFull) | (low ? 0x20000000ull : 0);
    f64 d = __builtin_isfinite(a) ? f64_of(odd) : a;
    return (f16)(f32)d;
}
INLINE f16 half_f32(f32 a) { return (f16)a; }

INLINE f64 odd_sum(f64 product, f64 addend, f64 total) {
    f64 back = total - product, error = (product - (total - back)) + (addend - back);
    i64 bits = (i64)bits64(total);
    int inexact = __builtin_isfinite(total) && error != 0 && !(bits & 1);
    i64 moved = ((error > 0) == (total > 0)) ? bits + 1 : bits - 1;
    return f64_of((u64)(inexact ? moved : bits));
}
/* Rounded once. fma() of double, then once more through an odd sum, would do; a correctly rounded fmaf does at once. */
INLINE f32 fma32(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
INLINE f16 fma16(f16 a, f16 b, f16 c) { return half_of((f64)(f32)a * (f64)(f32)b + (f64)(f32)c); }
INLINE f64 fma64(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
INLINE f32 fma32_scaled(f32 a, f32 b, f32 c, f64 scale) {
    f64 product = (f64)a * (f64)b;
    return (f32)(odd_sum(product, (f64)c, product + (f64)c) * scale);
}

INLINE f32 flush(f32 a) { return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a; }
#define UNARY(name, expression) INLINE f32 name(f32 v) { f64 a = (f64)flush(v); return flush((f32)(expression)); }
#define HALF(name, expression) INLINE f16 name(f16 v) { f64 a = (f64)(f32)v; return half_of(expression); }
#define TURN (2 * 3.141592653589793 * (a - __builtin_floor(a)))
UNARY(rcp, 1.0 / a)
UNARY(rsq, 1.0 / __builtin_sqrt(a))
UNARY(sqrtf32, __builtin_sqrt(a))
UNARY(exp2f32, exp2(a))
UNARY(log2f32, log2(a))
UNARY(sinf32, sin(TURN))
UNARY(cosf32, cos(TURN))
HALF(rcp16, 1.0 / a)
HALF(rsq16, 1.0 / __builtin_sqrt(a))
HALF(sqrt16, __builtin_sqrt(a))
HALF(exp16, exp2(a))
HALF(log16, log2(a))
HALF(sin16, sin(TURN))
HALF(cos16, cos(TURN))

/* A NaN is no number to choose; -0 is below +0. */
#define FLOATS(T, B, bits_, of_, suffix)                                                                                   \
    INLINE T fmin_##suffix(T a, T b) {                                                                                     \
        return a == b ? of_((B)(bits_(a) | bits_(b))) : (a != a) ? b : (b != b) ? a : (a < b ? a : b);                     \
    }                                                                                                                      \
    INLINE T fmax_##suffix(T a, T b) {                                                                                     \
        return a == b ? of_((B)(bits_(a) & bits_(b))) : (a != a) ? b : (b != b) ? a : (a > b ? a : b);                     \
    }                                                                                                                      \
    INLINE T minimum_##suffix(T a, T b) { return (a != a) ? a : (b != b) ? b : fmin_##suffix(a, b); }                      \
    INLINE T maximum_##suffix(T a, T b) { return (a != a) ? a : (b != b) ? b : fmax_##suffix(a, b); }                      \
    INLINE T fmed3_##suffix(T a, T b, T c) {                                                                               \
        if (a != a || b != b || c != c) return fmin_##suffix(fmin_##suffix(a, b), c);                                      \
        return maximum_##suffix(minimum_##suffix(a, b), minimum_##suffix(maximum_##suffix(a, b), c));                      \
    }
FLOATS(f32, u32, bits_of, f32_of, f32)
FLOATS(f64, u64, bits64, f64_of, f64)
FLOATS(f16, u16, bits_half, f16_of, f16)
#define WHOLE(T)                                                                                                           \
    INLINE T minimum_##T(T a, T b) { return a < b ? a : b; }                                                               \
    INLINE T maximum_##T(T a, T b) { return a > b ? a : b; }                                                               \
    INLINE T med3_##T(T a, T b, T c) {                                                                                     \
        return maximum_##T(minimum_##T(a, b), minimum_##T(maximum_##T(a, b), c));                                          \
    }
WHOLE(u16) WHOLE(i16) WHOLE(u32) WHOLE(i32) WHOLE(u64) WHOLE(i64)

INLINE f32 fract_f32(f32 a) { f32 r = a - __builtin_floorf(a); return r != r ? r : r < 0x1.fffffep-1f ? r : 0x1.fffffep-1f; }
INLINE f64 fract_f64(f64 a) { f64 r = a - __builtin_floor(a); return r != r ? r : r < 0x1.fffffffffffffp-1 ? r : 0x1.fffffffffffffp-1; }
INLINE f16 fract_f16(f16 a) {
    f16 r = (f16)((f32)a - (f32)(f16)__builtin_floorf((f32)a));
    return (f32)r != (f32)r ? r : (f32)r < 0.99951171875f ? r : (f16)0.99951171875f;
}
INLINE u32 umulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE i32 imulhi(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
INLINE u32 u24(u32 a) { return a & 0xFFFFFF; }
INLINE i32 i24(i32 a) { return (i32)((u32)a << 8) >> 8; }
INLINE u32 bfe_u(u32 a, u32 offset, u32 width) { return (a >> (offset & 31)) & ((1u << (width & 31)) - 1); }
INLINE i32 bfe_i(i32 a, u32 offset, u32 width) {
    i64 size = width & 31, moved = ((i64)a >> (offset & 31)) & (((i64)1 << size) - 1);
    i64 sign = size > 0 ? (i64)1 << (size - 1) : 0;
    return (i32)((moved ^ sign) - sign);
}
INLINE u32 popcount_u32(u32 a) { return (u32)__builtin_popcount(a); }
INLINE u32 popcount_u64(u64 a) { return (u32)__builtin_popcountll(a); }
INLINE i32 clz(u32 a) { return a ? __builtin_clz(a) : -1; }
INLINE i32 ctz(u32 a) { return a ? __builtin_ctz(a) : -1; }
INLINE i32 clz64(u64 a) { return a ? __builtin_clzll(a) : -1; }
INLINE i32 ctz64(u64 a) { return a ? __builtin_ctzll(a) : -1; }
INLINE i32 cls(u32 a) { i32 b = (i32)a; return clz((u32)(b ^ (b >> 31))); }
INLINE u64 field_u64(u64 a, u32 b) {
    u64 width = b >> 16 & 0x7F, mask = width >= 64 ? ~0ull : (1ull << width) - 1;
    return (a >> (b & 63)) & mask;
}
INLINE u32 field_u(u32 a, u32 b) { return (u32)field_u64(a, b & 0x7F001F); }
INLINE i32 field_i(i32 a, u32 b) {
    i64 width = b >> 16 & 0x7F, some = width < 62 ? width : 62;
    i64 moved = ((i64)a >> (b & 31)) & (((i64)1 << some) - 1);
    i64 below = width - 1 < 62 ? width - 1 : 62, sign = width > 0 ? (i64)1 << below : 0;
    return (i32)((moved ^ sign) - sign);
}
INLINE u32 reverse_u32(u32 a) { return __builtin_bitreverse32(a); }
INLINE u64 reverse_u64(u64 a) { return __builtin_bitreverse64(a); }
INLINE u32 perm(u32 a, u32 b, u32 selector) {
    u64 pair = (u64)a << 32 | b;
    u32 result = 0;
    for (int place = 0; place < 4; place++) {
        u32 choice = selector >> 8 * place & 255, octet;
        if (choice < 8) octet = (u32)(pair >> 8 * choice) & 255;
        else if (choice < 12) octet = (pair >> ((choice - 8) * 16 + 15) & 1) ? 255 : 0;
        else octet = choice == 12 ? 0 : 255;
        result |= octet << 8 * place;
    }
    return result;
}
INLINE u32 alignbit(u32 a, u32 b, u32 shift) { return (u32)(((u64)a << 32 | b) >> (shift & 31)); }
INLINE u32 alignbyte(u32 a, u32 b, u32 shift) { return alignbit(a, b, (shift & 3) * 8); }
INLINE u32 to_unsigned_f64(f64 a, int bits) {
    f64 limit = (f64)((1ull << bits) - 1), t = __builtin_trunc(a);
    return (u32)(u64)(t != t ? 0.0 : t < 0 ? 0.0 : t > limit ? limit : t);
}
INLINE i32 to_signed_f64(f64 a, int bits) {
    f64 low = -(f64)(1ull << (bits - 1)), high = (f64)((1ull << (bits - 1)) - 1), t = __builtin_trunc(a);
    return (i32)(i64)(t != t ? 0.0 : t < low ? low : t > high ? high : t);
}
INLINE f16 towards_zero(f32 a) {
    f16 near = (f16)a;
    int over = __builtin_fabsf((f32)near) > __builtin_fabsf(a) && __builtin_isfinite(a);
    return f16_of((u16)(bits_half(near) - (over ? 1 : 0)));
}
INLINE f64 ldexp_any(f64 a, i32 e) { return ldexp(a, e < -4000 ? -4000 : e > 4000 ? 4000 : e); }
INLINE i32 exponent_any(f64 a) { int e = 0; if (!__builtin_isfinite(a)) return 0; frexp(a, &e); return e; }
INLINE f64 mantissa_any(f64 a) { int e = 0; return __builtin_isfinite(a) ? frexp(a, &e) : a; }
INLINE f64 within(f64 a, f64 low, f64 high) { return a < low ? low : a > high ? high : a; }
INLINE f64 number(f64 a) { return a != a ? 0.0 : a; }
INLINE u16 unorm(f64 a, f64 scale) { return (u16)__builtin_rint(within(number(a), 0, 1) * scale); }
INLINE i16 snorm(f64 a, f64 scale) { return (i16)__builtin_rint(within(number(a), -1, 1) * scale); }
INLINE u16 to_bf16(f32 a) {
    u32 b = bits_of(a);
    return (u16)(a != a ? (b >> 16 | 0x40) : (b + 0x7FFF + (b >> 16 & 1)) >> 16);
}
INLINE f32 from_bf16(u32 a) { return f32_of(a << 16); }
INLINE u32 sad_u8(u32 a, u32 b, u32 c) {
    for (int place = 0; place < 32; place += 8) {
        u32 x = a >> place & 255, y = b >> place & 255;
        c += x > y ? x - y : y - x;
    }
    return c;
}
INLINE u32 msad_u8(u32 a, u32 b, u32 c) {
    for (int place = 0; place < 32; place += 8) {
        u32 x = a >> place & 255, y = b >> place & 255;
        if (y) c += x > y ? x - y : y - x;
    }
    return c;
}
#define FOUR(NAME, EACH)                                                                              \
    INLINE u64 NAME(u64 a, u32 b, u64 c) {                                                            \
        u64 total = 0;                                                                                \
        for (int n = 0; n < 4; ++n)                                                                   \
            total |= (u64)(EACH((u32)(a >> 8 * n), b, (u32)(c >> 16 * n & 0xFFFF)) & 0xFFFF) << 16 * n; \
        return total;                                                                                 \
    }
FOUR(qsad_u8, sad_u8)
FOUR(mqsad_u8, msad_u8)
INLINE u64 quadmask(u64 a) {
    u64 total = 0;
    for (int n = 0; n < 16; n++) total |= (u64)((a >> 4 * n & 15) != 0) << n;
    return total;
}
INLINE u64 replicate(u32 a) {
    u64 total = 0;
    for (int n = 0; n < 32; n++) total |= (u64)(a >> n & 1) * 3 << 2 * n;
    return total;
}
INLINE int class_any(int nan, int quiet, int negative, int infinite, int zero, int tiny, u32 mask) {
    int size = infinite ? 2 : zero ? 5 : tiny ? 4 : 3;
    int place = nan ? quiet : negative ? size : 11 - size;
    return mask >> place & 1;
}
INLINE int class_f32(f32 a, u32 mask) {
    u32 b = bits_of(a);
    return class_any(a != a, b >> 22 & 1, b >> 31, (b & 0x7FFFFFFF) == 0x7F800000, a == 0, !(b >> 23 & 255), mask);
}
INLINE int class_f64(f64 a, u32 mask) {
    u64 b = bits64(a);
    return class_any(a != a, b >> 51 & 1, b >> 63 != 0, (b << 1) == 0xFFE0000000000000ull, a == 0, !(b >> 52 & 2047), mask);
}
INLINE int class_f16(f16 h, u32 mask) {
    u16 b = bits_half(h);
    return class_any((b & 0x7FFF) > 0x7C00, b >> 9 & 1, b >> 15, (b & 0x7FFF) == 0x7C00, !(b & 0x7FFF), !(b >> 10 & 31), mask);
}
