// Rows copied straight into local memory, two at a time, and summed from there.
// grid 2, group 128
// x=i32:2048:count y=i32:256:fresh
// only gfx942 gfx950
// 1: missing wait | race in local memory; copies are not waited for before the barrier
// 2: race in local memory; the barrier behind the copies is missing
// 3: race in local memory; the next copy begins while others still read
// 4: out of bounds; the copies go one wave too far
// 5: missing wait | race in local memory; the wait leaves the newest copy open
// 6: uninitialised; one wave does not copy
// 7: out of bounds; one row more is copied than there is
#include <hip/hip_runtime.h>
typedef __attribute__((address_space(3))) void *Local;
typedef __attribute__((address_space(1))) void *Global;
extern "C" __global__ __launch_bounds__(128) void copied(const int *x, int *y)
{
    __shared__ __attribute__((aligned(16))) int s[128];
    const int t = threadIdx.x, w = __builtin_amdgcn_readfirstlane(t / 64);
    int sum = 0;
    for (int i = 0; i < 8 + (BUG == 7); ++i) {
        if (BUG != 6 || w == 0 || i < 1) {
            if (BUG != 6 || w == 0)
                __builtin_amdgcn_global_load_lds((Global)(x + 1024 * blockIdx.x + 128 * i + t), (Local)(s + 64 * (w + (BUG == 4))), 4, 0, 0);
        }
        if (BUG == 5) __builtin_amdgcn_s_waitcnt(0xf71);
        else if (BUG != 1) __builtin_amdgcn_s_waitcnt(0xf70);
        if (BUG != 2) __builtin_amdgcn_s_barrier();
        asm volatile("" ::: "memory");
        int found;
        asm volatile("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(found) : "v"((uint)(size_t)(__attribute__((address_space(3))) int *)(s + 127 - t)) : "memory");
        sum += found;
        if (BUG != 3) __builtin_amdgcn_s_barrier();
        asm volatile("" ::: "memory");
    }
    y[128 * blockIdx.x + t] = sum;
}
