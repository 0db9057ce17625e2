// Waves of one work-group hand tiles on through device memory; barriers order them.
// grid 2, group 256
// x=i32:512:count y=i32:512:fresh z=i32:512:fresh
// 1: race in global memory; no barrier between writing and reading
// 2: race in global memory; the second pass overwrites what others still read
// 3: uninitialised; the last wave writes nothing
// 4: race in global memory; the barrier is there, but stands before the store
// 5: race in global memory; the tile of the other work-group is read
// 6 on gfx1030 gfx1100 gfx1201: race in global memory; a bare barrier, and the stores before it are not waited for
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(256) void handed(const int *x, int *y, int *z)
{
    const int t = threadIdx.x, base = 256 * blockIdx.x;
    if (BUG == 4) __syncthreads();
    if (BUG != 3 || t < 192) y[base + t] = 5 * x[base + t] + 1;
    if (BUG == 6) { asm volatile("" ::: "memory"); __builtin_amdgcn_s_barrier(); asm volatile("" ::: "memory"); }
    else if (BUG != 1 && BUG != 4) __syncthreads();
    const int found = y[(BUG == 5 ? 256 - base : base) + 255 - t];
    if (BUG != 2) __syncthreads();
    y[base + t] = found * 3;
    __syncthreads();
    z[base + t] = y[base + (t + 128) % 256];
}
