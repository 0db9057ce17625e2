// Depthwise convolution on matrix units. NCDHW, 16-bit elements, stride and dilation 1, MULT = 1, windows up to 5 x 5 that
// fit a 5 x 5 window centred on the output, any KD. Needs W even.
//
// The outputs of a small block of a plane are one banded (Toeplitz) matrix of taps times the inputs around the block. A
// block of 4 rows x 2 columns (NVIDIA, m16n8k16: 16 blocks are the rows of A, its 8 outputs the columns of B) reads
// 8 x 6 = 48 inputs per input plane: 3 instructions of depth 16. A block of 4 x 4 (AMD, 16x16x16: taps are A, 16 blocks are
// the columns of B) reads 8 x 8 = 64: 4 instructions. 75 of 144 products per output are useful, 75 of 192 on AMD.
//
// The order of the products inside an instruction is free as long as both operands agree, so it is chosen such that
// thread t of four owns the input rows t modulo 4 and the output rows t modulo 4, and holds 8 neighbouring columns of a
// row, 2 before and 2 after the 4 outputs it will write. Going down by 4 rows it reads one new row; going on by one plane,
// the sums move from tap kd to kd + 1 through the instruction's separate result register. So each input is read from
// global memory once, from shared memory (8/4 x 8/4 / 4 =) once per thread, and used KD * 3 (4) times.
//
// 0 * NaN and 0 * infinity are NaN: in a block, either spreads to outputs whose windows do not hold it, and makes NaN of them.
// So an output that is no NaN is right. A thread remembers in `seen` whether it wrote a NaN; if one of its wave did, it looks
// through its outputs when all are written, and computes those that are NaN once more, tap by tap.
//
//   QUADS      groups of 4 rows that a wave walks down; its WAVE / 16 segments lie 4 * QUADS rows apart
//   VERTICAL   waves on top of each other
//   BANDS      blocks on top of each other that share a plane; 1: a block has the whole plane
//   PLANES     output planes of a block
//   STAGES     planes of shared memory
//   PITCH      elements of a row in shared memory, even; free of bank conflicts when PITCH / 2 mod 32 is 8 or 24
//   LOADER     0 through registers, 1 cp.async, 2 bulk copies of whole planes (PITCH = W, plane a multiple of 16 bytes)
//   STREAM     1: mark y's lines as first to be evicted from the L2 cache
#if defined(RUNG_TOEPLITZ)
#define TILES CEIL_DIV(OW, 16)
#define WAVES (TILES * VERTICAL)
#define TOEPLITZ_THREADS (WAVES * WAVE)
#define SEGMENTS (WAVE / 16)
#define COVERED (VERTICAL * SEGMENTS * QUADS * 4)  // rows
#if BANDS == 1
#define SLOT_ROWS LARGER(COVERED + 2, H + 2)  // 2 rows of zeros above; the next slot's are the ones below
#define ROWS_MOST H
#else
#define SLOT_ROWS (COVERED + 4)  // the neighbours' rows, or zeros, above and below
#define ROWS_MOST (H < COVERED + 4 ? H : COVERED + 4)
#endif
#define SLOT (SLOT_ROWS * PITCH)
#define FRONT 128  // bytes before the first slot, for the word left of its first row
#define TOEPLITZ_SHARED (FRONT + (STAGES * SLOT + 4 * PITCH) * 2 + STAGES * 16)
#define CHUNK (W % 8 == 0 && PITCH % 8 == 0 ? 8 : W % 4 == 0 && PITCH % 4 == 0 ? 4 : 2)
#define CHUNKS_EACH CEIL_DIV(ROWS_MOST * (W / CHUNK), TOEPLITZ_THREADS)
#define CARRIED LARGER(KD - 1, 1)

// clang 22.1.8 drops the barrier's own wait for writes of the iteration before; `hotloop isa` shows them in flight at it.
#if WAVE == 64 && !defined(HOTLOOP_EMULATED)
#define LOCAL_WRITES_DONE() __builtin_amdgcn_s_waitcnt(0xc07f)  // lgkmcnt(0)
#else
#define LOCAL_WRITES_DONE()
#endif

static_assert(TOEPLITZ_SHARED == SHARED && TOEPLITZ_THREADS == THREADS, "rungs.py and this file disagree");
static_assert(QUADS <= 16, "a thread's outputs of a plane are the bits of two words");
static_assert(BANDS == CEIL_DIV(OH, COVERED), "every row has a block");

