// Reductions and normalisations of contiguous rows, in CUDA C++, HIP C++ and the tests' host emulation: no header needed.
//
//   OP       0 sum, 1 max, 2 softmax, 3 RMS norm, 4 layer norm
//   ELEM     element type of everything in memory: 0 float32, 1 bfloat16, 2 float16; arithmetic is float32
//   COLUMNS  elements of a row
//   LANES    threads that share a row: a power of two up to the wave, or a multiple of the wave up to 1024
//   ROWS     rows of a block; LANES * ROWS threads
//   VEC      elements of one access, a divisor of COLUMNS, at most 16 bytes
//   HELD     1: a row stays in registers between its passes; 2: as it came from memory, so that 16-bit types take half the
//            registers and two blocks fit where one did (16-bit types, VEC 8; else like 1); 0: it is read once per pass,
//            from the caches if they are kind
//   STREAM   1: whole accesses of 16 bytes tell the caches that nobody reads these lines again (NVIDIA, HELD > 0)
//   EPSILON  added to the variance or mean square
//
// One row is read once and written once when HELD. The sum over a wave is a butterfly of lane exchanges; waves meet in
// shared memory, and every wave adds up the partial results itself, so that one barrier is enough.
#if defined(HOTLOOP_EMULATED)
#define WAVE HOTLOOP_EMULATED
#elif defined(__HIP__)
#define WAVE 64
#else
#define WAVE 32
#define ON_NVIDIA 1
#endif
#define DEVICE __device__ __forceinline__
#if HELD == 2 && !(ELEM && VEC == 8)
#undef HELD
#define HELD 1
#endif

typedef unsigned short bits16;
typedef unsigned int bits32;

#if defined(ON_NVIDIA) && defined(__CUDA_ARCH__)
DEVICE float as_float(bits32 x) { return __uint_as_float(x); }
DEVICE bits32 as_bits(float x) { return __float_as_uint(x); }
#else
DEVICE float as_float(bits32 x) { return __builtin_bit_cast(float, x); }
DEVICE bits32 as_bits(float x) { return __builtin_bit_cast(bits32, x); }
#endif

