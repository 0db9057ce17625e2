// Sum of an array with warp shuffles, one atomic addition per block.
extern "C" __global__ void __launch_bounds__(256) reduce(const float *x, float *y, int n)
{
    __shared__ float partial[8];
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) total += x[i];
#pragma unroll
    for (int delta = 16; delta > 0; delta /= 2) total += __shfl_down_sync(~0u, total, delta);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x < 8) {
        total = partial[threadIdx.x];
#pragma unroll
        for (int delta = 4; delta > 0; delta /= 2) total += __shfl_down_sync(0xffu, total, delta);
        if (threadIdx.x == 0) atomicAdd(y, total);
    }
}
