/* Local memory, who wrote and read its places, and the crossbar. Streams of writes: 0 the unit's own, 1 copies from device memory. */
#define STREAM_LDS 0
#define STREAM_VECTOR 1

static u32 passed_at(const Wave *w, u32 epoch, int kind) {
    return epoch < w->epochs ? w->passed[2 * epoch + kind] : 0;
}

INLINE int granules(Run *r, int size) { return (size + (1 << r->launch->local_shift) - 1) >> r->launch->local_shift; }

INLINE Place *place_at(Run *r, i64 byte) { return &r->group->places[byte >> r->launch->local_shift]; }

static void note_read(Run *r, Wave *w, i64 at, int size, u32 epoch) {
    int count = granules(r, size);
    Place *p = place_at(r, at);
    u8 me = (u8)(w->slot + 1);
    for (int k = 0; k < count; k++, p++) {
        if (p->epoch == epoch && p->reader != me) p->reader = SEVERAL;
        else if (p->epoch != epoch) p->epoch = epoch, p->reader = me;
    }
}

/* Whether a read meets, beside what was written for it, what an earlier step has written and read already. */
static int mixed(Run *r, Wave *w, const i64 *at, u64 inside, int count) {
    Group *g = r->group;
    u32 newest = g->newest_ins == w->ins && g->newest_now == w->barriers ? g->newest : 0;
    for (u64 left = inside; left; left &= left - 1) {
        const Place *p = place_at(r, at[__builtin_ctzll(left)]);
        for (int k = 0; k < count; k++, p++) {
            if (p->atomic) return 0;
            if (p->wave && p->born > newest) newest = p->born;
        }
    }
    g->newest = newest, g->newest_ins = w->ins, g->newest_now = w->barriers;
    for (u64 left = inside; left; left &= left - 1) {
        const Place *p = place_at(r, at[__builtin_ctzll(left)]);
        for (int k = 0; k < count; k++, p++)
            if (p->wave && p->born < newest && p->epoch && p->epoch <= newest) return 1;
    }
    return 0;
}

/* Check the lanes of an access to local memory; places in `at` come back as bytes of the group's memory.
   `first`: row of what is written, -1: none. */
static u64 locate(Run *r, Wave *w, i64 *at, u64 lanes, int size, int kind, int first, u64 *missing) {
    u64 inside = 0, never = 0;
    i64 most = (i64)r->launch->lds_bytes - size;
    i64 natural = (size & -size) - 1;
    for (int l = 0; l < LANES; l++) {
        at[l] &= 0xFFFFFFFFll;
        inside |= (u64)(at[l] <= most && !(at[l] & natural)) << l;
    }
    inside &= lanes;
    if (unlikely(inside != lanes)) found(r); /* out of bounds, or misaligned */
    if (missing) *missing = 0;
    if (r->status || !r->launch->races || !r->launch->lds_bytes) return inside;
    int small = r->launch->local_shift != 2, count = granules(r, size), me = (int)w->slot + 1, writes = kind != A_READ;
    u32 now = w->barriers, number = w->issued[kind == A_COPY ? STREAM_VECTOR : STREAM_LDS] + 1;
    for (u64 left = inside; left; left &= left - 1) {
        int l = __builtin_ctzll(left);
        const Place *p = place_at(r, at[l]);
        for (int k = 0; k < count; k++, p++) {
            if (!p->wave) {
                never |= 1ull << l;
            } else {
                int mine = p->wave == me;
                if (unlikely(mine ? p->kind == 1 && p->number > w->done[STREAM_VECTOR]
                                  : p->number > passed_at(&r->group->waves[p->wave - 1], now, p->kind))) {
                    int hidden = !(kind == A_ATOMIC && p->atomic);
                    if (kind == A_WRITE && size >= 4 && !small) { /* the same value written twice is none */
                        u32 held;
                        memcpy(&held, r->group->lds + at[l] + 4 * k, 4);
                        hidden = held != w->v[(size_t)(first + k) * LANES + l];
                    }
                    if (hidden && !mine && (kind != A_WRITE || (size >= 4 && !small))) certain(r, LOCAL_READ, -1);
                    if (hidden) found(r);
                }
            }
            if (writes && unlikely(p->epoch > now && p->reader != me)) certain(r, LOCAL_WRITTEN, -1);
        }
    }
    if (r->launch->phased && !writes && mixed(r, w, at, inside, count)) found(r);
    for (u64 left = inside; left; left &= left - 1) {
        int l = __builtin_ctzll(left);
        if (!writes) {
            note_read(r, w, at[l], size, now + 1);
            continue;
        }
        Place *p = place_at(r, at[l]);
        for (int k = 0; k < count; k++, p++)
            p->number = number, p->wave = (u8)me, p->kind = kind == A_COPY, p->atomic = kind == A_ATOMIC, p->born = now;
    }
    if (missing && (kind == A_READ || kind == A_ATOMIC)) *missing = never;
    return inside;
}

