// Values that all lanes share, kept in scalar registers: loads through the scalar cache, branches, addresses.
// grid 3, group 128
// x=i32:384:count table=i32:16:count y=i32:384:fresh rest=i32:4:scratch
// 1: uninitialised; where the program goes depends on a word that nobody wrote
// 2: out of bounds; the entry before the first of the table
// 3: out of bounds; sixteen entries are loaded at once from the second on
// 4: uninitialised; an address depends on a word that nobody wrote
// 5: race in global memory; groups write their number to one place and read it back
// 6: uninitialised; a lane's value is taken as the common one, and that lane has none
// 7: race in global memory; the other wave's word is read before the barrier
#include <hip/hip_runtime.h>
typedef int Sixteen __attribute__((ext_vector_type(16)));
extern "C" __global__ __launch_bounds__(128) void uniform(const int *x, const int *table, int *y, int *rest)
{
    const int t = threadIdx.x, g = blockIdx.x, at = 128 * g + t;
    int common = table[g + 3 - 4 * (BUG == 2 && g == 0)];
    if (BUG == 1 && rest[3] > 5) common += 7;
    if (BUG == 4) common += table[rest[2] & 15];
    if (BUG == 3) { const Sixteen all = *(const Sixteen *)(table + 1); common += all[0] + all[15]; }
    if (BUG == 6) {
        int none;
        asm volatile("; nothing in %0" : "={v60}"(none));
        common += __builtin_amdgcn_readlane(none, 5);
    }
    if (BUG == 5) { if (t == 0) rest[0] = g; __syncthreads(); common += rest[0]; }
    y[at] = x[at] * common;
    if (BUG != 7) __syncthreads();
    if (t % 64 == 0) rest[g < 2 ? g : 3] = BUG == 7 ? y[128 * g + 64 - t] : g;
}
