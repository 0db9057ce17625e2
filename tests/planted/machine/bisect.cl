// Places of numbers in a sorted list by bisection, then steps of a sequence until it comes to one.
// grid 2, group 96
// x=i32:200:count q=u32:192 y=i32:192:fresh n=i32:=200
// 1: endless | wait never met; an interval of one never becomes smaller
// 2: out of bounds; the upper end counts as part of the list
// 3: endless | wait never met; the sequence runs past its end in a circle
// 4: uninitialised; the answer is kept only where the number is found
// 5: out of bounds; results are written in steps of the rounded size
// 6: out of bounds; a query before the first element
__kernel __attribute__((reqd_work_group_size(96, 1, 1))) void bisect(__global const int *x, __global const uint *q, __global int *y, int n) {
    const int id = get_global_id(0);
    const int wanted = 3 * q[id] + id % 7;
    int low = BUG == 6 ? -1 : 0, high = n - (BUG == 1);
    if (BUG == 6 && x[low + (id < 2 ? 0 : 1)] > wanted) high = 0;
    while (BUG == 1 ? low < high : low < high) {
        const int middle = BUG == 2 ? high : (low + high) / 2;
        if (x[middle] < wanted) low = BUG == 1 ? middle : middle + 1;
        else high = BUG == 2 ? middle - 1 : middle;
    }
    uint steps = 0;
    for (uint v = q[id] + 1; BUG == 3 ? v != 0 : v != 1; v = v % 2 ? 3 * v + 1 : v / 2) ++steps;
    const int at = BUG == 5 ? 128 * get_group_id(0) + get_local_id(0) : id;
    if (BUG != 4 || id % 5) y[at] = low * 1000 + steps;
    if (BUG == 4) y[at] = y[at] + 1;
}