typedef Block<CHUNK * 2> Chunk;

struct Place {  // what a thread owns
    int t;      // rows t modulo 4
    int row;    // first output row of its segment
    int column; // first of its 4 output columns
};

DEVICE int first_plane() { return PLANES < OD ? blockIdx.x / BANDS * PLANES : 0; }  // of the block; often a constant
DEVICE int first_row() { return BANDS > 1 ? (int)(blockIdx.x % BANDS) * COVERED : 0; }

// Rows of the input that a block reads, counted from its first output row.
struct Rows {
    int first, end;
};

DEVICE Rows rows_read() {
    if (BANDS == 1) return {0, H};
    int top = first_row();
    return {top > 0 ? -2 : 0, H - top < COVERED + 2 ? H - top : COVERED + 2};
}

DEVICE Place place_of(int thread) {
    int lane = thread % WAVE, wave = thread / WAVE;
    int block = WAVE == 64 ? lane & 15 : lane >> 2;
    Place p;
    p.t = WAVE == 64 ? lane >> 4 : lane & 3;
    p.row = (wave / TILES * SEGMENTS + (block >> 2)) * (4 * QUADS);
    p.column = wave % TILES * 16 + (block & 3) * 4;
    return p;
}

// Reads a row's 8 columns from 2 before the thread's 4 to 2 after them; columns outside the input are zero.
DEVICE void read_row(bits32 (&row)[4], const bits32* from, int column) {
    Block<8> middle = *reinterpret_cast<const Block<8>*>(from);
    row[0] = column >= 2 ? from[-1] : 0;
    row[1] = TILES * 16 <= W || column < W ? middle.word[0] : 0;
    row[2] = TILES * 16 <= W || column + 2 < W ? middle.word[1] : 0;
    row[3] = column + 4 < W ? from[2] : 0;
}

DEVICE void write_row(elem* to, float (&sum)[4], float added, int row, int column, Seen& seen) {
    if (row >= OH || column >= OW) return;
#if !BIAS_FIRST
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] += added;
#endif
    Block<8> four = {pack2(sum[0], sum[1]), pack2(sum[2], sum[3])};
    watch(seen, sum, four);
#if OW % 4 == 0
#if STREAM && defined(ON_NVIDIA)
    asm volatile("st.global.cs.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(four.word[0]), "r"(four.word[1]) : "memory");
#else
    *reinterpret_cast<Block<8>*>(to) = four;
#endif
#else
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (column + i < OW) to[i] = (elem)(four.word[i / 2] >> 16 * (i % 2));
#endif
}

// Computes the NaNs among the thread's outputs once more, and all outputs that padding along depth belongs to: the kernel
// leaves out planes of zeros, which make NaN with a weight that is not finite. Rare, so it shall not cost registers.
RARELY void repair(int wave, const elem* x, const elem* weights, elem* y, float added) {
    Place mine = place_of(thread_again(wave));
    bits64 channel = (bits64)blockIdx.z * C + blockIdx.y;
    x += channel * D * (H * W);
    mine.row += first_row();
    y += channel * OD * (OH * OW) + (mine.row + mine.t) * OW + mine.column;
    weights += blockIdx.y * (KD * KH * KW);
    int first = first_plane();
#pragma unroll 1
    for (int od = first; od < OD && od < first + PLANES; ++od) {
        elem* plane = y + (bits64)od * (OH * OW);
        bits64 wrong = 0;
#pragma unroll
        for (int i = 0; i < QUADS * 4; ++i) {
            bool written = mine.row + mine.t + i / 4 * 4 < OH && mine.column + i % 4 < OW;
            elem found = written ? plane[i / 4 * 4 * OW + i % 4] : (elem)0;
            wrong |= (bits64)(written & (is_nan(found) | (od < PD) | (od > D + PD - KD))) << i;
        }
#pragma unroll 1
        for (int i = 0; i < QUADS * 4; ++i)
            if (wrong >> i & 1)
                plane[i / 4 * 4 * OW + i % 4] =
                    exact(x, weights, added, od, mine.row + mine.t + i / 4 * 4, mine.column + i % 4);
    }
}

// --- bringing planes ----------------------------------------------------------------------------------------------------
DEVICE elem* slot_of(elem* ring, int slot) { return ring + slot * SLOT + 2 * PITCH; }

DEVICE elem* chunk_in(elem* slot, int chunk) {
    return slot + (PITCH == W ? chunk * CHUNK : chunk / (W / CHUNK) * PITCH + chunk % (W / CHUNK) * CHUNK);
}

