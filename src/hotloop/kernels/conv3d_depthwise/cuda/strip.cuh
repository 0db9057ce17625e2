// The rungs that run on the ordinary arithmetic units: a thread computes a strip of STRIP_H x STRIP_W outputs of a plane,
// streaming the input rows of the strip through registers, so one value read serves up to KH * KW multiplications.
// NCDHW, stride and dilation 1, MULT = 1.
//
//   STRIP_H STRIP_W   outputs of a thread; STRIP_W is 4 or 8
//   PLANES            output planes of a block, walked along D: 1 reads every input plane KD times, more reuse it
//   WIDE              1: the tile holds float32, converted once when a plane arrives; 0: it holds the elements
#if defined(RUNG_STRIP)
#define STRIPS_W CEIL_DIV(OW, STRIP_W)
#define STRIPS_H CEIL_DIV(OH, STRIP_H)
#define STRIP_THREADS (CEIL_DIV(STRIPS_W * STRIPS_H, WAVE) * WAVE)
#define SPAN (STRIP_W + KW - 1)
#define SPAN_READ (CEIL_DIV(SPAN, 4) * 4)  // whole vectors: what lies beyond SPAN is read, not used
#define STRIP_ROWS LARGER(STRIPS_H * STRIP_H + KH - 1, H + PH)
#define STRIP_PITCH (CEIL_DIV(LARGER(STRIPS_W * STRIP_W + SPAN_READ - STRIP_W, W + PW), 4) * 4)
#define RING (PLANES > 1 ? KD + 1 : KD)
#define CHUNK (W % 8 == 0 && ELEM != 0 ? 8 : W % 4 == 0 ? 4 : W % 2 == 0 ? 2 : 1)  // elements of one global access
#define CHUNKS (H * (W / CHUNK))
#define CHUNKS_EACH CEIL_DIV(CHUNKS, STRIP_THREADS)

#if WIDE || ELEM == 0
typedef float cell;
DEVICE void store_cell(cell* to, elem x) { *to = to_float(x); }
DEVICE void read_span(float (&span)[SPAN_READ], const cell* from) {
#pragma unroll
    for (int i = 0; i < SPAN_READ; i += 4) {
        Block<16> four = *reinterpret_cast<const Block<16>*>(from + i);
#pragma unroll
        for (int e = 0; e < 4; ++e) span[i + e] = as_float(four.word[e]);
    }
}
#else
typedef elem cell;
DEVICE void store_cell(cell* to, elem x) { *to = x; }
DEVICE void read_span(float (&span)[SPAN_READ], const cell* from) {
#pragma unroll
    for (int i = 0; i < SPAN_READ; i += 4) {
        Block<8> four = *reinterpret_cast<const Block<8>*>(from + i);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            span[i + 2 * e] = low_half(four.word[e]);
            span[i + 2 * e + 1] = high_half(four.word[e]);
        }
    }
}
#endif
#define STRIP_CELLS (STRIP_ROWS * STRIP_PITCH)
#define TAP_ROW (CEIL_DIV(KH * KW, 4) * 4)
#define STRIP_SHARED (RING * STRIP_CELLS * (int)sizeof(cell) + KD * TAP_ROW * 4)

static_assert(STRIP_SHARED == SHARED && STRIP_THREADS == THREADS, "rungs.py and this file disagree");

struct alignas(CHUNK * sizeof(elem)) Chunk {
    elem value[CHUNK];
};

DEVICE void fetch(Chunk (&held)[CHUNKS_EACH], const elem* channel, int d) {
    const Chunk* plane = reinterpret_cast<const Chunk*>(channel + (long long)d * (H * W));
#pragma unroll
    for (int i = 0; i < CHUNKS_EACH; ++i) {
        int chunk = threadIdx.x + i * STRIP_THREADS;
        Chunk none = {};
#if WAVE == 64  // clang 22 leaves what it selects between two structures in scratch memory
        held[i] = none;
        if (d >= 0 && d < D && chunk < CHUNKS)
#pragma unroll
            for (int e = 0; e < CHUNK; ++e) held[i].value[e] = plane[chunk].value[e];
#else
        held[i] = d >= 0 && d < D && chunk < CHUNKS ? plane[chunk] : none;
#endif
    }
}

DEVICE void place(const Chunk (&held)[CHUNKS_EACH], cell* slot) {
#pragma unroll
    for (int i = 0; i < CHUNKS_EACH; ++i) {
        int chunk = threadIdx.x + i * STRIP_THREADS;
        if (chunk >= CHUNKS) continue;
        cell* to = slot + (chunk / (W / CHUNK) + PH) * STRIP_PITCH + chunk % (W / CHUNK) * CHUNK + PW;
#pragma unroll
        for (int e = 0; e < CHUNK; ++e) store_cell(to + e, held[i].value[e]);
    }
}

