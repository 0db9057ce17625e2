// Work-groups that stay and draw tiles by tickets; one work-item draws for all.
// grid 3, group 128
// x=i32:1280:count y=i32:1280:fresh next=i32:1:zeros tiles=i32:=10
// 1: race in local memory; the ticket is read before it is there
// 2: race in local memory; the next ticket may overwrite the one that others still read
// 3: race in global memory; tickets are drawn without an atomic
// 4: endless | wait never met; the counter never moves
// 5: unequal barriers | race in local memory; only half of the work-group meets at the barrier
// 6: out of bounds; one tile more than there are
// 8: race in global memory | depends on order; tickets are drawn by a volatile read and write
// 7: uninitialised; no ticket is drawn by the last work-group
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(128) void tickets(const int *x, int *y, int *next, int tiles)
{
    __shared__ int ticket;
    for (;;) {
        if (threadIdx.x == 0 && (BUG != 7 || blockIdx.x < 2)) {
            if (BUG == 3) { ticket = *next; *next = ticket + 1; }
            else if (BUG == 8) { ticket = *(volatile int *)next; *(volatile int *)next = ticket + 1; }
            else ticket = atomicAdd(next, BUG != 4);
        }
        if (BUG == 5 ? threadIdx.x < 64 : BUG != 1) __syncthreads();
        const int mine = ticket;
        if (BUG != 2) __syncthreads();
        if (mine >= tiles + (BUG == 6)) break;
        y[mine * 128 + threadIdx.x] = 3 * x[mine * 128 + threadIdx.x] + mine;
    }
}
