// A sum whose last steps are done by one wave of 32 without barriers; with 64 lanes' worth of work it is wrong there.
// grid 2, group 128
// x=i32:256:count y=i32:2:fresh
// only gfx1030 gfx1100 gfx1201
// 1: race in local memory | depends on order; two waves of 32 go on as if they were one of 64
// 2: race in local memory; the barrier before the last step of two waves is missing
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void wavesum32(__global const int *x, __global int *y) {
    __local int data[128];
    volatile __local int *s = data;
    const int t = get_local_id(0), g = get_group_id(0), last = BUG == 1 ? 64 : 32;
    s[t] = x[128 * g + t];
    for (int d = 64; d >= (BUG == 1 ? 64 : 32); d /= 2) {
        if (BUG != 2 || d > 32) barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[t] += s[t + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < last) for (int d = last / 2; d > 0; d /= 2) s[t] += s[t + d];
    if (t == 0) y[g] = s[0];
}
