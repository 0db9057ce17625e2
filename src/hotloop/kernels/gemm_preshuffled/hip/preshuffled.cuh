// Products with weights that lie in the order of the matrix instruction's operands, C = scale_a · (A · Wᵀ) · scale_b, in HIP C++ for
// CDNA 3 and 4.
//
//   FORM     0 A and W bfloat16; 1 both 8-bit floats (the processor's own: e4m3fnuz on gfx942, e4m3fn on gfx950), factors of rows and
//            columns; 2 both e4m3fn with a power of two for each 32 along k (gfx950); 3 A bfloat16, W of 4 bits, factors of columns;
//            4 A of 8-bit integers, W of 4 bits, factors of rows and columns
//   BM BN    rows and columns of C of a work-group of four waves: each wave has all of its rows and a quarter of its columns
//   BKB      bytes of a row of A in one step, whole segments of 64
//   STAGE_B  1: W passes through local memory as A does; 0: from global memory to registers
//   BUFFERS  places in local memory for a step; with 2 a step is stored while another is read, and one barrier is enough
//   SWIZZLE  1: units of 16 bytes change places in their row, by exclusive or with the row's number
//   AHEAD    1: W's packs of the next step are on their way during this one
//   WIDE     1: the deeper instructions of gfx950: 32 instead of 16 along k in bfloat16, 64 instead of 32 in integers, 128 in floats
//   SWAP     1: W is the left operand, so that a lane has four neighbours of a row of C and stores 8 bytes instead of 2
//   UNPACK   of 4-bit weights: 0 sign by multiplication, seven operations for eight weights; 1 (FORM 4) sixteen times each, in the
//            upper half of a byte: three operations, and 1/16 in the factor; 1 (FORM 3) the conversion of 4-bit numbers and byte permutes
//   HINTS    1: the scheduler is asked to put loads between matrix instructions; 2: reads of LDS first, a step ahead
//
// A pack is 16 bytes of a lane: lane 16 g + n has column n of 16, and of each 64 bytes of a row of A the weights that belong to bytes
// 16 g to 16 g + 15. What an instruction calls k is then another order of k, the same for A and W. `storage.py` packs.
typedef unsigned int bits32;
typedef unsigned char bits8;
typedef unsigned short bits16;
typedef bits32 quad __attribute__((ext_vector_type(4)));
typedef bits32 pair __attribute__((ext_vector_type(2)));
typedef int eight __attribute__((ext_vector_type(8)));
typedef short halves4 __attribute__((ext_vector_type(4)));
typedef __bf16 halves8 __attribute__((ext_vector_type(8)));
#define DEVICE __device__ __forceinline__

#define BRAIN (FORM == 0 || FORM == 3)
#define BITS4 (FORM >= 3)
#if FORM == 4
typedef int sums __attribute__((ext_vector_type(4)));
#else
typedef float sums __attribute__((ext_vector_type(4)));
#endif

#define THREADS 256
#define WAVES 4
#define SEGMENTS (BKB / 64)
#define EACH (FORM == 3 ? 4 : FORM == 4 ? 2 : 1)  // segments of a pack
#define PACKS (SEGMENTS / EACH)
#define TM (BM / 16)
#define TN (BN / 16 / WAVES)
#define UNITS (BKB / 16)  // of a row of A
#define MOVES (BM * UNITS / THREADS)
#define PACK_MOVES (BN / 16 * PACKS * 64 / THREADS)
#define MASK (UNITS < 16 ? UNITS - 1 : 15)
#define A_QUADS (BM * UNITS)
#define B_QUADS (STAGE_B ? BN / 16 * PACKS * 64 : 0)

DEVICE int unit_of(int row, int unit) { return row * UNITS + (SWIZZLE ? unit ^ (row & MASK) : unit); }

