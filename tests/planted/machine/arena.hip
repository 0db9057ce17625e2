// Functions that are called, with arrays of their callers in private memory.
// grid 1, group 64
// x=i32:64:count y=i32:64:fresh n=i32:=24
// 1: uninitialised; the callee fills one element less than is read
// 2: out of bounds; the callee writes far behind its caller's frame
// 3: out of bounds; the callee reads before the stack
// 4: uninitialised; bytes of an element are set, and the whole is read
// 5: endless | out of bounds; the callee goes in steps of two and never meets its odd end
// 6: out of bounds; an element of another work-item far behind
#include <hip/hip_runtime.h>
__device__ __noinline__ void fill(int *a, int n, int seed)
{
    for (unsigned i = 0; BUG == 5 ? i != (unsigned)n - 1 : i < (unsigned)n; i += 1 + (BUG == 5)) a[i] = seed * 7 + i * i;
}
__device__ __noinline__ int total(const int *a, int n, int k)
{
    int sum = 0;
    for (int i = n - 1; i >= 0; --i) sum = sum * 3 + a[(i + k) % n];
    return sum;
}
extern "C" __global__ __launch_bounds__(64) void arena(const int *x, int *y, int n)
{
    int a[32];
    const int seed = x[threadIdx.x];
    fill(a, n - (BUG == 1), seed);
    if (BUG == 2) fill(a + 5000, n, seed);
    if (BUG == 4) { int b[32]; fill(b, n, 1); for (int i = 0; i < n; ++i) ((volatile unsigned char *)a)[4 * (n + i % 4)] = b[i]; }
    int sum = total(a, n + 4 * (BUG == 4), seed);
    if (BUG == 3) sum += total(a - 4000, n, 1);
    y[threadIdx.x + (BUG == 6) * 64 * (threadIdx.x == 63)] = sum;
}
