#include <hip/hip_runtime.h>
extern "C" __global__ void newton(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = fabsf(in[i]) + 1.0f, x = v;
  while (fabsf(x * x - v) > 1e-4f * v) x = 0.5f * (x + v / x);
  out[i] = x;
}