// --- weights -----------------------------------------------------------------------------------------------------------------
// Bytes j of a word have weight j of eight in the lower half and weight 4 + j in the upper.
#if FORM == 4
DEVICE pair unpacked(bits32 w) {
#if UNPACK
    return pair{w << 4 & 0xf0f0f0f0u, w & 0xf0f0f0f0u};
#else
    bits32 low = w & 0x0f0f0f0fu | (w & 0x08080808u) * 30, next = w >> 4;
    return pair{low, next & 0x0f0f0f0fu | (next & 0x08080808u) * 30};
#endif
}
DEVICE quad operand(quad pack, int segment) {
    pair first = unpacked(pack[2 * segment]), second = unpacked(pack[2 * segment + 1]);
    return quad{first[0], first[1], second[0], second[1]};
}
#elif FORM == 3
DEVICE bits32 upper_halves(float low, float high) {
    return __builtin_amdgcn_perm(__builtin_bit_cast(bits32, high), __builtin_bit_cast(bits32, low), 0x07060302u);
}
#if UNPACK
// Of 4 bits with sign, sixteenths (AMD's ISA references, V_CVT_OFF_F32_I4): exact in bfloat16.
DEVICE bits32 two(bits32 w, int at) {
    float low, high;
    if (at == 0) {  // the operand's byte is part of the instruction (SDWA)
        asm("v_cvt_off_f32_i4_sdwa %0, %1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0" : "=v"(low) : "v"(w));
        asm("v_cvt_off_f32_i4_sdwa %0, %1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1" : "=v"(high) : "v"(w));
    } else {
        asm("v_cvt_off_f32_i4_sdwa %0, %1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2" : "=v"(low) : "v"(w));
        asm("v_cvt_off_f32_i4_sdwa %0, %1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3" : "=v"(high) : "v"(w));
    }
    return upper_halves(low, high);
}
#define WEIGHT_SCALE 16.0f
DEVICE quad operand(quad pack, int segment) {
    bits32 low = pack[segment], high = low >> 4;
    return quad{two(low, 0), two(low, 2), two(high, 0), two(high, 2)};
}
#else
// 128 + 8 + weight as bfloat16, whose lower bits are those of a whole number, less 136 in float32.
DEVICE bits32 two(bits32 biased, int at) {
    bits32 both = biased >> 8 * at & 0x000f000fu | 0x43004300u;
    return upper_halves(__builtin_bit_cast(float, both << 16) - 136.0f, __builtin_bit_cast(float, both & 0xffff0000u) - 136.0f);
}
#define WEIGHT_SCALE 1.0f
DEVICE quad operand(quad pack, int segment) {
    bits32 low = pack[segment] ^ 0x88888888u, high = low >> 4;
    low = __builtin_amdgcn_perm(low, low, 0x03010200u);  // bytes 0, 2, 1, 3: neighbours 16 bits apart
    high = __builtin_amdgcn_perm(high, high, 0x03010200u);
    return quad{two(low, 0), two(low, 1), two(high, 0), two(high, 1)};
}
#endif
#else
DEVICE quad operand(quad pack, int) { return pack; }
#endif
#if FORM == 4 && UNPACK
#define WEIGHT_SCALE 0.0625f
#elif FORM != 3
#define WEIGHT_SCALE 1.0f
#endif

// --- matrix instructions of one segment ------------------------------------------------------------------------------------------
DEVICE long lower(quad x) { return __builtin_bit_cast(long, pair{x[0], x[1]}); }
DEVICE long upper(quad x) { return __builtin_bit_cast(long, pair{x[2], x[3]}); }

DEVICE sums multiply(quad a, quad w, sums c) {
    quad left = SWAP ? w : a, right = SWAP ? a : w;
#if BRAIN && WIDE
    return __builtin_amdgcn_mfma_f32_16x16x32_bf16(__builtin_bit_cast(halves8, left), __builtin_bit_cast(halves8, right), c, 0, 0, 0);
#elif BRAIN
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(__builtin_bit_cast(halves4, lower(left)), __builtin_bit_cast(halves4, lower(right)), c,
                                                  0, 0, 0);
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(__builtin_bit_cast(halves4, upper(left)),
                                                     __builtin_bit_cast(halves4, upper(right)), c, 0, 0, 0);
#elif FORM == 4 && WIDE
    return __builtin_amdgcn_mfma_i32_16x16x64_i8(__builtin_bit_cast(sums, left), __builtin_bit_cast(sums, right), c, 0, 0, 0);
#elif FORM == 4
    c = __builtin_amdgcn_mfma_i32_16x16x32_i8(lower(left), lower(right), c, 0, 0, 0);
    return __builtin_amdgcn_mfma_i32_16x16x32_i8(upper(left), upper(right), c, 0, 0, 0);
#elif FORM == 1 && !WIDE
    c = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(lower(left), lower(right), c, 0, 0, 0);
    return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(upper(left), upper(right), c, 0, 0, 0);
#else
    return c;
#endif
}

