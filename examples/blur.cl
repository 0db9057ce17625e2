// One work-item computes VW neighbouring pixels in ROWS rows. The image has a border of two pixels on every side.
#if VW == 1
typedef float V;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
typedef CAT(float, VW) V;
#define LOAD(p) CAT(vload, VW)(0, p)
#define STORE(v, p) CAT(vstore, VW)(v, 0, p)
#endif

__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void blur(__global const float *restrict image, __constant float *restrict taps,
                   __global float *restrict out, const int width, const int height) {
    const int x = get_global_id(0) * VW;
    const int first = get_global_id(1) * ROWS;
    const int pitch = width + 4;
    V sums[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; ++row) sums[row] = (V)(0.0f);
    // Each input row is loaded once and added to every output row that it touches.
#pragma unroll
    for (int line = 0; line < ROWS + 4; ++line) {
        if (first + line >= height + 4) break;
        __global const float *source = image + (first + line) * pitch + x;
#pragma unroll
        for (int dx = 0; dx < 5; ++dx) {
            const V pixels = LOAD(source + dx);
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                const int dy = line - row;
                if (dy >= 0 && dy < 5) sums[row] = fma((V)(taps[dy * 5 + dx]), pixels, sums[row]);
            }
        }
    }
#pragma unroll
    for (int row = 0; row < ROWS; ++row)
        if (first + row < height) STORE(sums[row], out + (first + row) * width + x);
}
