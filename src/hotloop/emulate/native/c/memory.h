/* Vector and scalar memory. n: 0 bytes, 1 signed, 2 half (-1: none), 3 words, 4 first data row, 5 how addresses are made. */
enum { ADDRESS_PLAIN, ADDRESS_BUFFER, ADDRESS_BASE };
enum { OFFEN = 1, IDXEN = 2, MOVING = 4, SWIZZLED_BY_TWO = 8 };

static Pending *issue(Run *r, Wave *w, const Ins *ins, int brings) {
    for (int k = 0; k < ins->issues; k++) w->issued[ins->stream[k]]++;
    if (!brings) return 0;
    if (w->pendings >= 1 << 14) { /* far more than any counter holds */
        found(r);
        return 0;
    }
    if (w->pendings == w->room) {
        i32 room = w->room ? 2 * w->room : 8;
        Pending *more = realloc(w->pending, (size_t)room * sizeof(Pending));
        if (!more) {
            r->status = NO_MEMORY;
            return 0;
        }
        w->pending = more, w->room = room;
    }
    Pending *p = &w->pending[w->pendings++];
    p->ins = (i32)(ins - r->launch->code), p->count = ins->issues;
    p->late = p->places_held = p->local = 0, p->poisoned = 0;
    p->missing = p->inside = p->inside2 = 0, p->bits = ALL;
    for (int k = 0; k < ins->issues; k++) p->stream[k] = ins->stream[k], p->number[k] = w->issued[ins->stream[k]];
    const Touch *t = r->launch->touched + ins->touch;
    for (u32 k = 0; k < ins->touches; k++)
        if (t[k].how & 2) w->flying[t[k].reg]++;
    return p;
}

static u32 read_bytes(const u8 *from, int bytes, int is_signed) {
    u16 half;
    if (bytes == 1) return is_signed ? (u32)(i32)(i8)*from : *from;
    memcpy(&half, from, 2);
    return is_signed ? (u32)(i32)(i16)half : half;
}

/* Load words of lanes; `memory` is whole, `at` was checked. Lanes outside get 0. */
static void load_words(const u8 *memory, const i64 *at, u64 inside, const Ins *ins, u32 (*to)[LANES]) {
    int words = ins->n[3], bytes = ins->n[0];
    for (int k = 0; k < words; k++) memset(to[k], 0, LANES * 4);
    for (u64 left = inside; left; left &= left - 1) {
        int l = __builtin_ctzll(left);
        const u8 *from = memory + at[l];
        if (bytes < 4) to[0][l] = read_bytes(from, bytes, ins->n[1]);
        else
            for (int k = 0; k < words; k++) memcpy(&to[k][l], from + 4 * k, 4);
    }
}

static void write_rows(Wave *w, const Ins *ins, int first, u32 (*from)[LANES], u64 lanes, int words) {
    for (int k = 0; k < words; k++) {
        u32 *to = w->v + (size_t)(first + k) * LANES;
        for (u64 left = lanes; left; left &= left - 1) {
            int l = __builtin_ctzll(left);
            u32 v = from[k][l];
            if (ins->n[2] == 1) v = (to[l] & 0xFFFF) | v << 16;
            else if (ins->n[2] == 0) v = (to[l] & 0xFFFF0000u) | (v & 0xFFFF);
            to[l] = v;
        }
    }
}

/* Lanes that meet in a place: the last one stays, with early memory the first one. */
static void store_words(Run *r, u8 *memory, Wave *w, const i64 *at, u64 inside, const Ins *ins, int first) {
    int words = ins->n[3], bytes = ins->n[0], late = r->launch->late;
    for (u64 left = inside; left;) {
        int l = late ? __builtin_ctzll(left) : 63 - __builtin_clzll(left);
        left &= ~(1ull << l);
        u8 *to = memory + at[l];
        for (int k = 0; k < words; k++) {
            u32 v = w->v[(size_t)(first + k) * LANES + l];
            if (ins->n[2] == 1) v >>= 16;
            memcpy(to + 4 * k, &v, bytes < 4 ? (size_t)bytes : 4);
        }
    }
}