#if FORM == 2 || (FORM == 1 && WIDE)
#define DEEP 1  // one instruction for two segments
DEVICE eight joined(quad first, quad second) {
    return eight{(int)first[0], (int)first[1], (int)first[2], (int)first[3], (int)second[0], (int)second[1], (int)second[2], (int)second[3]};
}
// Factors are bytes: powers of two, biased by 127. Lane 16 g + n has that of row or column n for numbers 32 g to 32 g + 31 along k.
DEVICE sums multiply_deep(quad a0, quad a1, quad w0, quad w1, int factor_a, int factor_w, sums c) {
    eight a = joined(a0, a1), w = joined(w0, w1);
    return SWAP ? __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(w, a, c, 0, 0, 0, factor_w, 0, factor_a)
                : __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, w, c, 0, 0, 0, factor_a, 0, factor_w);
}
#else
#define DEEP 0
#endif

// --- a step ---------------------------------------------------------------------------------------------------------------------
struct Arguments {
    const bits8* a;
    const quad* w;
    const bits8* scales_a;  // FORM 2: [m, k / 32]
    const bits8* scales_w;  // FORM 2: [n / 16, k / 128, 64]
    int m, n, k, row0, column0;
    int row_bytes, packs;  // of a row of A; along k
};

struct Weights {
    quad pack[TN][PACKS];
#if DEEP
    int factor[TN][SEGMENTS / 2];
    int factor_a[TM][SEGMENTS / 2];
#endif
};

DEVICE int column_block(const Arguments& p, int wave, int t) {  // of 16; one behind the end stands for the last
    int block = p.column0 / 16 + wave * TN + t, last = p.n / 16 - 1;
    return block < last ? block : last;
}

DEVICE void fetch(const Arguments& p, int step, int thread, quad (&moved)[MOVES]) {
#pragma unroll
    for (int i = 0; i < MOVES; ++i) {
        int at = thread + i * THREADS, row = p.row0 + at / UNITS;
        row = row < p.m ? row : p.m - 1;
        moved[i] = *reinterpret_cast<const quad*>(p.a + (long)row * p.row_bytes + step * BKB + at % UNITS * 16);
    }
}

DEVICE void put(quad* local, int thread, const quad (&moved)[MOVES]) {
#pragma unroll
    for (int i = 0; i < MOVES; ++i) {
        int at = thread + i * THREADS;
        local[unit_of(at / UNITS, at % UNITS)] = moved[i];
    }
}

DEVICE void fetch_weights(const Arguments& p, int step, int wave, int lane, Weights& found) {
#pragma unroll
    for (int t = 0; t < TN; ++t) {
        long first = (long)column_block(p, wave, t) * p.packs + step * PACKS;
#pragma unroll
        for (int i = 0; i < PACKS; ++i) found.pack[t][i] = p.w[(first + i) * 64 + lane];
    }
}

DEVICE void fetch_factors(const Arguments& p, int step, int wave, int lane, Weights& found) {
#if DEEP
#pragma unroll
    for (int i = 0; i < SEGMENTS / 2; ++i) {
        int block = step * (SEGMENTS / 2) + i;
#pragma unroll
        for (int t = 0; t < TN; ++t)
            found.factor[t][i] = FORM == 2 ? p.scales_w[(column_block(p, wave, t) * (p.k / 128) + block) * 64 + lane] : 127;
#pragma unroll
        for (int t = 0; t < TM; ++t) {
            int row = p.row0 + 16 * t + lane % 16;
            row = row < p.m ? row : p.m - 1;
            found.factor_a[t][i] = FORM == 2 ? p.scales_a[(long)row * (p.k / 32) + 4 * block + lane / 16] : 127;
        }
    }
#endif
}

