// Flash attention forward on CDNA's matrix cores: O = softmax(Q K^T scale) V, fp16 with fp32 sums, head dimension 128.
//
// One source for all rungs of the ladder; the macros below are the rungs' parameters. Q, O [heads, queries, 128] and
// K, V [heads, keys, 128] are contiguous; any number of queries and of keys, at least one each. With CAUSAL a query sees the
// keys up to its own index. Launch: ceil(queries / ROWS) x heads work-groups of 64 WAVES threads, ROWS = SIDE WAVES.
//
// Lane l of a wave is (g, n) = (l / SIDE, l % SIDE). A matrix instruction takes A[n, WIDTH g + i] and B[WIDTH g + i, n] and
// returns C[8 (i / 4) + 4 g + i % 4, n]: `hotloop isa matrix v_mfma_f32_16x16x16_f16` draws it.

#ifndef BN
#define BN 16  // keys of a step
#endif
#ifndef WAVES
#define WAVES 4
#endif
#ifndef SIDE
#define SIDE 16  // of a matrix instruction, and rows of Q that a wave owns
#endif
#ifndef WIDE
#define WIDE 0  // 1: gfx950's instructions with twice the steps of the inner dimension
#endif
#ifndef QFROM
#define QFROM 0  // Q's operands: 0 from LDS in every step, 1 from LDS once, 2 from global memory once
#endif
#ifndef VT
#define VT 0  // 1: V lies transposed in LDS
#endif
#ifndef VROWS
#define VROWS 1  // neighbouring keys that a thread stores together when it transposes V
#endif
#ifndef PAD
#define PAD 0  // further halves in every row of Q, K and V in LDS
#endif
#ifndef SWIZZLE
#define SWIZZLE 0  // 1: K and the transposed V lie without padding, in an order in which neither reads nor writes conflict
#endif
#ifndef CAUSAL
#define CAUSAL 1
#endif
#ifndef EXIT
#define EXIT 0  // 1: end at the diagonal
#endif
#ifndef EDGE
#define EDGE 0  // 1: only steps that meet the diagonal or the end are masked
#endif
#ifndef BUFFERS
#define BUFFERS 0  // LDS: 0 one that K and V share, 1 one for each, 2 two for each
#endif
#ifndef PREFETCH
#define PREFETCH 0  // 1: the next step's K and V are on their way while this one is computed
#endif
#ifndef PREG
#define PREG 0  // 1: S is computed transposed, so that P is in place for the second product
#endif
#ifndef OVERLAP
#define OVERLAP 0  // 1: the second product of a step runs beside the softmax of the next
#endif
#ifndef LATE
#define LATE 0  // 1: row sums are joined across lanes once, at the end
#endif
#ifndef CROSS
#define CROSS 0  // maxima and sums across lanes: 0 through LDS hardware, 1 in the vector unit (DPP; gfx950: permlane swaps)
#endif
#ifndef HINTS
#define HINTS 0  // with OVERLAP: so many vector instructions are wanted after every matrix instruction
#endif

#ifndef OVERLAY
#define OVERLAY 0  // 1: K, V and P take the place in LDS that Q had
#endif
#ifndef DIRECT
#define DIRECT 0  // copies from global memory to LDS past the registers: 1 those of K, 2 those of V too
#endif
#ifndef TR
#define TR 0  // 1: V lies as it is, and gfx950's reads transpose it
#endif
#ifndef STAGGER
#define STAGGER 0  // 1: half of the waves work half a step behind the others
#endif
#ifndef AHEAD
#define AHEAD 0  // with STAGGER: so many reads of LDS are wanted ahead of the matrix instructions of a phase
#endif
#ifndef PRIORITY
#define PRIORITY 0  // 1: waves in their matrix phase go first
#endif
#ifndef LAZY
#define LAZY 0  // 1: sums are only rescaled when a row's maximum has grown by more than 8 powers of two
#endif
#ifndef AGPR
#define AGPR 0  // 1: O lies in accumulation registers
#endif

