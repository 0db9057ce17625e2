/* The steps of a division: operands scaled against overflow, the last multiply-add scaled back, special values put right. */
#define DIVISION(T, U, suffix, bits_, of_, abs_, sign_, MANTISSA, LARGEST, DISTANCE, UP, DOWN, SMALLEST, UNDER, TINY, QUIET)   \
    static int exponent_##suffix(T a) { return (int)(bits_(a) >> MANTISSA) & LARGEST; }                                      \
    static T scaled_##suffix(T first, T below, T above, int *flag) {                                                         \
        int high = exponent_##suffix(above), low = exponent_##suffix(below);                                                 \
        int flat = __builtin_fabs(1.0 / (f64)below) < TINY, quotient = __builtin_fabs((f64)above / (f64)below) < TINY;       \
        T lifted = first * UP;                                                                                               \
        *flag = 0;                                                                                                           \
        if (above == 0 || below == 0) return of_(QUIET);                                                                     \
        if (high - low >= DISTANCE) return *flag = 1, first == below ? lifted : first;                                       \
        if (low == 0) return lifted;                                                                                         \
        if (flat && quotient) return *flag = 1, first == below ? first * DOWN : first;                                       \
        if (flat) return first * DOWN;                                                                                       \
        if (quotient) return *flag = 1, first == above ? lifted : first;                                                     \
        return high <= SMALLEST ? lifted : first;                                                                            \
    }                                                                                                                        \
    static T fixed_##suffix(T quotient, T below, T above) {                                                                  \
        T turn = (bits_(below) ^ bits_(above)) >> (8 * sizeof(T) - 1) ? -1 : 1, none = sign_(0, turn), all = of_((U)LARGEST << MANTISSA); \
        if (above != above) return above;                                                                                    \
        if (below != below) return below;                                                                                    \
        if ((above == 0 && below == 0) || (abs_(above) == all && abs_(below) == all)) return of_(QUIET);                     \
        if (below == 0 || abs_(above) == all) return turn * all;                                                             \
        if (abs_(below) == all || above == 0) return none;                                                                   \
        if (exponent_##suffix(above) - exponent_##suffix(below) < -UNDER) return none;                                       \
        return quotient != quotient ? turn * all : sign_(abs_(quotient), turn);                                              \
    }
DIVISION(f32, u32, f32, bits_of, f32_of, __builtin_fabsf, __builtin_copysignf, 23, 255, 96, 0x1p64f, 0x1p-64f, 23, 150, 0x1p-126, 0x7FC00000u)
DIVISION(f64, u64, f64, bits64, f64_of, __builtin_fabs, __builtin_copysign, 52, 2047, 768, 0x1p128, 0x1p-128, 53, 1075, 0x1p-1022, 0x7FF8000000000000ull)

enum { DIVIDE_SCALE, DIVIDE_FMAS, DIVIDE_FIXUP };

static f32 fmas_f32(f32 a, f32 b, f32 c, int scaled) {
    if (!scaled) return fma32(a, b, c);
    return fma32_scaled(a, b, c, exponent_f32(c) > 127 ? 0x1p64 : 0x1p-64);
}
static f64 fmas_f64(f64 a, f64 b, f64 c, int scaled) {
    f64 plain = fma64(a, b, c);
    return scaled ? plain * (exponent_f64(c) > 1023 ? 0x1p128 : 0x1p-128) : plain;
}

/* n[0]: which step. */
static void do_divide(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, c, result;
    const void *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b), *z = fetch(r, w, ins, &ins->src[2], &c);
    u64 vcc = ins->n[0] == DIVIDE_FMAS ? mask_of(r, w, VCC_ROW) : 0, flags = 0;
#define STEPS(T, to, suffix)                                                                                                 \
    for (int l = 0; l < LANES; l++) {                                                                                        \
        T p = ((const T *)x)[l], q = ((const T *)y)[l], s = ((const T *)z)[l];                                               \
        int flag = 0;                                                                                                        \
        if (ins->n[0] == DIVIDE_SCALE) result.to[l] = scaled_##suffix(p, q, s, &flag);                                       \
        else if (ins->n[0] == DIVIDE_FMAS) result.to[l] = fmas_##suffix(p, q, s, (int)(vcc >> l & 1));                       \
        else result.to[l] = fixed_##suffix(p, q, s);                                                                         \
        flags |= (u64)flag << l;                                                                                             \
    }
    if (ins->kind == K_F64) {
        STEPS(f64, g, f64)
    } else {
        STEPS(f32, f, f32)
    }
    put(w, ins, &result, w->em);
    if (ins->mask >= 0) put_mask(r, w, ins->mask, flags & w->exec);
}
