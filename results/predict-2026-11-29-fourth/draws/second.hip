#include <hip/hip_runtime.h>
extern "C" __global__ void softmaxrow(float* out, const float* in, int cols) {
  const float* r = in + (long)blockIdx.x * cols; float m = -1e30f, s = 0;
  for (int c = threadIdx.x; c < cols; c += 64) m = fmaxf(m, r[c]);
  for (int d = warpSize / 2; d; d >>= 1) m = fmaxf(m, __shfl_xor(m, d));
  for (int c = threadIdx.x; c < cols; c += 64) s += __expf(r[c] - m);
  for (int d = warpSize / 2; d; d >>= 1) s += __shfl_xor(s, d);
  for (int c = threadIdx.x; c < cols; c += 64) out[(long)blockIdx.x * cols + c] = __expf(r[c] - m) / s;
}
extern "C" __global__ void spmvell(float* y, const int* col, const float* val, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;
  for (int k = 0; k < 16; ++k) s += val[k * n + i] * x[col[k * n + i] * 977];
  y[i] = s;
}
extern "C" __global__ void bitrev(float* out, const float* in, int bits) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> (32 - bits)] = in[i];
}
extern "C" __global__ void collatz(int* out) {
  unsigned long long v = blockIdx.x * blockDim.x + threadIdx.x + 1; int n = 0;
  while (v != 1) { v = (v & 1) ? 3 * v + 1 : v >> 1; ++n; }
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
extern "C" __global__ void relu_skip(float* out, const float* in) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float v = in[i];
  if (v > 0) out[i] = v;
}
extern "C" __global__ void sortedinsert(float* out, const float* in) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float a[8];
  for (int k = 0; k < 8; ++k) a[k] = in[i * 8 + k];
  for (int k = 1; k < 8; ++k) { float v = a[k]; int j = k; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; --j; } a[j] = v; }
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = a[k];
}
extern "C" __global__ void trirow(float* y, const float* a, const float* x, int n) {
  int row = blockIdx.x; float s = 0;
  for (int c = threadIdx.x; c <= row; c += 64) s += a[(long)row * n + c] * x[c];
  for (int d = warpSize / 2; d; d >>= 1) s += __shfl_xor(s, d);
  if (threadIdx.x == 0) y[row] = s;
}
extern "C" __global__ void crc(unsigned* out, const unsigned* in, const unsigned* table, int words) {
  __shared__ unsigned t[256];
  t[threadIdx.x] = table[threadIdx.x]; __syncthreads();
  unsigned i = blockIdx.x * 256 + threadIdx.x, c = ~0u;
  for (int w = 0; w < words; ++w) { unsigned v = in[w * gridDim.x * 256 + i];
    for (int b = 0; b < 4; ++b) { c = t[(c ^ v) & 255] ^ (c >> 8); v >>= 8; } }
  out[i] = ~c;
}
extern "C" __global__ void fft4(float2* out, const float2* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];
  float2 s = {a.x + c.x, a.y + c.y}, t = {a.x - c.x, a.y - c.y}, u = {b.x + d.x, b.y + d.y}, v = {b.y - d.y, d.x - b.x};
  out[4 * i] = make_float2(s.x + u.x, s.y + u.y); out[4 * i + 1] = make_float2(t.x + v.x, t.y + v.y);
  out[4 * i + 2] = make_float2(s.x - u.x, s.y - u.y); out[4 * i + 3] = make_float2(t.x - v.x, t.y - v.y);
}
extern "C" __global__ void wavecount(int* n, const float* in) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  unsigned long long b = __ballot(in[i] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(n, __popcll(b));
}
extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void laplace(float* out, const float* in, int w) {
  __shared__ float s[18][66];
  int tx = threadIdx.x, ty = threadIdx.y; long x = blockIdx.x * 64 + tx + 1, y = blockIdx.y * 16 + ty + 1;
  s[ty + 1][tx + 1] = in[y * w + x];
  if (tx == 0) s[ty + 1][0] = in[y * w + x - 1];
  if (tx == 63) s[ty + 1][65] = in[y * w + x + 1];
  if (ty == 0) s[0][tx + 1] = in[(y - 1) * w + x];
  if (ty == 15) s[17][tx + 1] = in[(y + 1) * w + x];
  __syncthreads();
  out[y * w + x] = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - 4 * s[ty + 1][tx + 1];
}
extern "C" __global__ void conv1d(float* out, const float* in, const float* w) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float s = 0;
  for (int k = 0; k < 63; ++k) s += in[i + k] * w[k];
  out[i] = s;
}
extern "C" __global__ void dotpart(float* out, const float* a, const float* b, int n) {
  __shared__ float p[256]; float s = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) s += a[i] * b[i];
  p[threadIdx.x] = s; __syncthreads();
  for (int d = 128; d; d >>= 1) { if (threadIdx.x < d) p[threadIdx.x] += p[threadIdx.x + d]; __syncthreads(); }
  if (threadIdx.x == 0) out[blockIdx.x] = p[0];
}