#ifndef RESIDENT
#define RESIDENT 0  // waves per SIMD that registers are handed out for; 0: as many as the compiler thinks best
#endif

typedef _Float16 f16;
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef f16 f16x4 __attribute__((ext_vector_type(4)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

constexpr int lowest(int x) { return x & -x; }
constexpr int less(int a, int b) { return a < b ? a : b; }

constexpr int D = 128, LANES = 64, CHUNK = 8;  // a thread moves 8 halves, 16 bytes
constexpr int THREADS = LANES * WAVES, ROWS = SIDE * WAVES;
constexpr int GROUPS = LANES / SIDE, WIDTH = WIDE ? 8 : 4, KMMA = GROUPS * WIDTH, REGS = SIDE * SIDE / LANES;
constexpr int TILES = BN / SIDE, STEPS = D / KMMA, COLUMNS = D / SIDE, PACKS = BN / KMMA;
constexpr int MOVES = BN * D / CHUNK / THREADS, QMOVES = ROWS * D / CHUNK / THREADS;
constexpr int SLOTS = BUFFERS == 2 ? 2 : 1;
constexpr int STATS = PREG ? 1 : REGS;  // rows of S of which a lane holds elements
static_assert(BN % SIDE == 0 && BN % KMMA == 0 && BN * D % (CHUNK * THREADS) == 0 && MOVES % VROWS == 0, "tile");
static_assert(PREG || !WIDE, "P goes through LDS in packs of 4");
static_assert(!OVERLAP || (PREG && PREFETCH), "the overlap needs P in registers and K ahead of V");
static_assert(PREFETCH ? BUFFERS > 0 : BUFFERS < 2, "K and V need places of their own to be fetched ahead");
static_assert(!SWIZZLE || (QFROM == 2 && (VT || TR) && BN >= 32), "the order is that of K and of V as it is read");
static_assert(VT || VROWS == 1, "rows are stored together only when V is transposed");
static_assert(!OVERLAY || QFROM == 1, "Q's place is free once its operands are in registers");
static_assert(!DIRECT || (SWIZZLE && PREFETCH && BUFFERS == 2), "copies fill rows without gaps, while the other place is read");
static_assert(!TR || (!VT && PREG), "transposing reads take V as it is");
static_assert(DIRECT < 2 || TR, "copies cannot transpose");
static_assert(!AGPR || COLUMNS == 4, "four accumulators are pinned at once");
static_assert(!STAGGER || (OVERLAP && BUFFERS == 2 && WAVES % 2 == 0 && DIRECT != 1), "two halves of waves, two places");

// LDS in halves: Q, then K and V, then P.
constexpr int GAP = SWIZZLE ? 0 : PAD, QS = D + GAP, VS = VT ? BN + GAP : D + GAP, PS = BN;
constexpr int QSIZE = QFROM == 2 ? 0 : ROWS * QS, KSIZE = BN * QS, VSIZE = VT ? D * VS : BN * VS;
constexpr int PSIZE = PREG ? 0 : ROWS * PS;
constexpr int SHARED = KSIZE > VSIZE ? KSIZE : VSIZE;
constexpr int KV = BUFFERS == 0 ? SHARED : SLOTS * (KSIZE + VSIZE);
constexpr int KAT = OVERLAY ? 0 : QSIZE, VAT = BUFFERS == 0 ? KAT : KAT + SLOTS * KSIZE, PAT = KAT + KV;
static __shared__ __attribute__((aligned(16))) f16 lds[PAT + PSIZE > QSIZE ? PAT + PSIZE : QSIZE];

#if WIDE
typedef f16x8 Pack;
#else
typedef f16x4 Pack;
#endif
// What a row's stride leaves of the alignment.
constexpr int QALIGN = GAP ? less(16, 2 * lowest(GAP)) : 16, VALIGN = less(8, 2 * lowest(VS));
typedef f16x8 Row __attribute__((aligned(QALIGN)));
typedef Pack QPack __attribute__((aligned(QALIGN < 2 * WIDTH ? QALIGN : 2 * WIDTH)));
typedef f16x4 VPack __attribute__((aligned(VALIGN)));
#if SIDE == 16
typedef f32x4 Sums;
#else
typedef f32x16 Sums;
#endif

#define INLINE static __device__ inline __attribute__((always_inline))
#ifndef LOCAL
#define LOCAL __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#endif

INLINE Sums multiply(Pack a, Pack b, Sums c)
{
#if SIDE == 16 && WIDE
    return __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0);
#elif SIDE == 16
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
#elif WIDE
    return __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0);
#else
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
#endif
}

