// Rows read through a descriptor whose range check stands for the test of the last columns.
// grid 4, group 64
// x=i32:252:count y=i32:252:fresh n=i32:=252
// 1: out of bounds; the range of the input is given in elements twice as wide
// 2: out of bounds; the range of the output is a multiple of the work-group
// 3: uninitialised; the input is the output
// 4: race in global memory; rows overlap by an element
// 5: misaligned | out of bounds; the descriptor begins two bytes later
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(64) void described(const int *x, int *y, int n)
{
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
    const int flags = 0x27000;
#elif defined(__gfx1030__)
    const int flags = 0x31014000;
#else
    const int flags = 0x31004000;
#endif
    const void *in = BUG == 3 ? (const void *)y : BUG == 5 ? (const void *)((const char *)x + 2) : x;
    auto from = __builtin_amdgcn_make_buffer_rsrc((void *)in, 0, BUG == 1 ? 8 * n : 4 * n, flags);
    auto to = __builtin_amdgcn_make_buffer_rsrc(y, 0, BUG == 2 ? 4 * 256 : 4 * n, flags);
    const int at = 4 * ((64 - (BUG == 4)) * blockIdx.x + threadIdx.x);
    const int a = __builtin_amdgcn_raw_buffer_load_b32(from, at, 0, 0), b = __builtin_amdgcn_raw_buffer_load_b32(from, at + 4, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b32(3 * a + b + blockIdx.x, to, at, 0, 0);
}
