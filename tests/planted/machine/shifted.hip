// Neighbours' values through DPP and through instructions written by hand, whose waits the compiler does not know.
// grid 2, group 64
// x=i32:256:count y=i32:128:fresh
// 1: uninitialised; a row shift without a value for the first lane of a row
// 2: missing wait; the load written by hand is not waited for
// 3: missing wait; the wait leaves one load open
// 4: missing wait; a load from local memory is not waited for
// 5: missing wait; a scalar load is not waited for
// 6: overwritten in flight; the register of a load is given away before it arrives
// 7: misaligned; a scalar load two bytes further
// 8: uninitialised; an accumulator begins with nothing
// 9: out of bounds; the load by hand is one wave too far
#include <hip/hip_runtime.h>
#if defined(__gfx1201__)
#define WAIT_ALL "s_wait_loadcnt 0x0"
#define WAIT_ONE "s_wait_loadcnt 0x1"
#define WAIT_LDS "s_wait_dscnt 0x0"
#define WAIT_SCALAR "s_wait_kmcnt 0x0"
#else
#define WAIT_ALL "s_waitcnt vmcnt(0)"
#define WAIT_ONE "s_waitcnt vmcnt(1)"
#define WAIT_LDS "s_waitcnt lgkmcnt(0)"
#define WAIT_SCALAR WAIT_LDS
#endif
#if defined(__gfx1201__) || defined(__gfx1100__)
#define LOAD "global_load_b32 "
#define LOAD_LDS "ds_load_b32 "
#define LOAD_SCALAR "s_load_b32 "
#else
#define LOAD "global_load_dword "
#define LOAD_LDS "ds_read_b32 "
#define LOAD_SCALAR "s_load_dword "
#endif
extern "C" __global__ __launch_bounds__(64) void shifted(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, at = 64 * blockIdx.x + t;
    int a, b, c, d;
    asm volatile(LOAD "%0, %2, off\n\t" LOAD "%1, %3, off" : "=&v"(a), "=&v"(b) : "v"(x + at + 192 * (BUG == 9)), "v"(x + at + 128));
    if (BUG == 3) asm volatile(WAIT_ONE : "+v"(a), "+v"(b) :: "memory");
    else if (BUG == 6) { asm volatile("v_mov_b32 %0, 7\n\t" WAIT_ALL : "+v"(a), "+v"(b) :: "memory"); }
    else if (BUG != 2) asm volatile(WAIT_ALL : "+v"(a), "+v"(b) :: "memory");
    s[t] = a;
    __syncthreads();
    asm volatile(LOAD_LDS "%0, %1" : "=v"(c) : "v"((uint)(size_t)(__attribute__((address_space(3))) int *)(s + 63 - t)) : "memory");
    if (BUG != 4) asm volatile(WAIT_LDS : "+v"(c) :: "memory");
    asm volatile(LOAD_SCALAR "%0, %1, 0x8" : "=s"(d) : "s"((const char *)x + 2 * (BUG == 7)));
    if (BUG != 5) asm volatile(WAIT_SCALAR : "+s"(d) :: "memory");
    int e = b;
    if (BUG == 1) asm volatile("s_nop 4\n\tv_mov_b32_dpp v60, %1 row_shr:1 row_mask:0xf bank_mask:0xf\n\tv_mov_b32 %0, v60" : "=v"(e) : "v"(b) : "v60");
    else e = __builtin_amdgcn_update_dpp(-1, b, 0x111, 0xf, 0xf, false);
    if (BUG == 8) asm volatile("v_xor_b32 v60, v60, %1\n\tv_mov_b32 %0, v60" : "=v"(e) : "v"(b) : "v60");
    y[at] = a + b + c + d + 3 * e;
}
