// One pass of a radix sort within a work-group: counts of 16 digits, places of the keys, keys written in order.
// grid 3, group 256
// x=u32:768:count y=u32:768:fresh shift=u32:=2
// 1: uninitialised; the count of a digit is never set to zero
// 2: race in local memory; no barrier between clearing and counting
// 3: race in local memory; digits are counted without atomics
// 4: race in local memory; no barrier between counting and summing
// 5: out of bounds; keys are written one place too far
// 6: out of bounds; the digit is cut off at 5 bits for 16 counts at the end of local memory
// 7: depends on order | race in global memory | uninitialised; earlier keys of equal digit are all counted but one: two keys get one place
#if BUG == 6
#define DIGITS 31
#else
#define DIGITS 15
#endif
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void radix(__global const uint *x, __global uint *y, uint shift) {
    __local struct { uchar digit[256]; uint count[16]; } s;
    const int t = get_local_id(0), g = get_group_id(0);
    const uint key = x[256 * g + t] * 2654435761u >> 20;
    if (t < 16 && (BUG != 1 || t != 3)) s.count[t] = 0;
    if (BUG != 2) barrier(CLK_LOCAL_MEM_FENCE);
    const uint d = key >> shift & DIGITS;
    s.digit[t] = d;
    if (BUG == 3) s.count[d] = s.count[d] + 1;
    else atomic_inc(&s.count[d]);
    if (BUG != 4) barrier(CLK_LOCAL_MEM_FENCE);
    uint at = 0;
    for (uint i = 0; i < d; ++i) at += s.count[i];
    for (int i = BUG == 7; i < t; ++i) at += s.digit[i] == d;
    y[256 * g + at + (BUG == 5)] = key;
}
