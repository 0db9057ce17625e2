// Equal bytes in windows that begin at odd places: wide reads of local memory there are the compiler's own.
// grid 2, group 128
// x=u8:256 y=u32:256:fresh
// 1: race in local memory; no barrier before the windows are read
// 2: out of bounds; the windows end one byte too late
// 3: uninitialised; a byte is not loaded
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void windows(__global const uchar *x, __global uint *y) {
    __local uchar text[128];
    const int t = get_local_id(0), g = get_group_id(0);
    const uchar c = x[128 * g + t];
    if (BUG != 3 || t != 77) text[t] = c;
    if (BUG != 1) barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (int i = 1; i < t + 1 + (BUG == 2); ++i) sum += text[i] == c;
    y[128 * g + t] = sum;
}
