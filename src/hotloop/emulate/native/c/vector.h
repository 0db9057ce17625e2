/* Plain vector instructions, compares and those with a second result. */
typedef void (*Row)(const void *, const void *, const void *, void *);
typedef void (*Compare)(const void *, const void *, u8 *);
typedef void (*ScalarRow)(u64, u64, u64, u64, u32, u64 *, u32 *);

/* DPP: at `side`: LANES source lanes (-1: none); n[8]: 1 bounded, 2 inactive lanes too; n[10..11]: lanes of the masks. */
static u64 there(Run *r, Wave *w, const Ins *ins) {
    const i32 *index = r->launch->side + ins->table;
    u64 found = 0;
    for (int l = 0; l < r->launch->lanes; l++)
        if (index[l] >= 0 && ((ins->n[8] & 2) || (w->exec >> index[l] & 1))) found |= 1ull << l;
    return found;
}

static void permute(Run *r, Wave *w, const Ins *ins, int wide, Lanes *t) {
    const i32 *index = r->launch->side + ins->table;
    u64 from = there(r, w, ins);
    Lanes old = *t;
    for (int l = 0; l < LANES; l++) {
        int ok = from >> l & 1, k = ok ? index[l] : 0;
        if (wide == 8) t->d[l] = ok ? old.d[k] : 0;
        else if (wide == 2) t->h[l] = ok ? old.h[k] : 0;
        else t->w[l] = ok ? old.w[k] : 0;
    }
}

static void put_permuted(Run *r, Wave *w, const Ins *ins, Lanes *t) {
    u64 masks = (u32)ins->n[10] | (u64)(u32)ins->n[11] << 32;
    u64 chosen = w->exec & masks & ((ins->n[8] & 1) ? ~0ull : there(r, w, ins));
    u32 em[LANES];
    for (int l = 0; l < LANES; l++) em[l] = (chosen >> l & 1) ? ALL : 0;
    put(w, ins, t, em);
}

static void compute_row(Run *r, Wave *w, const Ins *ins, Lanes *result) {
    Lanes a, b, c;
    const void *x = fetch(r, w, ins, &ins->src[0], &a), *y = 0, *z = 0;
    if (ins->sources > 1) y = fetch(r, w, ins, &ins->src[1], &b);
    if (ins->sources > 2) z = fetch(r, w, ins, &ins->src[2], &c);
    rows[ins->fn](x, y, z, result);
}

static void compute_select(Run *r, Wave *w, const Ins *ins, Lanes *result) {
    Lanes a, b;
    const void *no = fetch(r, w, ins, &ins->src[0], &a), *yes = fetch(r, w, ins, &ins->src[1], &b);
    u64 mask = mask_of(r, w, ins->mask);
    if (half_kind(ins->kind))
        for (int l = 0; l < LANES; l++) result->h[l] = (mask >> l & 1) ? ((const u16 *)yes)[l] : ((const u16 *)no)[l];
    else
        for (int l = 0; l < LANES; l++) result->w[l] = (mask >> l & 1) ? ((const u32 *)yes)[l] : ((const u32 *)no)[l];
}

static void compute(Run *r, Wave *w, const Ins *ins, Lanes *result) {
    if (ins->op == OP_SELECT) compute_select(r, w, ins, result);
    else compute_row(r, w, ins, result);
}

static void do_row(Run *r, Wave *w, const Ins *ins) {
    Lanes result;
    compute(r, w, ins, &result);
    if (ins->n[9]) put_permuted(r, w, ins, &result);
    else put(w, ins, &result, w->em);
}

static void do_dual(Run *r, Wave *w, const Ins *ins) {
    const Ins *one = r->launch->code + ins->n[0], *two = one + 1;
    Lanes x, y;
    compute(r, w, one, &x);
    compute(r, w, two, &y);
    put(w, one, &x, w->em);
    put(w, two, &y, w->em);
}

