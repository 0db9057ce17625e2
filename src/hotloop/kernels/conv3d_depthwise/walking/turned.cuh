// Channels last on matrix units: a block turns what it reads, so that each channel's plane lies by itself in shared memory, has
// one warp a channel do what toeplitz.cuh does, and turns the outputs back. Two neighbouring columns of 8 channels are two reads
// of 16 bytes, 8 words of two columns after that; likewise on the way out. So all of global memory is read and written in whole
// sectors, and a matrix instruction still has the products of one channel.
// N D H W C, 16-bit elements, C a multiple of 8, stride and dilation 1, MULT 1, windows up to 5 x 5 that fit one centred on the output.
//
//   CHANNELS   channels of a block; a multiple of 8
//   EACH       of them a warp's, one after the other: more bytes of a place for as many warps
//   QUADS      groups of 4 rows that a warp walks down; it has two of these on top of each other, and 16 columns
//   PLANES     output planes of a block
//   BLOCKS     blocks per multiprocessor that registers are left for
//
//   AHEAD      planes that are read before they are needed, by copies that no thread waits for, into a ring in shared memory where
//              each thread's reads are its own; 0: one plane, into registers
//
//   EARLY      of a step's warps, which write out what the step before made and turn the next plane's inputs before they multiply, not
//              behind that: 0 none (that writes first), 1 every other one of a scheduler, 2 all, 3 one of four, one writes first only,
//              one turns first only. With 1 and 3 loads, stores and products take turns
//
//   STREAM     1: mark y's lines as first to be evicted from the L2 cache
//   LINES      1: what is read ahead brings its whole line of 128 bytes into the L2 cache, where the other channels' blocks find it
//
//   SLOTS      planes of inputs, and of outputs, in shared memory. 2: all warps meet once a step. 3, 4: they meet nobody; a warp waits until
//              the others have done what it needs, which was a step before or, with 4, two, so that warps drift apart and units overlap.
//              Not with AHEAD
//   WHOLE      of the columns of blocks (bands, tiles and channels), how many are walked in one piece; the others in pieces of
//              PLANES. Blocks that fill the device for whole rounds should not begin anew. TOGETHER only
//   STEADY     1: addresses of reads are kept in registers from plane to plane, and every step writes its sums, finished or not; 0: addresses
//              are computed anew, and a branch asks for each group of rows whether its sums are finished
//
//   TOGETHER   1: blocks for the channels of one place follow each other, so that what they read and write of a line of memory comes
//              together; 0: blocks for places do
//
// What a step computed is written in the step after it. On an H200 the reference shape takes 202 us with
// STEADY and some columns WHOLE, 221 without, 275 where all warps do the parts of a step in the same order, too (EARLY 0).
#define TURN_THREADS (CHANNELS / EACH * WAVE)
#define GROUPS (CHANNELS / 8)        // of channels that 16 bytes hold
#define ROWS_MADE (8 * QUADS)        // output rows of a block
#define ROWS_MOST (H < ROWS_MADE + 4 ? H : ROWS_MADE + 4)
#define TILES CEIL_DIV(OW, 16)
#define SHARES CEIL_DIV(C, CHANNELS)
#define BANDS CEIL_DIV(OH, ROWS_MADE)
#define PAIRS_IN 10                  // pairs of columns: 16, two before, two after
#define PAIRS_OUT 8
#define ROW_WORDS 24                 // rows that four neighbouring threads read do not share banks
#define PLANE_WORDS ((ROWS_MADE + 4) * ROW_WORDS + 2)  // 8 channels further on lie the other 16 banks
#define OUT_WORDS (ROWS_MADE * PAIRS_OUT + 2)
#define SKEWED ((CHANNELS - 1) / 16 * 8)  // words; see plane_at
#define TASKS (ROWS_MOST * PAIRS_IN * GROUPS)  // of a plane's reads: 8 channels of a pair of columns
#define IN_WORDS (CHANNELS * PLANE_WORDS + SKEWED)  // of the block's planes
#define MADE_WORDS (CHANNELS * OUT_WORDS + SKEWED)
#define LEAD (SLOTS > 2 ? SLOTS - 2 : 1)  // planes by which inputs are turned before they are multiplied
#define BEHIND (SLOTS > 2 ? 2 : 1)        // steps after which outputs are written
#define SPLIT (SLOTS > 2)                 // a warp waits for what it needs instead of meeting all others
#define BARRIERS_BYTES (SPLIT ? SLOTS * 16 : 0)
#define TURN_SHARED (SLOTS * (IN_WORDS + MADE_WORDS) * 4 + AHEAD * TASKS * 32 + BARRIERS_BYTES)
#define SOON (STEADY && QUADS <= 3)       // a row is read before the sums of the group above it are written: no compiler moves it there
#define COLUMNS (TILES * BANDS * SHARES)
#define IN_EACH CEIL_DIV(TASKS, TURN_THREADS)
#define OUT_EACH CEIL_DIV(ROWS_MADE * PAIRS_OUT * GROUPS, TURN_THREADS)
#define CARRIED LARGER(KD - 1, 1)
#if STREAM
#define KEPT ".cs"
#else
#define KEPT ""
#endif
#if LINES
#define LINE ".L2::128B"
#else
#define LINE ""
#endif

