// Sums of blocks of 256 numbers. Built with RACE=1 it lacks its first barrier, which `hotloop emulate` finds (docs/emulate.md).
#include <hip/hip_runtime.h>

#ifndef RACE
#define RACE 0
#endif

extern "C" __global__ void __launch_bounds__(256) blocksum(const float *x, float *y, int n) {
    __shared__ float part[256];
    const int item = threadIdx.x, i = blockIdx.x * 256 + item;
    part[item] = i < n ? x[i] : 0.0f;
    for (int half = 128; half > 0; half /= 2) {
        if (!RACE || half < 128) __syncthreads();
        if (item < half) part[item] += part[item + half];
    }
    if (item == 0) y[blockIdx.x] = part[0];
}
