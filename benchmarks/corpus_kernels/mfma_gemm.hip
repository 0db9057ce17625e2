// Matrix product of halves on CDNA's matrix units: a wave computes TILES x TILES blocks of 16x16 (SHAPE 16) or 32x32.
// LDS 1 stages both operands in local memory first.
#ifndef SHAPE
#define SHAPE 16
#endif
#ifndef TILES
#define TILES 2
#endif
#ifndef LDS
#define LDS 1
#endif
typedef _Float16 half4v __attribute__((ext_vector_type(4)));
#if SHAPE == 16
typedef float sum_t __attribute__((ext_vector_type(4)));
#define STEP 16
#define MFMA(a, b, c) __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0)
#else
typedef float sum_t __attribute__((ext_vector_type(16)));
#define STEP 8
#define MFMA(a, b, c) __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0)
#endif
#define WIDTH (SHAPE * TILES)
#define DEPTH 32
#define PITCH (DEPTH + 4)

extern "C" __global__ __launch_bounds__(64) void mfma_gemm(const _Float16 *a, const _Float16 *b, float *c, int n, int k)
{
    const int lane = threadIdx.x, row = lane % SHAPE, part = lane / SHAPE;
    const _Float16 *from_a = a + (long)blockIdx.x * WIDTH * k, *from_b = b + (long)blockIdx.y * WIDTH * k;
    sum_t total[TILES][TILES] = {};
#if LDS
    __shared__ _Float16 tile_a[WIDTH * PITCH], tile_b[WIDTH * PITCH];
#endif
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
#if LDS
        __syncthreads();
        for (int e = lane; e < WIDTH * DEPTH / 4; e += 64) {
            const int r = e / (DEPTH / 4), q = e % (DEPTH / 4) * 4;
            *(half4v *)(tile_a + r * PITCH + q) = *(const half4v *)(from_a + (long)r * k + k0 + q);
            *(half4v *)(tile_b + r * PITCH + q) = *(const half4v *)(from_b + (long)r * k + k0 + q);
        }
        __syncthreads();
#endif
#pragma unroll
        for (int s = 0; s < DEPTH; s += STEP) {
            half4v x[TILES], y[TILES];
#pragma unroll
            for (int t = 0; t < TILES; ++t) {
#if LDS
                x[t] = *(const half4v *)(tile_a + (t * SHAPE + row) * PITCH + s + part * 4);
                y[t] = *(const half4v *)(tile_b + (t * SHAPE + row) * PITCH + s + part * 4);
#else
                x[t] = *(const half4v *)(from_a + (long)(t * SHAPE + row) * k + k0 + s + part * 4);
                y[t] = *(const half4v *)(from_b + (long)(t * SHAPE + row) * k + k0 + s + part * 4);
#endif
            }
#pragma unroll
            for (int i = 0; i < TILES; ++i)
#pragma unroll
                for (int j = 0; j < TILES; ++j) total[i][j] = MFMA(x[i], y[j], total[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < TILES; ++i)
#pragma unroll
        for (int j = 0; j < TILES; ++j)
#pragma unroll
            for (int r = 0; r < SHAPE * SHAPE / 64; ++r) {
                const int m = SHAPE == 16 ? 4 * part + r : 8 * (r / 4) + 4 * part + r % 4;
                c[((long)blockIdx.x * WIDTH + i * SHAPE + m) * n + blockIdx.y * WIDTH + j * SHAPE + row] = total[i][j][r];
            }
}
