
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
extern "C" __global__ void __launch_bounds__(GROUP) fma_rate(T *out, const T scale, const T shift, const int iterations) {
    const int item = blockIdx.x * GROUP + threadIdx.x;
#define DECLARE(i) T a##i = (T)(item + i);
    EACH(DECLARE)
    for (int k = 0; k < iterations; ++k) {
#define STEP(i) a##i = FMA(a##i, scale, shift);
        EACH(STEP)
    }
    T sum = 0;
#define ADD(i) sum += a##i;
    EACH(ADD)
    out[item] = sum;
}
