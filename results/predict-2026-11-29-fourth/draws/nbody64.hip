#include <hip/hip_runtime.h>
extern "C" __global__ void nbody64(double* acc, const double* pos, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = pos[3 * i], y = pos[3 * i + 1], z = pos[3 * i + 2], ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    double dx = pos[3 * j] - x, dy = pos[3 * j + 1] - y, dz = pos[3 * j + 2] - z;
    double r2 = dx * dx + dy * dy + dz * dz + 1e-9;
    double r = 1.0 / (r2 * r2);
    ax += dx * r; ay += dy * r; az += dz * r;
  }
  acc[3 * i] = ax; acc[3 * i + 1] = ay; acc[3 * i + 2] = az;
}
