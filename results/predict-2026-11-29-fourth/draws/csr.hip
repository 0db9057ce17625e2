#include <hip/hip_runtime.h>
extern "C" __global__ void csr_scalar(float* y, const int* row, const int* col, const float* val, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = row[i]; k < row[i + 1]; ++k) s += val[k] * x[col[k]];
  y[i] = s;
}
