/* Reading operands as LANES values of a type, and writing results in active lanes. */
enum { IN_VECTOR, IN_SCALAR, CONSTANT, IN_SCC, IN_VCCZ, IN_EXECZ };
enum { K_U16, K_I16, K_F16, K_BF16, K_U32, K_I32, K_F32, K_U64, K_I64, K_F64 };
enum { HALF_LOW, HALF_HIGH, HALF_CLEARED };

typedef union {
    u16 h[LANES];
    u32 w[LANES];
    f32 f[LANES];
    u64 d[LANES];
    f64 g[LANES];
} __attribute__((aligned(64))) Lanes;

INLINE int wide_kind(int kind) { return kind >= K_U64; }
INLINE int half_kind(int kind) { return kind <= K_BF16; }

static void refresh(Run *r, Wave *w) {
    u64 exec = w->s[EXEC_ROW];
    if (r->launch->lanes == 64) exec |= (u64)w->s[EXEC_ROW + 1] << 32;
    if (exec == w->exec) return;
    w->exec = exec;
    for (int l = 0; l < LANES; l++) w->em[l] = (exec >> l & 1) ? ALL : 0;
}

static u64 mask_of(Run *r, Wave *w, int row) {
    return r->launch->lanes == 64 ? w->s[row] | (u64)w->s[row + 1] << 32 : w->s[row];
}

static void put_mask(Run *r, Wave *w, int row, u64 bits) {
    w->s[row] = (u32)bits;
    if (r->launch->lanes == 64) w->s[row + 1] = (u32)(bits >> 32);
    if (row >= EXEC_ROW - 1 && row <= EXEC_ROW + 1) refresh(r, w);
}

INLINE u64 pair_of(Wave *w, int row) { return w->s[row] | (u64)w->s[row + 1] << 32; }

/* The bits of an operand of the scalar unit, or of one that is the same for all lanes. */
static u64 uniform(Run *r, Wave *w, const Operand *o) {
    switch (o->where) {
    case IN_SCALAR:
        if (wide_kind(o->kind)) return pair_of(w, o->row);
        if (half_kind(o->kind)) return w->s[o->row] >> (o->high ? 16 : 0) & 0xFFFF;
        return w->s[o->row];
    case IN_SCC:
        return w->scc;
    case IN_VCCZ:
        return mask_of(r, w, VCC_ROW) == 0;
    case IN_EXECZ:
        return mask_of(r, w, EXEC_ROW) == 0;
    }
    return o->value;
}

static void signs16(const Operand *o, u16 *h) {
    if (o->kind == K_F16) {
        u16 keep = o->absolute ? 0x7FFF : 0xFFFF, flip = o->negated ? 0x8000 : 0;
        for (int l = 0; l < LANES; l++) h[l] = (u16)((h[l] & keep) ^ flip);
        return;
    }
    if (o->absolute && o->kind == K_I16)
        for (int l = 0; l < LANES; l++) h[l] = (u16)((i16)h[l] < 0 ? -h[l] : h[l]);
    if (o->negated)
        for (int l = 0; l < LANES; l++) h[l] = (u16)-h[l];
}

static void signs32(const Operand *o, u32 *w) {
    if (o->kind == K_F32 || o->kind == K_BF16) {
        u32 keep = o->absolute ? 0x7FFFFFFF : ALL, flip = o->negated ? 0x80000000u : 0;
        for (int l = 0; l < LANES; l++) w[l] = (w[l] & keep) ^ flip;
        return;
    }
    if (o->absolute && o->kind == K_I32)
        for (int l = 0; l < LANES; l++) w[l] = (i32)w[l] < 0 ? -w[l] : w[l];
    if (o->negated)
        for (int l = 0; l < LANES; l++) w[l] = -w[l];
}

static void signs64(const Operand *o, u64 *d) {
    if (o->kind == K_F64) {
        u64 keep = o->absolute ? ~(1ull << 63) : ~0ull, flip = o->negated ? 1ull << 63 : 0;
        for (int l = 0; l < LANES; l++) d[l] = (d[l] & keep) ^ flip;
        return;
    }
    if (o->absolute && o->kind == K_I64)
        for (int l = 0; l < LANES; l++) d[l] = (i64)d[l] < 0 ? -d[l] : d[l];
    if (o->negated)
        for (int l = 0; l < LANES; l++) d[l] = -d[l];
}

static void permute(Run *r, Wave *w, const Ins *ins, int wide, Lanes *t);

/* A byte or half of a register (SDWA). */
static void field(const Operand *o, const u32 *from, Lanes *t) {
    int up = 32 - o->width - o->shift, down = 32 - o->width, half = half_kind(o->kind);
    for (int l = 0; l < LANES; l++) {
        u32 v = o->extended ? (u32)((i32)(from[l] << up) >> down) : from[l] << up >> down;
        if (half) t->h[l] = (u16)v;
        else t->w[l] = v;
    }
}