static u64 packed_bits(const u8 *hit) {
    u64 bits = 0;
    for (int l = 0; l < LANES; l++) bits |= (u64)hit[l] << l;
    return bits;
}

static void do_compare(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b;
    u8 hit[LANES];
    const void *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b);
    compares[ins->fn](x, y, hit);
    u64 bits = packed_bits(hit) & w->exec;
    if (ins->mask >= 0) put_mask(r, w, ins->mask, bits);
    if (ins->n[0]) put_mask(r, w, EXEC_ROW, bits);
}

/* v_add_co_u32 and the like. n[0]: subtract, n[1]: operands swapped. */
static void do_carry(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b);
    u64 in = ins->carry >= 0 ? mask_of(r, w, ins->carry) : 0, over = 0;
    if (ins->n[1]) {
        const u32 *swap = x;
        x = y;
        y = swap;
    }
    for (int l = 0; l < LANES; l++) {
        i64 extra = in >> l & 1, total = ins->n[0] ? (i64)x[l] - (i64)y[l] - extra : (i64)x[l] + (i64)y[l] + extra;
        result.w[l] = (u32)total;
        over |= (u64)(ins->n[0] ? total < 0 : total > 0xFFFFFFFFll) << l;
    }
    put(w, ins, &result, w->em);
    if (ins->mask >= 0) put_mask(r, w, ins->mask, over & w->exec);
}

/* v_mad_u64_u32; n[0]: signed. */
static void do_wide(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, c, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b);
    const u64 *z = fetch(r, w, ins, &ins->src[2], &c);
    u64 over = 0;
    for (int l = 0; l < LANES; l++) {
        u64 product = ins->n[0] ? (u64)((i64)(i32)x[l] * (i32)y[l]) : (u64)x[l] * y[l], total = product + z[l];
        result.d[l] = total;
        over |= (u64)(ins->n[0] ? (i64)((product ^ total) & (z[l] ^ total)) < 0 : total < product) << l;
    }
    put(w, ins, &result, w->em);
    if (ins->mask >= 0) put_mask(r, w, ins->mask, over & w->exec);
}

/* Two halves: sources 0.. for the low result, those of the instruction behind for the high one. */
static void do_halves(Run *r, Wave *w, const Ins *ins) {
    const Ins *one = r->launch->code + ins->n[0], *two = one + 1;
    Lanes low, high, result;
    compute_row(r, w, one, &low);
    compute_row(r, w, two, &high);
    if (one->finish) {
        finish(one, &low);
        finish(two, &high);
    }
    for (int l = 0; l < LANES; l++) result.w[l] = low.h[l] | (u32)high.h[l] << 16;
    put(w, ins, &result, w->em);
}

static void do_truth(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, c, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b);
    const u32 *z = fetch(r, w, ins, &ins->src[2], &c);
    memset(&result, 0, sizeof result);
    for (int k = 0; k < 8; k++)
        if (ins->n[0] >> k & 1)
            for (int l = 0; l < LANES; l++)
                result.w[l] |= (k & 4 ? x[l] : ~x[l]) & (k & 2 ? y[l] : ~y[l]) & (k & 1 ? z[l] : ~z[l]);
    put(w, ins, &result, w->em);
}

/* float32 multiply-add of sources that were widened; n[0]: 0 float32, 1 float16, 2 bfloat16 result. */
static void do_mix(Run *r, Wave *w, const Ins *ins) {
    Lanes t[3], result;
    const f32 *x[3];
    Lanes wide[3];
    for (int k = 0; k < 3; k++) {
        const Operand *o = &ins->src[k];
        if (o->kind == K_F16) { /* signs apply after widening, which changes nothing */
            const u16 *h = fetch(r, w, ins, o, &t[k]);
            for (int l = 0; l < LANES; l++) wide[k].f[l] = (f32)f16_of(h[l]);
            x[k] = wide[k].f;
        } else {
            x[k] = fetch(r, w, ins, o, &t[k]);
        }
    }
    for (int l = 0; l < LANES; l++) {
        f32 v = fma32(x[0][l], x[1][l], x[2][l]);
        if (ins->n[1]) v = v > 0 ? (v < 1 ? v : 1) : 0;
        if (ins->n[0] == 0) result.f[l] = v;
        else result.h[l] = ins->n[0] == 1 ? bits_half((f16)v) : to_bf16(v);
    }
    put(w, ins, &result, w->em);
}

