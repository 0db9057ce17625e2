// A sum whose last steps are done by one wave of 64 without barriers, as is right where waves have 64 lanes.
// grid 2, group 256
// x=i32:512:count y=i32:2:fresh
// only gfx90a gfx942 gfx950
// 1: race in local memory; the barrier before the last step of two waves is missing
// 2: race in local memory; the last wave begins one step too early
// 3: out of bounds; the first step reads twice as far
// 4: uninitialised; the last element is not loaded
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void wavesum(__global const int *x, __global int *y) {
    __local int data[256];
    volatile __local int *s = data;
    const int t = get_local_id(0), g = get_group_id(0);
    if (BUG != 4 || t < 255) s[t] = x[256 * g + t];
    for (int d = 128; d > (BUG == 2 ? 64 : 32); d /= 2) {
        if (BUG != 1 || d > 64) barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[t] += s[t + d + (BUG == 3 && d == 128 ? 128 : 0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (BUG == 2 && t < 64) s[t] += s[t + 64];
    if (BUG == 2 && t >= 64 && t < 128) s[t] += 1;
    if (t < 64) for (int d = 32; d > 0; d /= 2) s[t] += s[t + d];
    if (t == 0) y[g] = s[0];
}
