// Four numbers at once: loads and stores of 128 bits, a tail of single ones, wide atomics.
// grid 3, group 64
// x=i32:750:count y=i32:750:fresh most=u64:3:zeros n=i32:=750
// 1: out of bounds; the last four reach behind the end
// 2: uninitialised; the tail is not written before it is read back
// 3: race in global memory; groups of four overlap by one between work-groups
// 4: misaligned; the wide atomic lies on half of its place
// 5: race in global memory | depends on order; the maximum is kept without an atomic
// 6: uninitialised; one of four is undefined
// 7: race in global memory | depends on order; all lanes of a wave keep their own maximum in one place
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fours(__global const int *x, __global int *y, __global ulong *most, int n) {
    const int id = get_global_id(0), at = BUG == 3 ? 4 * id - (int)get_group_id(0) : 4 * id;
    ulong best = 0;
    if (at + (BUG == 1 ? 0 : 3) < n) {
        int4 v = vload4(0, x + at);
        best = (ulong)(v.x + v.w) * 3 + id;
        if (BUG == 6) {
            int gone;
            __asm__ volatile("; %0 is left as it is" : "={v60}"(gone));
            v.z = gone;
        }
        vstore4(v * 2 + id, 0, y + at);
    } else
        for (int i = at; i < n; ++i) {
            best += x[i];
            if (BUG != 2) y[i] = 2 * x[i] + id;
        }
    if (BUG == 2 && at < n && at + 3 >= n) y[at] += 1;
    __global ulong *place = most + get_group_id(0);
    if (BUG == 4) place = (__global ulong *)((__global uint *)most + 1);
    if (BUG == 5) { if (best > most[0]) most[0] = best; }
    else if (BUG == 7) *place = best;
    else atom_max(place, best);
}
