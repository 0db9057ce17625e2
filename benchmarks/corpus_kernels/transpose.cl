// Transposition through local memory; PAD 0 leaves every column in one bank.
#ifndef PAD
#define PAD 1
#endif
#define TILE 32
#define ROWS 8

__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(int height, int width, __global const float *x, __global float *y)
{
    __local float tile[TILE][TILE + PAD];
    const int tx = get_local_id(0), ty = get_local_id(1), c = get_group_id(0) * TILE, r = get_group_id(1) * TILE;
    #pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (r + ty + j < height && c + tx < width) tile[ty + j][tx] = x[(size_t)(r + ty + j) * width + c + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int j = 0; j < TILE; j += ROWS)
        if (c + ty + j < width && r + tx < height) y[(size_t)(c + ty + j) * height + r + tx] = tile[tx][ty + j];
}