INLINE void meet()  // all waves of the work-group
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

INLINE void settle()  // the lanes of this wave: LDS keeps their order, the compiler has to as well
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

INLINE void phase()  // as meet, and nothing is scheduled across it
{
    __builtin_amdgcn_sched_barrier(0);
    meet();
    __builtin_amdgcn_sched_barrier(0);
}

INLINE void arrive()  // this wave's copies past the registers: no barrier waits for them
{
#if DIRECT
    __builtin_amdgcn_s_waitcnt(0x0f70);  // vmcnt(0), nothing else
#endif
}

INLINE void urgent(int level)
{
#if PRIORITY
    if (level)
        __builtin_amdgcn_s_setprio(1);
    else
        __builtin_amdgcn_s_setprio(0);
#endif
}

INLINE void read_ahead()  // of a matrix phase
{
#if AHEAD
    __builtin_amdgcn_sched_group_barrier(0x100, AHEAD, 0);
#pragma unroll
    for (int i = 0; i < TILES * STEPS + COLUMNS * PACKS; ++i) {
        __builtin_amdgcn_sched_group_barrier(0x008, 1, 0);
        __builtin_amdgcn_sched_group_barrier(0x100, 1, 0);
    }
#endif
}

struct Lane {
    int thread, wave, n, g;
};

INLINE int row(Lane at, int i) { return 8 * (i / 4) + 4 * at.g + i % 4; }

// --- across lanes ----------------------------------------------------------------------------------------------------
INLINE float highest(float a, float b) { return __builtin_fmaxf(a, b); }
INLINE float total(float a, float b) { return a + b; }
INLINE float number(int x) { return __builtin_bit_cast(float, x); }
INLINE int bits(float x) { return __builtin_bit_cast(int, x); }

template <int MASK> INLINE float partner(Lane at, float x)
{
    if constexpr (MASK == 32)
        return number(__builtin_amdgcn_ds_bpermute((at.thread % LANES ^ 32) * 4, bits(x)));
    else
        return number(__builtin_amdgcn_ds_swizzle(bits(x), 0x1f | MASK << 10));
}

// Lanes MASK apart joined. In the vector unit rows of 16 lanes rotate, which joins the same lanes in another order.
template <int MASK, typename Op> INLINE float join(Lane at, float x, Op op)
{
#if CROSS
    if constexpr (MASK < 16)
        return op(x, number(__builtin_amdgcn_update_dpp(0, bits(x), 0x120 + MASK, 0xf, 0xf, false)));
#if defined(__gfx950__)
    if constexpr (MASK == 16) {
        auto both = __builtin_amdgcn_permlane16_swap(bits(x), bits(x), false, false);
        return op(number(both[0]), number(both[1]));
    }
    if constexpr (MASK == 32) {
        auto both = __builtin_amdgcn_permlane32_swap(bits(x), bits(x), false, false);
        return op(number(both[0]), number(both[1]));
    }
#endif
#endif
    return op(x, partner<MASK>(at, x));
}

template <typename Op> INLINE float across(Lane at, float x, Op op)
{
#if PREG
    if constexpr (SIDE == 16) x = join<16>(at, x, op);
    return join<32>(at, x, op);
#else
    if constexpr (SIDE == 32) x = join<16>(at, x, op);
    x = join<8>(at, x, op);
    x = join<4>(at, x, op);
    x = join<2>(at, x, op);
    return join<1>(at, x, op);
#endif
}

