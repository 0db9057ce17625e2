// Inclusive scan of whole numbers: each group waits for the sum of the one before it.
#define GROUP 128

extern "C" __global__ void chain(const int *x, int n, int *carry, int *state, unsigned *order, int *y) {
    __shared__ int tile[GROUP];
    __shared__ int before;
    __shared__ unsigned mine;
    const int t = threadIdx.x;
    if (t == 0) mine = atomicAdd(order, 1u);
    __syncthreads();
    const unsigned group = mine;
    const int at = group * GROUP + t;
    tile[t] = at < n ? x[at] : 0;
    __syncthreads();
    for (int d = 1; d < GROUP; d <<= 1) {
        const int add = t >= d ? tile[t - d] : 0;
        __syncthreads();
        tile[t] += add;
        __syncthreads();
    }
    if (t == 0) {
        int sum = 0;
        if (group > 0) {
            while (__hip_atomic_load(&state[group - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
            sum = carry[group - 1];
        }
        carry[group] = sum + tile[GROUP - 1];
        __hip_atomic_store(&state[group], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        before = sum;
    }
    __syncthreads();
    if (at < n) y[at] = before + tile[t];
}
