#include <hip/hip_runtime.h>
extern "C" __global__ void philox(uint4* out, unsigned seed, int rounds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c0 = i, c1 = 0, c2 = seed, c3 = 7, k0 = seed, k1 = 0x1234567u;
  for (int b = 0; b < rounds; ++b) {
#pragma unroll
    for (int r = 0; r < 10; ++r) {
      unsigned long long p0 = (unsigned long long)0xD2511F53u * c0, p1 = (unsigned long long)0xCD9E8D57u * c2;
      unsigned n0 = (unsigned)(p1 >> 32) ^ c1 ^ k0, n2 = (unsigned)(p0 >> 32) ^ c3 ^ k1;
      c1 = (unsigned)p1; c3 = (unsigned)p0; c0 = n0; c2 = n2; k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
  }
  out[i] = make_uint4(c0, c1, c2, c3);
}
