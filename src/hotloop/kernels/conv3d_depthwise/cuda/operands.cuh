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
#endif
