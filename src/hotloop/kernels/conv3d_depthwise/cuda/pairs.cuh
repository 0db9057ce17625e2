// The reported MI350X ladder around its kernel V97, as one source: a block computes one output plane of one channel, its
// inputs lie zero-padded in shared memory, a thread computes OUTS horizontally adjacent outputs from whole words.
// 16-bit elements, stride and dilation 1, MULT 1, NCDHW, even W and PW. Needs port.cuh before it; also compiles as CUDA.
// Where taps are pairs, the zero that completes one multiplies an input: a NaN or an infinity there spreads, as in blocks.cuh.
//
// Build-time switches beyond those of port.cuh:
//   ROWS     output rows per chunk of shared memory; OH: the whole plane at once
//   OUTS     outputs of a thread along w: 2 or 4
//   LOAD     0 global memory to registers to shared memory, 1 straight to shared memory (AMD), one word per lane
//   TAPS     weights: 0 float32 in vector registers, 1 in scalar registers, 2 pairs in vector registers by way of shared
//            memory, 3 pairs in vector registers, packed from float32 by the conversion instruction
//   KEEP     1: what is in vector registers stays packed; 0: the compiler may unpack it once, before the loop
//   READ     inputs: 0 words, 1 every element where it is used (volatile), 2 elements into the upper half of a register,
//            all of a thread's at once, 3 the same one by one, 4 two words at a time
//   MATH     0 fma, 1 dot2 with words shifted by one element for odd outputs, 2 dot2 with shifted pairs of weights for odd
//            outputs, 3 packed fma with these pairs
//   DOT_ASM  1: dot2 as inline assembly
//   ORDER    0 as the compiler likes, 1 groups of reads and arithmetic per row by hint, 2 all reads before all arithmetic,
//            3 row by row, 4 row by row with the next row's reads ahead, 5 slice by slice of kd with one slice ahead
//   LDS_BYTES  shared memory of a block; more than needed leaves a rest unused
#if defined(RUNG_PAIRS)
#define PAIRS_THREADS 256
#define GROUPS_W CEIL_DIV(OW, OUTS)
#define WORDS CEIL_DIV(OUTS + KW - 1, 2)  // of a row that a thread reads
#define SPAN (OUTS + KW - 1)
#define LINES (KD * KH)  // rows of taps
#define TAP_WORDS CEIL_DIV(KW, 2)
#define ODD_WORDS (KW / 2 + 1)
#define TILE_ROWS (ROWS + KH - 1)
#define TILE_PITCH (CEIL_DIV(LARGER((GROUPS_W - 1) * OUTS + 2 * WORDS, PW + W), 2) * 2)
#define TILE_WORDS (KD * TILE_ROWS * TILE_PITCH / 2)
#define TILE_TAPS ((KD * KH * TAP_WORDS * 2 + 31) / 32 * 32)  // elements behind the tile: rows of an even number of taps
#define SLICES (ORDER == 5 ? KD : 1)

static_assert(ELEM != 0 && W % 2 == 0 && PW % 2 == 0 && OUTS % 2 == 0, "pairs need 16-bit elements and even widths");
static_assert(LDS_BYTES >= TILE_WORDS * 4 + (TAPS == 2 ? TILE_TAPS * 2 : 0), "shared memory is too small");
static_assert(TAPS != 1 || (bits64)C * LINES * KW % 2 == 0, "weights in whole words");