// --- places in a tile --------------------------------------------------------------------------------------------------
// Swizzled, units of one operand change places: those of 16 rows of K that a read takes together, or those of V that columns
// 8 apart store together, get different banks. The exclusive or keeps a row's units a permutation.
INLINE int k_place(int r, int d) { return r * QS + (SWIZZLE ? (d / WIDTH ^ r % 16) * WIDTH + d % WIDTH : d); }
INLINE int v_place(int d, int key)
{
    // A transposing read takes 4 rows (8 with 16x16 instructions) of the same columns: they get different banks.
    if (!VT) return key * VS + (SWIZZLE ? (d / 8 ^ (key % 4 * 4 + key / 4 % 2 * 2)) * 8 + d % 8 : d);
    return d * VS + (SWIZZLE ? key ^ (d / 8 ^ d / 2) % 8 * 4 : key);
}

// --- moving tiles ----------------------------------------------------------------------------------------------------
template <int TOGETHER> INLINE int chunk_row(int thread, int move)
{
    return (thread + move / TOGETHER * THREADS) / (D / CHUNK) * TOGETHER + move % TOGETHER;
}

INLINE int chunk_column(int thread) { return thread % (D / CHUNK) * CHUNK; }  // THREADS is a multiple of 16

template <int TOGETHER, int COUNT> INLINE void fetch(Lane at, const f16 *from, int first, int rows, f16x8 (&into)[COUNT])
{
#pragma unroll
    for (int move = 0; move < COUNT; ++move) {
        const int r = first + chunk_row<TOGETHER>(at.thread, move);
        into[move] = r < rows ? *(const f16x8 *)(from + (long)r * D + chunk_column(at.thread)) : f16x8{};
    }
}

template <int COUNT> INLINE void put(Lane at, f16 *to, const f16x8 (&moved)[COUNT])
{
#pragma unroll
    for (int move = 0; move < COUNT; ++move) {
        const int r = chunk_row<1>(at.thread, move), d = chunk_column(at.thread);
#if SWIZZLE && !WIDE
        *(f16x4 *)(to + k_place(r, d)) = __builtin_shufflevector(moved[move], moved[move], 0, 1, 2, 3);
        *(f16x4 *)(to + k_place(r, d + 4)) = __builtin_shufflevector(moved[move], moved[move], 4, 5, 6, 7);
#else
        *(Row *)(to + k_place(r, d)) = moved[move];
#endif
    }
}

INLINE void put_v(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
#if VT
#pragma unroll
    for (int move = 0; move < MOVES; move += VROWS)
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            f16 *place = to + v_place(chunk_column(at.thread) + j, chunk_row<VROWS>(at.thread, move));
#if VROWS == 2
            *(f16x2 *)place = f16x2{moved[move][j], moved[move + 1][j]};
#else
            *place = moved[move][j];
#endif
        }
#elif TR
#pragma unroll
    for (int move = 0; move < MOVES; ++move)
        *(Row *)(to + v_place(chunk_column(at.thread), chunk_row<1>(at.thread, move))) = moved[move];
#else
    put(at, to, moved);
#endif
}

// Copies past the registers: lane by lane the bytes of a wave follow each other in LDS, so the order of a tile is made by what
// each lane asks for (the places' exclusive or is its own inverse). Rows behind the end repeat the last one: they are masked.
#if DIRECT
constexpr int UNIT = WIDE ? 8 : 2, COPIES = BN * D / (UNIT * THREADS);  // halves of a lane: 16 bytes on gfx950, 4 elsewhere

template <int WHAT> INLINE void copy(Lane at, const f16 *from, int first, int rows, f16 *to)
{
#pragma unroll
    for (int i = 0; i < COPIES; ++i) {
        const int base = (i * WAVES + at.wave) * LANES * UNIT, place = base + at.thread % LANES * UNIT;
        const int r = place / D, d = (WHAT ? v_place(place % D, r) : k_place(r, place % D)) - r * D;
        const f16 *source = from + (long)less(first + r, rows - 1) * D + d;
        __builtin_amdgcn_global_load_lds((GLOBAL void *)source, (LOCAL void *)(to + base), 2 * UNIT, 0, 0);
    }
}
#endif

