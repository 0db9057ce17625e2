// Largest value, sum and count of a work-group by atomics of local memory.
// grid 2, group 256
// x=i32:512 y=i32:6:fresh
// 1: race in local memory; the first wave reads while others still add
// 2: race in local memory; others add while the first wave still sets them
// 3: uninitialised; the sum is not set
#include <hip/hip_runtime.h>
extern "C" __global__ void summary(const int* x, int* y) {
    __shared__ int most, count;
    __shared__ unsigned long long sum;
    if (threadIdx.x == 0) {
        most = count = 0;
        if (BUG != 3) sum = 0;
    }
    if (BUG != 2) __syncthreads();
    const int value = x[blockIdx.x * 256 + threadIdx.x];
    atomicMax(&most, value);
    atomicAdd(&sum, (unsigned long long)(value & 1023));
    atomicAdd(&count, 1);
    if (BUG != 1) __syncthreads();
    if (threadIdx.x == 0) {
        y[3 * blockIdx.x] = most;
        y[3 * blockIdx.x + 1] = (int)sum;
        y[3 * blockIdx.x + 2] = count;
    }
}
