/* Access to device memory. What is found here only stops the execution: the other back end executes again and tells. */
enum { A_READ, A_WRITE, A_ATOMIC, A_COPY };

INLINE void found(Run *r) {
    if (!r->status) r->status = FOUND;
}

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

static u32 own_number(Run *r) { return (u32)(r->group->number * r->launch->waves_per_group + r->wave->slot) + 1; }

/* One lane of a load or store of `size` bytes. A wave that reads what another one wrote, or writes what another one read, may
   be ordered by a barrier or not; here it is enough that it happens. `suspect`: lanes that overwrite another wave's store. */
static int watch_global(Run *r, int lane, i64 at, int size, int kind, Buffer *b, u32 own) {
    int shift = b->granule == 4 ? 2 : b->granule == 2 ? 1 : 0, count = size >> shift ? size >> shift : 1, missing = 0;
    int shared = r->launch->parallel;
    i64 first = (at - b->start) >> shift;
    u16 mine = (u16)((own - 1) % (MANY - 1) + 1);
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
            old = __atomic_load_n(&b->written[p], __ATOMIC_SEQ_CST);
            if (b->fresh && !old) missing = 1;
            if (unlikely(old && old != own)) found(r);
        } else {
            old = shared ? __atomic_exchange_n(&b->written[p], own, __ATOMIC_SEQ_CST) : b->written[p];
            b->written[p] = own;
            u16 reader = b->read[p];
            if (unlikely(reader && reader != mine)) found(r);
            if (unlikely(old && old != own)) r->suspect |= 1ull << lane;
        }
    }
    return missing;
}

/* Check the lanes of an access; `at` counts from the arena's begin. Returns those that may go on, `missing`: that read nothing. */
static u64 checked(Run *r, const i64 *at, u64 lanes, int size, int kind, u64 *missing) {
    u64 inside = 0, never = 0;
    u32 own = own_number(r);
    int races = r->launch->races;
    for (u64 left = lanes; left; left &= left - 1) {
        int l = __builtin_ctzll(left), number = buffer_at(r, at[l], size);
        if (unlikely(number < 0)) { /* out of bounds, or a generic address of local or private memory */
            found(r);
            return 0;
        }
        inside |= 1ull << l;
        Buffer *b = &r->launch->buffers[number];
        int natural = size & -size, needed = natural < b->granule ? natural : b->granule;
        if (unlikely((at[l] - b->start) & (needed - 1))) found(r); /* not aligned to the buffer's elements */
        if (!races || !b->writable) continue;
        if (watch_global(r, l, at[l], size, kind, b, own)) never |= 1ull << l;
    }
    if (missing) *missing = never;
    return inside;
}
