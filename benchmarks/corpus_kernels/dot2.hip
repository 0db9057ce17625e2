// Half-precision products with v_dot2 (two products and one sum per lane): gfx906, gfx1011, gfx1012, gfx1030 and later.
typedef _Float16 half2v __attribute__((ext_vector_type(2)));
#ifndef ROWS
#define ROWS 4
#endif

extern "C" __global__ __launch_bounds__(256) void dot2(const half2v *a, const half2v *b, float *c, int pairs)
{
    const int row0 = (blockIdx.x * 256 + threadIdx.x) * ROWS;
    float total[ROWS] = {};
    for (int p = 0; p < pairs; ++p) {
        const half2v y = b[p];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) total[r] = __builtin_amdgcn_fdot2(a[(long)(row0 + r) * pairs + p], y, total[r], false);
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) c[row0 + r] = total[r];
}
