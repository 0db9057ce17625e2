// Softmax of rows of different lengths, a wave each.
extern "C" __global__ void rows(const float *x, const int *begin, int count, float *y) {
    const int lanes = warpSize, lane = threadIdx.x % lanes;
    const int row = blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes;
    if (row >= count) return;
    const int first = begin[row], last = begin[row + 1];
    float top = -INFINITY;
    for (int i = first + lane; i < last; i += lanes) top = fmaxf(top, x[i]);
    for (int d = lanes / 2; d > 0; d >>= 1) top = fmaxf(top, __shfl_xor(top, d));
    float sum = 0.0f;
    for (int i = first + lane; i < last; i += lanes) sum += expf(x[i] - top);
    for (int d = lanes / 2; d > 0; d >>= 1) sum += __shfl_xor(sum, d);
    for (int i = first + lane; i < last; i += lanes) y[i] = expf(x[i] - top) / sum;
}
