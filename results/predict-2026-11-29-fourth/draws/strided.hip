#include <hip/hip_runtime.h>
extern "C" __global__ void strided(float* out, const float* in, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(long)i * stride];
}