// A tile on its way: `take` starts it, into registers or into its place, and `leave` ends it.
INLINE void take_k(Lane at, const f16 *k, int first, int keys, f16 *to, f16x8 (&moved)[MOVES])
{
#if DIRECT
    copy<0>(at, k, first, keys, to);
#else
    fetch<1>(at, k, first, keys, moved);
#endif
}

INLINE void take_v(Lane at, const f16 *v, int first, int keys, f16 *to, f16x8 (&moved)[MOVES])
{
#if DIRECT == 2
    copy<1>(at, v, first, keys, to);
#else
    fetch<VROWS>(at, v, first, keys, moved);
#endif
}

INLINE void leave_k(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
    if (!DIRECT) put(at, to, moved);
}

INLINE void leave_v(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
    if (DIRECT < 2) put_v(at, to, moved);
}

// --- the two products --------------------------------------------------------------------------------------------------
INLINE void score(Lane at, const f16 *kt, const Pack (&held)[STEPS], Sums (&s)[TILES])
{
#pragma unroll
    for (int t = 0; t < TILES; ++t) s[t] = Sums{};
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
        const int d = step * KMMA + WIDTH * at.g;
        const Pack mine = QFROM ? held[step] : *(const QPack *)(lds + (at.wave * SIDE + at.n) * QS + d);
#pragma unroll
        for (int t = 0; t < TILES; ++t) {
            const Pack other = *(const QPack *)(kt + k_place(SIDE * t + at.n, d));
            s[t] = PREG ? multiply(other, mine, s[t]) : multiply(mine, other, s[t]);
        }
    }
}

INLINE void mask(Lane at, int query0, int key0, int keys, Sums (&s)[TILES])
{
    if (EDGE && key0 + BN <= keys && !(CAUSAL && key0 + BN - 1 > query0)) return;
#pragma unroll
    for (int t = 0; t < TILES; ++t)
#pragma unroll
        for (int i = 0; i < REGS; ++i) {
            const int key = key0 + SIDE * t + (PREG ? row(at, i) : at.n), query = query0 + (PREG ? at.n : row(at, i));
            if (key >= keys || (CAUSAL && key > query)) s[t][i] = -__builtin_inff();
        }
}

constexpr float SLACK = 8.0f;  // P may reach 2^SLACK before sums are rescaled: far from the end of half precision

// S becomes P; `shrink` is what earlier sums of a row are worth after its maximum has grown. Returns whether any has to shrink.
INLINE bool soften(Lane at, Sums (&s)[TILES], float (&top)[STATS], float (&sum)[STATS], float (&shrink)[STATS], float scale)
{
    bool grown = !LAZY;
#pragma unroll
    for (int r = 0; r < STATS; ++r) {
        float now = top[r], part = 0.0f;
#pragma unroll
        for (int t = 0; t < TILES; ++t)
#pragma unroll
            for (int i = r; i < REGS; i += PREG ? 1 : REGS) now = highest(now, s[t][i]);
        now = across(at, now, highest);
        if (LAZY && __builtin_amdgcn_ballot_w64((now - top[r]) * scale > SLACK) == 0)
            now = top[r];
        else
            grown = true;
        shrink[r] = __builtin_amdgcn_exp2f((top[r] - now) * scale);
#pragma unroll
        for (int t = 0; t < TILES; ++t)
#pragma unroll
            for (int i = r; i < REGS; i += PREG ? 1 : REGS) {
                s[t][i] = __builtin_amdgcn_exp2f(__builtin_fmaf(s[t][i], scale, -now * scale));
                part += s[t][i];
            }
        if (!LATE) part = across(at, part, total);
        sum[r] = sum[r] * shrink[r] + part;
        top[r] = now;
    }
    return grown;
}

