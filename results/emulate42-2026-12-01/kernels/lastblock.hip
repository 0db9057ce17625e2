// Norms of n numbers; the group that comes last adds up what the others left.
#define GROUP 256

extern "C" __global__ void norms(const float *x, int n, float2 *parts, unsigned *ticket, float *out) {
    __shared__ float sums[GROUP];
    __shared__ float tops[GROUP];
    __shared__ bool last;
    const int t = threadIdx.x;
    float sum = 0, top = 0;
    for (int i = blockIdx.x * GROUP + t; i < n; i += GROUP * gridDim.x) {
        const float v = x[i];
        sum += v * v;
        top = fmaxf(top, fabsf(v));
    }
    sums[t] = sum;
    tops[t] = top;
    __syncthreads();
    for (int half = GROUP / 2; half > 0; half >>= 1) {
        if (t < half) {
            sums[t] += sums[t + half];
            tops[t] = fmaxf(tops[t], tops[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        parts[blockIdx.x] = make_float2(sums[0], tops[0]);
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = 0;
    top = 0;
    for (unsigned i = t; i < gridDim.x; i += GROUP) {
        const float2 p = parts[i];
        sum += p.x;
        top = fmaxf(top, p.y);
    }
    sums[t] = sum;
    tops[t] = top;
    __syncthreads();
    for (int half = GROUP / 2; half > 0; half >>= 1) {
        if (t < half) {
            sums[t] += sums[t + half];
            tops[t] = fmaxf(tops[t], tops[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        out[0] = sqrtf(sums[0]);
        out[1] = tops[0];
    }
}
