// A linear system over the integers modulo a prime, solved in local memory by all work-items of a group.
// grid 2, group 256
// x=u32:512:count y=u32:512:fresh
// 1: race in local memory; the pivot row is scaled while others read it
// 2: race in local memory; no barrier behind the elimination of a column
// 3: out of bounds; elimination goes one row too far
// 4: uninitialised; the last column of the matrix is not loaded
// 5: unequal barriers; rows that are done leave before the last column
#include <hip/hip_runtime.h>
#define P 65521u
__device__ static uint inverse(uint a)
{
    uint r = 1, e = P - 2;
    for (; e; e >>= 1, a = a * a % P)
        if (e & 1) r = r * a % P;
    return r;
}
extern "C" __global__ __launch_bounds__(256) void invert(const uint *x, uint *y)
{
    __shared__ uint m[16][16];
    const int t = threadIdx.x, r = t / 16, c = t % 16;
    if (BUG != 4 || c < 15) m[r][c] = (x[256 * blockIdx.x + t] * 40503u + 7u * (r == c)) % 251u + 1u + 300u * (r == c);
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
        const uint scale = inverse(*(volatile uint *)&m[k][k]);
        if (BUG != 1) __syncthreads();
        if (r == k) m[k][c] = m[k][c] * scale % P;
        if (BUG == 5 && k == 15 && r >= 8) return;
        __syncthreads();
        const int row = r + (BUG == 3 && k == 15);
        const uint factor = m[row][k];
        if (row != k) m[row][c] = (m[row][c] + (P - factor) * m[k][c] % P) % P;
        if (BUG != 2) __syncthreads();
    }
    y[256 * blockIdx.x + t] = m[r][c];
}