// --- what differs between machines --------------------------------------------------------------------------------------
#if defined(__HIP__) && !defined(HOTLOOP_EMULATED)
#define IN_LDS __attribute__((address_space(3)))
#define IN_GLOBAL __attribute__((address_space(1)))
#define FENCE_SCHEDULE() __builtin_amdgcn_sched_barrier(0)
#define GROUP_READS(N) __builtin_amdgcn_sched_group_barrier(0x100, N, 0)
#define GROUP_VALU(N) __builtin_amdgcn_sched_group_barrier(0x2, N, 0)
DEVICE int uniform(int x) { return __builtin_amdgcn_readfirstlane(x); }
DEVICE bits32 in_vector_register(bits32 x) {  // the compiler knows neither value nor that all lanes agree
    asm volatile("" : "+v"(x));
    return x;
}
DEVICE void copy_word(bits32* to, const bits32* from, int lane) {  // `to` is lane 0's place; lanes follow each other
    __builtin_amdgcn_global_load_lds((IN_GLOBAL void*)(from + lane), (IN_LDS void*)to, 4, 0, 0);
}
DEVICE bits32 next_pair(bits32 high, bits32 low) { return __builtin_amdgcn_alignbit(high, low, 16); }
#if ELEM == 1
typedef __bf16 two_elements __attribute__((ext_vector_type(2)));
#else
typedef _Float16 two_elements __attribute__((ext_vector_type(2)));
#endif
DEVICE float dot2(bits32 a, bits32 b, float sum) {
#if MATH != 1 && MATH != 2
    return sum;
#elif DOT_ASM && ELEM == 1
    asm("v_dot2_f32_bf16 %0, %1, %2, %0" : "+v"(sum) : "v"(a), "v"(b));
    return sum;
#elif ELEM == 1
    return __builtin_amdgcn_fdot2_f32_bf16(
        __builtin_bit_cast(two_elements, a), __builtin_bit_cast(two_elements, b), sum, false);
#else
    return __builtin_amdgcn_fdot2(__builtin_bit_cast(two_elements, a), __builtin_bit_cast(two_elements, b), sum, false);
#endif
}
typedef float float_pair __attribute__((ext_vector_type(2)));
DEVICE bits32 pack_pair(float low, float high) {  // one instruction on gfx950
    return __builtin_bit_cast(bits32, __builtin_convertvector((float_pair){low, high}, two_elements));
}
#else
#define IN_LDS
#define FENCE_SCHEDULE()
#define GROUP_READS(N)
#define GROUP_VALU(N)
DEVICE int uniform(int x) { return x; }
DEVICE bits32 in_vector_register(bits32 x) { return x; }
DEVICE void copy_word(bits32* to, const bits32* from, int lane) { to[lane] = from[lane]; }
DEVICE bits32 next_pair(bits32 high, bits32 low) { return low >> 16 | high << 16; }
DEVICE float dot2(bits32 a, bits32 b, float sum) {
    return sum + (low_half(a) * low_half(b) + high_half(a) * high_half(b));
}
DEVICE bits32 pack_pair(float low, float high) { return pack2(low, high); }
#endif

// --- weights ------------------------------------------------------------------------------------------------------------
struct Weights {
#if TAPS == 0
    float value[LINES][KW];
#else
    bits32 even[LINES][TAP_WORDS];  // (w0 w1) (w2 w3) (w4 0)
#if MATH >= 2
    bits32 odd[LINES][ODD_WORDS];  // (0 w0) (w1 w2) (w3 w4)
#endif
#endif
};

#if TAPS == 0
DEVICE float tap_of(const Weights& w, int line, int k) { return w.value[line][k]; }
#else
DEVICE float tap_of(const Weights& w, int line, int k) {
    return k % 2 ? high_half(w.even[line][k / 2]) : low_half(w.even[line][k / 2]);
}
#endif

#if TAPS == 1
// Elements `at` and `at + 1` of a channel's weights; only whole words are read, which the scalar unit can. The word behind
// the channel's last one is never needed: the element there is beyond the row.
DEVICE bits32 two_weights(const bits32* words, int skipped, int at) {
    int word = at / 2, next = word + 1 <= (LINES * KW - 1) / 2 ? word + 1 : word;
    bits64 both = (bits64)words[next] << 32 | words[word];
    return (bits32)(both >> (16 * (at % 2 + skipped)));
}
#endif

DEVICE void load_weights(Weights& w, const elem* weights, int channel, bits32* behind_tile) {
#if TAPS == 0 || TAPS == 3
    const elem* from = weights + (bits64)channel * (LINES * KW) + in_vector_register(0);
    float value[LINES][KW];
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int k = 0; k < KW; ++k) value[line][k] = to_float(from[line * KW + k]);
#pragma unroll
    for (int line = 0; line < LINES; ++line) {
#if TAPS == 0
#pragma unroll
        for (int k = 0; k < KW; ++k) w.value[line][k] = value[line][k];
#else
#pragma unroll
        for (int j = 0; j < TAP_WORDS; ++j)
            w.even[line][j] = pack_pair(value[line][2 * j], 2 * j + 1 < KW ? value[line][2 * j + 1] : 0.0f);
#endif
    }