static const void *fetch(Run *r, Wave *w, const Ins *ins, const Operand *o, Lanes *t) {
    int kind = o->kind, plain = !(o->negated | o->absolute | o->permuted);
    if (o->where == IN_VECTOR) {
        const u32 *v = w->v + (size_t)o->row * LANES;
        if (o->select) {
            field(o, v, t);
        } else if (wide_kind(kind)) {
            for (int l = 0; l < LANES; l++) t->d[l] = v[l] | (u64)v[l + LANES] << 32;
        } else if (kind == K_BF16) {
            for (int l = 0; l < LANES; l++) t->w[l] = o->high ? v[l] & 0xFFFF0000u : v[l] << 16;
        } else if (half_kind(kind)) {
            int shift = o->high ? 16 : 0;
            for (int l = 0; l < LANES; l++) t->h[l] = (u16)(v[l] >> shift);
        } else {
            if (plain) return v;
            memcpy(t->w, v, LANES * 4);
        }
    } else {
        u64 value = uniform(r, w, o);
        if (o->select) {
            u32 same[LANES];
            for (int l = 0; l < LANES; l++) same[l] = (u32)value;
            field(o, same, t);
        } else if (wide_kind(kind)) {
            for (int l = 0; l < LANES; l++) t->d[l] = value;
        } else if (kind == K_BF16) {
            for (int l = 0; l < LANES; l++) t->w[l] = (u32)value << 16;
        } else if (half_kind(kind)) {
            for (int l = 0; l < LANES; l++) t->h[l] = (u16)value;
        } else {
            for (int l = 0; l < LANES; l++) t->w[l] = (u32)value;
        }
    }
    int wide = wide_kind(kind) ? 8 : half_kind(kind) && kind != K_BF16 ? 2 : 4;
    if (o->negated | o->absolute) {
        if (wide == 8) signs64(o, t->d);
        else if (wide == 2) signs16(o, t->h);
        else signs32(o, t->w);
    }
    if (o->permuted) permute(r, w, ins, wide, t);
    return t;
}

INLINE void put_words(u32 *to, const u32 *from, const u32 *em) {
    for (int l = 0; l < LANES; l++) to[l] = (from[l] & em[l]) | (to[l] & ~em[l]);
}

/* Output modifiers of a floating-point result. */
static void finish(const Ins *ins, Lanes *t) {
    static const f32 scales[] = {1.0f, 2.0f, 4.0f, 0.5f};
    f32 scale = scales[ins->finish >> 1 & 3];
    int clamp = ins->finish & 1;
    for (int l = 0; l < LANES; l++) {
        if (ins->kind == K_F16) {
            f32 v = (f32)(f16)((f32)f16_of(t->h[l]) * scale);
            t->h[l] = bits_half((f16)(clamp ? (v > 0 ? (v < 1 ? v : 1) : 0) : v));
        } else if (ins->kind == K_F32) {
            f32 v = t->f[l] * scale;
            t->f[l] = clamp ? (v > 0 ? (v < 1 ? v : 1) : 0) : v;
        } else {
            f64 v = t->g[l] * scale;
            t->g[l] = clamp ? (v > 0 ? (v < 1 ? v : 1) : 0) : v;
        }
    }
}

/* Write a result where `em` is all ones. `half`: what a 16-bit result does to its register. */
static void put(Wave *w, const Ins *ins, Lanes *t, const u32 *em) {
    if (ins->row < 0) return;
    u32 *to = w->v + (size_t)ins->row * LANES;
    if (ins->finish & 7) finish(ins, t);
    if (ins->finish & 8) { /* SDWA: bits n[0], shift n[1], unused n[2] */
        int shift = ins->n[1], width = ins->n[0], up = 32 - width - shift;
        u32 mask = (u32)(((1ull << width) - 1) << shift);
        for (int l = 0; l < LANES; l++) {
            u32 raw = half_kind(ins->kind) ? t->h[l] : t->w[l], bits = raw << shift & mask;
            if (ins->n[2] == 1) bits |= to[l] & ~mask;
            if (ins->n[2] == 2) bits = (u32)((i32)(bits << up) >> up);
            to[l] = (bits & em[l]) | (to[l] & ~em[l]);
        }
        return;
    }
    if (wide_kind(ins->kind)) {
        u32 *up = to + LANES;
        for (int l = 0; l < LANES; l++) {
            u32 low = (u32)t->d[l], high = (u32)(t->d[l] >> 32);
            to[l] = (low & em[l]) | (to[l] & ~em[l]);
            up[l] = (high & em[l]) | (up[l] & ~em[l]);
        }
    } else if (half_kind(ins->kind)) {
        if (ins->half == HALF_CLEARED)
            for (int l = 0; l < LANES; l++) to[l] = (t->h[l] & em[l]) | (to[l] & ~em[l]);
        else if (ins->half == HALF_HIGH)
            for (int l = 0; l < LANES; l++) to[l] = em[l] ? (to[l] & 0xFFFF) | (u32)t->h[l] << 16 : to[l];
        else
            for (int l = 0; l < LANES; l++) to[l] = em[l] ? (to[l] & 0xFFFF0000u) | t->h[l] : to[l];
    } else {
        put_words(to, t->w, em);
    }
}

static void put_scalar(Run *r, Wave *w, int row, int kind, u64 value) {
    if (row < 0) return;
    w->s[row] = (u32)value;
    if (wide_kind(kind)) w->s[row + 1] = (u32)(value >> 32);
    if (row >= EXEC_ROW - 1 && row <= EXEC_ROW + 1) refresh(r, w);
}
