// Local memory whose size the launch says: rows of doubles, and behind them counts.
// grid 2, group 128, lds 1536
// x=i32:256:count y=i32:256:fresh n=i32:=128
// 1: out of bounds; the counts begin one element later than there is room
// 2: misaligned; the doubles begin at four bytes
// 3: race in local memory; counts and doubles overlap
// 4: uninitialised; the last count is not set
// 5: race in local memory; no barrier before the neighbour is read
// 6: race in local memory; wide stores overlap by half
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(128) void borrowed(const int *x, int *y, int n)
{
    extern __shared__ __attribute__((aligned(16))) int room[];
    const int t = threadIdx.x, own = x[128 * blockIdx.x + t];
    double *real = (double *)(room + (BUG == 2));
    int *count = room + 2 * n + (BUG == 1) - (BUG == 3 ? 2 : 0);
    if (BUG == 2 && t == 127) return;
    if (BUG == 6) { ((volatile int *)real)[t] = own; ((volatile double *)real)[t] = own; }
    else real[t] = own * 0.5;
    if (BUG != 4 || t < 127) count[t] = own % 7;
    if (BUG != 5) __syncthreads();
    y[128 * blockIdx.x + t] = (int)(2 * real[(t + 64) % (128 - (BUG == 2))]) + count[127 - t - (BUG == 2 && t == 0)];
}
