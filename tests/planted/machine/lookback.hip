// Sums of all elements before each one; work-groups wait for the sum of the one before.
// grid 4, group 256
// x=i32:1024 y=i32:1024:fresh sum=i32:4:fresh flag=i32:4:zeros
// 1: race in global memory; the flag is set before the sum is there
// 2: race in global memory; the flag is set without releasing the sum
// 3: race in global memory; the sum is read without waiting for the flag
// 4: wait never met | endless; the third work-group does not set its flag
// 5: race in local memory; the base is used before it is known
// 6: out of bounds | wait never met; the flag of the next one is set
// 7: race in local memory; totals of waves are read without a barrier
// 8: race in global memory | uninitialised; the sum is read ahead of the flag and only its use waits
#include <hip/hip_runtime.h>
#define AGENT __HIP_MEMORY_SCOPE_AGENT
extern "C" __global__ __launch_bounds__(256) void lookback(const int *x, int *y, int *sum, int *flag)
{
    __shared__ int total[8], base;
    const int t = threadIdx.x, b = blockIdx.x, w = t / 32, at = 256 * b + t;
    int mine = x[at];
    const int own = mine;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl(mine, __lane_id() - d);
        if (t % 32 >= d) mine += other;
    }
    if (t % 32 == 31) total[w] = mine;
    if (BUG != 7) __syncthreads();
    int before = 0, all = 0;
    for (int i = 0; i < 8; ++i) { before += i < w ? total[i] : 0; all += total[i]; }
    if (t == 0) {
        int sofar = 0;
        if (b > 0) {
            if (BUG == 8) sofar = *(volatile int *)&sum[b - 1];
            if (BUG != 3) while (__hip_atomic_load(&flag[b - 1], __ATOMIC_ACQUIRE, AGENT) == 0) {}
            if (BUG != 8) sofar = sum[b - 1];
        }
        if (BUG == 1) __hip_atomic_store(&flag[b], 1, __ATOMIC_RELEASE, AGENT);
        sum[b] = sofar + all;
        if (BUG == 2) __hip_atomic_store(&flag[b], 1, __ATOMIC_RELAXED, AGENT);
        else if (BUG != 1 && (BUG != 4 || b != 2)) __hip_atomic_store(&flag[b + (BUG == 6)], 1, __ATOMIC_RELEASE, AGENT);
        base = sofar;
    }
    if (BUG != 5) __syncthreads();
    y[at] = base + before + mine - own;
}