static_assert(ELEM != 0 && CHANNELS_LAST && C % 8 == 0 && CHANNELS % 8 == 0 && CHANNELS % EACH == 0, "16 bits, channels last, in eights");
static_assert(EARLY >= 0 && EARLY <= 3, "none, half, all, or each its own");
static_assert(SLOTS == 2 || (SLOTS <= 4 && AHEAD == 0), "what is read ahead is turned where warps meet");
static_assert(WHOLE == 0 || (TOGETHER && WHOLE <= COLUMNS), "columns are counted with their channels together");
static_assert(TURN_SHARED == SHARED && TURN_THREADS == THREADS, "rungs.py and this file disagree");
static_assert(QUADS <= 16, "a thread's outputs of a plane are the bits of two words");

typedef Block<16> Eight;  // channels

struct Corner {  // of the block's outputs
    int od, oh, ow, channel;
    int planes;
};

DEVICE Corner corner_of_block() {
#if WHOLE
    int at = blockIdx.x, od = 0, planes = OD;
    if (at >= WHOLE) {
        at -= WHOLE;
        od = at / (COLUMNS - WHOLE) * PLANES, planes = OD - od < PLANES ? OD - od : PLANES;
        at = WHOLE + at % (COLUMNS - WHOLE);
    }
    int share = at % SHARES;
    at /= SHARES;
#else
#if TOGETHER
    int at = blockIdx.x / SHARES, share = blockIdx.x % SHARES;
#else
    int at = blockIdx.x, share = blockIdx.y;
#endif
    int od = at / (TILES * BANDS) * PLANES, planes = OD - od < PLANES ? OD - od : PLANES;
#endif
    return {od, at / TILES % BANDS * ROWS_MADE, at % TILES * 16, share * CHANNELS, planes};
}

// Words before a channel's plane: the third and fourth group of 8 channels lie 8 banks beside the first and second.
DEVICE int plane_at(int channel, int words) { return channel * words + channel / 16 * 8; }

// Task `i` of a plane's reads: 8 channels of two neighbouring columns.
struct Read {
    int row, column, group;  // of the input; the first of the columns
};

DEVICE Read read_of(const Corner& corner, int i) {
    int pair = i / GROUPS % PAIRS_IN, row = i / (GROUPS * PAIRS_IN);
    return {(corner.oh > 2 ? corner.oh - 2 : 0) + row, corner.ow - 2 + 2 * pair, i % GROUPS};
}

// A thread's reads: what is left after one for each falls to the last threads, which have fewest outputs to write.
DEVICE int task_of(int i) { return i * TURN_THREADS + (i == 0 ? threadIdx.x : TURN_THREADS - 1 - threadIdx.x); }

DEVICE bool is_read(const Corner& corner, const Read& r) {
    return r.row < H && r.row < corner.oh + ROWS_MADE + 2 && corner.channel + r.group * 8 < C;
}

#if AHEAD
typedef Eight Ring[TASKS][2];  // one plane of it