/* Offsets in the arena and the lanes that a buffer's range check lets through. */
static u64 find_addresses(Run *r, Wave *w, const Ins *ins, i64 *at) {
    Lanes t, s;
    u64 lanes = w->exec, base = (u64)r->launch->base;
    if (ins->n[5] == ADDRESS_PLAIN) {
        const u64 *address = fetch(r, w, ins, &ins->src[0], &t);
        for (int l = 0; l < LANES; l++) at[l] = (i64)(address[l] + (u64)ins->offset - base);
        return lanes;
    }
    if (ins->n[5] == ADDRESS_BASE) {
        u64 start = uniform(r, w, &ins->src[1]) + (u64)ins->offset - base;
        if (ins->n[6]) {
            const u32 *offset = fetch(r, w, ins, &ins->src[0], &t);
            for (int l = 0; l < LANES; l++) at[l] = (i64)(start + offset[l]);
        } else {
            for (int l = 0; l < LANES; l++) at[l] = (i64)start;
        }
        return lanes;
    }
    int row = ins->src[2].row, how = ins->n[6], size = ins->n[0];
    /* the descriptor of private memory, or one that swizzles addresses or adds the lane's number, which the other back end refuses */
    if ((w->s[row + 1] & 0xFFFF) == 0x2000 || w->s[row + 1] & (how & SWIZZLED_BY_TWO ? 3u << 30 : 1u << 31) || w->s[row + 3] & 1u << 23) {
        found(r);
        return 0;
    }
    u64 first = (pair_of(w, row) & 0xFFFFFFFFFFFFull) - base;
    i64 records = w->s[row + 2], stride = w->s[row + 1] >> 16 & 0x3FFF, shift = how & MOVING ? (i64)(u32)uniform(r, w, &ins->src[3]) : 0;
    const u32 *offset = how & OFFEN ? fetch(r, w, ins, &ins->src[0], &t) : 0, *index = how & IDXEN ? fetch(r, w, ins, &ins->src[1], &s) : 0;
    u64 inside = 0;
    for (int l = 0; l < LANES; l++) {
        i64 inner = (offset ? (i64)offset[l] : 0) + ins->offset;
        int ok;
        if (index) {
            i64 number = index[l];
            ok = number < records && (stride == 0 || inner < stride);
            inner += number * stride;
        } else {
            if (ins->offset) inner &= 0xFFFFFFFFll;
            ok = inner + shift + size <= (stride == 0 ? records : records * stride);
        }
        at[l] = (i64)(first + (u64)inner + (u64)shift);
        inside |= (u64)ok << l;
    }
    return lanes & inside;
}

static void load_private(Run *r, Wave *w, const Ins *ins, const Ins *how);
static void store_private(Run *r, Wave *w, const Ins *ins, const Ins *how);

/* A buffer's descriptor may be the one of private memory, which spills go through; n[14]: record of that reading, 0: none. */
INLINE int on_stack(Wave *w, const Ins *ins) {
    return ins->n[5] == ADDRESS_BUFFER && ins->n[14] && (w->s[ins->src[2].row + 1] & 0xFFFF) == 0x2000;
}

static void do_load(Run *r, Wave *w, const Ins *ins) {
    if (unlikely(on_stack(w, ins))) {
        load_private(r, w, ins, r->launch->code + ins->n[14]);
        return;
    }
    i64 at[LANES];
    u64 missing, lanes = w->exec, chosen = find_addresses(r, w, ins, at), inside = checked(r, at, chosen, ins->n[0], A_READ, &missing);
    if (r->status) return;
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = lanes, p->inside = inside, p->missing = missing, p->bits = (u32)ins->n[7];
    if (r->launch->late) {
        p->late = 1;
        memcpy(p->at[0], at, sizeof at);
    } else {
        load_words(r->launch->arena, at, inside, ins, p->u.word);
    }
}

/* A store that meets another wave's is none of our business if it writes what stands there. */
static void confirm(Run *r, Wave *w, const Ins *ins, const i64 *at) {
    u64 lanes = r->suspect;
    r->suspect = 0;
    size_t bytes = ins->n[0] < 4 ? (size_t)ins->n[0] : 4;
    u32 mask = bytes == 4 ? ALL : (1u << 8 * bytes) - 1;
    for (u64 left = lanes; left; left &= left - 1) {
        int l = __builtin_ctzll(left);
        for (int k = 0; k < ins->n[3]; k++) {
            u32 held = 0, v = w->v[(size_t)(ins->n[4] + k) * LANES + l];
            memcpy(&held, r->launch->arena + at[l] + 4 * k, bytes);
            if ((held ^ (ins->n[2] == 1 ? v >> 16 : v)) & mask) found(r);
        }
    }
}

