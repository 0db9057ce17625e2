#include <hip/hip_runtime.h>
extern "C" __global__ void fmachain(float* out, float m, int rounds) {
  float a = threadIdx.x * 0.001f;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 32; ++k) a = fmaf(a, m, 0.5f);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