INLINE void pin(Sums (&o)[COLUMNS])  // no instruction: it only says where O is
{
#if AGPR && defined(__AMDGCN__)
    asm("" : "+a"(o[0]), "+a"(o[1]), "+a"(o[2]), "+a"(o[3]));
#endif
}

INLINE void rescale(Sums (&o)[COLUMNS], const float (&shrink)[STATS])
{
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int i = 0; i < REGS; ++i) o[c][i] *= shrink[PREG ? 0 : i];
    pin(o);
}

// P as operands: in registers it is already where the second product wants it, otherwise it goes through LDS.
INLINE void pack(Lane at, const Sums (&s)[TILES], Pack (&p)[PACKS])
{
#if PREG
#pragma unroll
    for (int u = 0; u < PACKS; ++u)
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) p[u][j] = (f16)s[(u * WIDTH + j) / REGS][(u * WIDTH + j) % REGS];
#else
    f16 *mine = lds + PAT + at.wave * SIDE * PS;
#pragma unroll
    for (int t = 0; t < TILES; ++t)
#pragma unroll
        for (int i = 0; i < REGS; ++i) mine[row(at, i) * PS + SIDE * t + at.n] = (f16)s[t][i];
#endif
}

INLINE void collect(Lane at, Pack (&p)[PACKS])
{
#if !PREG
    const f16 *mine = lds + PAT + at.wave * SIDE * PS;
#pragma unroll
    for (int u = 0; u < PACKS; ++u) p[u] = *(const Pack *)(mine + at.n * PS + u * KMMA + WIDTH * at.g);
#endif
}

// Pack u of V's column tile c. With P in registers the keys of a wide pack are those of two narrow ones.
INLINE Pack values(Lane at, const f16 *vt, int c, int u)
{
    Pack found;
    const int d = SIDE * c + at.n;
#pragma unroll
    for (int part = 0; part < WIDTH / 4; ++part) {
        const int key = 4 * GROUPS * (u * (WIDTH / 4) + part) + 4 * at.g;
#if VT
        const f16x4 four = *(const VPack *)(vt + v_place(d, key));
#elif TR
        // Of 16 lanes, four give the address of a row of 16 columns; each gets its column of the four rows.
        const f16 *corner = vt + v_place(SIDE * c + at.n / 16 * 16 + at.n % 4 * 4, key + at.n % 16 / 4);
        const f16x4 four = __builtin_bit_cast(f16x4, __builtin_amdgcn_ds_read_tr16_b64_v4i16((LOCAL s16x4 *)corner));
#else
        f16x4 four;
#pragma unroll
        for (int j = 0; j < 4; ++j) four[j] = vt[(key + j) * VS + d];
#endif
#pragma unroll
        for (int j = 0; j < 4; ++j) found[4 * part + j] = four[j];
    }
    return found;
}

INLINE void gather(Lane at, const f16 *vt, const Pack (&p)[PACKS], Sums (&o)[COLUMNS])
{
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int u = 0; u < PACKS; ++u) {
            const Pack other = values(at, vt, c, u);
            o[c] = PREG ? multiply(other, p[u], o[c]) : multiply(p[u], other, o[c]);
        }
    pin(o);
}

INLINE void finish(Lane at, f16 *out, int query0, int queries, const Sums (&o)[COLUMNS], float (&sum)[STATS])
{
#pragma unroll
    for (int r = 0; r < STATS; ++r) sum[r] = 1.0f / (LATE ? across(at, sum[r], total) : sum[r]);
#if PREG
    if (query0 + at.n >= queries) return;
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int i = 0; i < REGS; i += 4) {
            f16x4 four;
#pragma unroll
            for (int j = 0; j < 4; ++j) four[j] = (f16)(o[c][i + j] * sum[0]);
            *(f16x4 *)(out + (long)(query0 + at.n) * D + SIDE * c + row(at, i)) = four;
        }
#else
#pragma unroll
    for (int i = 0; i < REGS; ++i)
        if (query0 + row(at, i) < queries)
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
                out[(long)(query0 + row(at, i)) * D + SIDE * c + at.n] = (f16)(o[c][i] * sum[i]);
