// Kernels with one fault each, as programs have them, whose profiles show what rules about counters say: see kernels.py.

#define LOOP(n) for (int i = 0; i < (n); ++i)

#ifdef TRANSPOSE
// A tile that is written by rows and read by columns without padding: all 32 lanes meet in one bank, again and again.
extern "C" __global__ void transpose(const float *x, float *y) {
    __shared__ float tile[32][32];
    int across = blockIdx.x * 32 + threadIdx.x, down = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) tile[j][threadIdx.x] = x[(down + j) * SIDE + across];
    __syncthreads();
    float sum[4] = {0, 0, 0, 0};
    LOOP(ROUNDS) for (int j = 0; j < 4; ++j) sum[j] += tile[threadIdx.x][(threadIdx.y + 8 * j + i) % 32];
    for (int j = 0; j < 4; ++j) y[(blockIdx.x * 32 + threadIdx.y + 8 * j) * SIDE + down + threadIdx.x] = sum[j];
}
#endif

#ifdef SHARED
// An operand from shared memory for each addition, without conflicts: its path moves 128 bytes a clock, and that is all.
extern "C" __global__ void shared(const float *x, float *y) {
    __shared__ volatile float tile[2048];
    int at = blockIdx.x * 256 + threadIdx.x;
    for (int j = 0; j < 8; ++j) tile[256 * j + threadIdx.x] = x[256 * j + threadIdx.x];
    __syncthreads();
    float sum[4] = {0, 0, 0, 0};
#pragma unroll 1
    LOOP(ROUNDS) {
        for (int j = 0; j < 32; ++j) sum[j % 4] += tile[(j % 8) * 256 + (threadIdx.x ^ (j / 8 * 32))];
    }
    y[at] = sum[0] + sum[1] + sum[2] + sum[3];
}
#endif

#ifdef CONVERT
// Bytes that become floats one by one: a conversion for each multiply-add.
extern "C" __global__ void convert(const unsigned *x, float *y) {
    int at = blockIdx.x * 256 + threadIdx.x;
    unsigned word = x[at];
    float sum[4] = {0, 0, 0, 0};
#pragma unroll 8
    LOOP(ROUNDS) {
        for (int j = 0; j < 4; ++j) sum[j] = sum[j] * 0.5f + (float)((word >> (8 * j)) & 255u);
        word = word * 1664525u + 1013904223u;
    }
    y[at] = sum[0] + sum[1] + sum[2] + sum[3];
}
#endif

#ifdef GATHER
// Lookups of whole lines of which each needs the one before, by blocks that take so much shared memory that eight warps fit on a unit:
// no level of the memory is near its limit, nobody else runs while a warp waits.
extern "C" __global__ void gather(const int *x, int *y) {
    __shared__ int held[12000];
    int lane = threadIdx.x % 32;
    held[threadIdx.x] = 2 * blockIdx.x + threadIdx.x / 32;
    __syncthreads();
    int row = held[threadIdx.x ^ 32];
    LOOP(ROUNDS) row = x[32 * row + lane];
    y[blockIdx.x * 64 + threadIdx.x] = row;
}
#endif

#ifdef TAIL
// Long blocks, a few more than fit at once: the last ones run alone.
extern "C" __global__ void tail(const float *x, float *y) {
    int at = blockIdx.x * 1024 + threadIdx.x;
    float a = x[at], b = 0.5f;
    LOOP(ROUNDS) { a = a * 0.999f + b; b = b * 0.5f + 0.001f; }
    y[at] = a + b;
}
#endif

#ifdef OLDER
// Products by the instruction of Ampere, which Hopper runs at part of its speed.
extern "C" __global__ void older(const float *x, float *y) {
    int at = blockIdx.x * 128 + threadIdx.x;
    unsigned a = __float_as_uint(x[at]) & 0x3c003c00u;
    float d[8][4] = {};
    LOOP(ROUNDS)
    for (int j = 0; j < 8; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3]) : "r"(a));
    float sum = 0;
    for (int j = 0; j < 8; ++j) sum += d[j][0] + d[j][1] + d[j][2] + d[j][3];
    y[at] = sum;
}
#endif

#ifdef LONG
// A body of a quarter of a MiB: instructions come from the second-level cache.
#define F1 asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(a) : "f"(b));
#define F8 F1 F1 F1 F1 F1 F1 F1 F1
#define F64 F8 F8 F8 F8 F8 F8 F8 F8
#define F512 F64 F64 F64 F64 F64 F64 F64 F64
#define F4K F512 F512 F512 F512 F512 F512 F512 F512
#define F16K F4K F4K F4K F4K
extern "C" __global__ void longer(const float *x, float *y) {
    int at = blockIdx.x * 64 + threadIdx.x;
    float a = x[at], b = 0.5f * a;
#pragma unroll 1
    LOOP(ROUNDS) { F16K }
    y[at] = a;
}
#endif

#ifdef MASKED
// Sums of products below the diagonal only, computed everywhere and thrown away above it.
extern "C" __global__ void masked(const float *x, float *y) {
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < DEPTH; ++k) sum += x[row * DEPTH + k] * x[k * SIDE + column];
    y[row * SIDE + column] = column <= row ? sum : 0.0f;
}
#endif
