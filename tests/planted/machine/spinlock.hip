// A list in device memory that work-groups extend under a lock.
// grid 4, group 64
// x=i32:256:count list=i32:16:fresh used=i32:1:zeros lock=i32:2:zeros
// 1: race in global memory; nobody takes the lock
// 2: race in global memory; the lock is given back without releasing what was written
// 3: endless | wait never met; the lock is never given back
// 4: out of bounds; each work-group takes six places of the list
// 5: race in global memory; the lock is given back before the list is extended
// 6: race in global memory; every second work-group takes another lock
// 7: wait never met | endless; all lanes of the wave want the lock, the winner waits for the others
// 8: uninitialised; a place is left out when the list is read
#include <hip/hip_runtime.h>
#define AGENT __HIP_MEMORY_SCOPE_AGENT
extern "C" __global__ __launch_bounds__(64) void spinlock(const int *x, int *list, int *used, int *lock)
{
    int mine = x[blockIdx.x * 64 + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) mine += __shfl_xor(mine, d);
    int *door = lock + (BUG == 6 ? blockIdx.x % 2 : 0);
    if (BUG == 7) {
        while (__hip_atomic_exchange(door, 1, __ATOMIC_ACQUIRE, AGENT)) {}
        __builtin_amdgcn_wave_barrier();
        __hip_atomic_fetch_add(used, 1, __ATOMIC_RELAXED, AGENT);
        for (int i = 0; i < 64; ++i) if (__shfl(mine, i) == -1) list[0] = i;
        __hip_atomic_store(door, 0, __ATOMIC_RELEASE, AGENT);
        return;
    }
    if (threadIdx.x == 0) {
        if (BUG != 1) while (__hip_atomic_exchange(door, 1, __ATOMIC_ACQUIRE, AGENT)) {}
        if (BUG == 5) __hip_atomic_store(door, 0, __ATOMIC_RELEASE, AGENT);
        const int at = *used, step = BUG == 4 ? 6 : 4;
        for (int i = 0; i < step - (BUG == 8); ++i) list[at + i] = 4 * at + i;
        if (BUG == 8) list[at + 3] = list[at + 3] + 1;
        *used = at + step;
        if (BUG == 2) __hip_atomic_store(door, 0, __ATOMIC_RELAXED, AGENT);
        else if (BUG != 3 && BUG != 5) __hip_atomic_store(door, 0, __ATOMIC_RELEASE, AGENT);
    }
}
