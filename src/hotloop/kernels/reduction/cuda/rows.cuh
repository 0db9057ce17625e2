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
//   STREAM   1: whole accesses of 16 bytes tell the caches that nobody reads these lines again; with HELD 0, that somebody does
//            until the last pass (NVIDIA)
//   EARLY    1: scale and shift are loaded with the row, before the sums that they wait for anyway (HELD > 0)
//   CROWD    1: registers are left for 2048 threads of a multiprocessor (NVIDIA)
//   EXCHANGE how the 64 lanes of a wave meet (AMD's gfx9): 0 a butterfly of shuffles, whose addresses are computed; 1 the same by
//            ds_swizzle, whose pattern is part of the instruction; both pass through the crossbar of local memory; 2 DPP, operands
//            of the addition itself, nothing in local memory; 3 DPP and then swaps of rows of 16 and 32 lanes (gfx950)
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
#ifndef STREAM
#define STREAM 0
#endif
#ifndef EARLY
#define EARLY 0
#endif
#ifndef CROWD
#define CROWD 0
#endif
#ifndef EXCHANGE
#define EXCHANGE 0
#endif
#if HELD == 2 && !(ELEM && VEC == 8)
#undef HELD
#define HELD 1
#endif

typedef unsigned short bits16;
typedef unsigned int bits32;
typedef unsigned long long bits64;

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
    bits32 r;  // the form for two values is the one that compute capability 8.0 has
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(0.0f), "f"(x));
    return (elem)r;
#elif defined(__gfx950__)  // has an instruction for it, which the compiler takes for two values at once
    return __builtin_bit_cast(bits16, (__bf16)x);
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

#if ELEM  // of two elements in a word
#if defined(ON_NVIDIA)
DEVICE bits32 pack(float low, float high) {
    bits32 r;
#if ELEM == 1
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#endif
    return r;
}
#else
DEVICE bits32 pack(float low, float high) { return (bits32)from_float(low) | ((bits32)from_float(high) << 16); }
#endif
#if ELEM == 1  // the upper half of a float32: a shift or a mask
DEVICE float half_of(bits32 x, int upper) { return as_float(upper ? x & 0xffff0000u : x << 16); }
#else
DEVICE float half_of(bits32 x, int upper) { return to_float((elem)(upper ? x >> 16 : x)); }
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

// For softmax: a NaN may be lost here, since the sum will be one and so the whole row.
#if EXCHANGE && !defined(HOTLOOP_EMULATED)
struct Highest {
    DEVICE float operator()(float a, float b) const { return __builtin_fmaxf(a, b); }
};
#else
typedef Larger Highest;
#endif

// --- over the lanes of a wave ----------------------------------------------------------------------------------------------
// The first of LANES lanes are those of one row; where these are fewer than a wave, EXCHANGE is 0.
#if EXCHANGE
// DPP's controls (AMD's CDNA 3 ISA reference, DPP_CTRL): lanes of a four exchanged with a neighbour and with the one after it,
// lanes of an eight and of a row of sixteen in opposite order, a row's last lane to the next row, lane 31 to the upper rows.
enum Move { NEIGHBOUR = 0xb1, PAIR = 0x4e, HALF_MIRROR = 0x141, MIRROR = 0x140, BROADCAST_15 = 0x142, BROADCAST_31 = 0x143 };
#if defined(HOTLOOP_EMULATED)
template <int MOVE> DEVICE float moved(float x) { return emulated_dpp(x, MOVE); }
DEVICE float last_lane(float x) { return emulated_from_lane(x, 63); }
template <int DISTANCE> DEVICE float swizzled(float x) { return emulated_shuffle_xor(x, DISTANCE); }
template <int ROWS_OF> DEVICE void swapped(float& x, float& other) { emulated_row_swap(x, other, ROWS_OF); }
#else
template <int MOVE> DEVICE float moved(float x) { return as_float(__builtin_amdgcn_mov_dpp((int)as_bits(x), MOVE, 0xf, 0xf, true)); }
DEVICE float last_lane(float x) { return as_float(__builtin_amdgcn_readlane((int)as_bits(x), 63)); }
template <int DISTANCE> DEVICE float swizzled(float x) {  // and-mask 31, or-mask 0, exclusive-or-mask
    return as_float(__builtin_amdgcn_ds_swizzle((int)as_bits(x), DISTANCE << 10 | 31));
}
// Exchanges the odd rows of `x` with the even rows of `other`.
template <int ROWS_OF> DEVICE void swapped(float& x, float& other) {
#if EXCHANGE == 3
    auto both = ROWS_OF == 16 ? __builtin_amdgcn_permlane16_swap(as_bits(x), as_bits(other), false, false)
                              : __builtin_amdgcn_permlane32_swap(as_bits(x), as_bits(other), false, false);
    x = as_float(both[0]);
    other = as_float(both[1]);
#endif
}
#endif
#endif