#if ELEM == 0
typedef float elem;
DEVICE float to_float(elem x) { return x; }
DEVICE elem from_float(float x) { return x; }
#elif ELEM == 1
typedef bits16 elem;
DEVICE float to_float(elem x) { return as_float((bits32)x << 16); }
DEVICE elem from_float(float x) {  // round to nearest even; a NaN stays one
#if defined(ON_NVIDIA)
    elem r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
#else
    bits32 b = as_bits(x);
    if ((b & 0x7fffffffu) > 0x7f800000u) return (elem)((b >> 16) | 0x40u);
    return (elem)((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
#endif
}
#else
typedef bits16 elem;
#if defined(ON_NVIDIA)
DEVICE float to_float(elem x) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
    return r;
}
DEVICE elem from_float(float x) {
    elem r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
#elif defined(HOTLOOP_EMULATED)
DEVICE float to_float(elem x) { return emulated_from_half(x); }
DEVICE elem from_float(float x) { return emulated_to_half(x); }
#else
DEVICE float to_float(elem x) { return (float)__builtin_bit_cast(_Float16, x); }
DEVICE elem from_float(float x) { return __builtin_bit_cast(bits16, (_Float16)x); }
#endif
#endif

// --- arithmetic that differs ---------------------------------------------------------------------------------------------
#if defined(ON_NVIDIA)
DEVICE float exp2_fast(float x) {
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
DEVICE float log2_fast(float x) {
    float r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
DEVICE float inverse_root(float x) { return rsqrtf(x); }
DEVICE float exchange(float x, int distance) { return __shfl_xor_sync(0xffffffffu, x, distance); }
#elif defined(HOTLOOP_EMULATED)
DEVICE float exp2_fast(float x) { return exp2f(x); }
DEVICE float log2_fast(float x) { return __builtin_log2f(x); }
DEVICE float inverse_root(float x) { return 1.0f / sqrtf(x); }
DEVICE float exchange(float x, int distance) { return emulated_shuffle_xor(x, distance); }
#else
DEVICE float exp2_fast(float x) { return __builtin_amdgcn_exp2f(x); }
DEVICE float log2_fast(float x) { return __builtin_amdgcn_logf(x); }
DEVICE float inverse_root(float x) { return __builtin_amdgcn_rsqf(x); }
DEVICE float exchange(float x, int distance) { return __shfl_xor(x, distance); }
#endif
#define LOG2_E 1.4426950408889634f
#define MINUS_INFINITY as_float(0xff800000u)

struct Add {
    DEVICE float operator()(float a, float b) const { return a + b; }
};
struct Larger {  // NaN wins
    DEVICE float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};

// --- over the threads of a row -------------------------------------------------------------------------------------------
#define WAVES (LANES > WAVE ? LANES / WAVE : 1)

// `partial` is used by one call only, so a second barrier to protect it is not needed.
template <class Op>
DEVICE float across(float x, Op op, float (*partial)[WAVES]) {
#pragma unroll
    for (int distance = (LANES < WAVE ? LANES : WAVE) / 2; distance > 0; distance /= 2) x = op(x, exchange(x, distance));
#if LANES > WAVE
    int row = threadIdx.x / LANES, wave = threadIdx.x % LANES / WAVE;
    if (threadIdx.x % WAVE == 0) partial[row][wave] = x;
    __syncthreads();
    x = partial[row][0];
#pragma unroll
    for (int i = 1; i < WAVES; ++i) x = op(x, partial[row][i]);
#endif
    return x;
}

// --- one row ---------------------------------------------------------------------------------------------------------------
#define VECTORS (COLUMNS / VEC)
#define EACH ((VECTORS + LANES - 1) / LANES)
#define FULL (VECTORS % LANES == 0)

struct alignas(VEC * sizeof(elem)) Vector {
    elem value[VEC];
};

union Words {  // of a vector of 16 bytes
    Vector vector;
    bits32 word[4];
    DEVICE Words() {}
};
#if STREAM && HELD && defined(ON_NVIDIA) && (ELEM ? VEC == 8 : VEC == 4)
DEVICE Vector take(const Vector* from) {
    Words w;
    asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(w.word[0]), "=r"(w.word[1]), "=r"(w.word[2]), "=r"(w.word[3])
        : "l"(from));
    return w.vector;
}
DEVICE void put(Vector* to, Vector made) {
    Words w;
    w.vector = made;
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w.word[0]), "r"(w.word[1]),
                 "r"(w.word[2]), "r"(w.word[3])
                 : "memory");
}
#else
DEVICE Vector take(const Vector* from) { return *from; }
DEVICE void put(Vector* to, Vector made) { *to = made; }
#endif

struct Row {
    const Vector* from;
    int lane;
#if HELD == 1
    float kept[EACH][VEC];
#elif HELD
    Words kept[EACH];
#endif

    DEVICE bool has(int i) const { return FULL || lane + i * LANES < VECTORS; }

    DEVICE void open(const elem* row, int my_lane) {
        from = reinterpret_cast<const Vector*>(row);
        lane = my_lane;
#if HELD == 2
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) kept[i].vector = take(from + lane + i * LANES);
#elif HELD
        Vector raw[EACH];  // all loads before the first use
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) raw[i] = take(from + lane + i * LANES);
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int e = 0; e < VEC; ++e) kept[i][e] = has(i) ? to_float(raw[i].value[e]) : 0.0f;
#endif
    }

#if HELD == 1
    DEVICE float value(int i, int e) const { return kept[i][e]; }
#elif HELD
    DEVICE float value(int i, int e) const { return to_float((elem)(kept[i].word[e / 2] >> (e % 2 * 16))); }
#endif

    // Between two passes: the compiler must not remember what it made of the row, which would need more registers than the
    // row itself.
    DEVICE void forget() {
#if HELD == 2 && defined(ON_NVIDIA)
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int w = 0; w < 4; ++w) asm volatile("" : "+r"(kept[i].word[w]));
#endif
    }

    // Calls f(x, index of the element) for each element of this thread.
    template <class F>
    DEVICE void each(F f) const {
#if HELD
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i))
#pragma unroll
                for (int e = 0; e < VEC; ++e) f(value(i, e), (lane + i * LANES) * VEC + e);
#else
#pragma unroll 4
        for (int v = lane; v < VECTORS; v += LANES) {
            Vector raw = from[v];
#pragma unroll
            for (int e = 0; e < VEC; ++e) f(to_float(raw.value[e]), v * VEC + e);
        }
