// One work-item transposes a BLOCK × BLOCK square, in MICRO × MICRO pieces that stay in registers.
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void transpose(__global const float *restrict x, __global float *restrict y, const int rows, const int columns) {
    const int column = get_global_id(0) * BLOCK;
    const int row = get_global_id(1) * BLOCK;
    for (int r = 0; r < BLOCK; r += MICRO) {
        for (int c = 0; c < BLOCK; c += MICRO) {
#if MICRO == 1
            y[(size_t)(column + c) * rows + row + r] = x[(size_t)(row + r) * columns + column + c];
#else
            float piece[MICRO][MICRO];
#pragma unroll
            for (int i = 0; i < MICRO; ++i)
#pragma unroll
                for (int j = 0; j < MICRO; ++j) piece[i][j] = x[(size_t)(row + r + i) * columns + column + c + j];
#pragma unroll
            for (int j = 0; j < MICRO; ++j) {
                CAT(float, MICRO) line;
#pragma unroll
                for (int i = 0; i < MICRO; ++i) line[i] = piece[i][j];
                CAT(vstore, MICRO)(line, 0, y + (size_t)(column + c + j) * rows + row + r);
            }
#endif
        }
    }
}
