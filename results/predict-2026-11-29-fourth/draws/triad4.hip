#include <hip/hip_runtime.h>
extern "C" __global__ void triad4(float4* a, const float4* b, const float4* c, float q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = b[i], v = c[i];
  a[i] = make_float4(u.x + q * v.x, u.y + q * v.y, u.z + q * v.z, u.w + q * v.w);
}
