// The kernel whose operands are in operands.cuh: sums of taps times inputs, bringing planes, and writing outputs.
#if defined(RUNG_PAIRS)
// --- arithmetic ---------------------------------------------------------------------------------------------------------
struct Sums {
#if MATH == 3
    float low[OUTS], high[OUTS];
#else
    float value[OUTS];
#endif
};

#if MATH == 3
DEVICE void multiply_pair(Sums& sums, int p, bits32 x, bits32 taps) {
#if defined(__HIP__) && !defined(HOTLOOP_EMULATED)
    float_pair sum = {sums.low[p], sums.high[p]};
    sum = __builtin_elementwise_fma(
        (float_pair){low_half(x), high_half(x)}, (float_pair){low_half(taps), high_half(taps)}, sum);
    sums.low[p] = sum[0], sums.high[p] = sum[1];
#else
    sums.low[p] += low_half(x) * low_half(taps), sums.high[p] += high_half(x) * high_half(taps);
#endif
}
#endif

DEVICE void multiply_line(Sums& sums, const Line& x, const Weights& w, int line, const elem* corner) {
#pragma unroll
    for (int p = 0; p < OUTS; ++p) {
#if MATH == 0 && READ == 1
        IN_LDS const volatile elem* row =
            (IN_LDS const elem*)corner + (line / KH * TILE_ROWS + line % KH) * TILE_PITCH;
#pragma unroll
        for (int k = 0; k < KW; ++k) sums.value[p] += to_float(row[p + k]) * tap_of(w, line, k);
#elif MATH == 0
#pragma unroll
        for (int k = 0; k < KW; ++k) sums.value[p] += input_of(x, p + k) * tap_of(w, line, k);
#elif MATH == 1
#pragma unroll
        for (int j = 0; j < KW / 2; ++j) {
            bits32 pair = p % 2 ? next_pair(x.word[p / 2 + j + 1], x.word[p / 2 + j]) : x.word[p / 2 + j];
            sums.value[p] = dot2(pair, w.even[line][j], sums.value[p]);
        }
        if (KW % 2) sums.value[p] += input_of(x, p + KW - 1) * tap_of(w, line, KW - 1);
#elif MATH == 2
#pragma unroll
        for (int j = 0; j < (p % 2 ? ODD_WORDS : TAP_WORDS); ++j)
            sums.value[p] = dot2(x.word[p / 2 + j], p % 2 ? w.odd[line][j] : w.even[line][j], sums.value[p]);
#else
#pragma unroll
        for (int j = 0; j < (p % 2 ? ODD_WORDS : TAP_WORDS); ++j)
            multiply_pair(sums, p, x.word[p / 2 + j], p % 2 ? w.odd[line][j] : w.even[line][j]);
#endif
    }
}

#if MATH == 0
#define VALU_PER_LINE (OUTS * KW)
#elif MATH == 1
#define VALU_PER_LINE (OUTS * (KW / 2 + 1) + OUTS / 2 * (KW / 2))
#else
#define VALU_PER_LINE (OUTS / 2 * (TAP_WORDS + ODD_WORDS))
#endif

DEVICE void multiply_all(Sums& sums, const elem* corner, const Weights& w) {
    Line lines[LINES];
#if ORDER == 0 || ORDER == 1
#pragma unroll
    for (int line = 0; line < LINES; ++line) {
        read_line(lines[line], corner, line);
        if (READ != 2) multiply_line(sums, lines[line], w, line, corner);
#if ORDER == 1
        GROUP_READS(WORDS);
        GROUP_VALU(VALU_PER_LINE);
#endif
    }
#if READ == 2
    await(lines);
#pragma unroll
    for (int line = 0; line < LINES; ++line) multiply_line(sums, lines[line], w, line, corner);
#endif
#elif ORDER == 2
#pragma unroll
    for (int line = 0; line < LINES; ++line) read_line(lines[line], corner, line);
    FENCE_SCHEDULE();
#pragma unroll
    for (int line = 0; line < LINES; ++line) multiply_line(sums, lines[line], w, line, corner);
#elif ORDER == 3
#pragma unroll
    for (int line = 0; line < LINES; ++line) {
        read_line(lines[line], corner, line);
        FENCE_SCHEDULE();
        multiply_line(sums, lines[line], w, line, corner);
        FENCE_SCHEDULE();
    }
#elif ORDER == 4
    read_line(lines[0], corner, 0);
    FENCE_SCHEDULE();
#pragma unroll
    for (int line = 0; line < LINES; ++line) {
        if (line + 1 < LINES) read_line(lines[line + 1], corner, line + 1);
        FENCE_SCHEDULE();
        multiply_line(sums, lines[line], w, line, corner);
        FENCE_SCHEDULE();
    }
#else
#pragma unroll
    for (int slice = 0; slice <= KD; ++slice) {
#pragma unroll
        for (int kh = 0; kh < KH; ++kh)
            if (slice < KD) read_line(lines[slice * KH + kh], corner, slice * KH + kh);
        FENCE_SCHEDULE();
#pragma unroll
        for (int kh = 0; kh < KH; ++kh)
            if (slice > 0) multiply_line(sums, lines[(slice - 1) * KH + kh], w, (slice - 1) * KH + kh, corner);
        FENCE_SCHEDULE();
    }
#endif
}