#endif
}

struct Sizes {
    int queries, keys;
    float scale;
};

// --- the kernel --------------------------------------------------------------------------------------------------------
#if RESIDENT
#define FEW __attribute__((amdgpu_waves_per_eu(RESIDENT, RESIDENT)))
#else
#define FEW
#endif
extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(THREADS, THREADS))) FEW void
attention(const f16 *q, const f16 *k, const f16 *v, const Sizes *sizes, f16 *out)
{
    const int queries = sizes->queries, keys = sizes->keys;
    const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread % LANES;
    const Lane at{thread, __builtin_amdgcn_readfirstlane(thread / LANES), lane % SIDE, lane / SIDE};
    const int first = __builtin_amdgcn_workgroup_id_x() * ROWS, query0 = first + at.wave * SIDE;
    const long head = __builtin_amdgcn_workgroup_id_y();
    q += head * queries * D, out += head * queries * D, k += head * keys * D, v += head * keys * D;
    const int end = EXIT && CAUSAL ? (keys < first + ROWS ? keys : first + ROWS) : keys;
    const float scale = sizes->scale * 1.44269504f;  // so that exp is exp2

    Pack held[STEPS];
#if QFROM == 2
#pragma unroll
    for (int step = 0; step < STEPS; ++step)
        held[step] = query0 + at.n < queries
                         ? *(const Pack *)(q + (long)(query0 + at.n) * D + step * KMMA + WIDTH * at.g) : Pack{};
#else
    f16x8 qmoved[QMOVES];
    fetch<1>(at, q, first, queries, qmoved);
    put(at, lds, qmoved);
#if QFROM == 1
    meet();
#pragma unroll
    for (int step = 0; step < STEPS; ++step)
        held[step] = *(const QPack *)(lds + (at.wave * SIDE + at.n) * QS + step * KMMA + WIDTH * at.g);
    if (OVERLAY) meet();
#endif
#endif

    Sums o[COLUMNS], s[TILES];
    Pack p[PACKS];
    float top[STATS], sum[STATS], shrink[STATS];
    f16x8 kmoved[MOVES], vmoved[MOVES];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) o[c] = Sums{};
#pragma unroll
    for (int r = 0; r < STATS; ++r) top[r] = -__builtin_inff(), sum[r] = 0.0f;

#if STAGGER
    // Two halves of the waves take turns: one multiplies (this step's first product, the last step's second), the other has its
    // softmax. A tile of K is written in the two phases after its place was read last and before it is read: the late waves
    // write a tile that is one further. Copies past the registers start in the first of the two phases for both halves.
    const int late = at.wave >= WAVES / 2, ahead = DIRECT ? 0 : late * BN;
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    leave_k(at, lds + KAT, kmoved);
    if (!DIRECT && late) {
        take_k(at, k, BN, keys, lds, kmoved);
        take_v(at, v, 0, keys, lds, vmoved);
        leave_k(at, lds + KAT + KSIZE, kmoved);
        leave_v(at, lds + VAT, vmoved);
    }
    arrive();
    meet();
    if (late) phase();
    int slot = 0;
    const auto turn = [&](int key0, bool first) __attribute__((always_inline)) {
        const int other = 1 - slot, to_k = DIRECT || !late ? other : slot, to_v = DIRECT || !late ? slot : other;
        take_k(at, k, key0 + BN + ahead, keys, lds + KAT + to_k * KSIZE, kmoved);
        take_v(at, v, key0 + ahead, keys, lds + VAT + to_v * VSIZE, vmoved);
        urgent(1);
        score(at, lds + KAT + slot * KSIZE, held, s);
        if (!first) gather(at, lds + VAT + other * VSIZE, p, o);
        read_ahead();
        urgent(0);
        if (late) arrive();
        phase();
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
        leave_k(at, lds + KAT + to_k * KSIZE, kmoved);
        leave_v(at, lds + VAT + to_v * VSIZE, vmoved);
        if (!late) arrive();
        phase();
        slot = other;
    };
    turn(0, true);
    for (int key0 = BN; key0 < end; key0 += BN) turn(key0, false);
    if (!late) phase();
    gather(at, lds + VAT + (1 - slot) * VSIZE, p, o);
