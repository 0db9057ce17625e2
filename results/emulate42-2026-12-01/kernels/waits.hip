// Loads and waits by hand: y[i] = x[i] * s[i % 64] + x[i + 64], s through local memory. RDNA 3.
extern "C" __global__ void waits(const float *x, const float *s, float *y, int n) {
    __shared__ float scale[64];
    const int t = threadIdx.x, at = blockIdx.x * 128 + t;
    float first, second, factor;
    const float *p = x + at;
    if (t < 64) scale[t] = s[t];
    asm volatile("global_load_b32 %0, %1, off" : "=&v"(first) : "v"(p));
    asm volatile("global_load_b32 %0, %1, off offset:256" : "=&v"(second) : "v"(p));
    __syncthreads();
    const unsigned place = (unsigned)(size_t)(__attribute__((address_space(3))) float *)&scale[t % 64];
    asm volatile("ds_load_b32 %0, %1" : "=&v"(factor) : "v"(place));
    asm volatile("s_waitcnt vmcnt(1)" : "+v"(first));
    float product = first;
    asm volatile("s_waitcnt lgkmcnt(0)" : "+v"(factor));
    product *= factor;
    asm volatile("s_waitcnt vmcnt(0)" : "+v"(second));
    if (at < n) y[at] = product + second;
}