/* What a wave knows to be done when it passes a barrier; reads under way go on protecting their places. */
static void pass_local(Run *r, Wave *w) {
    u32 epoch = w->barriers;
    if (epoch >= w->epochs) {
        u32 more = w->epochs ? 2 * w->epochs : 64;
        while (more <= epoch) more *= 2;
        u32 *grown = realloc(w->passed, (size_t)more * 8);
        if (!grown) {
            r->status = NO_MEMORY;
            return;
        }
        memset(grown + 2 * w->epochs, 0, (size_t)(more - w->epochs) * 8);
        w->passed = grown, w->epochs = more;
    }
    w->passed[2 * epoch] = w->done[STREAM_LDS], w->passed[2 * epoch + 1] = w->done[STREAM_VECTOR];
    for (i32 k = 0; k < w->pendings; k++) {
        const Pending *p = &w->pending[k];
        if (!p->places_held) continue;
        int size = r->launch->code[p->ins].n[0];
        for (int part = 0; part < p->places_held; part++)
            for (u64 left = part ? p->inside2 : p->inside; left; left &= left - 1)
                note_read(r, w, p->at[part][__builtin_ctzll(left)], size, epoch + 1);
    }
}

/* n[0] bytes of one access, n[3] words, n[6] accesses, n[11], n[12] their offsets, n[13] row of the second data. */
static void places(Run *r, Wave *w, const Ins *ins, i64 shift, i64 *at) {
    Lanes t;
    const u32 *address = fetch(r, w, ins, &ins->src[0], &t);
    for (int l = 0; l < LANES; l++) at[l] = (i64)address[l] + shift;
}

static void do_ds_read(Run *r, Wave *w, const Ins *ins) {
    i64 at[2][LANES];
    u64 inside[2] = {0, 0}, missing = 0, one;
    for (int k = 0; k < ins->n[6]; k++) {
        places(r, w, ins, ins->n[11 + k], at[k]);
        inside[k] = locate(r, w, at[k], w->exec, ins->n[0], A_READ, -1, &one);
        missing |= one;
    }
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = w->exec, p->inside = inside[0], p->inside2 = inside[1], p->missing = missing, p->bits = (u32)ins->n[7];
    p->local = 1, p->places_held = (u8)ins->n[6];
    memcpy(p->at, at, sizeof at);
    p->late = (u8)r->launch->late;
    if (p->late) return;
    load_words(r->group->lds, at[0], inside[0], ins, p->u.word);
    if (ins->n[6] == 2) load_words(r->group->lds, at[1], inside[1], ins, p->u.word + ins->n[3]);
}

static void do_ds_write(Run *r, Wave *w, const Ins *ins) {
    i64 at[LANES];
    for (int k = 0; k < ins->n[6]; k++) {
        int first = k ? ins->n[13] : ins->n[4];
        places(r, w, ins, ins->n[11 + k], at);
        u64 inside = locate(r, w, at, w->exec, ins->n[0], A_WRITE, first, 0);
        if (w->pendings && r->launch->late) freeze(r, w, at, inside, ins->n[0], 1);
        store_words(r, r->group->lds, w, at, inside, ins, first);
    }
    issue(r, w, ins, 0);
}