// Adds one input plane's part to the strip. `from` is the strip's first cell, border included.
DEVICE void add_plane(float (&sum)[STRIP_H][STRIP_W], const cell* from, const float* taps) {
    float tap[TAP_ROW];
#pragma unroll
    for (int i = 0; i < TAP_ROW; i += 4) {
        Block<16> four = *reinterpret_cast<const Block<16>*>(taps + i);
#pragma unroll
        for (int e = 0; e < 4; ++e) tap[i + e] = as_float(four.word[e]);
    }
#pragma unroll
    for (int row = 0; row < STRIP_H + KH - 1; ++row) {
        float span[SPAN_READ];
        read_span(span, from + row * STRIP_PITCH);
#pragma unroll
        for (int kh = 0; kh < KH; ++kh) {
            if (row - kh < 0 || row - kh >= STRIP_H) continue;
#pragma unroll
            for (int kw = 0; kw < KW; ++kw)
#pragma unroll
                for (int i = 0; i < STRIP_W; ++i) sum[row - kh][i] += tap[kh * KW + kw] * span[i + kw];
        }
    }
}

DEVICE void write_strip(float (&sum)[STRIP_H][STRIP_W], float added, elem* plane, int row, int column) {
#pragma unroll
    for (int r = 0; r < STRIP_H; ++r) {
#pragma unroll
        for (int i = 0; i < STRIP_W; ++i) sum[r][i] += added;
        if (row + r >= OH) continue;
        elem* to = plane + (row + r) * OW + column;
#if OW % 4 == 0
#pragma unroll
        for (int i = 0; i < STRIP_W; i += 4) {
            if (column + i >= OW) continue;
#if ELEM == 0
            Block<16> four = {as_bits(sum[r][i]), as_bits(sum[r][i + 1]), as_bits(sum[r][i + 2]), as_bits(sum[r][i + 3])};
            *reinterpret_cast<Block<16>*>(to + i) = four;
#else
            Block<8> four = {pack2(sum[r][i], sum[r][i + 1]), pack2(sum[r][i + 2], sum[r][i + 3])};
            *reinterpret_cast<Block<8>*>(to + i) = four;
#endif
        }
#else
#pragma unroll
        for (int i = 0; i < STRIP_W; ++i)
            if (column + i < OW) to[i] = from_float(sum[r][i]);
#endif
    }
}

// Grid: x = chunks of PLANES output planes, y = C, z = N; dynamic shared memory STRIP_SHARED bytes.
KERNEL(STRIP_THREADS, 1)
conv3d_strip(ARGUMENTS) {
    DYNAMIC_SHARED(memory);
    float* taps = reinterpret_cast<float*>(memory);
    cell* ring = reinterpret_cast<cell*>(memory + KD * TAP_ROW * 4);
    bits64 channel = (bits64)blockIdx.z * C + blockIdx.y;
    const elem* source = x + channel * D * H * W;
    elem* target = y + channel * OD * OH * OW;
    int first = blockIdx.x * PLANES, last = first + PLANES < OD ? first + PLANES : OD;
    const float added = BIAS_OF(blockIdx.y);
    int thread = threadIdx.x, row = thread / STRIPS_W * STRIP_H, column = thread % STRIPS_W * STRIP_W;

    for (int i = thread; i < RING * STRIP_CELLS * (int)sizeof(cell) / 4; i += STRIP_THREADS)
        reinterpret_cast<bits32*>(ring)[i] = 0;  // the border stays zero for good
    for (int i = thread; i < KD * TAP_ROW; i += STRIP_THREADS) {
        int kd = i / TAP_ROW, tap = i % TAP_ROW;
        taps[i] = tap < KH * KW ? to_float(weights[(bits64)blockIdx.y * (KD * KH * KW) + kd * (KH * KW) + tap]) : 0.0f;
    }
    __syncthreads();
    Chunk held[CHUNKS_EACH];
    for (int kd = 0; kd < KD; ++kd) {
        fetch(held, source, first - PD + kd);
        place(held, ring + kd * STRIP_CELLS);
    }
    int oldest = 0;
    for (int od = first; od < last; ++od) {
        __syncthreads();
        bool more = PLANES > 1 && od + 1 < last;
        if (more) fetch(held, source, od - PD + KD);
        if (thread < STRIPS_W * STRIPS_H) {
            float sum[STRIP_H][STRIP_W] = {};
            int slot = oldest;
#pragma unroll 1
            for (int kd = 0; kd < KD; ++kd) {
                add_plane(sum, ring + slot * STRIP_CELLS + row * STRIP_PITCH + column, taps + kd * TAP_ROW);
                slot = slot + 1 == RING ? 0 : slot + 1;
            }
            write_strip(sum, added, target + (bits64)od * (OH * OW), row, column);
        }
        if (more) {
            int free_slot = oldest + KD >= RING ? oldest + KD - RING : oldest + KD;
            place(held, ring + free_slot * STRIP_CELLS);
        }
        oldest = oldest + 1 == RING ? 0 : oldest + 1;
    }
}
#endif
