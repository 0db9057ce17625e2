#include <hip/hip_runtime.h>
#define S 2048
#define D 512
// a: Morton order of tiles
extern "C" __global__ __launch_bounds__(256) void morton(const float *a, const float *b, float *c) {
    int id = blockIdx.x, bx = 0, by = 0;
    for (int k = 0; k < 6; k++) { bx |= ((id >> (2 * k)) & 1) << k; by |= ((id >> (2 * k + 1)) & 1) << k; }
    const int x = bx * 32 + threadIdx.x % 32, y = by * 32 + threadIdx.x / 32 * 4;
    float s[4] = {};
    for (int k = 0; k < D; k++) { const float r = b[k * S + x]; for (int j = 0; j < 4; j++) s[j] += a[(y + j) * D + k] * r; }
    for (int j = 0; j < 4; j++) c[(y + j) * S + x] = s[j];
}
// b: lower triangle of tiles, group number to row and column
extern "C" __global__ __launch_bounds__(256) void triangle(const float *a, float *c) {
    const int id = blockIdx.x;
    int i = (int)((sqrtf(8.f * id + 1.f) - 1.f) * 0.5f);
    while ((i + 1) * (i + 2) / 2 <= id) i++;
    while (i * (i + 1) / 2 > id) i--;
    const int j = id - i * (i + 1) / 2;
    const int x = j * 32 + threadIdx.x % 32, y = i * 32 + threadIdx.x / 32 * 4;
    float s[4] = {};
    for (int k = 0; k < D; k++) { const float r = a[k * S + x]; for (int q = 0; q < 4; q++) s[q] += a[k * S + y + q] * r; }
    for (int q = 0; q < 4; q++) c[(y + q) * S + x] = s[q];
}
// c: persistent groups over tiles
extern "C" __global__ __launch_bounds__(256) void persistent(const float *a, const float *b, float *c, int tiles) {
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int x = t % 64 * 32 + threadIdx.x % 32, y = t / 64 * 32 + threadIdx.x / 32 * 4;
        float s[4] = {};
        for (int k = 0; k < D; k++) { const float r = b[k * S + x]; for (int j = 0; j < 4; j++) s[j] += a[(y + j) * D + k] * r; }
        for (int j = 0; j < 4; j++) c[(y + j) * S + x] = s[j];
    }
}
// d: tiles of a batch of seven, groups dealt by division, parts of the sum by group
extern "C" __global__ __launch_bounds__(256) void batched(const float *a, const float *b, float *c) {
    const int id = blockIdx.x, part = id % 3, t = id / 3 % (12 * 12), n = id / (3 * 144);
    const int x = t % 12 * 32 + threadIdx.x % 32, y = t / 12 * 32 + threadIdx.x / 32 * 4;
    const float *A = a + n * 384 * D, *B = b + n * D * 384;
    float s[4] = {};
    for (int k = part * 170; k < part * 170 + 170; k++) { const float r = B[k * 384 + x]; for (int j = 0; j < 4; j++) s[j] += A[(y + j) * D + k] * r; }
    for (int j = 0; j < 4; j++) c[((part * 7 + n) * 384 + y + j) * 384 + x] = s[j];
}
