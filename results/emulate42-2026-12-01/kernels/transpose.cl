// Turns a matrix of h rows into one of w rows; negative numbers of it are counted.
#define TILE 32
#define ROWS 8

__kernel void turn(__global const float *in, __global float *out, __global int *negative, int w, int h) {
    __local float tile[TILE][TILE + 1];
    __local int count;
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    if (x == 0 && y == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = y; j < TILE; j += ROWS) {
        if (left + x < w && top + j < h) {
            const float v = in[(top + j) * w + left + x];
            tile[j][x] = v;
            if (v < 0) atomic_inc(&count);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = y; j < TILE; j += ROWS)
        if (top + x < h && left + j < w) out[(left + j) * h + top + x] = tile[x][j];
    if (x == 0 && y == 0) atomic_add(negative, count);
}
