// The reported MFMA formulation: 16 channels at once in the 16 blocks of v_mfma_f32_4x4x4, each with a banded (Toeplitz)
// matrix of its taps. out[m] = sum of g[j - m] in[j], m = 0..3, j = 0..7: two products of depth 4 per row of taps.
// 16-bit elements, stride and dilation 1, MULT 1, NCDHW, KW 5, C a multiple of 16, PW 2. AMD and the emulation only.
// Zeros of the matrix multiply inputs, too, so a NaN or an infinity spreads to neighbours: a rung of the ladder, not of the family.
//
// Build-time switches beyond those of port.cuh:
//   TILES   width tiles (4 outputs each) that a wave sums at once
//   DEPTHS  planes of depth in shared memory at once: 1, or KD
//
// A lane is (channel l / 4, i = l % 4). A: row i of the channel's matrix. B: the column of inputs of height i. D: width m at
// height i for m = 0..3.
#if defined(RUNG_BLOCKS)
#define BLOCK_CHANNELS 16
#define BLOCK_ROWS 4
#define BLOCK_TILES CEIL_DIV(OW, 4)
#define BLOCK_PITCH (BLOCK_TILES * 4 + 4)
#define BLOCK_SLICE (BLOCK_CHANNELS * (BLOCK_ROWS + KH - 1) * BLOCK_PITCH)
#define BLOCK_BYTES (DEPTHS * BLOCK_SLICE * 2)

static_assert(ELEM != 0 && KW == 5 && C % BLOCK_CHANNELS == 0 && (DEPTHS == 1 || DEPTHS == KD), "16 channels, 5 taps");
static_assert(PW + W <= BLOCK_PITCH, "the input is wider than the tiles");

#if !defined(HOTLOOP_EMULATED)
typedef short block_bf16 __attribute__((ext_vector_type(4)));
typedef _Float16 block_f16 __attribute__((ext_vector_type(4)));
typedef float block_f32 __attribute__((ext_vector_type(4)));

DEVICE void matrix_blocks(float (&sum)[4], const bits32 (&a)[2], const bits32 (&b)[2]) {
    bits64 left = (bits64)a[1] << 32 | a[0], right = (bits64)b[1] << 32 | b[0];
    block_f32 c = {sum[0], sum[1], sum[2], sum[3]};
#if ELEM == 1
    c = __builtin_amdgcn_mfma_f32_4x4x4bf16_1k(
        __builtin_bit_cast(block_bf16, left), __builtin_bit_cast(block_bf16, right), c, 0, 0, 0);
#else
    c = __builtin_amdgcn_mfma_f32_4x4x4f16(
        __builtin_bit_cast(block_f16, left), __builtin_bit_cast(block_f16, right), c, 0, 0, 0);
#endif
#pragma unroll
    for (int m = 0; m < 4; ++m) sum[m] = c[m];
}
#endif

// Row i of the matrix of one row of taps: g[j - i] for j = 0..7.
DEVICE void band(bits32 (&row)[4], const elem* taps, int i) {
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
        bits32 low = j - i >= 0 && j - i < KW ? taps[j - i] : 0;
        bits32 high = j + 1 - i >= 0 && j + 1 - i < KW ? taps[j + 1 - i] : 0;
        row[j / 2] = low | high << 16;
    }
}

DEVICE void stage_blocks(elem* slice, const elem* source, int d, int top) {
    const int rows = BLOCK_ROWS + KH - 1;
    for (int i = threadIdx.x; i < BLOCK_SLICE / 2; i += WAVE) reinterpret_cast<bits32*>(slice)[i] = 0;
    __syncthreads();
    if (d < 0 || d >= D) return;
    for (int i = 0; i < BLOCK_CHANNELS * rows; ++i) {
        int channel = i / rows, h = top - PH + i % rows;
        if (h < 0 || h >= H) continue;
        const elem* from = source + (((bits64)channel * D + d) * H + h) * W;
        for (int w = threadIdx.x; w < W; w += WAVE) slice[i * BLOCK_PITCH + PW + w] = from[w];
    }
}

// Grid: x = OD, y = C / 16, z = N * blocks of 4 rows; one wave.
KERNEL(WAVE, 1)
conv3d_blocks(const elem* __restrict__ x, const elem* __restrict__ weights, elem* __restrict__ y) {
#if defined(HOTLOOP_EMULATED)
    DYNAMIC_SHARED(memory);
#else
    __shared__ __attribute__((aligned(16))) unsigned char memory[BLOCK_BYTES];
#endif
    elem* tile = reinterpret_cast<elem*>(memory);
    int lane = threadIdx.x, channel = lane / 4, i = lane % 4, rows = BLOCK_ROWS + KH - 1;
    int od = blockIdx.x, bands = CEIL_DIV(OH, BLOCK_ROWS), top = blockIdx.z % bands * BLOCK_ROWS;
    bits64 image = blockIdx.z / bands * (bits64)C + blockIdx.y * BLOCK_CHANNELS;
    const elem* source = x + image * ((bits64)D * H * W);
    const elem* taps = weights + ((bits64)blockIdx.y * BLOCK_CHANNELS + channel) * (KD * KH * KW);
#if DEPTHS > 1
    for (int kd = 0; kd < KD; ++kd) stage_blocks(tile + kd * BLOCK_SLICE, source, od - PD + kd, top);
    __syncthreads();
#endif
#pragma unroll 1
    for (int first = 0; first < BLOCK_TILES; first += TILES) {
        float sum[TILES][4] = {};
#pragma unroll 1
        for (int kd = 0; kd < KD; ++kd) {
#if DEPTHS == 1
            __syncthreads();
            stage_blocks(tile, source, od - PD + kd, top);
            __syncthreads();
#endif
            const elem* slice = tile + (DEPTHS > 1 ? kd * BLOCK_SLICE : 0);
#pragma unroll
            for (int kh = 0; kh < KH; ++kh) {
                bits32 row[4];
                band(row, taps + (kd * KH + kh) * KW, i);
                const bits32 near[2] = {row[0], row[1]}, far[2] = {row[2], row[3]};
                const elem* line = slice + (channel * rows + i + kh) * BLOCK_PITCH;
#pragma unroll
                for (int t = 0; t < TILES; ++t) {
                    if (BLOCK_TILES % TILES && first + t >= BLOCK_TILES) break;
                    const Block<8>* from = reinterpret_cast<const Block<8>*>(line + (first + t) * 4);
                    Block<8> left = from[0], right = from[1];
                    matrix_blocks(sum[t], near, left.word);
                    matrix_blocks(sum[t], far, right.word);
                }
            }
        }
        int oh = top + i;
        elem* to = y + (((image + channel) * OD + od) * OH + oh) * OW;
#pragma unroll
        for (int t = 0; t < TILES; ++t)
#pragma unroll
            for (int m = 0; m < 4; ++m)
                if (oh < OH && (first + t) * 4 + m < OW) to[(first + t) * 4 + m] = from_float(sum[t][m]);
    }
}
#endif
