
#if WIDTH == 1
typedef T V;
#else
#define CAT(a, b) a##b
#define CAT2(a, b) CAT(a, b)
typedef CAT2(T, WIDTH) V;
#endif
#ifdef FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void fma_rate(__global T *out, const T scale, const T shift, const int iterations) {
    const int item = get_global_id(0);
#define DECLARE(i) V a##i = (V)((T)(item + i));
    EACH(DECLARE)
    const V s = (V)(scale), t = (V)(shift);
    for (int k = 0; k < iterations; ++k) {
#define STEP(i) a##i = fma(a##i, s, t);
        EACH(STEP)
    }
    V sum = (V)(0);
#define ADD(i) sum += a##i;
    EACH(ADD)
#if WIDTH == 1
    out[item] = sum;
#else
    T lanes[WIDTH] __attribute__((aligned(128)));
    *(V *)lanes = sum;
    T total = 0;
    for (int lane = 0; lane < WIDTH; ++lane) total += lanes[lane];
    out[item] = total;
#endif
}
