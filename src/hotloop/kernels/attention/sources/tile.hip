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

