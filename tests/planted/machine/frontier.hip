// A search level by level over a graph whose edges are computed; the next level is appended to a list.
// grid 1, group 256
// level=i32:256:fresh list=i32:512:fresh size=i32:2:fresh
// 1: race in global memory; the list is extended without an atomic
// 2: race in global memory | uninitialised; no barrier between clearing and marking
// 3: out of bounds; an edge leads behind the last vertex
// 4: uninitialised; the number of the next level's vertices is not set
// 5 on gfx942 gfx950 gfx1201: race in global memory; no barrier between the levels
// 6: race in global memory; a vertex is appended whose place was marked by a plain test and store
// 7: unequal barriers | endless | wait never met; a wave goes on by its own count of levels
#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(256) void frontier(int *level, int *list, int *size)
{
    const int t = threadIdx.x;
    level[t] = t % 4 == 0 ? 0 : -1;
    if (t % 4 == 0) list[t / 4] = t;
    if (t == 0) { size[0] = 64; if (BUG != 4) size[1] = 0; }
    if (BUG != 2) __syncthreads();
    for (int depth = 0; depth < (BUG == 7 ? 2 + t / 128 : 3); ++depth) {
        const int count = size[depth % 2];
        const int *from = list + 256 * (depth % 2);
        int *to = list + 256 * ((depth + 1) % 2), *used = size + (depth + 1) % 2;
        for (int i = t; i < 3 * count; i += 256) {
            const int v = from[i / 3], w = i % 3 == 0 ? (2 * v + 1) % 256 : i % 3 == 1 ? (v + 127) % (BUG == 3 ? 257 : 256) : v ^ 64;
            const int next = BUG == 3 && v == 1 ? 256 : w;
            bool first;
            if (BUG == 6) { first = level[next] == -1; if (first) level[next] = depth + 1; }
            else first = __hip_atomic_load(&level[next], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == -1
                         && __scoped_atomic_fetch_max(&level[next], depth + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) == -1;
            if (first) {
                if (BUG == 1) { to[*used] = next; *used = *used + 1; }
                else to[atomicAdd(used, 1)] = next;
            }
        }
        __syncthreads();
        if (t == 0) size[depth % 2] = 0;
        if (BUG != 5) __syncthreads();
    }
    list[t] = list[256 + t] = 0;
}
