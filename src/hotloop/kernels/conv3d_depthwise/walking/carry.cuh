// float32: a thread computes a strip of CARRY_H x 4 outputs in KD planes at once. It reads each input of its strip once from
// shared memory, multiplies it by all taps, which stay in registers, and carries the sums on from plane to plane: a third of the
// reads of strip.cuh where KD is 3, no read of a tap, and asynchronous copies that run STAGES - 1 planes ahead.
// NCDHW, float32, stride and dilation 1, MULT 1.
//
//   CARRY_H   rows of a strip
//   EACH      channels of a block
//   STAGES    planes of a channel in shared memory
//   PLANES    output planes of a block
//   BLOCKS    blocks per multiprocessor that registers are left for
#define CARRY_W 4
#define STRIPS_W CEIL_DIV(OW, CARRY_W)
#define STRIPS (STRIPS_W * CEIL_DIV(OH, CARRY_H))
#define CARRY_THREADS (CEIL_DIV(STRIPS * EACH, WAVE) * WAVE)
#define LEFT (CEIL_DIV(PW, 4) * 4)  // where a row begins in shared memory, so that 16 bytes can be copied
#define BEFORE (LEFT - PW)          // cells that a strip reads and does not use
#define SPAN_READ (CEIL_DIV(BEFORE + CARRY_W + KW - 1, 4) * 4)
#define CARRY_PITCH (CEIL_DIV(LARGER((STRIPS_W - 1) * CARRY_W + SPAN_READ, LEFT + W), 4) * 4)
#define CARRY_ROWS LARGER(CEIL_DIV(OH, CARRY_H) * CARRY_H + KH - 1, PH + H)
#define CARRY_CELLS (CARRY_ROWS * CARRY_PITCH)
#define CHUNK (W % 4 == 0 ? 4 : 1)  // elements of one copy
#define CHUNKS (H * (W / CHUNK))
#define CARRIED LARGER(KD - 1, 1)

static_assert(ELEM == 0 && !CHANNELS_LAST, "float32, channels first");
static_assert(EACH * STAGES * CARRY_CELLS * 4 == SHARED && CARRY_THREADS == THREADS, "rungs.py and this file disagree");

typedef Block<16> Four;

// Begins to bring plane `d` of the block's channels; a plane outside the input is zeros.
DEVICE void start(float* slots, const float* image, int d) {
#pragma unroll 2
    for (int i = threadIdx.x; i < EACH * CHUNKS; i += CARRY_THREADS) {
        int each = i / CHUNKS, chunk = i % CHUNKS, channel = blockIdx.y * EACH + each;
        if (channel >= C) break;
        int row = chunk / (W / CHUNK), column = chunk % (W / CHUNK) * CHUNK;
        float* to = slots + each * (STAGES * CARRY_CELLS) + (row + PH) * CARRY_PITCH + LEFT + column;
        if (d >= 0 && d < D) {
            copy_async<CHUNK * 4>(to, image + ((bits64)channel * D + d) * (H * W) + chunk * CHUNK);
        } else {
#pragma unroll
            for (int e = 0; e < CHUNK; ++e) to[e] = 0.0f;
        }
    }
}

// Adds one row of the input to the strip's sums of all planes and rows that it belongs to.
DEVICE void add_row(float (&sum)[KD][CARRY_H][CARRY_W], const float (&tap)[KD][KH][KW], const float* from, int row) {
    float span[SPAN_READ];
#pragma unroll
    for (int i = 0; i < SPAN_READ; i += 4) {
        Four four = *reinterpret_cast<const Four*>(from + i);
#pragma unroll
        for (int e = 0; e < 4; ++e) span[i + e] = as_float(four.word[e]);
    }
#pragma unroll
    for (int kh = 0; kh < KH; ++kh) {
        if (row - kh < 0 || row - kh >= CARRY_H) continue;
#pragma unroll
        for (int kd = 0; kd < KD; ++kd)
#pragma unroll
            for (int kw = 0; kw < KW; ++kw)
#pragma unroll
                for (int i = 0; i < CARRY_W; ++i) sum[kd][row - kh][i] += tap[kd][kh][kw] * span[BEFORE + kw + i];
    }
}

