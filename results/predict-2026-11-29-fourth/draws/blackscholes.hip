#include <hip/hip_runtime.h>
__device__ float cnd(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * __expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? 1.0f - c : c;
}
extern "C" __global__ void blackscholes(float* call, float* put, const float* s, const float* x, const float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sq = sqrtf(t[i]), d1 = (__logf(s[i] / x[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * t[i]) / (0.3f * sq), d2 = d1 - 0.3f * sq;
  float c1 = cnd(d1), c2 = cnd(d2), e = __expf(-0.02f * t[i]);
  call[i] = s[i] * c1 - x[i] * e * c2;
  put[i] = x[i] * e * (1.0f - c2) - s[i] * (1.0f - c1);
}