DEVICE void stage_weights(const Arguments& p, int step, int thread, quad* local) {
#if STAGE_B
#pragma unroll
    for (int i = 0; i < PACK_MOVES; ++i) {
        int at = thread + i * THREADS, block = p.column0 / 16 + at / (64 * PACKS), last = p.n / 16 - 1;
        block = block < last ? block : last;
        local[A_QUADS + at] = p.w[((long)block * p.packs + step * PACKS) * 64 + at % (64 * PACKS)];
    }
#endif
}

DEVICE void take_weights(const quad* local, int wave, int lane, Weights& found) {
#pragma unroll
    for (int t = 0; t < TN; ++t)
#pragma unroll
        for (int i = 0; i < PACKS; ++i) found.pack[t][i] = local[A_QUADS + ((wave * TN + t) * PACKS + i) * 64 + lane];
}

DEVICE void compute(const quad* local, int lane, const Weights& weights, sums (&c)[TM][TN]) {
#pragma unroll
    for (int s = 0; s < SEGMENTS; s += 1 + DEEP) {
        quad a[TM][1 + DEEP];
#pragma unroll
        for (int t = 0; t < TM; ++t)
#pragma unroll
            for (int h = 0; h <= DEEP; ++h) a[t][h] = local[unit_of(16 * t + lane % 16, 4 * (s + h) + lane / 16)];
#pragma unroll
        for (int u = 0; u < TN; ++u) {
#if DEEP
#pragma unroll
            for (int t = 0; t < TM; ++t)
                c[t][u] = multiply_deep(a[t][0], a[t][1], weights.pack[u][s], weights.pack[u][s + 1], weights.factor_a[t][s / 2],
                                        weights.factor[u][s / 2], c[t][u]);
#else
            quad w = operand(weights.pack[u][s / EACH], s % EACH);
#pragma unroll
            for (int t = 0; t < TM; ++t) c[t][u] = multiply(a[t][0], w, c[t][u]);
#endif
        }
    }
}

// Asks for an order of the instructions of a step: matrix ones are many, so that one load or store stands between a few of them.
#define MATRIX_STEP (TM * TN * SEGMENTS * (DEEP || WIDE ? 1 : 2) / (DEEP ? 2 : 1))
#define READS_STEP (TM * SEGMENTS)
#define LOADS_STEP (MOVES + TN * PACKS)
DEVICE void order() {
#if HINTS
    const int each = MATRIX_STEP / (READS_STEP + LOADS_STEP + MOVES) > 0 ? MATRIX_STEP / (READS_STEP + LOADS_STEP + MOVES) : 1;
#if HINTS == 2
    __builtin_amdgcn_sched_group_barrier(0x100, TM, 0);  // the first segment's reads
#endif
#pragma unroll
    for (int i = 0; i < LOADS_STEP; ++i) {
        __builtin_amdgcn_sched_group_barrier(0x020, 1, 0);  // a load from global memory
        __builtin_amdgcn_sched_group_barrier(0x008, each, 0);  // matrix instructions
    }
#pragma unroll
    for (int i = 0; i < READS_STEP - (HINTS == 2 ? TM : 0); ++i) {
        __builtin_amdgcn_sched_group_barrier(0x100, 1, 0);  // a read of local memory
        __builtin_amdgcn_sched_group_barrier(0x008, each, 0);
    }
#pragma unroll
    for (int i = 0; i < MOVES; ++i) {
        __builtin_amdgcn_sched_group_barrier(0x008, each, 0);
        __builtin_amdgcn_sched_group_barrier(0x200, 1, 0);  // a write to local memory
    }
#endif
}

// --- results ----------------------------------------------------------------------------------------------------------------------
DEVICE bits16 rounded(float x) {  // to nearest even; a NaN stays one
#if defined(__gfx950__)
    return __builtin_bit_cast(bits16, (__bf16)x);
#else
    bits32 b = __builtin_bit_cast(bits32, x);
    if ((b & 0x7fffffffu) > 0x7f800000u) return (bits16)(b >> 16 | 0x40u);
    return (bits16)(b + 0x7fffu + (b >> 16 & 1u) >> 16);
#endif
}