#elif OVERLAP
    // V lags a step behind K: beside the softmax of this step runs the second product of the last one.
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    leave_k(at, lds + KAT, kmoved);
    arrive();
    meet();
    take_k(at, k, BN, keys, lds + KAT + (SLOTS - 1) * KSIZE, kmoved);
    take_v(at, v, 0, keys, lds + VAT, vmoved);
    score(at, lds + KAT, held, s);
    mask(at, query0, 0, keys, s);
    soften(at, s, top, sum, shrink, scale);
    pack(at, s, p);
    if (SLOTS == 1) meet();
    leave_k(at, lds + KAT + (SLOTS - 1) * KSIZE, kmoved);
    leave_v(at, lds + VAT, vmoved);
    arrive();
    meet();
    int slot = SLOTS - 1;  // of this step's K; the last step's V is in the other one
    for (int key0 = BN; key0 < end; key0 += BN) {
        const int other = SLOTS - 1 - slot;
        take_k(at, k, key0 + BN, keys, lds + KAT + other * KSIZE, kmoved);
        take_v(at, v, key0, keys, lds + VAT + slot * VSIZE, vmoved);
        score(at, lds + KAT + slot * KSIZE, held, s);
        mask(at, query0, key0, keys, s);
        gather(at, lds + VAT + other * VSIZE, p, o);
        const bool grown = soften(at, s, top, sum, shrink, scale);
#if HINTS
#pragma unroll
        for (int i = 0; i < COLUMNS * PACKS; ++i) {
            __builtin_amdgcn_sched_group_barrier(0x008, 1, 0);
            __builtin_amdgcn_sched_group_barrier(0x002, HINTS, 0);
        }
#endif
        if (grown) rescale(o, shrink);
        pack(at, s, p);
        if (SLOTS == 1) meet();
        leave_k(at, lds + KAT + other * KSIZE, kmoved);
        leave_v(at, lds + VAT + slot * VSIZE, vmoved);
        arrive();
        meet();
        slot = other;
    }
    gather(at, lds + VAT + (SLOTS - 1 - slot) * VSIZE, p, o);
#elif PREFETCH
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    take_v(at, v, 0, keys, lds + VAT, vmoved);
    leave_k(at, lds + KAT, kmoved);
    leave_v(at, lds + VAT, vmoved);
    arrive();
    meet();
    int slot = 0;
    for (int key0 = 0; key0 < end; key0 += BN) {
        const int other = SLOTS - 1 - slot;
        take_k(at, k, key0 + BN, keys, lds + KAT + other * KSIZE, kmoved);
        take_v(at, v, key0 + BN, keys, lds + VAT + other * VSIZE, vmoved);
        score(at, lds + KAT + slot * KSIZE, held, s);
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
        settle();
        collect(at, p);
        gather(at, lds + VAT + slot * VSIZE, p, o);
        slot = other;
        if (SLOTS == 1) meet();
        leave_k(at, lds + KAT + slot * KSIZE, kmoved);
        leave_v(at, lds + VAT + slot * VSIZE, vmoved);
        arrive();
        meet();
    }
#else
    for (int key0 = 0; key0 < end; key0 += BN) {
        fetch<1>(at, k, key0, keys, kmoved);
        put(at, lds + KAT, kmoved);
#if BUFFERS
        fetch<VROWS>(at, v, key0, keys, vmoved);
        put_v(at, lds + VAT, vmoved);
#endif
        meet();
        score(at, lds + KAT, held, s);
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
#if BUFFERS
        settle();
#else
        fetch<VROWS>(at, v, key0, keys, vmoved);
        meet();
        put_v(at, lds + VAT, vmoved);
        meet();
#endif
        collect(at, p);
        gather(at, lds + VAT, p, o);
        meet();
    }
#endif
    finish(at, out, query0, queries, o, sum);
}