/* A wave is going to store: its own loads from there, issued before, read first, as memory keeps their order. */
static void freeze(Run *r, Wave *w, const i64 *at, u64 lanes, int size, int local) {
    i64 low = (i64)1 << 62, high = -low;
    for (i32 m = 0; m < w->pendings; m++) {
        Pending *p = &w->pending[m];
        if (p->late != 1 || p->local != local) continue;
        if (high < low)
            for (u64 left = lanes; left; left &= left - 1) {
                i64 place = at[__builtin_ctzll(left)];
                low = place < low ? place : low, high = place + size > high ? place + size : high;
            }
        const Ins *ins = r->launch->code + p->ins;
        const u8 *memory = local ? r->group->lds : r->launch->arena;
        int parts = local ? ins->n[6] : 1, reaches = 0;
        for (int part = 0; part < parts; part++)
            for (u64 left = part ? p->inside2 : p->inside; left; left &= left - 1) {
                i64 place = p->at[part][__builtin_ctzll(left)];
                reaches |= place < high && low < place + ins->n[0];
            }
        if (!reaches) continue;
        load_words(memory, p->at[0], p->inside, ins, p->u.word);
        if (parts == 2) load_words(memory, p->at[1], p->inside2, ins, p->u.word + ins->n[3]);
        p->late = 0;
    }
}

static void do_store(Run *r, Wave *w, const Ins *ins) {
    if (unlikely(on_stack(w, ins))) {
        store_private(r, w, ins, r->launch->code + ins->n[14]);
        return;
    }
    i64 at[LANES];
    u64 chosen = find_addresses(r, w, ins, at), inside = checked(r, at, chosen, ins->n[0], A_WRITE, 0);
    if (r->status) return;
    if (unlikely(r->suspect)) confirm(r, w, ins, at);
    if (w->pendings && r->launch->late) freeze(r, w, at, inside, ins->n[0], 0);
    store_words(r, r->launch->arena, w, at, inside, ins, ins->n[4]);
    issue(r, w, ins, 0);
}

/* -- atomics ------------------------------------------------------------------------------------------------------ */
enum {
    M_ADD, M_SUB, M_RSUB, M_SMIN, M_SMAX, M_UMIN, M_UMAX, M_AND, M_OR, M_XOR, M_INC, M_DEC, M_SWAP, M_CMPSWAP, M_FADD, M_FMIN, M_FMAX,
    M_PK_F16, M_PK_BF16
};

static u32 pk_bf16(u32 a, u32 b) { return to_bf16(from_bf16(a & 0xFFFF) + from_bf16(b & 0xFFFF)) | (u32)to_bf16(from_bf16(a >> 16) + from_bf16(b >> 16)) << 16; }
static u32 pk_f16(u32 a, u32 b) {
    f16 low = (f16)((f32)f16_of((u16)a) + (f32)f16_of((u16)b)), high = (f16)((f32)f16_of((u16)(a >> 16)) + (f32)f16_of((u16)(b >> 16)));
    return bits_half(low) | (u32)bits_half(high) << 16;
}

static u64 changed(int how, int wide, u64 o, u64 d, u64 compared) {
    i64 so = wide ? (i64)o : (i64)(i32)o, sd = wide ? (i64)d : (i64)(i32)d;
    switch (how) {
    case M_ADD: return o + d;
    case M_SUB: return o - d;
    case M_RSUB: return d - o;
    case M_SMIN: return so < sd ? o : d;
    case M_SMAX: return so > sd ? o : d;
    case M_UMIN: return o < d ? o : d;
    case M_UMAX: return o > d ? o : d;
    case M_AND: return o & d;
    case M_OR: return o | d;
    case M_XOR: return o ^ d;
    case M_INC: return o >= d ? 0 : o + 1;
    case M_DEC: return o == 0 || o > d ? d : o - 1;
    case M_SWAP: return d;
    case M_CMPSWAP: return o == compared ? d : o;
    case M_FADD: return wide ? bits64(f64_of(o) + f64_of(d)) : bits_of(f32_of((u32)o) + f32_of((u32)d));
    case M_FMIN: return wide ? bits64(fmin_f64(f64_of(o), f64_of(d))) : bits_of(fmin_f32(f32_of((u32)o), f32_of((u32)d)));
    case M_FMAX: return wide ? bits64(fmax_f64(f64_of(o), f64_of(d))) : bits_of(fmax_f32(f32_of((u32)o), f32_of((u32)d)));
    case M_PK_F16: return pk_f16((u32)o, (u32)d);
    default: return pk_bf16((u32)o, (u32)d);
    }
}

/* n[8]: how, n[3]: words of the value, n[4]: row of the data, n[9]: row of what is compared, n[10]: row of the result or -1.
   Addresses are taken at their word, as the other back end does. */
