
extern "C" __global__ void __launch_bounds__(GROUP) matrix_rate(unsigned short *out, const float result, const int iterations) {
    float sums[TILES][4] = {};
    const unsigned pair = HALVES;  // two elements of 0.5
    for (int k = 0; k < iterations; ++k)
#pragma unroll
        for (int step = 0; step < UNROLL / TILES; ++step)
#pragma unroll
            for (int t = 0; t < TILES; ++t)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." PTX "." PTX ".f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
                             "{%4, %4}, {%0, %1, %2, %3};"
                             : "+f"(sums[t][0]), "+f"(sums[t][1]), "+f"(sums[t][2]), "+f"(sums[t][3]) : "r"(pair));
    float total = 0;
#pragma unroll
    for (int t = 0; t < TILES; ++t) total += sums[t][0] + sums[t][1] + sums[t][2] + sums[t][3];
    const float mean = total / (4 * TILES) / (4.0f * (UNROLL / TILES) * iterations);
    unsigned short bits;
    asm("cvt.rn." PTX ".f32 %0, %1;" : "=h"(bits) : "f"(mean * result));
    out[blockIdx.x * GROUP + threadIdx.x] = bits;
}
