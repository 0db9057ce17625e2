// Sets of bits: places of the input are marked in words of local and of device memory.
// grid 2, group 128
// x=u32:256:count y=u32:8:zeros z=u32:8:fresh
// 1: race in local memory; words are marked without atomics
// 2: race in global memory; words of device memory are marked without atomics
// 3: uninitialised; words of local memory begin with nothing
// 4: out of bounds; a bit behind the last word
// 5: race in local memory; no barrier before the words are read
// 6: race in local memory | depends on order; lanes of one wave change one word without atomics
// 7: race in global memory | depends on order; lanes of one wave change one word of device memory without atomics
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void bitmap(__global const uint *x, __global uint *y, __global uint *z) {
    __local uint word[4];
    const int t = get_local_id(0), g = get_group_id(0);
    const uint place = x[128 * g + t] * 37u % 128u;
    if (t < 4 && BUG != 3) word[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint bit = 1u << place % 32;
    if (BUG == 1) word[place / 32] |= bit;
    else if (BUG == 6) { if (t < 32) word[place / 32] |= bit; }
    else atomic_or(word + place / 32, bit);
    if (BUG != 5) barrier(CLK_LOCAL_MEM_FENCE);
    __global uint *out = y + 4 * (x[0] == 0 ? g : 0) + 4 * (BUG == 4 && t == 127);
    if (BUG == 2) y[place / 32] |= bit;
    else if (BUG == 7) { if (t < 32) y[4 * g + place / 32] |= bit; }
    else atomic_or(out + place / 32, bit);
    if (t < 4) z[4 * g + t] = word[t];
}
