// Layer normalisation of the rows of a matrix: y = (x - mean) / sqrt(variance + EPSILON) * scale + shift.
// A block of THREADS threads takes one row. CUDA C++ and HIP C++ read the same text.
//
// VEC      floats of one access
// UNROLL   accesses of a thread that do not wait for each other
// HELD     1 keeps the row in registers; 0 reads it three times
// SHUFFLE  1 sums within a warp through registers; 0 through shared memory, with a barrier for each halving

constexpr int WIDTH = COLUMNS % VEC == 0 ? VEC : 1;
constexpr int VECTORS = COLUMNS / WIDTH;
constexpr int EACH = (VECTORS + THREADS - 1) / THREADS;

struct alignas(4 * WIDTH) Vec {
    float v[WIDTH];
};

#define WARP 32  // half a wave on AMD's larger GPUs, which does no harm
#ifdef __HIP__
#define ACROSS(value, distance) __shfl_xor(value, distance)
#else
#define ACROSS(value, distance) __shfl_xor_sync(0xFFFFFFFF, value, distance)
#endif

// The sum over all threads of the block, in every thread.
__device__ float block_sum(float value) {
    __shared__ float parts[THREADS];
    float total = 0;
#if SHUFFLE
    for (int distance = WARP / 2; distance > 0; distance /= 2) value += ACROSS(value, distance);
    if (threadIdx.x % WARP == 0) parts[threadIdx.x / WARP] = value;
    __syncthreads();
    for (int warp = 0; warp < THREADS / WARP; ++warp) total += parts[warp];
#else
    parts[threadIdx.x] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    total = parts[0];
#endif
    __syncthreads();
    return total;
}

#define PRAGMA(text) _Pragma(#text)
#if HELD
#define EACH_VECTOR PRAGMA(unroll) for (int i = 0, at = threadIdx.x; i < EACH; ++i, at += THREADS) if (at < VECTORS)
#define ROW kept[i]
#else
#define REPEATED(n) PRAGMA(unroll n)
#define EACH_VECTOR REPEATED(UNROLL) for (int i = 0, at = threadIdx.x; i < EACH; ++i, at += THREADS) if (at < VECTORS)
#define ROW in[at]
#endif

__global__ void __launch_bounds__(THREADS)
layernorm(const float *x, const float *scale, const float *shift, float *y) {
    const Vec *in = (const Vec *)(x + (size_t)blockIdx.x * COLUMNS);
    Vec *out = (Vec *)(y + (size_t)blockIdx.x * COLUMNS);
#if HELD
    Vec kept[EACH];
    EACH_VECTOR kept[i] = in[at];
#endif
    float sum = 0;
    EACH_VECTOR {
        const Vec row = ROW;
        for (int e = 0; e < WIDTH; ++e) sum += row.v[e];
    }
    const float mean = block_sum(sum) / COLUMNS;

    float squares = 0;
    EACH_VECTOR {
        const Vec row = ROW;
        for (int e = 0; e < WIDTH; ++e) squares += (row.v[e] - mean) * (row.v[e] - mean);
    }
    const float factor = rsqrtf(block_sum(squares) / COLUMNS + EPSILON);

    EACH_VECTOR {
        const Vec row = ROW, by = ((const Vec *)scale)[at], plus = ((const Vec *)shift)[at];
        Vec result;
        for (int e = 0; e < WIDTH; ++e) result.v[e] = (row.v[e] - mean) * factor * by.v[e] + plus.v[e];
        out[at] = result;
    }
}
