// A table in local memory whose entries work-items take by compare-and-swap, with chains of those that come later.
// grid 2, group 192
// x=u32:384 y=u32:384:fresh
// 1: uninitialised; the table is cleared but for its last entry
// 2: race in local memory; entries are taken by a plain test and store
// 3: out of bounds; a probe goes on past the end of the table
// 4: race in local memory; counts are added without atomics
// 5: endless | wait never met; a full table is searched for ever
// 6: race in local memory; no barrier before the counts are read
// 7: uninitialised; counts are not cleared
#define SLOTS 256
__kernel __attribute__((reqd_work_group_size(192, 1, 1))) void latched(__global const uint *x, __global uint *y) {
    __local struct { volatile uint count[SLOTS]; volatile uint key[SLOTS]; } s;
    const uint t = get_local_id(0), g = get_group_id(0);
    const uint key = x[192 * g + t] % 64 * (BUG == 5 ? 1 : 5) + 1 + (BUG == 5 ? 100 * t : 0), slots = BUG == 5 ? 64 : SLOTS;
    for (uint i = t; i < SLOTS; i += 192) {
        if (BUG != 7) s.count[i] = 0;
        if (BUG != 1 || i != 255) s.key[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = (key * 40503u >> 4) % slots;
    if (BUG == 3) at = 250 + key % 6;
    if (BUG == 1) at = 255;
    for (;;) {
        uint held;
        if (BUG == 2) { held = s.key[at]; if (held == 0) s.key[at] = key; }
        else held = atomic_cmpxchg(&s.key[at], 0u, key);
        if (held == 0 || held == key) break;
        at = BUG == 3 ? at + 1 : (at + 1) % slots;
    }
    if (BUG == 4) s.count[at] = s.count[at] + 1;
    else atomic_inc(&s.count[at]);
    if (BUG != 6) barrier(CLK_LOCAL_MEM_FENCE);
    y[192 * g + t] = s.count[at];
}
