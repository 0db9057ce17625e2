/* Access to device memory. What is found here only stops the execution: the other back end executes again and tells. */
enum { A_READ, A_WRITE, A_ATOMIC, A_COPY };

INLINE void found(Run *r) {
    if (!r->status) r->status = FOUND;
}

/* What NumPy is known to report as well, at the same instruction. `other`: the instruction on the other side, -1: not known. */
INLINE void certain(Run *r, int why, i64 other) {
    if (!r->status) r->status = FOUND, r->why = why, r->other = other;
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

/* What is known of a place: how it was touched, and by whom (a wave's number from 1; all ones: several waves read it). A wave that
   reads what another one wrote, or writes what another one read, may be ordered by a barrier or not; here it is enough that it
   happens. `suspect`: lanes that overwrite another wave's store. 16 bits are enough for a launch with few waves. */
#define PLACES(T, name, WHO)                                                                                               \
    enum { name##_WHO = WHO, name##_READ = WHO + 1 };                                                                      \
    static int name(Run *r, int lane, T *at, i64 count, int kind, int fresh, T me) {                                       \
        const T wrote = (T)(2 * (T)name##_READ);                                                                           \
        int missing = 0, held = 0, shared = r->launch->parallel;                                                           \
        for (T *p = at; p < at + count; p++) {                                                                             \
            T old = shared ? __atomic_load_n(p, __ATOMIC_SEQ_CST) : *p, next;                                              \
            do {                                                                                                           \
                T who = old & name##_WHO;                                                                                  \
                if (kind == A_READ) next = old & wrote ? old | name##_READ : name##_READ | (!who || who == me ? me : name##_WHO); \
                else next = wrote | me | (who == me ? old & name##_READ : 0);                                              \
                if (!shared) *p = next;                                                                                    \
            } while (shared && next != old && !__atomic_compare_exchange_n(p, &old, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
            int others = old && (old & name##_WHO) != me;                                                                  \
            if (kind == A_READ) {                                                                                          \
                missing |= fresh && !(old & wrote), held |= (old & wrote) != 0;                                            \
                if (unlikely(others && (old & wrote))) found(r);                                                           \
            } else {                                                                                                       \
                if (unlikely(others && (old & name##_READ))) found(r);                                                     \
                if (unlikely(others && (old & wrote))) r->suspect |= 1ull << lane;                                         \
            }                                                                                                              \
        }                                                                                                                  \
        if (unlikely(missing && held)) found(r); /* which of the words are undefined, NumPy tells */                         \
        return missing;                                                                                                    \
    }
PLACES(u16, few, 0x3FFF)
PLACES(u32, many, 0x3FFFFFFF)

/* One lane of a load or store of `size` bytes; 1: it reads what nobody has written. */
static int watch_global(Run *r, int lane, i64 at, int size, int kind, Buffer *b, u32 own) {
    int shift = b->unit == 4 ? 2 : b->unit == 2 ? 1 : 0, count = size >> shift ? size >> shift : 1;
    i64 first = (at - b->start) >> shift;
    if (b->wide) return many(r, lane, (u32 *)b->places + first, count, kind, b->fresh, own);
    return few(r, lane, (u16 *)b->places + first, count, kind, b->fresh, (u16)own);
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
            if (missing) *missing = 0;
            return 0;
        }
        inside |= 1ull << l;
        Buffer *b = &r->launch->buffers[number];
        int natural = size & -size, needed = natural < b->granule ? natural : b->granule;
        if (unlikely((at[l] - b->start) & (needed - 1))) found(r); /* not aligned to the buffer's elements */
        if (unlikely(b->seen && kind != A_WRITE)) memset(b->seen + (at[l] - b->start), 1, (size_t)size);
        if (!races) continue;
        if (!b->writable) { /* nobody writes it: what is fresh stays so */
            if (b->fresh) never |= 1ull << l;
            continue;
        }
        if (watch_global(r, l, at[l], size, kind, b, own)) never |= 1ull << l;
    }
    if (missing) *missing = never;
    return inside;
}
