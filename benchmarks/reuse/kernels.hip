// Kernels whose time is decided by where data are when they are asked for. One text for HIP (clang, AMD) and CUDA (NVRTC): all sizes
// are macros. Each KERNEL is a family of configurations; spaces.py names their parameters and launches.
#if defined(__HIP__)
#include <hip/hip_runtime.h>
#endif
#define PASTE_(x) #x
#define UNROLLED(n) _Pragma(PASTE_(unroll n))

// Sum of channels, each shifted in time as a trial of dispersion says: neighbouring trials read nearly the same bytes.
#ifdef DISPERSION
extern "C" __global__ void dispersion(const unsigned char *in, const float *delay, float *out) {
    const int t0 = blockIdx.x * (BX * TX) + (SX ? threadIdx.x : threadIdx.x * TX);
    const int d0 = blockIdx.y * (BY * TY) + (SY ? threadIdx.y : threadIdx.y * TY);
    float sum[TY][TX];
#pragma unroll
    for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) sum[j][i] = 0.0f;
    UNROLLED(UNROLL)
    for (int c = 0; c < CHANNELS; c++) {
        const float slope = delay[c];
        const unsigned char *row = in + (size_t)c * PITCH;
#pragma unroll
        for (int j = 0; j < TY; j++) {
            const int shift = (int)((d0 + (SY ? j * BY : j)) * slope);
#pragma unroll
            for (int i = 0; i < TX; i++) sum[j][i] += row[t0 + (SX ? i * BX : i) + shift];
        }
    }
#pragma unroll
    for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) {
            const int t = t0 + (SX ? i * BX : i), d = d0 + (SY ? j * BY : j);
            out[(size_t)d * SAMPLES + t] = sum[j][i];
        }
}
#endif

// A matrix turned around; FLIP exchanges the side that is read along its rows, SWAP the order of the groups.
#ifdef TURN
extern "C" __global__ void turn(const float *in, float *out) {
    const int gx = SWAP ? blockIdx.y : blockIdx.x, gy = SWAP ? blockIdx.x : blockIdx.y;
#pragma unroll
    for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) {
            const int x = gx * (BX * TX) + i * BX + threadIdx.x, y = gy * (BY * TY) + j * BY + threadIdx.y;
            if (FLIP) out[(size_t)y * SIDE + x] = in[(size_t)x * SIDE + y];
            else out[(size_t)x * SIDE + y] = in[(size_t)y * SIDE + x];
        }
}
#endif

// Seven points of a volume; each work-item goes through TZ planes.
#ifdef SEVEN
extern "C" __global__ void seven(const float *in, float *out) {
    const int x = blockIdx.x * BX + threadIdx.x + 1, y = blockIdx.y * BY + threadIdx.y + 1;
    const int z0 = (blockIdx.z * BZ + threadIdx.z) * TZ + 1;
    const size_t row = NX + 2, plane = row * (NY + 2);
    UNROLLED(UNROLL)
    for (int k = 0; k < TZ; k++) {
        const float *p = in + (z0 + k) * plane + y * row + x;
        out[(z0 + k) * plane + y * row + x] =
            0.4f * p[0] + 0.1f * (p[-1] + p[1] + p[-(long)row] + p[row] + p[-(long)plane] + p[plane]);
    }
}
#endif

// A product of matrices without local memory; GROUP rows of groups are dealt column by column.
#ifdef PRODUCT
extern "C" __global__ void product(const float *a, const float *b, float *c) {
    const int wide = SIDE / (BX * TX), high = SIDE / (BY * TY);
    const int id = blockIdx.x, band = id / (GROUP * wide), rest = id % (GROUP * wide);
    const int rows = high - band * GROUP < GROUP ? high - band * GROUP : GROUP;
    const int gy = band * GROUP + rest % rows, gx = rest / rows;
    const int x = gx * (BX * TX) + threadIdx.x, y = gy * (BY * TY) + threadIdx.y;
    float sum[TY][TX];
#pragma unroll
    for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) sum[j][i] = 0.0f;
#pragma unroll 4
    for (int k = 0; k < DEPTH; k++) {
        float right[TX];
#pragma unroll
        for (int i = 0; i < TX; i++) right[i] = b[(size_t)k * SIDE + x + i * BX];
#pragma unroll
        for (int j = 0; j < TY; j++) {
            const float left = a[(size_t)(y + j * BY) * DEPTH + k];
#pragma unroll
            for (int i = 0; i < TX; i++) sum[j][i] += left * right[i];
        }
    }
#pragma unroll
    for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) c[(size_t)(y + j * BY) * SIDE + x + i * BX] = sum[j][i];
}
#endif

// Sums of a matrix's rows with weights; LANES work-items share a row, each takes every LANES-th element (or its own part: OWN).
#ifdef ROWS
extern "C" __global__ void rows(const float *a, const float *x, float *part) {
    const int id = blockIdx.x * BX + threadIdx.x, row = id / LANES, lane = id % LANES;
    const float *p = a + (size_t)row * WIDE;
    float sum = 0.0f;
    UNROLLED(UNROLL)
    for (int n = 0; n < WIDE / LANES; n++) {
        const int at = OWN ? lane * (WIDE / LANES) + n : n * LANES + lane;
        sum += p[at] * x[at];
    }
    part[id] = sum;
}
#endif
