#include <hip/hip_runtime.h>
extern "C" __global__ void scan(int* out, const int* in) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int d = 1; d < 512; d <<= 1) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = s[t];
}