DEVICE void write_strip(const float (&sum)[CARRY_H][CARRY_W], float added, float* to, int row, int column) {
#pragma unroll
    for (int r = 0; r < CARRY_H; ++r) {
        if (row + r >= OH) continue;
#if OW % 4 == 0
        Four four = {as_bits(sum[r][0] + added), as_bits(sum[r][1] + added), as_bits(sum[r][2] + added), as_bits(sum[r][3] + added)};
        *reinterpret_cast<Four*>(to + r * OW) = four;
#else
#pragma unroll
        for (int i = 0; i < CARRY_W; ++i)
            if (column + i < OW) to[r * OW + i] = sum[r][i] + added;
#endif
    }
}

// Grid: x = chunks of PLANES output planes, y = C / EACH, z = N; dynamic shared memory EACH * STAGES * CARRY_CELLS floats.
KERNEL(CARRY_THREADS, BLOCKS)
conv3d_carry(ARGUMENTS) {
    DYNAMIC_SHARED(memory);
    float* ring = reinterpret_cast<float*>(memory);
    int thread = threadIdx.x, each = thread / STRIPS, strip = thread % STRIPS, channel = blockIdx.y * EACH + each;
    bool working = each < EACH && channel < C;
    int row = strip / STRIPS_W * CARRY_H, column = strip % STRIPS_W * CARRY_W;
    int first = blockIdx.x * PLANES, outputs = OD - first < PLANES ? OD - first : PLANES, steps = outputs + KD - 1;
    const float* image = x + (bits64)blockIdx.z * ((bits64)C * D * H * W);
    float* target = y + (((bits64)blockIdx.z * C + channel) * OD + first) * (OH * OW) + row * OW + column;

    for (int i = thread; i < EACH * STAGES * CARRY_CELLS / 4; i += CARRY_THREADS)
        reinterpret_cast<Four*>(ring)[i] = Four{};  // the border stays zero for good
    float tap[KD][KH][KW], added = working ? BIAS_OF(channel) : 0.0f;
#pragma unroll
    for (int i = 0; i < KD * KH * KW; ++i)
        tap[i / (KH * KW)][i / KW % KH][i % KW] = working ? weights[(bits64)channel * (KD * KH * KW) + i] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < STAGES - 1; ++i) {
        if (i < steps) start(ring + i * CARRY_CELLS, image, first - PD + i);
        copy_commit();
    }
    float carried[CARRIED][CARRY_H][CARRY_W] = {};
    const float* mine = ring + (working ? each : 0) * (STAGES * CARRY_CELLS) + row * CARRY_PITCH + column;
    int slot = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        copy_wait<STAGES - 2>();
        __syncthreads();
        if (step + STAGES - 1 < steps)
            start(ring + (slot == 0 ? STAGES - 1 : slot - 1) * CARRY_CELLS, image, first - PD + step + STAGES - 1);
        copy_commit();
        if (working) {
            float sum[KD][CARRY_H][CARRY_W];
#pragma unroll
            for (int i = 0; i < KD * CARRY_H * CARRY_W; ++i) {
                int kd = i / (CARRY_H * CARRY_W), r = i / CARRY_W % CARRY_H, e = i % CARRY_W;
                sum[kd][r][e] = kd == 0 ? 0.0f : carried[LARGER(kd - 1, 0)][r][e];
            }
#pragma unroll
            for (int r = 0; r < CARRY_H + KH - 1; ++r) add_row(sum, tap, mine + slot * CARRY_CELLS + r * CARRY_PITCH, r);
            if (step >= KD - 1) {
                write_strip(sum[KD - 1], added, target, row, column);
                target += OH * OW;
            }
#pragma unroll
            for (int i = 0; i < (KD - 1) * CARRY_H * CARRY_W; ++i) {
                int kd = i / (CARRY_H * CARRY_W), r = i / CARRY_W % CARRY_H, e = i % CARRY_W;
                carried[kd][r][e] = sum[kd][r][e];
            }
        }
        slot = slot + 1 == STAGES ? 0 : slot + 1;
    }
}