DEVICE void copy_or_clear(Eight* to, const elem* from, bool inside) {
#if defined(ON_NVIDIA)
    asm volatile("cp.async.cg.shared.global" LINE " [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
#else
    if (inside)
        copy_async<16>(to, from);
    else
        *to = Eight{};
#endif
}

DEVICE void fetch(Ring& ring, const elem* image, const Corner& corner, int d) {
#pragma unroll
    for (int i = 0; i < IN_EACH; ++i) {
        int task = task_of(i);
        if (task >= TASKS) continue;
        Read r = read_of(corner, task);
        bool inside = d >= 0 && d < D && is_read(corner, r);
        const elem* from = image + (((bits64)d * H + r.row) * W + r.column) * C + corner.channel + r.group * 8;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            copy_or_clear(&ring[task][k], from + k * C, inside && r.column + k >= 0 && r.column + k < W);
        }
    }
}
#else
struct Source {  // of a thread's reads of a plane: the first column, and whether each is there
    const elem* at;
    bool left, right;
};

DEVICE Source source_of(const elem* image, const Corner& corner, int d, int i) {
    Read r = read_of(corner, task_of(i));
    bool inside = task_of(i) < TASKS && is_read(corner, r);
    const elem* at = image + (((bits64)d * H + r.row) * W + r.column) * C + corner.channel + r.group * 8;
    return {at, inside && r.column >= 0 && r.column < W, inside && r.column + 1 >= 0 && r.column + 1 < W};
}

struct Sources {
    Source each[IN_EACH];
};

// Reads plane `d`; with STEADY the sources are those of the plane before.
DEVICE void fetch(Eight (&held)[IN_EACH][2], Sources& sources, const elem* image, const Corner& corner, int d) {
    bool inside = d >= 0 && d < D;
#pragma unroll
    for (int i = 0; i < IN_EACH; ++i) {
        Source& source = sources.each[i];
#if STEADY
        source.at += H * W * C;
#else
        source = source_of(image, corner, d, i);
#endif
        held[i][0] = inside && source.left ? *reinterpret_cast<const Eight*>(source.at) : Eight{};
        held[i][1] = inside && source.right ? *reinterpret_cast<const Eight*>(source.at + C) : Eight{};
    }
}

#endif

// The lower halves of two words in one, and the upper ones: one instruction on NVIDIA, where the compiler finds two.
#if defined(ON_NVIDIA)
DEVICE bits32 chosen(bits32 first, bits32 second, bits32 bytes) {
    bits32 r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(first), "r"(second), "r"(bytes));
    return r;
}
DEVICE bits32 lows(bits32 first, bits32 second) { return chosen(first, second, 0x5410); }
DEVICE bits32 highs(bits32 first, bits32 second) { return chosen(first, second, 0x7632); }
#else
DEVICE bits32 lows(bits32 first, bits32 second) { return (first & 0xffffu) | second << 16; }
DEVICE bits32 highs(bits32 first, bits32 second) { return first >> 16 | (second & 0xffff0000u); }
#endif

// One access of 16 bytes: the compiler makes four of the second one of two that are built from words.
DEVICE void put(elem* to, const Eight& eight) {
#if defined(ON_NVIDIA)
    asm volatile("st.global" KEPT ".v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(eight.word[0]), "r"(eight.word[1]),
                 "r"(eight.word[2]), "r"(eight.word[3])
                 : "memory");
#else
    *reinterpret_cast<Eight*>(to) = eight;
#endif
}

#if AHEAD
DEVICE void settle(const Ring& ring, bits32* planes, const Corner& corner) {
#else
DEVICE void settle(const Eight (&held)[IN_EACH][2], bits32* planes, const Corner& corner) {
#endif
#pragma unroll
    for (int i = 0; i < IN_EACH; ++i) {
        int task = task_of(i);
        Read r = read_of(corner, task);
        if (task >= TASKS || !is_read(corner, r)) continue;
#if AHEAD
        const Eight pair[2] = {ring[task][0], ring[task][1]};
#else
        const Eight (&pair)[2] = held[i];
#endif
        bits32* to = planes + plane_at(r.group * 8, PLANE_WORDS) + (r.row - corner.oh + 2) * ROW_WORDS + (r.column - corner.ow + 2) / 2;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            to[2 * k * PLANE_WORDS] = lows(pair[0].word[k], pair[1].word[k]);
            to[(2 * k + 1) * PLANE_WORDS] = highs(pair[0].word[k], pair[1].word[k]);
        }
    }
}

