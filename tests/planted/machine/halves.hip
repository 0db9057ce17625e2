// Pairs of 16-bit numbers turned around in local memory and written as words.
// grid 2, group 128
// x=u16:512 y=u32:256:fresh z=u16:512:fresh
// 1: uninitialised; upper halves are not written
// 2: race in local memory; a half is written by its neighbour in another wave, too
// 3: out of bounds; the last half lies behind local memory
// 4: misaligned; pairs are read from odd halves of a buffer of words
// 5: race in local memory; no barrier before the pairs are read
// 6: uninitialised; the upper half of a register that was loaded as a half is written as a word
// 7: out of bounds; a half behind the last one is written
// 8: race in global memory | depends on order; two work-groups write one half
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(128) void halves(const ushort *x, uint *y, ushort *z)
{
    __shared__ __attribute__((aligned(16))) ushort s[256];
    const int t = threadIdx.x, g = blockIdx.x;
    volatile ushort *p = s;
    p[2 * t] = x[256 * g + 2 * t];
    if (BUG != 1) p[2 * t + 1 + (BUG == 3)] = x[256 * g + 2 * t + 1] + 1;
    if (BUG == 2) p[(2 * t + 2) % 256] = t;
    if (BUG != 5) __syncthreads();
    uint pair = ((uint *)s)[127 - t];
    if (BUG == 6) {
        uint half;
#if defined(__gfx1100__)
        asm volatile("ds_load_u16_d16 v60, %1\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 %0, v60" : "=v"(half) : "v"(4 * t) : "v60");
#elif defined(__gfx1201__)
        asm volatile("ds_load_u16_d16 v60, %1\n\ts_wait_dscnt 0x0\n\tv_mov_b32 %0, v60" : "=v"(half) : "v"(4 * t) : "v60");
#else
        asm volatile("ds_read_u16_d16 v60, %1\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 %0, v60" : "=v"(half) : "v"(4 * t) : "v60");
#endif
        pair = half;
    }
    y[128 * g + t] = pair;
    if (BUG == 4) *(uint *)((ushort *)y + 256 * g + 2 * t + (t < 127)) = pair;
    ((volatile ushort *)z)[256 * g + 2 * t + (BUG == 8 && g == 0 && t == 127 ? 2 : 0)] = pair;
    ((volatile ushort *)z)[256 * g + 2 * t + 1 + (BUG == 7)] = pair >> 16;
}
