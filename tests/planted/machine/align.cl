// Costs of aligning two texts, a diagonal of the table after the other, in three lines of local memory.
// grid 2, group 128
// a=u8:256 b=u8:256 y=i32:256:fresh
// 1: race in local memory; no barrier behind a diagonal
// 2: unequal barriers | race in local memory; only work-items on the diagonal meet at the barrier
// 3: race in local memory; two lines instead of three
// 4: uninitialised; the border of the table is not set
// 5: out of bounds; the second text is read one place behind its end
// 6: race in local memory; the barrier stands at every second diagonal only
#define N 128
__kernel __attribute__((reqd_work_group_size(N, 1, 1))) void align(__global const uchar *a, __global const uchar *b, __global int *y) {
    __local int line[3][N + 1];
    const int t = get_local_id(0), g = get_group_id(0);
    const int lines = BUG == 3 ? 2 : 3;
    int last = 0;
    for (int d = 0; d < 2 * N - 1; ++d) {
        const int now = d % lines, one = (d + 2) % lines, two = (d + 1) % lines, j = d - t;
        if (t == 0 && BUG != 4) line[now][0] = d + 1;
        if (j >= 0 && j < N) {
            const int up = j == 0 ? t + 1 : line[one][t + 1], left = line[one][t], corner = j == 0 ? t : t == 0 ? j : line[two][t];
            const int same = a[N * g + t] == b[N * g + j + (BUG == 5)];
            last = min(min(up, t == 0 ? j + 1 : left) + 1, corner + !same);
            line[now][t + 1] = last;
            if (BUG == 2) barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (BUG == 6 ? d % 2 : BUG != 1 && BUG != 2) barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[N * g + t] = last + (BUG == 4 ? line[0][0] : 0);
}
