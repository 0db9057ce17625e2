#include <hip/hip_runtime.h>
// 1 template with CRTP functor, grid-stride
template <class D> struct Op { __device__ float operator()(float a) const { return static_cast<const D*>(this)->f(a); } };
struct Gelu : Op<Gelu> { __device__ float f(float x) const { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); } };
template <class O> __device__ void mapped(const float *x, float *y, int n) { O o; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = o(x[i]); }
extern "C" __global__ void gelu(const float *x, float *y, int n) { mapped<Gelu>(x, y, n); }
// 2 bitonic sort of a block in local memory
extern "C" __global__ void bitonic(const int *x, int *y) {
  __shared__ int s[256]; int t = threadIdx.x; s[t] = x[blockIdx.x * 256 + t]; __syncthreads();
  for (int k = 2; k <= 256; k <<= 1) for (int j = k >> 1; j; j >>= 1) { int o = t ^ j; if (o > t) { bool up = (t & k) == 0; int a = s[t], b = s[o]; if ((a > b) == up) { s[t] = b; s[o] = a; } } __syncthreads(); }
  y[blockIdx.x * 256 + t] = s[t];
}
// 3 histogram with shared atomics then global
extern "C" __global__ void histogram(const unsigned char *x, unsigned *h, int n) {
  __shared__ unsigned s[64]; if (threadIdx.x < 64) s[threadIdx.x] = 0; __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[x[i] & 63], 1u);
  __syncthreads(); if (threadIdx.x < 64) atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
