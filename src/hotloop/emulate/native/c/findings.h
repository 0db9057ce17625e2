/* What is found, each pair of places once, and conflicts in device memory. */
enum { T_WAIT, T_OVERWRITE, T_LOCAL_RACE, T_GLOBAL_RACE, T_BARRIER, T_BOUNDS, T_UNINITIALISED };
enum {
    X_READ_EARLY, X_WRITE_EARLY, X_WHERE, X_ACTIVE, X_ADDRESS, X_STORES, X_BOUNDS, X_LOCAL_BOUNDS, X_SCRATCH_BOUNDS,
    X_LOCAL_OWN, X_LOCAL_OTHER, X_LOCAL_ONCE, X_LOCAL_READER, X_GLOBAL_WAVE, X_GLOBAL_GROUP, X_GLOBAL_ONCE, X_GLOBAL_READER, X_BARRIERS
};
enum { A_READ, A_WRITE, A_ATOMIC, A_COPY };
#define MOST_FOUND 1000

static Found *tell(Run *r, int trouble, int text, int ins, int other, int lane) {
    for (int k = 0; k < r->founds; k++)
        if (r->found[k].trouble == trouble && r->found[k].ins == ins && r->found[k].other == other) {
            r->found[k].times++;
            return 0;
        }
    if (r->founds >= MOST_FOUND) return 0;
    Found *f = &r->found[r->founds++];
    memset(f, 0, sizeof *f);
    f->trouble = trouble, f->text = text, f->ins = ins, f->other = other, f->lane = lane, f->times = 1;
    f->wave = (i32)r->wave->slot, f->group = (u64)r->group->number, f->order = r->order++;
    const i32 *number = r->launch->groups + 3 * r->group->number;
    f->x = number[0], f->y = number[1], f->z = number[2];
    return f;
}

INLINE int first_lane(u64 lanes) { return lanes ? __builtin_ctzll(lanes) : 0; }

/* -- device memory ------------------------------------------------------------------------------------------------ */

static int buffer_at(Run *r, i64 at, i64 size) {
    const Buffer *all = r->launch->buffers;
    const Buffer *b = &all[r->cached];
    if (likely(at >= b->start && at <= b->end - size)) return r->cached;
    i64 low = 0, high = r->launch->buffer_count;
    while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (all[middle].start <= at) low = middle;
        else high = middle;
    }
    if (at < all[low].start || at > all[low].end - size) return -1;
    return r->cached = (i32)low;
}

static Entry *entry_of(Run *r, u32 number) { return r->launch->chunks[number / CHUNK] + number % CHUNK; }

static u32 enter(Run *r, const Ins *ins, int atomic) {
    if (r->chunk_used == CHUNK || !r->chunk) {
        u64 number = __atomic_fetch_add(&r->launch->entry_chunks, 1, __ATOMIC_SEQ_CST);
        r->chunk = number < 65536 ? calloc(CHUNK, sizeof(Entry)) : 0;
        if (!r->chunk) {
            r->status = NO_MEMORY;
            return 0;
        }
        r->launch->chunks[number] = r->chunk;
        r->chunk_base = (u32)number * CHUNK, r->chunk_used = number == 0 ? 1 : 0;
    }
    Entry *e = r->chunk + r->chunk_used;
    e->wave = (u32)((r->launch->first_group + r->group->number) * r->launch->waves_per_group + r->wave->slot);
    e->epoch = r->wave->barriers, e->ins = (u32)(ins - r->launch->code), e->atomic = (u32)atomic;
    return r->chunk_base + r->chunk_used++;
}

static void global_race(Run *r, const Ins *ins, int text, int other, int lane, int kind, int buffer) {
    if (r->launch->parallel) {
        r->status = CONFLICT;
        return;
    }
    Found *f = tell(r, T_GLOBAL_RACE, text, (int)(ins - r->launch->code), other, lane);
    if (f) f->buffer = buffer, f->a = kind;
}

