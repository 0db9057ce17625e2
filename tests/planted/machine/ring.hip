// Waves with different tasks: the first half of the group fills slots of a ring, the second half empties them, with bare barriers.
// grid 2, group 128
// x=i32:1024:count y=i32:1024:fresh
// 1: race in local memory; the barrier does not wait for what was stored before
// 2: race in local memory; one slot instead of two
// 3: out of bounds; three slots are used of two
// 4: uninitialised; the slot that is being filled is read first
// 5: unequal barriers | endless | wait never met; those who fill leave before the last barrier
// 6: race in local memory | depends on order; slots are turned every second step only
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(128) void ring(const int *x, int *y)
{
    __shared__ int slot[2][64];
    const int t = threadIdx.x % 64, g = blockIdx.x;
    const bool fills = threadIdx.x < 64;
    const int slots = BUG == 2 ? 1 : BUG == 3 ? 3 : 2;
    for (int i = 0; i < 9 - (BUG == 5 && fills); ++i) {
        const int turn = BUG == 6 ? i / 2 : i, before = BUG == 4 ? i + 1 : i - 1;
        if (fills && i < 8) slot[turn % slots][t] = x[512 * g + 64 * i + t] * 5 + i;
        if (!fills && i > 0) y[512 * g + 64 * (i - 1) + t] = slot[(BUG == 6 ? (i - 1) / 2 : before + (BUG == 4)) % slots][63 - t];
        if (BUG != 1) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    }
}