#if LOADER == 0
DEVICE void move(Chunk& to, const Chunk& from) {
#if WAVE == 64  // clang 22 leaves chunks that are copied whole in scratch memory
#pragma unroll
    for (int word = 0; word < CHUNK / 2; ++word) to.word[word] = from.word[word];
#else
    to = from;
#endif
}

DEVICE void fetch(Chunk (&held)[CHUNKS_EACH], const elem* plane, int chunks) {
#pragma unroll
    for (int i = 0; i < CHUNKS_EACH; ++i) {
        int chunk = threadIdx.x + i * TOEPLITZ_THREADS;
        if (chunk < chunks) move(held[i], reinterpret_cast<const Chunk*>(plane)[chunk]);
    }
}

DEVICE void settle(const Chunk (&held)[CHUNKS_EACH], elem* slot, int chunks) {
#pragma unroll
    for (int i = 0; i < CHUNKS_EACH; ++i) {
        int chunk = threadIdx.x + i * TOEPLITZ_THREADS;
        if (chunk < chunks) move(*reinterpret_cast<Chunk*>(chunk_in(slot, chunk)), held[i]);
    }
}
#elif LOADER == 1
DEVICE void start(elem* slot, const elem* plane, int chunks) {
#pragma unroll
    for (int i = 0; i < CHUNKS_EACH; ++i) {
        int chunk = threadIdx.x + i * TOEPLITZ_THREADS;
        if (chunk < chunks) copy_async<CHUNK * 2>(chunk_in(slot, chunk), plane + chunk * CHUNK);
    }
}
#endif

