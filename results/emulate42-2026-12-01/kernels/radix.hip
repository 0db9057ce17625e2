// Puts the keys of each group in the order of four of their bits, and counts them.
#define GROUP 128
#define BINS 16

extern "C" __global__ void digits(const unsigned *keys, int n, int shift, unsigned *sorted, int *counts) {
    __shared__ int hist[BINS];
    __shared__ int start[BINS];
    __shared__ unsigned char digit[GROUP];
    const int t = threadIdx.x, at = blockIdx.x * GROUP + t;
    if (t < BINS) hist[t] = 0;
    __syncthreads();
    unsigned key = 0, d = BINS;
    if (at < n) {
        key = keys[at];
        d = key >> shift & (BINS - 1);
        atomicAdd(&hist[d], 1);
    }
    digit[t] = d;
    __syncthreads();
    if (t < BINS) {
        int sum = 0;
        for (int i = 0; i < t; ++i) sum += hist[i];
        start[t] = sum;
        counts[blockIdx.x * BINS + t] = hist[t];
    }
    __syncthreads();
    if (at < n) {
        int rank = start[d];
        for (int i = 0; i < t; ++i) rank += digit[i] == d;
        sorted[blockIdx.x * GROUP + rank] = key;
    }
}