// Rows outside the input stay zero for good.
DEVICE void clear(bits32* planes, const Corner& corner) {
    const int all = ROWS_MADE + 4;
    for (int i = threadIdx.x; i < SLOTS * CHANNELS * all; i += TURN_THREADS) {
        int row = i % all, channel = i / all % CHANNELS, slot = i / (all * CHANNELS);
        if (corner.oh - 2 + row >= 0 && corner.oh - 2 + row < H) continue;
        bits32* to = planes + slot * IN_WORDS + plane_at(channel, PLANE_WORDS) + row * ROW_WORDS;
#pragma unroll
        for (int k = 0; k < PAIRS_IN; k += 2) *reinterpret_cast<Block<8>*>(to + k) = Block<8>{};
    }
}

DEVICE void flush(const bits32* made, elem* plane, const Corner& corner) {
#pragma unroll
    for (int i = 0; i < OUT_EACH; ++i) {
        int task = threadIdx.x + i * TURN_THREADS, place = task / GROUPS, group = task % GROUPS;
        int row = place / PAIRS_OUT, column = corner.ow + place % PAIRS_OUT * 2;
        if (row >= ROWS_MADE || corner.oh + row >= OH || column >= OW || corner.channel + group * 8 >= C) continue;
        const bits32* from = made + plane_at(group * 8, OUT_WORDS) + place;
        Eight left, right;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            bits32 even = from[2 * k * OUT_WORDS], odd = from[(2 * k + 1) * OUT_WORDS];
            left.word[k] = lows(even, odd), right.word[k] = highs(even, odd);
        }
        elem* to = plane + ((bits64)(corner.oh + row) * OW + column) * C + corner.channel + group * 8;
        put(to, left);
        if (column + 1 < OW) put(to + C, right);
    }
}

#if SPLIT
DEVICE void arrive(bits64* barrier) {  // of a warp
    __syncwarp();
    if (threadIdx.x % WAVE == 0) barrier_arrive(barrier);
}
#endif

struct Mine {  // what a thread owns: see toeplitz.cuh
    int t, row, column, channel;  // the first of EACH channels
};

DEVICE Mine mine_of(int thread) {
    int lane = thread % WAVE, block = lane >> 2;
    return {lane & 3, (block >> 2) * (4 * QUADS), (block & 3) * 4, thread / WAVE * EACH};
}

DEVICE void read_row(bits32 (&row)[4], const bits32* from) {
    Block<8> left = *reinterpret_cast<const Block<8>*>(from), right = *reinterpret_cast<const Block<8>*>(from + 2);
    row[0] = left.word[0], row[1] = left.word[1], row[2] = right.word[0], row[3] = right.word[1];
}

// Computes the NaNs among the thread's outputs once more, tap by tap; see exact.cuh. All outputs of the block are written.
RARELY void repair(const elem* image, const elem* weights, elem* y, float added, int each) {
    Mine mine = mine_of(threadIdx.x);
    Corner corner = corner_of_block();
    int channel = corner.channel + mine.channel + each;
    if (channel >= C) return;
    weights += channel * (KD * KH * KW);
#pragma unroll 1
    for (int od = corner.od; od < corner.od + corner.planes; ++od)
#pragma unroll 1
        for (int i = 0; i < QUADS * 4; ++i) {
            int oh = corner.oh + mine.row + mine.t + i / 4 * 4, ow = corner.ow + mine.column + i % 4;
            if (oh >= OH || ow >= OW) continue;
            elem* at = y + (((bits64)od * OH + oh) * OW + ow) * C + channel;
            if (is_nan(*at)) *at = exact(image + channel, weights, added, od, oh, ow);
        }
}