#elif TAPS == 1
    int first = channel * (LINES * KW), skipped = first % 2;
    const bits32* words = reinterpret_cast<const bits32*>(weights) + first / 2;
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int j = 0; j < TAP_WORDS; ++j) {
            bits32 pair = two_weights(words, skipped, line * KW + 2 * j);
            w.even[line][j] = 2 * j + 1 < KW ? pair : pair & 0xffffu;
        }
#elif TAPS == 2
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int j = 0; j < TAP_WORDS; ++j) w.even[line][j] = behind_tile[line * TAP_WORDS + j];
#endif
#if TAPS != 0 && MATH >= 2
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int j = 0; j < ODD_WORDS; ++j) {
            bits32 before = j ? w.even[line][j - 1] : 0, here = j < TAP_WORDS ? w.even[line][j] : 0;
            w.odd[line][j] = before >> 16 | here << 16;
#if TAPS == 1 && MATH == 2
            w.odd[line][j] = in_vector_register(w.odd[line][j]);  // 90 words are more than the scalar registers
#endif
        }
#endif
}

DEVICE void keep(Weights& w) {
#if KEEP && TAPS >= 2
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int j = 0; j < TAP_WORDS; ++j) w.even[line][j] = in_vector_register(w.even[line][j]);
#endif
}

// --- inputs -------------------------------------------------------------------------------------------------------------
struct Line {  // what a thread has of one row
#if READ == 0 || READ == 4
    bits32 word[WORDS];
#else
    float value[SPAN];
#endif
};

DEVICE float input_of(const Line& line, int i) {
#if READ == 0 || READ == 4
    return i % 2 ? high_half(line.word[i / 2]) : low_half(line.word[i / 2]);
#else
    return line.value[i];
#endif
}

#if (READ == 2 || READ == 3) && defined(__HIP__) && !defined(HOTLOOP_EMULATED)
#define BY_HALVES 1
static_assert(ELEM == 1, "the upper half of a float32 is a bfloat16");
// The lower half is zero before and stays so, or becomes so where memory is protected by error correction.
#define READ_HIGH(TO, FROM, OFFSET) \
    asm volatile("ds_read_u16_d16_hi %0, %1 offset:%2" : "+v"(TO) : "v"(FROM), "i"(OFFSET))
#endif

// Reads row `line` of the taps: `corner` is the thread's place in the first row of the first plane.
DEVICE void read_line(Line& to, const elem* corner, int line) {
    const elem* row = corner + (line / KH * TILE_ROWS + line % KH) * TILE_PITCH;
    const bits32* words = reinterpret_cast<const bits32*>(row);
#if READ == 0
#pragma unroll
    for (int i = 0; i < WORDS; ++i) to.word[i] = words[i];
#elif READ == 4
#pragma unroll
    for (int i = 0; i < WORDS; i += 2) {
        if (i + 1 < WORDS) __builtin_memcpy(&to.word[i], words + i, 8);
        else to.word[i] = words[i];
    }
#elif BY_HALVES
    bits32 from = (bits32)(__SIZE_TYPE__)(IN_LDS const elem*)corner;
#pragma unroll
    for (int i = 0; i < SPAN; ++i) {
        bits32 got = 0;
        READ_HIGH(got, from, 2 * ((line / KH * TILE_ROWS + line % KH) * TILE_PITCH + i));
        if (READ == 3) asm volatile("s_waitcnt lgkmcnt(0)" : "+v"(got));
        to.value[i] = as_float(got);
    }
#elif READ != 1
#pragma unroll
    for (int i = 0; i < SPAN; ++i) to.value[i] = to_float(row[i]);
#endif
}

DEVICE void await(Line (&lines)[LINES]) {  // all that read_line has issued by hand
#if BY_HALVES && READ == 2
    asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
#pragma unroll
    for (int line = 0; line < LINES; ++line)
#pragma unroll
        for (int i = 0; i < SPAN; ++i) asm volatile("" : "+v"(lines[line].value[i]));  // no use before the wait
#endif
}

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
