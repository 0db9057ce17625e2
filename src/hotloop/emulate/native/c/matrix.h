/* MFMA and WMMA: products in float64, added in the order of k, then C, rounded once. */
enum { M_F16, M_BF16, M_F32, M_F64, M_TABLE, M_SIGNED, M_UNSIGNED };
enum { C_F32, C_F64, C_I32, C_F16, C_BF16 };
#define MOST_ITEMS 64

/* n: 0 blocks, 1 rows, 2 columns, 3 depth, 4/5 items of A and B, 6/7 how A and B are read, 8 bits of their elements (A | B << 8),
   9 type of C, 10 items of D, 11 flags; tables at `side`: A [blocks, rows, depth], B [blocks, depth, columns], D [lanes, items],
   then the block of A that each block uses. 12/13: float tables. 14: half of C (gfx11). */
enum { NEGATE_A = 1, NEGATE_B = 2, NEGATE_C = 4, ABSOLUTE_C = 8, CLAMP = 16, SPREAD_HALVES = 32, CONSTANT_C = 64, SCALED = 128 };

static u32 code_of(const u32 *first, int lane, int item, int bits) {
    int at = item * bits, word = at >> 5, shift = at & 31;
    u64 pair = first[(size_t)word * LANES + lane] >> shift;
    if (shift + bits > 32) pair |= (u64)first[(size_t)(word + 1) * LANES + lane] << (32 - shift);
    return (u32)pair & (u32)((1ull << bits) - 1);
}

static f64 element(Run *r, const u32 *first, int lane, int item, int how, int bits, int table) {
    switch (how) {
    case M_F16: return (f64)(f32)f16_of((u16)code_of(first, lane, item, 16));
    case M_BF16: return (f64)from_bf16(code_of(first, lane, item, 16));
    case M_F32: return (f64)f32_of(first[(size_t)item * LANES + lane]);
    case M_F64: return f64_of(first[(size_t)2 * item * LANES + lane] | (u64)first[(size_t)(2 * item + 1) * LANES + lane] << 32);
    case M_TABLE: return (f64)r->launch->floats[table + (int)code_of(first, lane, item, bits)];
    case M_SIGNED: return (f64)((i32)(code_of(first, lane, item, bits) << (32 - bits)) >> (32 - bits));
    }
    return (f64)code_of(first, lane, item, bits);
}

/* Items of all lanes, [items][LANES]. */
static void side_of(Run *r, Wave *w, const Operand *o, int items, int how, int bits, int table, int negate, f64 *out) {
    const u32 *first = w->v + (size_t)o->row * LANES;
    for (int k = 0; k < items; k++) {
        f64 *to = out + (size_t)k * LANES;
        if (how == M_F16 || how == M_BF16) {
            const u32 *word = first + (size_t)(k >> 1) * LANES;
            int shift = k & 1 ? 16 : 0;
            if (how == M_F16)
                for (int l = 0; l < LANES; l++) to[l] = (f64)(f32)f16_of((u16)(word[l] >> shift));
            else
                for (int l = 0; l < LANES; l++) to[l] = (f64)from_bf16(word[l] >> shift & 0xFFFF);
        } else if (how == M_F32) {
            for (int l = 0; l < LANES; l++) to[l] = (f64)f32_of(first[(size_t)k * LANES + l]);
        } else {
            for (int l = 0; l < LANES; l++) to[l] = element(r, first, l, k, how, bits, table);
        }
        if (negate)
            for (int l = 0; l < LANES; l++) to[l] = -to[l];
    }
}

static f64 scale_of(u32 word, int shift) {
    u32 code = word >> shift & 255;
    return code == 255 ? (f64)__builtin_nanf("") : ldexp(1.0, (int)code - 127);
}

#define MULTIPLY(name, N)                                                                                                  \
    static void name(const f64 *a, const f64 *b, f64 *out, int rows, int depth, int columns) {                             \
        for (int i = 0; i < rows; i++) {                                                                                   \
            f64 sum[N];                                                                                                    \
            for (int j = 0; j < N; j++) sum[j] = 0;                                                                        \
            for (int k = 0; k < depth; k++) {                                                                              \
                f64 x = a[i * depth + k];                                                                                  \
                const f64 *y = b + (size_t)k * columns;                                                                    \
                for (int j = 0; j < N; j++) sum[j] = __builtin_fma(x, y[j], sum[j]);                                       \
            }                                                                                                              \
            for (int j = 0; j < N; j++) out[i * columns + j] = sum[j];                                                     \
        }                                                                                                                  \
    }
MULTIPLY(multiply32, 32)
MULTIPLY(multiply16, 16)
MULTIPLY(multiply4, 4)