// Returns the result of all lanes of a wave, in every lane.
template <class Op>
DEVICE float wave_result(float x, Op op) {
#if EXCHANGE == 1
    x = op(x, swizzled<16>(x));
    x = op(x, swizzled<8>(x));
    x = op(x, swizzled<4>(x));
    x = op(x, swizzled<2>(x));
    x = op(x, swizzled<1>(x));
    return op(x, exchange(x, 32));
#elif EXCHANGE
    x = op(x, moved<NEIGHBOUR>(x));
    x = op(x, moved<PAIR>(x));
    x = op(x, moved<HALF_MIRROR>(x));  // fours are alike by now, and eights before the next
    x = op(x, moved<MIRROR>(x));
#if EXCHANGE == 2  // rows 1 and 3 hold the results of two rows, then row 3 that of all; what others hold nobody reads
    x = op(x, moved<BROADCAST_15>(x));
    x = op(x, moved<BROADCAST_31>(x));
    return last_lane(x);
#else
    float other = x;
    swapped<16>(x, other);
    other = x = op(x, other);
    swapped<32>(x, other);
    return op(x, other);
#endif
#else
#pragma unroll
    for (int distance = (LANES < WAVE ? LANES : WAVE) / 2; distance > 0; distance /= 2) x = op(x, exchange(x, distance));
    return x;
#endif
}

// --- over the threads of a row -------------------------------------------------------------------------------------------
#define WAVES (LANES > WAVE ? LANES / WAVE : 1)

// `partial` is used by one call only, so a second barrier to protect it is not needed.
template <class Op>
DEVICE float across(float x, Op op, float (*partial)[WAVES]) {
    x = wave_result(x, op);
#if LANES > WAVE
    int row = threadIdx.x / LANES, wave = threadIdx.x % LANES / WAVE;
    if (threadIdx.x % WAVE == 0) partial[row][wave] = x;
    __syncthreads();
#if LANES == WAVE * WAVE  // a butterfly again: fewer instructions for all of the block's waves together
    x = partial[row][threadIdx.x % WAVE];
#pragma unroll
    for (int distance = WAVE / 2; distance > 0; distance /= 2) x = op(x, exchange(x, distance));
#else
    float each[4];  // results that do not wait for each other
#pragma unroll
    for (int i = 0; i < WAVES; ++i) each[i % 4] = i < 4 ? partial[row][i] : op(each[i % 4], partial[row][i]);
    x = each[0];
#pragma unroll
    for (int i = 1; i < (WAVES < 4 ? WAVES : 4); ++i) x = op(x, each[i]);
#endif
#endif
    return x;
}

// --- one row ---------------------------------------------------------------------------------------------------------------
#define VECTORS (COLUMNS / VEC)
#define EACH ((VECTORS + LANES - 1) / LANES)
#define FULL (VECTORS % LANES == 0)

#define WIDE (ELEM ? VEC == 8 : VEC == 4)  // 16 bytes

struct alignas(VEC * sizeof(elem)) Vector {
#if WIDE
    bits32 word[4];
#if ELEM
    DEVICE float at(int e) const { return half_of(word[e / 2], e % 2); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = pack(x[2 * i], x[2 * i + 1]);
    }
#else
    DEVICE float at(int e) const { return as_float(word[e]); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int e = 0; e < VEC; ++e) word[e] = as_bits(x[e]);
    }
#endif
#else
    elem value[VEC];
    DEVICE float at(int e) const { return to_float(value[e]); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int e = 0; e < VEC; ++e) value[e] = from_float(x[e]);
    }
#endif
};

// What is known of the lines of an access.
enum Use { ONCE, AGAIN };
#if STREAM && defined(ON_NVIDIA)
#define LOADED(v) "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
#endif