DEVICE float result(const Arguments& p, const float* scale_a, const float* scale_w, int row, int column, float sum) {
#if FORM == 1 || FORM == 4
    return sum * (scale_a[row] * (scale_w[column] * WEIGHT_SCALE));
#elif FORM == 3
    return sum * (scale_w[column] * WEIGHT_SCALE);
#else
    return sum;
#endif
}

DEVICE void finish(const Arguments& p, const float* scale_a, const float* scale_w, bits16* out, int wave, int lane,
                   const sums (&c)[TM][TN]) {
#pragma unroll
    for (int t = 0; t < TM; ++t)
#pragma unroll
        for (int u = 0; u < TN; ++u) {
            int inner = p.column0 + 16 * (wave * TN + u);
            if (inner >= p.n) continue;
#if SWAP
            int row = p.row0 + 16 * t + lane % 16, column = inner + lane / 16 * 4;
            if (row >= p.m) continue;
            bits16 made[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) made[i] = rounded(result(p, scale_a, scale_w, row, column + i, (float)c[t][u][i]));
            *reinterpret_cast<pair*>(out + (long)row * p.n + column) =
                pair{made[0] | (bits32)made[1] << 16, made[2] | (bits32)made[3] << 16};
#else
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int row = p.row0 + 16 * t + lane / 16 * 4 + i, column = inner + lane % 16;
                if (row < p.m) out[(long)row * p.n + column] = rounded(result(p, scale_a, scale_w, row, column, (float)c[t][u][i]));
            }
#endif
        }
}

// Grid: ceil(n / BN), ceil(m / BM). Rows of A are k elements apart, k a whole number of steps, n a multiple of 16.
extern "C" __global__ void __launch_bounds__(THREADS)
preshuffled(const bits8* __restrict__ a, const quad* __restrict__ w, bits16* __restrict__ c, const void* __restrict__ scale_a,
            const void* __restrict__ scale_w, int m, int n, int k) {
    __shared__ quad ping[A_QUADS + B_QUADS];
#if BUFFERS == 2
    __shared__ quad pong[A_QUADS + B_QUADS];
#else
    quad* pong = ping;
#endif
    int thread = threadIdx.x, lane = thread % 64, wave = __builtin_amdgcn_readfirstlane(thread / 64);
    Arguments p = {a, w, (const bits8*)scale_a, (const bits8*)scale_w, m, n, k, (int)blockIdx.y * BM, (int)blockIdx.x * BN,
                   k * (BRAIN ? 2 : 1), k / ((BRAIN ? 32 : 64) * EACH)};
    int steps = p.row_bytes / BKB;
    sums total[TM][TN];
#pragma unroll
    for (int t = 0; t < TM; ++t)
#pragma unroll
        for (int u = 0; u < TN; ++u) total[t][u] = sums{0, 0, 0, 0};
    quad moved[MOVES];
    Weights now, next;
    fetch(p, 0, thread, moved);
    if (AHEAD) fetch_weights(p, 0, wave, lane, now);
    put(ping, thread, moved);
    stage_weights(p, 0, thread, ping);
    __syncthreads();
    // One step: what is read lies in `here`, the next one goes `there`; behind the last step comes the last once more.
    auto one = [&](int step, quad* here, quad* there) {
        int further = step + 1 < steps ? step + 1 : step;
        fetch(p, further, thread, moved);
        fetch_factors(p, step, wave, lane, now);
        if (STAGE_B)
            take_weights(here, wave, lane, now);
        else if (AHEAD)
            fetch_weights(p, further, wave, lane, next);
        else
            fetch_weights(p, step, wave, lane, now);
        compute(here, lane, now, total);
        if (BUFFERS == 1) __syncthreads();
        put(there, thread, moved);
        stage_weights(p, further, thread, there);
        order();
        if (AHEAD)
#pragma unroll
            for (int t = 0; t < TN; ++t)
#pragma unroll
                for (int i = 0; i < PACKS; ++i) now.pack[t][i] = next.pack[t][i];
        __syncthreads();
    };
    int step = 0;
    for (; step + 1 < steps; step += 2) {
        one(step, ping, pong);
        one(step + 1, pong, ping);
    }
    if (step < steps) one(step, ping, pong);
    finish(p, (const float*)scale_a, (const float*)scale_w, c, wave, lane, total);
}
