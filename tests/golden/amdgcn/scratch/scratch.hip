// One kernel with an array in private memory, one with nothing but spills, one that calls a function with an array.
extern "C" __global__ void array(float* y, const int* places, int n) {
  float a[64];
#pragma unroll 1
  for (int i = 0; i < 64; ++i) a[i] = y[i * n];
  int k = places[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; ++i) a[(k + i) & 63] += 1.0f;
  y[threadIdx.x] = a[k & 63];
}

extern "C" __global__ __attribute__((amdgpu_num_vgpr(24))) void spills(float* y, const float* x, int n) {
  float a[28];
#pragma unroll
  for (int i = 0; i < 28; ++i) a[i] = x[i * n + threadIdx.x];
  for (int j = 0; j < n; ++j)
#pragma unroll
    for (int i = 0; i < 28; ++i) a[i] = a[i] * a[(i + 7) % 28] + x[j];
#pragma unroll
  for (int i = 0; i < 28; ++i) y[i * n + threadIdx.x] = a[i];
}

extern "C" __device__ __attribute__((noinline)) float called(float* p, int k) {
  float a[16];
  for (int i = 0; i < 16; ++i) a[i] = p[i];
  a[k] = 2;
  return a[k / 2];
}

extern "C" __global__ void caller(float* y, int n) { y[threadIdx.x] = called(y, n); }
