// Ways to place queens on a board, for each place of the first two; the board is a stack in private memory.
// grid 1, group 64
// y=i32:64:fresh n=i32:=6
// 1: out of bounds; two places behind the last of the stack are written
// 2: uninitialised; the column of a row that was not placed yet is compared
// 3: endless | wait never met; the search does not go back where a row is full
// 4: out of bounds; a result behind the last one
// 5: out of bounds; an entry two places before the first of the stack
#define DEPTH 40
__kernel void queens(__global int *y, int n) {
    volatile int column[DEPTH];
    const int id = get_global_id(0), a = id / 8, b = id % 8;
    int found = 0, row = 2;
    if (BUG == 1) column[DEPTH - 6 + n] = column[DEPTH - 5 + n] = 1;
    if (BUG == 5) column[n - 8] = 1;
    column[0] = a;
    column[1] = b;
    if (a < n && b < n && a != b && abs(a - b) != 1) {
        column[2] = 0;
        while (row >= 2) {
            if (column[row] >= n) {
                if (BUG == 3) continue;
                if (--row >= 2) column[row] = column[row] + 1;
                continue;
            }
            const int mine = column[row];
            bool free = true;
            for (int i = 0; i < row + (BUG == 2); ++i) {
                const int other = column[BUG == 2 && i == row ? i + 1 : i];
                free = free && other != mine && abs(other - mine) != row - i;
            }
            if (free && row == n - 1) ++found;
            if (free && row < n - 1) column[++row] = 0;
            else column[row] = mine + 1;
        }
    }
    y[id + (BUG == 4)] = found;
}