static void do_ds_atomic(Run *r, Wave *w, const Ins *ins) {
    i64 at[LANES];
    places(r, w, ins, ins->n[11], at);
    u64 missing, inside = locate(r, w, at, w->exec, ins->n[0], A_ATOMIC, -1, &missing);
    if (missing) found(r); /* what it makes of nothing is nothing */
    apply_atomic(r, w, ins, r->group->lds, at, inside);
}

/* Transposing reads of 16 lanes; n[13]: bits of an element. */
static void do_ds_turn(Run *r, Wave *w, const Ins *ins) {
    i64 at[LANES];
    u64 missing;
    u32 word[4][LANES], turned[4][LANES];
    places(r, w, ins, ins->n[11], at);
    u64 inside = locate(r, w, at, w->exec, ins->n[0], A_READ, -1, &missing);
    load_words(r->group->lds, at, inside, ins, word);
    memset(turned, 0, sizeof turned);
    int width = ins->n[13], count = ins->n[0] * 8 / width;
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < count; k++) { /* element k of column l & 15: item of the flat row-major matrix [count][16] */
            int flat = k * 16 + (l & 15), lane = (l & ~15) + flat / count, item = flat % count, from = item * width, to = k * width;
            u64 pair = word[from >> 5][lane] | (u64)((from >> 5) + 1 < ins->n[3] ? word[(from >> 5) + 1][lane] : 0) << 32;
            u64 bits = (pair >> (from & 31) & ((1ull << width) - 1)) << (to & 31);
            turned[to >> 5][l] |= (u32)bits;
            if ((to >> 5) + 1 < ins->n[3]) turned[(to >> 5) + 1][l] |= (u32)(bits >> 32);
        }
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = w->exec, p->missing = missing;
    memcpy(p->u.word, turned, sizeof turned);
}

/* n[6]: 0 swizzle with a table, 1 bpermute, 2 permute. */
static void do_crossbar(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b;
    u32 result[LANES];
    int most = r->launch->lanes - 1;
    memset(result, 0, sizeof result);
    if (ins->n[6] == 0) {
        const u32 *x = fetch(r, w, ins, &ins->src[0], &a);
        const i32 *index = r->launch->side + ins->table;
        for (int l = 0; l <= most; l++) result[l] = (w->exec >> index[l] & 1) ? x[index[l]] : 0;
    } else {
        const u32 *address = fetch(r, w, ins, &ins->src[0], &a), *x = fetch(r, w, ins, &ins->src[1], &b);
        for (int l = 0; l <= most; l++) {
            int other = (int)((address[l] + (u32)ins->offset) >> 2) & most;
            if (ins->n[6] == 1) result[l] = (w->exec >> other & 1) ? x[other] : 0;
            else if (w->exec >> l & 1) result[other] = x[l];
        }
    }
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = w->exec;
    memcpy(p->u.word[0], result, sizeof result);
}

/* Straight from device to local memory: M0 + offset + lane * size. */
static void do_copy(Run *r, Wave *w, const Ins *ins) {
    i64 at[LANES], to[LANES];
    u64 missing, lanes = w->exec, chosen = find_addresses(r, w, ins, at), inside = checked(r, at, chosen, ins->n[0], A_READ, &missing);
    if (missing) found(r);
    if (r->status) return;
    i64 base = (i64)(w->s[M0_ROW] & (r->launch->lds_bytes <= 1 << 16 ? 0xFFFF : 0x3FFFF)) + ins->n[11];
    int size = ins->n[0] < 4 ? 4 : ins->n[0];
    for (int l = 0; l < LANES; l++) to[l] = base + (i64)l * size;
    u64 placed = locate(r, w, to, lanes, size, A_COPY, -1, 0);
    Pending *p = issue(r, w, ins, 1);
    if (!p) return;
    p->lanes = lanes, p->inside = placed;
    load_words(r->launch->arena, at, inside, ins, p->u.word);
    p->late = 2, p->number[3] = (u32)base;
}