// 4 inclusive scan by ballots and shuffles
extern "C" __global__ void compact(const int *x, int *y, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; bool keep = i < n && (x[i] % 3) == 0;
  unsigned long long m = __ballot(keep); int lane = threadIdx.x % warpSize; int before = __popcll(m & ((1ull << lane) - 1)); int base = 0;
  if (lane == 0) base = atomicAdd(count, __popcll(m)); base = __shfl(base, 0); if (keep) y[base + before] = x[i];
}
// 5 switch with function pointer-like table, recursion by hand, doubles
extern "C" __global__ void orbits(const double *p, double *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; double x = p[2 * i], y = p[2 * i + 1], a = 0, b = 0; int k = 0;
  while (a * a + b * b < 4.0 && k < 60) { double t = a * a - b * b + x; b = 2 * a * b + y; a = t; ++k; } q[i] = k + (k < 60 ? log2(a * a + b * b) : 0.0);
}
// 6 float4 stencil with halo in local memory, macros
#define AT(r, c) tile[(r) * 34 + (c)]
extern "C" __global__ void blur(const float *x, float *y, int h, int w) {
  __shared__ float tile[10 * 34]; int bx = blockIdx.x * 32, by = blockIdx.y * 8;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) { int r = min(max(by + k / 34 - 1, 0), h - 1), c = min(max(bx + k % 34 - 1, 0), w - 1); tile[k] = x[r * w + c]; }
  __syncthreads(); int r = threadIdx.y + 1, c = threadIdx.x + 1, gy = by + threadIdx.y, gx = bx + threadIdx.x; float s = 0;
  #pragma unroll
  for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx) s += AT(r + dy, c + dx) * (dx == 0 ? 2.f : 1.f) * (dy == 0 ? 2.f : 1.f);
  if (gy < h && gx < w) y[gy * w + gx] = s * 0.0625f;
}
// 7 struct by value, pointers in a struct, strided copy with 64-bit indices
struct Box { const short *src; short *dst; long long stride; int n; float scale; };
extern "C" __global__ void boxed(const short *src, short *dst, long long stride, int n, float scale) { Box b{src, dst, stride, n, scale}; long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; if (i < b.n) b.dst[i * b.stride] = (short)(b.src[i] * b.scale); }
// 8 constant table, byte permutations: crc32
__constant__ unsigned crc_nibble[16] = {0x00000000,0x1db71064,0x3b6e20c8,0x26d930ac,0x76dc4190,0x6b6b51f4,0x4db26158,0x5005713c,0xedb88320,0xf00f9344,0xd6d6a3e8,0xcb61b38c,0x9b64c2b0,0x86d3d2d4,0xa00ae278,0xbdbdf21c};
extern "C" __global__ void crc(const unsigned char *x, unsigned *y, int len) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned c = ~0u; for (int k = 0; k < len; ++k) { c ^= x[i * len + k]; c = (c >> 4) ^ crc_nibble[c & 15]; c = (c >> 4) ^ crc_nibble[c & 15]; } y[i] = ~c; }
// 9 local array with dynamic index (private memory), insertion sort
extern "C" __global__ void insertion(const float *x, float *y) { float a[16]; int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < 16; ++k) { float v = x[i * 16 + k]; int j = k; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; --j; } a[j] = v; } for (int k = 0; k < 16; ++k) y[i * 16 + k] = a[k]; }
// 10 half2 arithmetic, fma
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
extern "C" __global__ void axpy2(const h2 *x, h2 *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * (h2){(_Float16)1.5f, (_Float16)-0.25f} + y[i]; }
// 11 64-bit integer arithmetic: modular power
extern "C" __global__ void modpow(const unsigned long long *x, unsigned long long *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; unsigned long long b = x[i] % 1000003ull, r = 1, e = 65537 + i; while (e) { if (e & 1) r = r * b % 1000003ull; b = b * b % 1000003ull; e >>= 1; } y[i] = r; }
// 12 virtual-like dispatch by noinline calls
__attribute__((noinline)) __device__ float poly(float x, int k) { float s = 0; for (int i = 0; i <= k; ++i) s = s * x + (float)(i + 1); return s; }
extern "C" __global__ void calls(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = (i & 1) ? poly(x[i], i % 5) : poly(-x[i], 3); }
// 13 tree reduction with __shfl_down and min/max of pairs (argmax)
extern "C" __global__ void argmax(const float *x, int *y, int n) {
  __shared__ float v[32]; __shared__ int p[32]; float best = -1e30f; int at = -1; for (int i = threadIdx.x; i < n; i += blockDim.x) { float q = x[blockIdx.x * n + i]; if (q > best) { best = q; at = i; } }
  for (int d = warpSize / 2; d; d >>= 1) { float o = __shfl_down(best, d); int oi = __shfl_down(at, d); if (o > best || (o == best && oi < at)) { best = o; at = oi; } }
  int w = threadIdx.x / warpSize; if (threadIdx.x % warpSize == 0) { v[w] = best; p[w] = at; } __syncthreads();
  if (threadIdx.x == 0) { for (int k = 1; k < (int)(blockDim.x / warpSize); ++k) if (v[k] > best || (v[k] == best && p[k] < at)) { best = v[k]; at = p[k]; } y[blockIdx.x] = at; }
}
// 14 random numbers: xorshift and sincospi
extern "C" __global__ void normal(const unsigned *seed, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; unsigned s = seed[i] | 1u; s ^= s << 13; s ^= s >> 17; s ^= s << 5; float u = (s >> 8) * (1.0f / 16777216.0f) + 1e-7f; s ^= s << 13; s ^= s >> 17; s ^= s << 5; float t = (s >> 8) * (1.0f / 16777216.0f); y[i] = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * t); }
// 15 a transposed tile with padding and 16-bit elements
extern "C" __global__ void turn(const unsigned short *x, unsigned short *y, int h, int w) { __shared__ unsigned short t[32][33]; int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y; for (int k = 0; k < 32; k += 8) if (r + k < h && c < w) t[threadIdx.y + k][threadIdx.x] = x[(r + k) * w + c]; __syncthreads(); c = blockIdx.y * 32 + threadIdx.x; r = blockIdx.x * 32 + threadIdx.y; for (int k = 0; k < 32; k += 8) if (r + k < w && c < h) y[(r + k) * h + c] = t[threadIdx.x][threadIdx.y + k]; }
