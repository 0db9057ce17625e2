// A list in device memory to which work-groups push their nodes by compare-and-swap; the last group to come walks it.
// grid 4, group 64
// x=i32:256:count value=i32:4:fresh next=i32:4:fresh head=i32:1:zeros came=i32:1:zeros y=i32:1:fresh
// 1: race in global memory; the node is filled after it was pushed
// 2: uninitialised; the link of a node is not set by the second group
// 3 on gfx942 gfx950 gfx1030 gfx1100 gfx1201: race in global memory; nodes are pushed without releasing what they hold
// 4: out of bounds; the walk goes on past the end of the list
// 5: endless | wait never met; a node is linked to itself
// 6: out of bounds; a group pushes a node that is not there
#include <hip/hip_runtime.h>
#define AGENT __HIP_MEMORY_SCOPE_AGENT
extern "C" __global__ __launch_bounds__(64) void pushed(const int *x, int *value, int *next, int *head, int *came, int *y)
{
    int sum = x[64 * blockIdx.x + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) sum += __shfl_xor(sum, d);
    sum += __shfl_xor(sum, warpSize == 64 ? 32 : 0);
    if (threadIdx.x != 0) return;
    const int mine = blockIdx.x + (BUG == 6 && blockIdx.x == 3);
    if (BUG != 1) value[mine] = blockIdx.x + 10;
    int old = __hip_atomic_load(head, __ATOMIC_RELAXED, AGENT);
    do {
        if (BUG != 2 || blockIdx.x != 1) next[mine] = BUG == 5 ? mine + 1 : old;
    } while (!__hip_atomic_compare_exchange_strong(head, &old, mine + 1, BUG == 3 ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, AGENT));
    if (BUG == 1) value[mine] = blockIdx.x + 10;
    if (__hip_atomic_fetch_add(came, 1, BUG == 3 || BUG == 1 ? __ATOMIC_RELAXED : __ATOMIC_ACQ_REL, AGENT) == 3) {
        int total = 0, steps = 0;
        for (int at = __hip_atomic_load(head, __ATOMIC_ACQUIRE, AGENT); at != 0 || (BUG == 4 && steps < 5); at = next[at - 1], ++steps) total += value[at - 1];
        y[0] = total;
    }
}
