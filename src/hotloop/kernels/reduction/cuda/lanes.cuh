// Results over the threads of a row: fast functions, exchanges between lanes, and sums over a wave and a block. Follows elements.cuh.
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

