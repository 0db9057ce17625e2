// Single-precision matrix product: a TILE x TILE block per thread block, WORK x WORK outputs per thread, shared memory.
#ifndef WORK
#define WORK 8
#endif
#define TILE (16 * WORK)
#define DEPTH 8

extern "C" __global__ void __launch_bounds__(256) sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float tile_a[DEPTH][TILE], tile_b[DEPTH][TILE];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float total[WORK][WORK] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        for (int e = threadIdx.x; e < TILE * DEPTH; e += 256) {
            tile_a[e % DEPTH][e / DEPTH] = a[(size_t)(row0 + e / DEPTH) * k + k0 + e % DEPTH];
            tile_b[e / TILE][e % TILE] = b[(size_t)(k0 + e / TILE) * n + col0 + e % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < DEPTH; ++s) {
            float x[WORK], y[WORK];
#pragma unroll
            for (int i = 0; i < WORK; ++i) x[i] = tile_a[s][ty * WORK + i];
#pragma unroll
            for (int j = 0; j < WORK; ++j) y[j] = tile_b[s][tx * WORK + j];
#pragma unroll
            for (int i = 0; i < WORK; ++i)
#pragma unroll
                for (int j = 0; j < WORK; ++j) total[i][j] = fmaf(x[i], y[j], total[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < WORK; ++i)
#pragma unroll
        for (int j = 0; j < WORK; ++j) c[(size_t)(row0 + ty * WORK + i) * n + col0 + tx * WORK + j] = total[i][j];
}
