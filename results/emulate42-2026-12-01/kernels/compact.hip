// Keeps the numbers below a limit: slots by votes, a place in the result by an atomic.
#define GROUP 128

extern "C" __global__ void keep(const int *x, int n, int limit, unsigned *length, int *y) {
    __shared__ int count;
    __shared__ unsigned base;
    __shared__ int held[GROUP];
    const int t = threadIdx.x, lane = t % warpSize;
    const int at = blockIdx.x * GROUP + t;
    if (t == 0) count = 0;
    __syncthreads();
    const int v = at < n ? x[at] : limit;
    const bool take = v < limit;
    const unsigned long long votes = __ballot(take);
    int slot = 0;
    if (lane == 0) slot = atomicAdd(&count, __popcll(votes));
    slot = __shfl(slot, 0) + __popcll(votes & ((1ull << lane) - 1));
    if (take) held[slot] = v;
    __syncthreads();
    if (t == 0) base = atomicAdd(length, (unsigned)count);
    __syncthreads();
    if (t < count) y[base + t] = held[t];
}
