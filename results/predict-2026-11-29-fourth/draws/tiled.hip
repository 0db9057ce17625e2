#include <hip/hip_runtime.h>
extern "C" __global__ void tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float x[16][16], y[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, q = blockIdx.x * 16 + tx;
  float s = 0;
  for (int k = 0; k < n; k += 16) {
    x[ty][tx] = a[r * n + k + tx];
    y[ty][tx] = b[(k + ty) * n + q];
    __syncthreads();
    for (int j = 0; j < 16; ++j) s += x[ty][j] * y[j][tx];
    __syncthreads();
  }
  c[r * n + q] = s;
}