DEVICE float sum_of(const Sums& sums, int p) {
#if MATH == 3
    return sums.low[p] + sums.high[p];
#else
    return sums.value[p];
#endif
}

DEVICE void write_group(elem* to, const Sums& sums, int column) {
#pragma unroll
    for (int p = 0; p < OUTS; p += 2) {
#if OW % 2 == 0
        if (OW % OUTS == 0 || column + p < OW)
            *reinterpret_cast<bits32*>(to + p) = pack_pair(sum_of(sums, p), sum_of(sums, p + 1));
#else
        if (column + p < OW) to[p] = from_float(sum_of(sums, p));
        if (column + p + 1 < OW) to[p + 1] = from_float(sum_of(sums, p + 1));
#endif
    }
}

// --- staging ------------------------------------------------------------------------------------------------------------
// Brings rows `top` and following of the planes that output plane `od` needs; what lies outside the input becomes zero.
DEVICE void stage(elem* tile, const elem* source, int od, int top) {
    for (int i = threadIdx.x; i < TILE_WORDS; i += PAIRS_THREADS) reinterpret_cast<bits32*>(tile)[i] = 0;
    __syncthreads();  // a word that one thread clears is brought by another
    for (int i = uniform(threadIdx.x / WAVE); i < KD * TILE_ROWS; i += PAIRS_THREADS / WAVE) {
        int d = od - PD + i / TILE_ROWS, h = top - PH + i % TILE_ROWS;
        if (d < 0 || d >= D || h < 0 || h >= H) continue;
        const bits32* from = reinterpret_cast<const bits32*>(source + ((bits64)d * H + h) * W);
        bits32* to = reinterpret_cast<bits32*>(tile + i * TILE_PITCH + PW);
        int lane = threadIdx.x % WAVE;
#if LOAD == 1
        for (int at = 0; at < W / 2; at += WAVE)
            if (at + lane < W / 2) copy_word(to + at, from + at, lane);
#else
        for (int at = lane; at < W / 2; at += WAVE) to[at] = from[at];
#endif
    }
}

// Grid: x = OD, y = C, z = N.
KERNEL(PAIRS_THREADS, 1)
conv3d_pairs(const elem* __restrict__ x, const elem* __restrict__ weights, elem* __restrict__ y) {
#if defined(HOTLOOP_EMULATED)
    DYNAMIC_SHARED(memory);
#else
    __shared__ __attribute__((aligned(16))) unsigned char memory[LDS_BYTES];
#endif
    elem* tile = reinterpret_cast<elem*>(memory);
    bits32* behind_tile = reinterpret_cast<bits32*>(memory) + TILE_WORDS;
    int od = blockIdx.x, channel = blockIdx.y;
    bits64 image = (bits64)blockIdx.z * C + channel;
    const elem* source = x + image * ((bits64)D * H * W);
    elem* target = y + (image * OD + od) * (OH * OW);
#if TAPS == 2
    for (int i = threadIdx.x; i < LINES * TAP_WORDS * 2; i += PAIRS_THREADS) {
        int line = i / (TAP_WORDS * 2), k = i % (TAP_WORDS * 2);
        reinterpret_cast<elem*>(behind_tile)[i] = k < KW ? weights[(bits64)channel * (LINES * KW) + line * KW + k] : (elem)0;
    }
#endif
    stage(tile, source, od, 0);
    Weights w;
#if TAPS != 2
    load_weights(w, weights, channel, behind_tile);
#endif
    __syncthreads();
#if TAPS == 2
    load_weights(w, weights, channel, behind_tile);
#endif
#pragma unroll 1
    for (int top = 0; top < OH; top += ROWS) {
#if ROWS < OH
        if (top > 0) {
            __syncthreads();
            stage(tile, source, od, top);
            __syncthreads();
        }
#endif
#pragma unroll 1
        for (int i = threadIdx.x; i < ROWS * GROUPS_W; i += PAIRS_THREADS) {
            int row = i / GROUPS_W, column = i % GROUPS_W * OUTS;
            if (OH % ROWS && top + row >= OH) break;
            Sums sums = {};
            keep(w);
            multiply_all(sums, tile + row * TILE_PITCH + column, w);
            write_group(target + (top + row) * OW + column, sums, column);
        }
    }
}
#endif
