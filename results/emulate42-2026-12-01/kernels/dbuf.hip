// Product of row-major matrices, two buffers of local memory in turn.
#define T 16

extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float left[2][T][T + 1];
    __shared__ float right[2][T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    const int steps = (k + T - 1) / T;
    float sum = 0;
    left[0][y][x] = row < m && x < k ? a[row * k + x] : 0.0f;
    right[0][y][x] = y < k && col < n ? b[y * n + col] : 0.0f;
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        const int now = s & 1, next = now ^ 1;
        if (s + 1 < steps) {
            const int at = (s + 1) * T;
            left[next][y][x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
            right[next][y][x] = at + y < k && col < n ? b[(at + y) * n + col] : 0.0f;
        }
        for (int i = 0; i < T; ++i) sum += left[now][y][i] * right[now][i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