template <Use USE>
DEVICE Vector take(const Vector* from) {
#if STREAM && WIDE && defined(ON_NVIDIA)
    Vector v;
    if (USE == ONCE) {
        asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : LOADED(v) : "l"(from));
        return v;
    }
    if (USE == AGAIN) {
        bits64 policy;
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
        asm("ld.global.L1::evict_last.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
            : LOADED(v)
            : "l"(from), "l"(policy));
        return v;
    }
#endif
    return *from;
}
DEVICE void put(Vector* to, const Vector& made) {
#if STREAM && WIDE && defined(ON_NVIDIA)
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(made.word[0]), "r"(made.word[1]),
                 "r"(made.word[2]), "r"(made.word[3])
                 : "memory");
#else
    *to = made;
#endif
}

// The terms of a thread's part of a row: scale or shift.
struct Terms {
    const Vector* from;
#if HELD && EARLY
    Vector kept[EACH];
#endif

    DEVICE void open(const elem* terms, int lane) {
        from = reinterpret_cast<const Vector*>(terms);
#if HELD && EARLY
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (FULL || lane + i * LANES < VECTORS) {
#if WIDE && defined(ON_NVIDIA)  // volatile: the compiler would move the load to its use
                asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(kept[i].word[0]), "=r"(kept[i].word[1]), "=r"(kept[i].word[2]), "=r"(kept[i].word[3])
                             : "l"(from + lane + i * LANES));
#else
                kept[i] = from[lane + i * LANES];
#endif
            }
#endif
    }
#if HELD && EARLY
    DEVICE Vector at(int i, int) const { return kept[i]; }
#else
    DEVICE Vector at(int, int v) const { return from[v]; }
#endif
};

#define WEIGHED (OP == 3 && HELD == 1 && EARLY)
struct Row {
    const Vector* from;
    int lane;
#if HELD == 1
    float kept[EACH][VEC];
#elif HELD
    Vector kept[EACH];
#endif

    DEVICE bool has(int i) const { return FULL || lane + i * LANES < VECTORS; }

    DEVICE void open(const elem* row, int my_lane) {
        from = reinterpret_cast<const Vector*>(row);
        lane = my_lane;
#if HELD == 2
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) kept[i] = take<ONCE>(from + lane + i * LANES);
#elif HELD
        Vector raw[EACH];  // all loads before the first use
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) raw[i] = take<ONCE>(from + lane + i * LANES);
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int e = 0; e < VEC; ++e) kept[i][e] = has(i) ? raw[i].at(e) : 0.0f;
#endif
    }

#if HELD == 1
    DEVICE float value(int i, int e) const { return kept[i][e]; }
#elif HELD
    DEVICE float value(int i, int e) const { return kept[i].at(e); }
#endif

    // Between two passes: the compiler must not remember what it made of the row, which would need more registers than the
    // row itself.
    DEVICE void forget() {
#if HELD == 2 && !defined(HOTLOOP_EMULATED)
#if defined(ON_NVIDIA)
#define REGISTER "+r"
#else
#define REGISTER "+v"
#endif
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int w = 0; w < 4; ++w) asm volatile("" : REGISTER(kept[i].word[w]));
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
            Vector raw = take<AGAIN>(from + v);
#pragma unroll
            for (int e = 0; e < VEC; ++e) f(raw.at(e), v * VEC + e);
        }
#endif
    }

    // Returns the sum of f(x) over the elements of this thread, in two sums that do not wait for each other.
    template <class F>
    DEVICE float total(F f) const {
        float even = 0.0f, odd = 0.0f;
        each([&](float v, int at) {
            if (VEC > 1 && at % 2)
                odd += f(v);
            else
                even += f(v);
        });
        return even + odd;
    }

    // Multiplies by the scale early, while the threads of the row still wait for each other.
    DEVICE void weigh(const Terms& scale) {
#if WEIGHED
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) {
                Vector by = scale.at(i, 0);
#pragma unroll
                for (int e = 0; e < VEC; ++e) kept[i][e] *= by.at(e);
            }