/* Dot products. n[0]: elements, n[1], n[2]: how the sides are taken apart, n[3]: result, n[4]: clamp. */
enum { E_UNSIGNED, E_SIGNED, E_HALF, E_BRAIN, E_TABLE };
enum { D_F32, D_F16, D_BF16, D_I32, D_U32 };

static f64 float_element(const f32 *table, u32 bits, int how) {
    if (how == E_HALF) return (f64)(f32)f16_of((u16)bits);
    return how == E_BRAIN ? (f64)from_bf16(bits) : (f64)table[bits];
}

/* One addition of a sum that is rounded every time; all three are floats of the result's format. */
static f64 dot_rounded(f64 value, int to) {
    return to == D_F32 ? (f64)(f32)value : to == D_F16 ? (f64)(f32)f16_of(bits_half(half_of(value))) : (f64)from_bf16(to_bf16((f32)value));
}

static void dot_floats(Run *r, const Ins *ins, const u32 *x, const u32 *y, const Lanes *z, Lanes *result) {
    int count = ins->n[0], width = 32 / count;
    u32 most = (u32)((1ull << width) - 1);
    const f32 *left = r->launch->floats + ins->n[5], *right = r->launch->floats + ins->n[6];
    for (int l = 0; l < LANES; l++) {
        int to = ins->n[3];
        f64 addend = to == D_F16 ? (f64)(f32)f16_of(z->h[l]) : (f64)z->f[l], total = ins->n[7] ? 0 : addend;
        for (int k = 0; k < count; k++) {
            f64 product = float_element(left, x[l] >> width * k & most, ins->n[1]) *
                          float_element(right, y[l] >> width * k & most, ins->n[2]);
            product = dot_rounded(product, to);
            total = k == 0 && ins->n[7] ? product : dot_rounded(total + product, to);
        }
        if (ins->n[7]) total = dot_rounded(total + addend, to);
        if (to == D_F32) result->f[l] = (f32)total;
        else if (to == D_F16) result->h[l] = bits_half(half_of(total));
        else result->h[l] = to_bf16((f32)total);
    }
}

static void dot_wholes(const Ins *ins, const u32 *x, const u32 *y, const u32 *z, Lanes *result) {
    int count = ins->n[0], width = 32 / count, up = 64 - width;
    for (int l = 0; l < LANES; l++) {
        i64 total = 0;
        for (int k = 0; k < count; k++) {
            u64 a = (u64)(x[l] >> width * k) << up, b = (u64)(y[l] >> width * k) << up;
            i64 one = ins->n[1] == E_SIGNED ? (i64)a >> up : (i64)(a >> up), two = ins->n[2] == E_SIGNED ? (i64)b >> up : (i64)(b >> up);
            total += one * two;
        }
        total += ins->n[3] == D_I32 ? (i64)(i32)z[l] : (i64)z[l];
        if (ins->n[4]) {
            i64 low = ins->n[3] == D_I32 ? -(1ll << 31) : 0, high = ins->n[3] == D_I32 ? (1ll << 31) - 1 : (1ll << 32) - 1;
            total = total < low ? low : total > high ? high : total;
        }
        result->w[l] = (u32)total;
    }
}

static void do_dot(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, c, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a), *y = fetch(r, w, ins, &ins->src[1], &b);
    const void *z = fetch(r, w, ins, &ins->src[2], &c);
    if (ins->n[1] >= E_HALF) dot_floats(r, ins, x, y, z, &result);
    else dot_wholes(ins, x, y, z, &result);
    put(w, ins, &result, w->em);
}
