// Keys with their places sorted by a network: pairs of 64 bits in local memory, two for each work-item.
// grid 2, group 128
// x=u32:512:count y=u32:512:fresh z=u32:512:fresh
// 1: race in local memory; steps within a wave of 64 pairs have no barrier, though a wave holds 32 of them or its partners differ
// 2: race in local memory; no barrier behind the loading
// 3: out of bounds; the partner of the last pair lies behind the others
// 4: uninitialised; places are not set in the upper half
// 5: misaligned; pairs begin at a word
// 6: race in local memory; both of a pair's work-items exchange it
// 7: uninitialised; one pair is never loaded
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void pairs(__global const uint *x, __global uint *y, __global uint *z) {
    __local ulong room[BUG == 5 ? 257 : 256];
    __local ulong *s = BUG == 5 ? (__local ulong *)((__local uint *)room + 1) : room;
    const uint t = get_local_id(0), g = get_group_id(0);
    for (uint i = t; i < 256 - (BUG == 7); i += 128) {
        const uint key = x[256 * g + i] * 2654435761u >> 8;
        if (BUG == 4 && i >= 128) ((__local uint *)(s + i))[1] = key;
        else s[i] = (ulong)key << 32 | i;
    }
    if (BUG != 2) barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; size <= 256; size *= 2)
        for (uint step = size / 2; step > 0; step /= 2) {
            const uint one = BUG == 6 ? 2 * t : 2 * t - (t & step - 1), other = BUG == 6 ? one ^ step : one + step + (BUG == 3 && size == 256 && step == 1);
            const ulong a = s[one], b = s[other];
            if ((a > b) == ((one & size) == 0)) { s[one] = b; s[other] = a; }
            if (BUG != 1 || step > 64) barrier(CLK_LOCAL_MEM_FENCE);
        }
    for (uint i = t; i < 256; i += 128) { y[256 * g + i] = s[i] >> 32; z[256 * g + i] = s[i]; }
}
