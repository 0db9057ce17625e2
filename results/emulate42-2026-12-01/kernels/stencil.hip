// Two steps of averaging four neighbours, edges repeated, in local memory.
#define T 16
#define E (T + 4)

extern "C" __global__ void average(const float *u, float *v, int w, int h) {
    __shared__ float a[E][E];
    __shared__ float b[E][E];
    const int t = threadIdx.y * T + threadIdx.x;
    const int x0 = blockIdx.x * T - 2, y0 = blockIdx.y * T - 2;
    for (int i = t; i < E * E; i += T * T) {
        const int gx = min(max(x0 + i % E, 0), w - 1), gy = min(max(y0 + i / E, 0), h - 1);
        a[i / E][i % E] = u[gy * w + gx];
    }
    __syncthreads();
    for (int i = t; i < (E - 2) * (E - 2); i += T * T) {
        const int x = i % (E - 2) + 1, y = i / (E - 2) + 1;
        b[y][x] = 0.25f * (a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1]);
    }
    __syncthreads();
    const int x = threadIdx.x + 2, y = threadIdx.y + 2;
    const int gx = x0 + x, gy = y0 + y;
    if (gx < w && gy < h) v[gy * w + gx] = 0.25f * (b[y - 1][x] + b[y + 1][x] + b[y][x - 1] + b[y][x + 1]);
}