#endif
    }

    // Writes f(x) to the row `to`, times `scale` and plus `shift` where the operation has them.
    template <class F>
    DEVICE void map(elem* to, const Terms& scale, const Terms& shift, F f) const {
        Vector* out = reinterpret_cast<Vector*>(to);
#if HELD
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            if (!has(i)) continue;
            int v = lane + i * LANES;
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = value(i, e);
#else
        const int i = 0;
#pragma unroll 2
        for (int v = lane; v < VECTORS; v += LANES) {
            Vector raw = take<ONCE>(from + v);
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = raw.at(e);
#endif
            Vector by, plus, made;
            if (OP >= 3 && !WEIGHED) by = scale.at(i, v);
            if (OP >= 4) plus = shift.at(i, v);
#pragma unroll
            for (int e = 0; e < VEC; ++e) {
                x[e] = f(x[e]);
                if (OP >= 3 && !WEIGHED) x[e] *= by.at(e);
                if (OP >= 4) x[e] += plus.at(e);
            }
            made.set(x);
            put(out + v, made);
        }
    }
};

// Reduces a row that was opened, and writes it.
DEVICE void finish(Row& mine, elem* y, int row, bool real, const Terms& scale, const Terms& shift,
                   float (*first)[WAVES], float (*second)[WAVES]) {
#if OP == 0 || OP == 1
    float result = OP == 0 ? 0.0f : MINUS_INFINITY;
    if (OP == 0)
        result = mine.total([](float v) { return v; });
    else
        mine.each([&](float v, int) { result = Larger()(result, v); });
#if OP == 0
    result = across(result, Add(), first);
#else
    result = across(result, Larger(), first);
#endif
    if (real && mine.lane == 0) y[row] = from_float(result);
#else
    elem* to = y + (long long)row * COLUMNS;
#if OP == 2
    float top = MINUS_INFINITY;
    mine.each([&](float v, int) { top = v > top ? v : top; });
    top = across(top, Highest(), first) * LOG2_E;
    mine.forget();
    float sum = mine.total([&](float v) { return exp2_fast(v * LOG2_E - top); });
    mine.forget();
#if HELD == 2  // the exponential is taken anew: to keep it would cost the registers that were saved
    float less = log2_fast(across(sum, Add(), second));  // apart from top, which may be so large that a sum would lose it
    if (real) mine.map(to, scale, shift, [&](float v) { return exp2_fast((v * LOG2_E - top) - less); });
#else
    float inverse = 1.0f / across(sum, Add(), second);
    if (real) mine.map(to, scale, shift, [&](float v) { return exp2_fast(v * LOG2_E - top) * inverse; });
#endif
#elif OP == 3
    float squares = mine.total([](float v) { return v * v; });
    mine.weigh(scale);
    mine.forget();
    float factor = inverse_root(across(squares, Add(), first) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, shift, [&](float v) { return v * factor; });
#else
    float sum = mine.total([](float v) { return v; });
    mine.forget();
    float mean = across(sum, Add(), first) * (1.0f / COLUMNS);
    float squares = mine.total([&](float v) { return (v - mean) * (v - mean); });
    mine.forget();
    float factor = inverse_root(across(squares, Add(), second) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, shift, [&](float v) { return (v - mean) * factor; });
#endif
#endif
}

// Grid: ceil(rows / ROWS) blocks. Sum and max write one element per row. Scale and shift have COLUMNS elements.
#define RESIDENT (EACH <= 8 ? 1024 : 512)  // threads of a multiprocessor: 64 or 128 registers for each
#if CROWD && defined(ON_NVIDIA)  // of which 32 blocks are the most
#define BOUNDS __launch_bounds__(LANES* ROWS, LANES* ROWS < 64 ? 32 : 2048 / (LANES * ROWS))
#elif HELD == 2 && defined(ON_NVIDIA) && LANES * ROWS <= 512
#define BOUNDS __launch_bounds__(LANES* ROWS, RESIDENT / (LANES * ROWS))
#else
#define BOUNDS __launch_bounds__(LANES* ROWS)
#endif
extern "C" __global__ void BOUNDS
rows_reduce(const elem* __restrict__ x, const elem* __restrict__ scale, elem* __restrict__ y,
            const elem* __restrict__ shift, int rows) {
    __shared__ float partial[2][ROWS][WAVES];
    int team = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    Row mine;
    Terms by, plus;
    int row = blockIdx.x * ROWS + team;
    bool real = ROWS == 1 || row < rows;  // threads of a row that is not there go along, for the barriers, on the last row
    if (!real) row = rows - 1;
    mine.open(x + (long long)row * COLUMNS, lane);
    if (OP >= 3) by.open(scale, lane);
    if (OP >= 4) plus.open(shift, lane);
    finish(mine, y, row, real, by, plus, partial[0], partial[1]);
}