/* One lane of a load or store of `size` bytes at `at`, in buffer `number`. Returns 1 where a read finds what nobody wrote. */
static int watch_global(Run *r, const Ins *ins, int lane, i64 at, int size, int kind, int number, u32 entry) {
    Buffer *b = &r->launch->buffers[number];
    int shift = b->granule == 4 ? 2 : b->granule == 2 ? 1 : 0, count = size >> shift ? size >> shift : 1, missing = 0, told = 0;
    i64 first = (at - b->start) >> shift;
    u64 group = r->launch->first_group + (u64)r->group->number;
    u16 mine = (u16)(group % (MANY - 1) + 1);
    int atomic = kind == A_ATOMIC || ins->coherent, shared = r->launch->parallel;
    for (i64 p = first; p < first + count; p++) {
        u32 old;
        if (kind == A_READ) {
            u16 reader = b->read[p];
            if (reader != mine && reader != MANY) {
                u16 fresh = reader ? MANY : mine;
                if (shared) {
                    reader = __atomic_exchange_n(&b->read[p], fresh, __ATOMIC_SEQ_CST);
                    if (reader && reader != mine) b->read[p] = MANY;
                } else {
                    b->read[p] = fresh;
                }
            }
            old = b->written[p];
            if (b->fresh && !old) missing = 1;
        } else {
            old = shared ? __atomic_exchange_n(&b->written[p], entry, __ATOMIC_SEQ_CST) : b->written[p];
            b->written[p] = entry;
            u16 reader = b->read[p];
            if (reader && reader != mine && !atomic && !r->launch->synced && !told++)
                global_race(r, ins, X_GLOBAL_READER, -1, lane, kind, number);
        }
        if (likely(!old)) continue;
        Entry *e = entry_of(r, old);
        u32 own = (u32)(group * r->launch->waves_per_group + r->wave->slot);
        if (likely(e->wave == own) || (atomic && e->atomic)) continue;
        u64 writer = e->wave / r->launch->waves_per_group;
        int same = writer == group;
        if (same && e->epoch < r->wave->barriers) continue;
        if (r->launch->synced && r->launch->ordered(group, writer)) continue;
        int text = same ? (e->ins == (u32)(ins - r->launch->code) ? X_GLOBAL_ONCE : X_GLOBAL_WAVE) : X_GLOBAL_GROUP;
        if (kind == A_WRITE) { /* the same value written twice is none: seen when it is stored */
            if (!r->suspect) r->suspect_text = text, r->suspect_other = (i32)e->ins, r->suspect_buffer = number;
            r->suspect |= 1ull << lane;
        } else {
            global_race(r, ins, text, (int)e->ins, lane, kind, number);
        }
    }
    return missing;
}

/* Check the lanes of an access; `at` counts from the arena's begin. Returns those that may go on, `missing`: that read nothing. */
static u64 checked(Run *r, Wave *w, const Ins *ins, const i64 *at, u64 lanes, int size, int kind, u64 *missing) {
    u64 inside = 0, bad = 0, never = 0;
    u32 entry = 0;
    int races = r->launch->races;
    (void)w;
    for (u64 left = lanes; left; left &= left - 1) {
        int l = __builtin_ctzll(left), number = buffer_at(r, at[l], size);
        if (unlikely(number < 0)) {
            i64 upper = (at[l] + r->launch->base) >> 32;
            if (upper == 0x10000 || upper == 0x20000) {
                r->status = NEEDS_OTHER;
                return 0;
            }
            bad |= 1ull << l;
            continue;
        }
        inside |= 1ull << l;
        if (!races || !r->launch->buffers[number].writable) continue;
        if (kind != A_READ && !entry) entry = enter(r, ins, kind == A_ATOMIC || ins->coherent);
        if (r->status) return 0;
        if ((kind == A_ATOMIC || ins->coherent) && r->launch->meet) {
            const Buffer *b = &r->launch->buffers[number];
            r->launch->synced = 1;
            if (r->launch->meet(r->launch->first_group + (u64)r->group->number, number, (at[l] - b->start) / b->granule)) r->status = STOPPED_BACK;
        }
        if (watch_global(r, ins, l, at[l], size, kind, number, entry)) never |= 1ull << l;
    }
    if (unlikely(bad)) {
        int l = first_lane(bad);
        Found *f = tell(r, T_BOUNDS, X_BOUNDS, (int)(ins - r->launch->code), -1, l);
        if (f) f->a = kind, f->b = size, f->c = at[l];
    }
    if (missing) *missing = never;
    return inside;
}