static f64 start_of(Wave *w, const Ins *ins, int lane, int item) {
    int flags = ins->n[11];
    f64 value;
    if (flags & CONSTANT_C) {
        u64 bits = ins->src[2].value;
        value = ins->n[9] == C_F64 ? f64_of(bits) : ins->n[9] == C_I32 ? (f64)(i32)bits : (f64)f32_of((u32)bits);
        return value;
    }
    const u32 *first = w->v + (size_t)ins->src[2].row * LANES;
    switch (ins->n[9]) {
    case C_F32: value = (f64)f32_of(first[(size_t)item * LANES + lane]); break;
    case C_F64: value = f64_of(first[(size_t)2 * item * LANES + lane] | (u64)first[(size_t)(2 * item + 1) * LANES + lane] << 32); break;
    case C_I32: value = (f64)(i32)first[(size_t)item * LANES + lane]; break;
    default: {
        int at = flags & SPREAD_HALVES ? 2 * item + ins->n[14] : item;
        u32 bits = first[(size_t)(at >> 1) * LANES + lane] >> (at & 1 ? 16 : 0) & 0xFFFF;
        value = ins->n[9] == C_F16 ? (f64)(f32)f16_of((u16)bits) : (f64)from_bf16(bits);
    }
    }
    if (flags & ABSOLUTE_C) value = __builtin_fabs(value);
    return flags & NEGATE_C ? -value : value;
}

static void write_item(Wave *w, const Ins *ins, int lane, int item, f64 value) {
    u32 *first = w->v + (size_t)ins->row * LANES;
    switch (ins->n[9]) {
    case C_F32: {
        f32 v = (f32)value;
        first[(size_t)item * LANES + lane] = bits_of(v);
        return;
    }
    case C_F64:
        first[(size_t)2 * item * LANES + lane] = (u32)bits64(value);
        first[(size_t)(2 * item + 1) * LANES + lane] = (u32)(bits64(value) >> 32);
        return;
    case C_I32: {
        i64 whole = (i64)value;
        if (ins->n[11] & CLAMP) whole = whole < -(1ll << 31) ? -(1ll << 31) : whole > (1ll << 31) - 1 ? (1ll << 31) - 1 : whole;
        first[(size_t)item * LANES + lane] = (u32)whole;
        return;
    }
    }
    u32 bits = ins->n[9] == C_F16 ? bits_half(half_of(value)) : to_bf16((f32)value);
    int at = ins->n[11] & SPREAD_HALVES ? 2 * item + ins->n[14] : item, shift = at & 1 ? 16 : 0;
    u32 *word = &first[(size_t)(at >> 1) * LANES + lane];
    *word = (*word & ~(0xFFFFu << shift)) | bits << shift;
}

static void do_matrix(Run *r, Wave *w, const Ins *ins) {
    const i32 *n = ins->n, *at = r->launch->side + ins->table;
    int blocks = n[0], rows = n[1], columns = n[2], depth = n[3], lanes = r->launch->lanes, items = n[10];
    static __thread f64 left[MOST_ITEMS * LANES], right[MOST_ITEMS * LANES], a[4096], b[4096], out[4096];
    side_of(r, w, &ins->src[0], n[4], n[6], n[8] & 255, n[12], n[11] & NEGATE_A, left);
    side_of(r, w, &ins->src[1], n[5], n[7], n[8] >> 8, n[13], n[11] & NEGATE_B, right);
    const i32 *a_at = at, *b_at = a_at + blocks * rows * depth, *d_at = b_at + blocks * depth * columns, *uses = d_at + lanes * items;
    for (int block = 0; block < blocks; block++) {
        const i32 *from = a_at + uses[block] * rows * depth;
        for (int k = 0; k < rows * depth; k++) a[k] = left[from[k]];
        from = b_at + block * depth * columns;
        for (int k = 0; k < depth * columns; k++) b[k] = right[from[k]];
        if (n[11] & SCALED) { /* a power of two for each 32 elements of k: lane row + rows * (k / 32) holds it */
            Lanes t;
            const u32 *x = fetch(r, w, ins, &ins->src[3], &t);
            for (int k = 0; k < rows * depth; k++) a[k] *= scale_of(x[k / depth + rows * (k % depth / 32)], n[15] & 255);
            x = fetch(r, w, ins, &ins->src[4], &t);
            for (int k = 0; k < depth * columns; k++) b[k] *= scale_of(x[k % columns + columns * (k / columns / 32)], n[15] >> 8);
        }
        f64 *to = out + (size_t)block * rows * columns;
        if (columns == 32) multiply32(a, b, to, rows, depth, columns);
        else if (columns == 16) multiply16(a, b, to, rows, depth, columns);
        else multiply4(a, b, to, rows, depth, columns);
    }
    if (n[9] == C_F32 && !(n[11] & (NEGATE_C | ABSOLUTE_C))) { /* the usual case, without a switch in the loop */
        u32 *to = w->v + (size_t)ins->row * LANES;
        const u32 *from = w->v + (size_t)ins->src[2].row * LANES;
        f64 same = (f64)f32_of((u32)ins->src[2].value);
        int fixed = n[11] & CONSTANT_C, down = to > from; /* C and D may share some registers: each of C's is read before D's is written */
        for (int step = 0; step < items; step++)
            for (int l = 0, k = down ? items - 1 - step : step; l < lanes; l++) {
                f64 start = fixed ? same : (f64)f32_of(from[(size_t)k * LANES + l]);
                to[(size_t)k * LANES + l] = bits_of((f32)(out[d_at[l * items + k]] + start));
            }
        return;
    }
    static __thread f64 result[MOST_ITEMS * LANES];
    for (int l = 0; l < lanes; l++)
        for (int k = 0; k < items; k++) result[k * LANES + l] = out[d_at[l * items + k]] + start_of(w, ins, l, k);
    for (int l = 0; l < lanes; l++)
        for (int k = 0; k < items; k++) write_item(w, ins, l, k, result[k * LANES + l]);
}
