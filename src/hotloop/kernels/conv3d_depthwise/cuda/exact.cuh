// Where 0 * NaN and 0 * infinity matter: noticing numbers that are not finite, and single outputs tap by tap.
#if defined(RUNG_TOEPLITZ) || defined(RUNG_TURN)
DEVICE bool is_nan(elem x) { return (x & 0x7fffu) > (ELEM == 1 ? 0x7f80u : 0x7c00u); }

// Seen starts as 0 and stays a mark of numbers that are not finite. NVIDIA: NaN in one of two elements, for one instruction
// takes two elements and no comparison; otherwise a truth value, which AMD keeps for a whole wave outside the vector registers.
// On an H200 the kernel took up to 7 % longer where multiply-adds instead of maxima watched the outputs, too.
#if defined(ON_NVIDIA)
typedef bits32 Seen;

#if ELEM == 1
#define TWO "bf16x2"
#else
#define TWO "f16x2"
#endif
DEVICE void watch(Seen& seen, bits32 two) { asm("fma.rn." TWO " %0, %1, %2, %0;" : "+r"(seen) : "r"(two), "r"(0)); }
DEVICE void watch(Seen& seen, const float (&)[4], const Block<8>& rounded) {  // NaN is what matters
#pragma unroll
    for (int i = 0; i < 2; ++i) asm("max.NaN." TWO " %0, %1, %0;" : "+r"(seen) : "r"(rounded.word[i]));
}
#undef TWO
#else
typedef bool Seen;

DEVICE void watch(Seen& seen, bits32 two) {
    float low = low_half(two), high = high_half(two);
    seen |= low - low != 0.0f || high - high != 0.0f;
}
DEVICE void watch(Seen& seen, const float (&sum)[4], const Block<8>&) {
    seen |= sum[0] != sum[0] || sum[1] != sum[1] || sum[2] != sum[2] || sum[3] != sum[3];
}
#endif

DEVICE bool any_of_wave(Seen seen) {
#if defined(ON_NVIDIA)
    bits32 mine = is_nan((elem)(seen & 0xffffu)) | is_nan((elem)(seen >> 16)), any;
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.u32 p, %1, 0;\n vote.sync.any.pred p, p, 0xffffffff;\n selp.u32 %0, 1, 0, p;\n}"
        : "=r"(any)
        : "r"(mine));
    return any;
#elif defined(HOTLOOP_EMULATED)
    return emulated_any(seen);
#else
    return __builtin_amdgcn_ballot_w64(seen) != 0;
#endif
}

// Rows of taps whose inputs exact() loads at once: one after the other they take long, all cost AMD's main loop registers.
#if defined(ON_NVIDIA)
#define ROWS_AT_ONCE KH
#else
#define ROWS_AT_ONCE 1
#endif

// One output by its definition, in which taps multiply the zeros around the input, too. `x`, `taps` and `added`, its bias,
// are the channel's: `x` begins with its first element.
DEVICE elem exact(const elem* x, const elem* taps, float added, int od, int oh, int ow) {
    float sum = 0.0f;
#pragma unroll 1
    for (int row = 0; row < KD * KH && sum == sum; row += ROWS_AT_ONCE)
#pragma unroll
        for (int i = 0; i < ROWS_AT_ONCE * KW; ++i) {
            int line = row + i / KW, d = od - PD + line / KH, h = oh - PH + line % KH, w = ow - PW + i % KW;
            bool inside = d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W;
            float found = inside ? to_float(x[(((bits64)d * H + h) * W + w) * (CHANNELS_LAST ? C : 1)]) : 0.0f;
            sum += found * to_float(taps[row * KW + i]);
        }
    return from_float(sum + added);
}
#endif
