#include <hip/hip_runtime.h>
extern "C" __global__ void ldsconflict(float* out, int rounds) {
  __shared__ float s[64 * 64];
  int t = threadIdx.x;
  for (int k = t; k < 4096; k += 64) s[k] = k;
  __syncthreads();
  float a = 0;
  for (int r = 0; r < rounds; ++r) a += s[(t * 64 + r) & 4095];
  out[blockIdx.x * 64 + t] = a;
}
