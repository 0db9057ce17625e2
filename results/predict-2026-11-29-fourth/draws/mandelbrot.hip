#include <hip/hip_runtime.h>
extern "C" __global__ void mandelbrot(int* out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float cr = -2.0f + 3.0f * x / w, ci = -1.5f + 3.0f * y / h, a = 0, b = 0;
  int n = 0;
  while (n < most && a * a + b * b < 4.0f) { float t = a * a - b * b + cr; b = 2 * a * b + ci; a = t; n++; }
  out[y * w + x] = n;
}