#endif
    }

    // Writes f(x, vector, element) to the row `to`; `scale` and `shift` are rows of the same length or null.
    template <class F>
    DEVICE void map(elem* to, const elem* scale, const elem* shift, F f) const {
        Vector* out = reinterpret_cast<Vector*>(to);
        const Vector* scales = reinterpret_cast<const Vector*>(scale);
        const Vector* shifts = reinterpret_cast<const Vector*>(shift);
#if HELD
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            if (!has(i)) continue;
            int v = lane + i * LANES;
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = value(i, e);
#else
#pragma unroll 2
        for (int v = lane; v < VECTORS; v += LANES) {
            Vector raw = from[v];
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = to_float(raw.value[e]);
#endif
            Vector made, by = {}, plus = {};
            if (scale) by = scales[v];
            if (shift) plus = shifts[v];
#pragma unroll
            for (int e = 0; e < VEC; ++e) {
                float value = f(x[e]);
                if (scale) value *= to_float(by.value[e]);
                if (shift) value += to_float(plus.value[e]);
                made.value[e] = from_float(value);
            }
            put(out + v, made);
        }
    }
};

// Grid: ceil(rows / ROWS) blocks. Sum and max write one element per row. Scale and shift have COLUMNS elements.
#define RESIDENT (EACH <= 8 ? 1024 : 512)  // threads of a multiprocessor: 64 or 128 registers for each
#if HELD == 2 && defined(ON_NVIDIA) && LANES * ROWS <= 512
#define BOUNDS __launch_bounds__(LANES* ROWS, RESIDENT / (LANES * ROWS))
#else
#define BOUNDS __launch_bounds__(LANES* ROWS)
#endif
extern "C" __global__ void BOUNDS
rows_reduce(const elem* __restrict__ x, const elem* __restrict__ scale, elem* __restrict__ y,
            const elem* __restrict__ shift, int rows) {
    __shared__ float partial[2][ROWS][WAVES];
    long long row = (long long)blockIdx.x * ROWS + threadIdx.x / LANES;
    bool real = row < rows;  // threads of a row that is not there go along, for the barriers, on the last row
    if (!real) row = rows - 1;
    int lane = threadIdx.x % LANES;
    Row mine;
    mine.open(x + row * COLUMNS, lane);
#if OP == 0 || OP == 1
    float result = OP == 0 ? 0.0f : MINUS_INFINITY;
    mine.each([&](float v, int) { result = OP == 0 ? result + v : Larger()(result, v); });
#if OP == 0
    result = across(result, Add(), partial[0]);
#else
    result = across(result, Larger(), partial[0]);
#endif
    if (real && lane == 0) y[row] = from_float(result);
#else
    elem* to = y + row * COLUMNS;
#if OP == 2
    float top = MINUS_INFINITY;
    mine.each([&](float v, int) { top = v > top ? v : top; });
    top = across(top, Larger(), partial[0]) * LOG2_E;
    mine.forget();
    float sum = 0.0f;
    mine.each([&](float v, int) { sum += exp2_fast(v * LOG2_E - top); });
    mine.forget();
#if HELD == 2  // the exponential is taken anew: to keep it would cost the registers that were saved
    float low = top + log2_fast(across(sum, Add(), partial[1]));
    if (real) mine.map(to, nullptr, nullptr, [&](float v) { return exp2_fast(v * LOG2_E - low); });
#else
    float inverse = 1.0f / across(sum, Add(), partial[1]);
    if (real) mine.map(to, nullptr, nullptr, [&](float v) { return exp2_fast(v * LOG2_E - top) * inverse; });
#endif
#elif OP == 3
    float squares = 0.0f;
    mine.each([&](float v, int) { squares += v * v; });
    mine.forget();
    float factor = inverse_root(across(squares, Add(), partial[0]) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, nullptr, [&](float v) { return v * factor; });
#else
    float sum = 0.0f;
    mine.each([&](float v, int) { sum += v; });
    mine.forget();
    float mean = across(sum, Add(), partial[0]) * (1.0f / COLUMNS);
    float squares = 0.0f;
    mine.each([&](float v, int) { squares += (v - mean) * (v - mean); });
    mine.forget();
    float factor = inverse_root(across(squares, Add(), partial[1]) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, shift, [&](float v) { return (v - mean) * factor; });
#endif
#endif
}
