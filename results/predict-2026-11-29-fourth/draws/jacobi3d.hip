#include <hip/hip_runtime.h>
extern "C" __global__ void jacobi3d(float* out, const float* in, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  long p = ((long)k * ny + j) * nx + i;
  out[p] = (in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx] + in[p - (long)nx * ny] + in[p + (long)nx * ny]) * (1.0f / 6.0f);
}
