#include <hip/hip_runtime.h>
typedef float f16v __attribute__((ext_vector_type(16)));
typedef _Float16 h8 __attribute__((ext_vector_type(4)));
extern "C" __global__ void mfma(float* out, const h8* in, int rounds) {
  f16v c0 = {}, c1 = {}, c2 = {}, c3 = {};
  h8 a = in[threadIdx.x], b = in[threadIdx.x + 64];
  for (int r = 0; r < rounds; ++r) {
    c0 = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c0, 0, 0, 0);
    c1 = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c1, 0, 0, 0);
    c2 = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c2, 0, 0, 0);
    c3 = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c3, 0, 0, 0);
  }
  float s = 0;
  for (int k = 0; k < 16; ++k) s += c0[k] + c1[k] + c2[k] + c3[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
