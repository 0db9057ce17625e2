// Two tiles of local memory in turn, one barrier per step: each step reads the tile that the step before wrote.
// WAITS=1 spells out the wait that the release fence stands for, 0xc07f being lgkmcnt(0) on gfx9 and 0xfc07 on gfx11.
#ifdef WAITS
#ifdef __GFX11__
#define WRITES_DONE() __builtin_amdgcn_s_waitcnt(0xfc07)
#else
#define WRITES_DONE() __builtin_amdgcn_s_waitcnt(0xc07f)
#endif
#else
#define WRITES_DONE()
#endif
#define BARRIER()                                              \
    WRITES_DONE();                                             \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");     \
    __builtin_amdgcn_s_barrier();                              \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(256, 256)))
void ring(const float* x, const float* w, float* y, int n) {
    __shared__ float tile[2][256];
    int t = threadIdx.x;
    tile[0][t] = x[t];
    float scale = w[blockIdx.x];  // a scalar load: its wait before the loop also completes the write above
    float sum = scale;
    for (int i = 0; i < n; ++i) {
        BARRIER();
        float next = x[(i + 1) * 256 + t];
        sum += tile[i & 1][t ^ 64] * scale;
        tile[(i + 1) & 1][t] = next;
    }
    y[t] = sum;
}
