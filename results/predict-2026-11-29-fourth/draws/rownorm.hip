#include <hip/hip_runtime.h>
extern "C" __global__ void rownorm(float* out, const float* in, const float* g, int cols) {
  __shared__ float part[16];
  const float* r = in + (long)blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += r[c] * r[c];
  for (int d = warpSize / 2; d; d >>= 1) s += __shfl_xor(s, d);
  if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = s;
  __syncthreads();
  float t = 0;
  for (int k = 0; k < (int)blockDim.x / warpSize; ++k) t += part[k];
  float q = rsqrtf(t / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[(long)blockIdx.x * cols + c] = r[c] * q * g[c];
}