// Grid: x = chunks of PLANES output planes times BANDS, y = C, z = N; dynamic shared memory TOEPLITZ_SHARED bytes.
KERNEL(TOEPLITZ_THREADS, BLOCKS)
conv3d_toeplitz(ARGUMENTS) {
    DYNAMIC_SHARED(memory);
    elem* ring = reinterpret_cast<elem*>(memory + FRONT);
    int thread = threadIdx.x, wave = wave_to_remember();
    Place mine = place_of(thread);
    bits64 channel = (bits64)blockIdx.z * C + blockIdx.y;
    int first = first_plane(), outputs = OD - first < PLANES ? OD - first : PLANES;
    int z0 = first - PD > 0 ? first - PD : 0;
    int z1 = first + outputs - 1 + KD - PD < D ? first + outputs - 1 + KD - PD : D;
    int planes = z1 - z0;  // input planes inside the input
    int top = first_row();
    const float added = BIAS_OF(blockIdx.y);
    const Rows rows = rows_read();
    const int chunks = (rows.end - rows.first) * (W / CHUNK);
    const elem* source = x + (channel * D + z0) * (H * W) + (top + rows.first) * W;
    elem* target = y + (channel * OD + first) * (OH * OW) + (top + mine.row + mine.t) * OW + mine.column;

#if LOADER == 0
    Chunk held[CHUNKS_EACH];
    fetch(held, source, chunks);
    settle(held, slot_of(ring, 0) + rows.first * PITCH, chunks);
#elif LOADER == 1
#pragma unroll
    for (int i = 0; i < STAGES - 1; ++i) {
        if (i < planes) start(slot_of(ring, i) + rows.first * PITCH, source + i * (H * W), chunks);
        copy_commit();
    }
#else
    bits64* full = reinterpret_cast<bits64*>(memory + FRONT + (STAGES * SLOT + 4 * PITCH) * 2);
    bits64* empty = full + STAGES;
    if (thread == 0) {
        for (int i = 0; i < STAGES; ++i) {
            barrier_init(full + i, 1);
            barrier_init(empty + i, WAVES);
        }
        barrier_fence();
        for (int i = 0; i < STAGES && i < planes; ++i) {
            barrier_expect(full + i, chunks * (CHUNK * 2));
            copy_bulk(slot_of(ring, i) + rows.first * PITCH, source + i * (H * W), chunks * (CHUNK * 2), full + i);
        }
    }
#endif

    // Rows outside the input are zero for good; no copy touches them.
    for (int slot = 0; slot <= STAGES; ++slot) {
        elem* begin = ring + slot * SLOT;
        int above = slot == STAGES ? 4 * PITCH : (2 + rows.first) * PITCH;
        for (int i = thread * 2; i < above; i += TOEPLITZ_THREADS * 2) *reinterpret_cast<bits32*>(begin + i) = 0;
        if (slot == STAGES) break;
        for (int i = thread * 2 + (2 + rows.end) * PITCH; i < SLOT; i += TOEPLITZ_THREADS * 2)
            *reinterpret_cast<bits32*>(begin + i) = 0;
    }
    Taps taps[KD];
#pragma unroll
    for (int kd = 0; kd < KD; ++kd) load_taps(taps[kd], weights + ((int)blockIdx.y * KD + kd) * (KH * KW), thread);
#if LOADER == 2
    __syncthreads();  // before anybody waits on a barrier
#endif

    Seen seen = 0;
#if PD > 0
#pragma unroll
    for (int i = 0; i < KD * STEPS * 2; ++i) watch(seen, taps[i / (STEPS * 2)].word[i / 2 % STEPS][i % 2]);
#endif
    float carried[CARRIED][QUADS][4] = {};
    int slot = 0, plane = 0;
    bits32 parity = 0;
#pragma unroll 1
    for (int step = 0; step < outputs + KD - 1; ++step, target += OH * OW) {
        int z = first - PD + step;
        bool inside = PD == 0 || (z >= 0 && z < D);
        if (inside) {
#if LOADER == 0
            LOCAL_WRITES_DONE();
            __syncthreads();
            if (plane + 1 < planes) fetch(held, source + (long long)(plane + 1) * (H * W), chunks);
#elif LOADER == 1
            copy_wait<STAGES - 2>();
            __syncthreads();
            int next = plane + STAGES - 1;
            if (next < planes)
                start(slot_of(ring, slot == 0 ? STAGES - 1 : slot - 1) + rows.first * PITCH,
                      source + (long long)next * (H * W), chunks);
            copy_commit();
#else
            barrier_wait(full + slot, parity);
#endif
        }
        const bits32* from = reinterpret_cast<const bits32*>(
            slot_of(ring, slot) + (mine.row + mine.t - 2) * PITCH + mine.column);
        bits32 above[4], below[4];
        if (inside) read_row(above, from, mine.column);
#pragma unroll
        for (int q = 0; q < QUADS; ++q) {
            float sum[KD][4];
#pragma unroll
            for (int kd = 0; kd < KD; ++kd)
#pragma unroll
                for (int i = 0; i < 4; ++i) sum[kd][i] = kd == 0 ? FIRST_OF(added) : carried[kd - 1][q][i];
            if (inside) {
                read_row(below, from + (q + 1) * 4 * (PITCH / 2), mine.column);
#pragma unroll
                for (int j = 0; j < STEPS; ++j)
#pragma unroll
                    for (int kd = KD - 1; kd >= 0; --kd)  // so that a sum may take the registers of the one that was read before
                        multiply(sum[kd], j, above, below, taps[kd]);
#pragma unroll
                for (int i = 0; i < 4; ++i) above[i] = below[i];
            }
#pragma unroll
            for (int kd = 0; kd < KD - 1; ++kd)
#pragma unroll
                for (int i = 0; i < 4; ++i) carried[kd][q][i] = sum[kd][i];
            if (step >= KD - 1)
                write_row(
                    target - (KD - 1) * (OH * OW) + q * 4 * OW, sum[KD - 1], added, top + mine.row + mine.t + 4 * q, mine.column,
                    seen);
        }
        if (inside) {
#if LOADER == 0
            if (plane + 1 < planes)
                settle(held, slot_of(ring, slot == STAGES - 1 ? 0 : slot + 1) + rows.first * PITCH, chunks);
#elif LOADER == 2
            // The slot's last reader lets the first wave refill it, one step later so that nobody waits for a slow wave.
            __syncwarp();
            if (thread % WAVE == 0) barrier_arrive(empty + slot);
            int past = slot == 0 ? STAGES - 1 : slot - 1, next = plane - 1 + STAGES;
            if (thread == 0 && plane > 0 && next < planes) {
                barrier_wait(empty + past, slot == 0 ? parity ^ 1 : parity);
                barrier_expect(full + past, chunks * (CHUNK * 2));
                copy_bulk(slot_of(ring, past) + rows.first * PITCH, source + (long long)next * (H * W),
                          chunks * (CHUNK * 2), full + past);
            }
#endif
            ++plane;
            if (++slot == STAGES) slot = 0, parity ^= 1;
        }
    }
    if (any_of_wave(seen)) repair(wave, x, weights, y, added);
}
#endif