static void apply_atomic(Run *r, Wave *w, const Ins *ins, u8 *memory, const i64 *at, u64 inside) {
    u32 old[2][LANES];
    memset(old, 0, sizeof old);
    int wide = ins->n[3] == 2;
    for (u64 left = inside; left; left &= left - 1) {
        int l = __builtin_ctzll(left);
        const u32 *data = w->v + (size_t)ins->n[4] * LANES + l, *compared = w->v + (size_t)ins->n[9] * LANES + l;
        u64 held = 0, d = data[0], e = compared[0];
        if (wide) d |= (u64)data[LANES] << 32, e |= (u64)compared[LANES] << 32;
        u8 *place = memory + (at[l] & ~3ll);
        memcpy(&held, place, wide ? 8 : 4);
        old[0][l] = (u32)held, old[1][l] = (u32)(held >> 32);
        u64 fresh = changed(ins->n[8], wide, held, d, e);
        memcpy(place, &fresh, wide ? 8 : 4);
    }
    Pending *p = issue(r, w, ins, ins->n[10] >= 0);
    if (!p) return;
    p->lanes = w->exec;
    memcpy(p->u.word, old, sizeof old);
}

/* -- scalar loads --------------------------------------------------------------------------------------------------*/

/* n[0]: bytes, n[1]: 1 for a byte or a half with its sign, n[3]: words, n[6]: 1 from a buffer, n[5]: 1 with a moving offset. */
static void do_scalar_load(Run *r, Wave *w, const Ins *ins) {
    i64 moved = ins->offset + (ins->n[5] ? (i64)(u32)uniform(r, w, &ins->src[1]) : 0), at;
    int size = ins->n[0], ok = 1;
    i64 last = (size < 4 ? size : 4) - 1;
    if (ins->n[6]) {
        int row = ins->src[0].row;
        moved &= ~last;
        at = (i64)((pair_of(w, row) & 0xFFFFFFFFFFFFull) + (u64)moved - (u64)r->launch->base);
        ok = moved + size <= (i64)w->s[row + 2];
    } else {
        u64 address = uniform(r, w, &ins->src[0]) + (u64)moved;
        if (unlikely(address & (u64)last)) found(r);
        at = (i64)((address & ~(u64)last) - (u64)r->launch->base);
    }
    u64 missing = 0, inside = ok ? checked(r, &at, 1, size, A_READ, &missing) : 0;
    if (r->status) return;
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->missing = missing;
    memset(p->u.scalar, 0, sizeof p->u.scalar);
    if (!inside) return;
    if (size < 4) p->u.scalar[0] = read_bytes(r->launch->arena + at, size, ins->n[1]);
    else memcpy(p->u.scalar, r->launch->arena + at, (size_t)size);
}

static void do_clock(Run *r, Wave *w, const Ins *ins) {
    u64 now = r->steps;
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->u.scalar[0] = (u32)now, p->u.scalar[1] = (u32)(now >> 32);
}

/* -- private memory ----------------------------------------------------------------------------------------------- */

/* n[6]: 1 vector offset, 2 scalar offset, n[8]: what the scalar offset is divided by. */
static u64 scratch_places(Run *r, Wave *w, const Ins *ins, i64 *at, int kind) {
    Lanes t;
    i64 start = ins->offset;
    if (ins->n[6] & 2) start += ins->n[8] > 1 ? (i64)(u32)uniform(r, w, &ins->src[1]) / ins->n[8] : (i64)(i32)uniform(r, w, &ins->src[1]);
    const u32 *offset = ins->n[6] & 1 ? fetch(r, w, ins, &ins->src[0], &t) : 0;
    u64 inside = 0;
    int size = r->launch->scratch_bytes;
    for (int l = 0; l < LANES; l++) {
        i64 place = start + (offset ? (i64)(i32)offset[l] : 0);
        inside |= (u64)(place >= 0 && place <= size - ins->n[0]) << l;
        at[l] = place + (i64)l * (size + 16);
    }
    inside &= w->exec;
    if (inside != w->exec) found(r);
    for (u64 left = inside; left; left &= left - 1) {
        u8 *kept = w->kept + at[__builtin_ctzll(left)];
        for (int k = 0; k < ins->n[0]; k++) {
            if (kind == A_WRITE) kept[k] = 1;
            else if (!kept[k]) found(r);
        }
    }
    return inside;
}

static void load_private(Run *r, Wave *w, const Ins *ins, const Ins *how) {
    i64 at[LANES];
    u64 inside = scratch_places(r, w, how, at, A_READ);
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = w->exec, p->inside = inside, p->bits = (u32)ins->n[7];
    load_words(w->scratch, at, inside, ins, p->u.word);
}

static void store_private(Run *r, Wave *w, const Ins *ins, const Ins *how) {
    i64 at[LANES];
    u64 inside = scratch_places(r, w, how, at, A_WRITE);
    store_words(r, w->scratch, w, at, inside, ins, ins->n[4]);
    issue(r, w, ins, 0);
}

static void do_scratch_load(Run *r, Wave *w, const Ins *ins) { load_private(r, w, ins, ins); }
static void do_scratch_store(Run *r, Wave *w, const Ins *ins) { store_private(r, w, ins, ins); }
