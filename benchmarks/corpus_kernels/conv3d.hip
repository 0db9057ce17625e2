// Depthwise convolution in three dimensions, taps 3x5x5, an output row per thread column; the input halo lies in LDS.
// HINT 1 asks the scheduler to alternate local reads with arithmetic.
#include <hip/hip_runtime.h>
#ifndef HINT
#define HINT 0
#endif
#define TAPS_D 3
#define TAPS_H 5
#define TAPS_W 5
#define TILE_W 32
#define TILE_H 8

extern "C" __global__ __launch_bounds__(TILE_W *TILE_H) void conv3d(
    const float *x, const float *taps, float *y, int depth, int height, int width)
{
    __shared__ float halo[TAPS_D][TILE_H + TAPS_H - 1][TILE_W + TAPS_W - 1];
    const int channel = blockIdx.z / depth, d0 = blockIdx.z % depth, h0 = blockIdx.y * TILE_H, w0 = blockIdx.x * TILE_W;
    const int item = threadIdx.y * TILE_W + threadIdx.x;
    const long plane = (long)height * width;
    const float *from = x + (long)channel * depth * plane, *weights = taps + channel * TAPS_D * TAPS_H * TAPS_W;
    constexpr int cells = TAPS_D * (TILE_H + TAPS_H - 1) * (TILE_W + TAPS_W - 1);
    for (int e = item; e < cells; e += TILE_W * TILE_H) {
        const int w = e % (TILE_W + TAPS_W - 1), h = e / (TILE_W + TAPS_W - 1) % (TILE_H + TAPS_H - 1);
        const int d = e / ((TILE_W + TAPS_W - 1) * (TILE_H + TAPS_H - 1));
        const int at_d = d0 + d - TAPS_D / 2, at_h = h0 + h - TAPS_H / 2, at_w = w0 + w - TAPS_W / 2;
        const bool inside = at_d >= 0 && at_d < depth && at_h >= 0 && at_h < height && at_w >= 0 && at_w < width;
        halo[d][h][w] = inside ? from[at_d * plane + (long)at_h * width + at_w] : 0.0f;
    }
    __syncthreads();
    float total = 0.0f;
#pragma unroll
    for (int d = 0; d < TAPS_D; ++d)
#pragma unroll
        for (int h = 0; h < TAPS_H; ++h) {
#pragma unroll
            for (int w = 0; w < TAPS_W; ++w)
                total = fmaf(weights[(d * TAPS_H + h) * TAPS_W + w], halo[d][threadIdx.y + h][threadIdx.x + w], total);
#if HINT
            __builtin_amdgcn_sched_group_barrier(0x100, 3, 0);
            __builtin_amdgcn_sched_group_barrier(0x2, 5, 0);
#endif
        }
    const int h = h0 + threadIdx.y, w = w0 + threadIdx.x;
    if (h < height && w < width) y[((long)channel * depth + d0) * plane + (long)h * width + w] = total;
}
