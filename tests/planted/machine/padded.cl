// Sums of all elements before each one by a tree in local memory whose places are padded against bank conflicts.
// grid 2, group 256
// x=i32:1024 y=i32:1024:fresh
// 1: out of bounds; the padding was forgotten in the size
// 2: race in local memory; no barrier on the way down
// 3: race in local memory; no barrier on the way up
// 4: uninitialised; the padding of the last half is counted as an element
// 5: out of bounds; the second half of the elements is read one place too far
// 6: unequal barriers; work-items that have nothing to do leave
#define PLACE(i) ((i) + ((i) >> 5))
#define SIZE (BUG == 1 ? 512 : PLACE(512))
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void padded(__global const int *x, __global int *y) {
    __local int s[SIZE];
    const int t = get_local_id(0), g = get_group_id(0);
    s[PLACE(t)] = x[512 * g + t];
    s[PLACE(t + 256) + (BUG == 4)] = x[512 * g + 256 + t + (BUG == 5)];
    int step = 1;
    for (int d = 256; d > 0; d >>= 1, step *= 2) {
        if (BUG != 3) barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[PLACE(step * (2 * t + 2) - 1)] += s[PLACE(step * (2 * t + 1) - 1)];
        else if (BUG == 6) return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) s[PLACE(511)] = 0;
    for (int d = 1; d < 512; d *= 2) {
        step >>= 1;
        if (BUG != 2) barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            const int a = PLACE(step * (2 * t + 1) - 1), b = PLACE(step * (2 * t + 2) - 1), held = s[a];
            s[a] = s[b];
            s[b] += held;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    y[512 * g + t] = s[PLACE(t)];
    y[512 * g + 256 + t] = s[PLACE(t + 256)];
}
