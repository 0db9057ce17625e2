// Steps of a one-dimensional automaton; all work-groups meet between steps, neighbours read each other's ends.
// grid 4, group 64
// x=i32:256 y=i32:512:fresh arrived=i32:1:zeros
// 1: race in global memory; work-groups do not meet
// 2: wait never met | endless; one work-group more is waited for than there are
// 3 on gfx942 gfx950: race in global memory; they meet without releasing what they wrote
// 4: out of bounds; the neighbour of the last element is read
// 5: race in global memory; one copy instead of two
// 6: wait never met | endless | unequal barriers; the last work-group leaves early
#include <hip/hip_runtime.h>
#define AGENT __HIP_MEMORY_SCOPE_AGENT
extern "C" __global__ __launch_bounds__(64) void halo(const int *x, int *y, int *arrived)
{
    const int at = blockIdx.x * 64 + threadIdx.x;
    y[at] = x[at];
    for (int step = 0; step < 3; ++step) {
        __syncthreads();
        if (threadIdx.x == 0 && BUG != 1) {
            __hip_atomic_fetch_add(arrived, 1, BUG == 3 ? __ATOMIC_RELAXED : __ATOMIC_RELEASE, AGENT);
            while (__hip_atomic_load(arrived, __ATOMIC_ACQUIRE, AGENT) < 4 * (step + 1) + (BUG == 2)) {}
        }
        __syncthreads();
        if (BUG == 6 && step == 1 && blockIdx.x == 3) return;
        int *from = y + (BUG == 5 ? 0 : 256 * (step % 2)), *to = y + (BUG == 5 ? 0 : 256 * ((step + 1) % 2));
        const int left = at > 0 ? from[at - 1] : 0, right = at < 255 ? from[at + 1] : BUG == 4 ? from[513 - 256 * (step % 2)] : 0;
        to[at] = left ^ (from[at] | right);
    }
}
