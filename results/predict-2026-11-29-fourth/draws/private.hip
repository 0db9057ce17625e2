#include <hip/hip_runtime.h>
extern "C" __global__ void privatearray(float* out, const int* step, int rounds) {
  float a[256];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 256; ++k) a[k] = k + t;
  int p = step[0];
  for (int r = 0; r < rounds; ++r) { a[(r * p) & 255] += a[(r * p + 17) & 255]; }
  float s = 0;
  for (int k = 0; k < 256; ++k) s += a[k];
  out[t] = s;
}
