// What the matrix rungs share: a window's taps as a banded matrix, and its product with the inputs around a block of outputs.
// Who has which row, column and tap is said in toeplitz.cuh.
#if defined(RUNG_TOEPLITZ) || defined(RUNG_TURN)
#define STEPS (WAVE == 64 ? 4 : 3)  // instructions per block and input plane
#if BIAS && WAVE != 64              // what sums begin with: the bias, so that nothing is added behind them; AMD's add it there
#define BIAS_FIRST 1
#define FIRST_OF(ADDED) (ADDED)
#else
#define BIAS_FIRST 0
#define FIRST_OF(ADDED) 0.0f
#endif

// Tap that multiplies the input at (row, column) from the corner of the block's window into output (oh, ow) of the block.
DEVICE bits32 tap(const elem* weights, int row, int column, int oh, int ow) {
    int kh = row - oh - (2 - PH), kw = column - ow - (2 - PW);
    return kh >= 0 && kh < KH && kw >= 0 && kw < KW ? weights[kh * KW + kw] : 0;
}

// --- one block row of one input plane: sum += taps x (row t above, row t below) -----------------------------------------
#if WAVE == 64
struct Taps {
    bits32 word[STEPS][2];
};

DEVICE void load_taps(Taps& taps, const elem* weights, int thread) {
    int t = thread % 64 >> 4, output = thread & 15;
#pragma unroll
    for (int j = 0; j < STEPS; ++j)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            int row = t + 4 * (j >> 1), column = 4 * (j & 1) + 2 * i;
            taps.word[j][i] = tap(weights, row, column, output >> 2, output & 3) |
                              tap(weights, row, column + 1, output >> 2, output & 3) << 16;
        }
}

#if !defined(HOTLOOP_EMULATED)
typedef short mfma_bf16 __attribute__((ext_vector_type(4)));
typedef _Float16 mfma_f16 __attribute__((ext_vector_type(4)));
typedef float mfma_f32 __attribute__((ext_vector_type(4)));

DEVICE void matrix(float (&sum)[4], bits32 a0, bits32 a1, bits32 b0, bits32 b1) {
    bits64 a = (bits64)a1 << 32 | a0, b = (bits64)b1 << 32 | b0;
    mfma_f32 c = {sum[0], sum[1], sum[2], sum[3]};
#if ELEM == 1
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
        __builtin_bit_cast(mfma_bf16, a), __builtin_bit_cast(mfma_bf16, b), c, 0, 0, 0);
#else
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(
        __builtin_bit_cast(mfma_f16, a), __builtin_bit_cast(mfma_f16, b), c, 0, 0, 0);
#endif
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] = c[i];
}
#endif

DEVICE void multiply(float (&sum)[4], int j, const bits32 (&above)[4], const bits32 (&below)[4], const Taps& taps) {
    const bits32* half = j < 2 ? above : below;
    matrix(sum, taps.word[j][0], taps.word[j][1], half[j % 2 * 2], half[j % 2 * 2 + 1]);
}
#else
struct Taps {
    bits32 word[STEPS][2];
};

DEVICE void load_taps(Taps& taps, const elem* weights, int thread) {
    int t = thread & 3, output = thread % 32 >> 2;
#pragma unroll
    for (int j = 0; j < STEPS; ++j)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            int row = t + 4 * (j < 2 ? j : i), column = j < 2 ? 4 * i : 2;
            taps.word[j][i] = tap(weights, row, column, output >> 1, output & 1) |
                              tap(weights, row, column + 1, output >> 1, output & 1) << 16;
        }
}

#if !defined(HOTLOOP_EMULATED)
DEVICE void matrix(float (&sum)[4], bits32 a0, bits32 a1, bits32 a2, bits32 a3, bits32 b0, bits32 b1) {
#if ELEM == 1
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
#else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
#endif
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(sum[0]), "f"(sum[1]), "f"(sum[2]), "f"(sum[3]));
}
#endif

// A thread's 4 columns are two blocks, rows l / 4 and l / 4 + 8 of A: the second block's words are the first's, moved by one.
// Depth 16 is two words per thread: words 0 and 2 of the row above, the same below, word 1 of both. So the first two take the four
// words of a row as they lie, in neighbouring registers, and nothing is copied while the row below becomes the row above.
DEVICE void multiply(float (&sum)[4], int j, const bits32 (&above)[4], const bits32 (&below)[4], const Taps& taps) {
    if (j == 2) {
        matrix(sum, above[1], above[2], below[1], below[2], taps.word[2][0], taps.word[2][1]);
    } else {
        const bits32* row = j == 0 ? above : below;
        matrix(sum, row[0], row[1], row[2], row[3], taps.word[j][0], taps.word[j][1]);
    }
}
#endif
#endif
