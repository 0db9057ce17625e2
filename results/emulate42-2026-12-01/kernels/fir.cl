// A filter of nine taps, four results a work-item from a window in registers.
#define GROUP 64
#define EACH 4
#define TAPS 9
#define TILE (GROUP * EACH + TAPS - 1)

__kernel void filter(__global const float *x, __constant float *taps, __global float *y, int n) {
    __local float tile[TILE];
    const int t = get_local_id(0), first = get_group_id(0) * GROUP * EACH;
    for (int i = t; i < TILE; i += GROUP) {
        const int at = first + i - TAPS / 2;
        tile[i] = at >= 0 && at < n ? x[at] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float window[TAPS + EACH - 1];
    for (int i = 0; i < TAPS + EACH - 1; ++i) window[i] = tile[t * EACH + i];
    float sums[EACH];
    for (int e = 0; e < EACH; ++e) sums[e] = 0.0f;
    for (int k = 0; k < TAPS; ++k)
        for (int e = 0; e < EACH; ++e) sums[e] += taps[k] * window[e + k];
    const int at = first + t * EACH;
    if (at + EACH <= n) {
        vstore4((float4)(sums[0], sums[1], sums[2], sums[3]), 0, y + at);
    } else {
        for (int e = 0; e < EACH; ++e)
            if (at + e < n) y[at + e] = sums[e];
    }
}
