#include <hip/hip_runtime.h>
extern "C" __global__ void earlyout(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  if (v > 1.0f) for (int k = 0; k < 200; ++k) v = sinf(v) * 1.7f + 0.1f;
  out[i] = v;
}
