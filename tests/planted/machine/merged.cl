// Two sorted lists of 16-bit numbers merged: each work-item looks for the place of its element in the other list.
// grid 1, group 128
// x=u16:256:count y=u16:256:fresh part=u8:128:fresh
// 1: race in global memory | uninitialised; equal elements get the same place
// 2: out of bounds; the bisection looks at one element behind the list
// 3: race in global memory; a work-item reads a mark of the other half before the barrier
// 4: race in global memory; marks are read without a barrier
// 5: misaligned | note; two 16-bit numbers are read as one word from odd places
// 6: race in global memory | depends on order; lanes of one wave change one word of four marks
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void merged(__global const ushort *x, __global ushort *y, __global uchar *part) {
    const int t = get_local_id(0);
    for (int list = 0; list < 2; ++list) {
        const int key = x[128 * list + t] / 2 + (list ? -64 : 0);
        int low = 0, high = 128 + (BUG == 2);
        while (low < high) {
            const int middle = (low + high) / 2, other = x[128 * !list + middle] / 2 + (list ? 0 : -64);
            if ((list && BUG != 1) || BUG == 2 ? other <= key : other < key) low = middle + 1;
            else high = middle;
        }
        y[t + low] = key;
        part[t] = low;
        if (BUG == 3 && list == 0) y[t] = part[127 - t];
    }
    if (BUG == 6) ((__global uint *)part)[t / 4] = ((__global uint *)part)[t / 4] ^ t;
    if (BUG != 4) barrier(CLK_GLOBAL_MEM_FENCE);
    const uint more = BUG == 5 ? *(__global uint *)(x + t + 1) : 0;
    y[t] = y[t] + part[127 - t] + more;
}
