#include <hip/hip_runtime.h>
extern "C" __global__ void bsearch_all(int* out, const float* keys, const float* sorted, int n, int q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= q) return;
  float k = keys[i];
  int lo = 0, hi = n;
  while (lo < hi) { int m = (lo + hi) >> 1; if (sorted[m] < k) lo = m + 1; else hi = m; }
  out[i] = lo;
}
