// hotloop GEMM, scheduled: the stage's tiles, with a say in which group computes what and which lane reads what.
//
// Besides the stage's: ORDER PERSISTENT STREAM_K LANES FUSED.
//
// ORDER 1 numbers the tiles along the Z-order curve.  PERSISTENT groups take one tile after the other.  STREAM_K groups
// take equal shares of the steps of all tiles instead: a share may begin and end inside a tile, then its sums go to
// `work` and the launch of `mend` adds them, in the order of k, and finishes C.  With LANES, neighbours that need the same
// rows of A read one element each and pass it on.

#define VECTORS (MWI * NV)       // sums of an item, in vectors

// The tile of a rank along the Z-order curve over a grid of any size: the four quarters of a square come one after the
// other, upper ones first, counted without what lies outside, so that every tile has one rank and no rank is empty.
int2 z_order(int rank, int rows, int columns)
{
    int row = 0, column = 0, side = 1;
    while (side < max(rows, columns)) side *= 2;
    while (side > 1) {
        side /= 2;
        const int upper = min(side, rows - row), lower = clamp(rows - row - side, 0, side);
        const int left = min(side, columns - column), right = clamp(columns - column - side, 0, side);
        const int below = rank >= upper * (left + right);
        rank -= below ? upper * (left + right) : 0;
        const int height = below ? lower : upper, beyond = rank >= height * left;
        rank -= beyond ? height * left : 0;
        row += below ? side : 0;
        column += beyond ? side : 0;
    }
    return (int2)(row, column);
}

// First row and column of a tile.
int2 corner_of(int tile, int blocks_m, int blocks_n)
{
#if ORDER
    const int2 at = z_order(tile, blocks_m, blocks_n);
#else
    PLACE_IN_BANDS(tile)
    const int2 at = (int2)(block_m, block_n);
#endif
    return at * (int2)(MWG, NWG);
}

// Steps of k of a tile, at least one, so that a tile without any is still stored.
int steps_of(int K)
{
    return max(1, (K + KWG - 1) / KWG);
}

// Where the share of a group of `all` steps begins: the first ones have one step more.
int begin_of(int group, int groups, int all)
{
    return group * (all / groups) + min(group, all % groups);
}

#if LANES
// Rows of an item lie side by side, and with them what neighbouring lanes read of A.
#undef ROW
#define ROW(i) (row0 + tm * MWI + (i))

#define DEPTH (LANES / MWI)      // steps of k whose A one element per lane covers

// Lane l of the LANES items that share rows: SHARED(x, l) is its x, with l known after unrolling.
#if defined(__AMDGCN__) && LANES == 16 && !defined(__GFX8__) && !defined(__GFX9__)
// DPP row_share: within the vector unit, without local memory.
#define FROM(n) case n: return __builtin_amdgcn_update_dpp(0, x, 0x150 + n, 0xf, 0xf, 1);
int word_of(int x, int l)
{
    switch (l) {
        FROM(0) FROM(1) FROM(2) FROM(3) FROM(4) FROM(5) FROM(6) FROM(7)
        FROM(8) FROM(9) FROM(10) FROM(11) FROM(12) FROM(13) FROM(14)
        default: FROM(15)
    }
}
#define WORDS 1
#if FUSED && (PRECISION == 32 || (PRECISION == 16 && ACC32))
// One instruction takes the neighbour's element and multiplies by it.  The compiler has no builtin for that, and does not make
// it of the two, because the element is used NWI times.
#define FUSED_FROM(n)                                                                                         \
    case n:                                                                                                   \
        __asm("v_fmac_f32_dpp %0, %1, %2 row_share:" #n " row_mask:0xf bank_mask:0xf" : "+v"(sum) : "v"(x), "v"(b)); \
        break;
float fma_from(float x, int l, float b, float sum)
{
    switch (l) {
        FUSED_FROM(0) FUSED_FROM(1) FUSED_FROM(2) FUSED_FROM(3) FUSED_FROM(4) FUSED_FROM(5) FUSED_FROM(6) FUSED_FROM(7)
        FUSED_FROM(8) FUSED_FROM(9) FUSED_FROM(10) FUSED_FROM(11) FUSED_FROM(12) FUSED_FROM(13) FUSED_FROM(14)
        FUSED_FROM(15)
    }
    return sum;
}
#define SHARED_FMA(x, l, b, sum)                                                                              \
    (ACCV)(fma_from(x, l, (b).s0, (sum).s0), fma_from(x, l, (b).s1, (sum).s1),                                \
           fma_from(x, l, (b).s2, (sum).s2), fma_from(x, l, (b).s3, (sum).s3))
#endif
#elif defined(__AMDGCN__)
// A wave of 32: the scalar unit takes it from the lane.  Otherwise the permutation of local memory's crossbar.
int word_of(int x, int l)
{
    if (LANES == 32 && __builtin_amdgcn_wavefrontsize() == 32) return __builtin_amdgcn_readlane(x, l);
    const int self = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    return __builtin_amdgcn_ds_bpermute(((self & ~(LANES - 1)) | l) << 2, x);
}
#define WORDS 1
#elif defined(cl_intel_required_subgroup_size)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define IN_SUBGROUPS __attribute__((intel_reqd_sub_group_size(LANES)))
int word_of(int x, int l)
{
    return intel_sub_group_shuffle(x, l);
}
#define WORDS 1
#else
// Neither: the exchange goes through local memory, between two barriers.  Right everywhere, fast nowhere.
#define WORDS 0
#endif

#if WORDS && PRECISION == 64
ACC shared_by(ACC x, int l)
{
    const int2 words = as_int2(x);
    return as_double((int2)(word_of(words.x, l), word_of(words.y, l)));
}
#elif WORDS && PRECISION == 16 && !ACC32
ACC shared_by(ACC x, int l)
{
    return as_half((short)word_of(as_short(x), l));
}
#elif WORDS
ACC shared_by(ACC x, int l)
{
    return as_float(word_of(as_int(x), l));
}
#endif
#if WORDS
#define SHARE(x)
#define SHARED(x, l) shared_by(x, l)
#define SHARED_ENOUGH()
#else
#define SHARE(x) { exchanged[item] = (x); barrier(CLK_LOCAL_MEM_FENCE); }
#define SHARED(x, l) exchanged[item - lane + (l)]
#define SHARED_ENOUGH() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#ifndef SHARED_FMA
#define SHARED_FMA(x, l, b, sum) fma((ACCV)(SHARED(x, l)), b, sum)
#endif

#undef MULTIPLY_TILE
#define MULTIPLY_TILE()                                                                                       \
    _Pragma("unroll 1") for (int kk = 0; kk < KWG; kk += KUNROLL)                                             \
        _Pragma("unroll") for (int u = 0; u < KUNROLL; u += DEPTH) {                                          \
            const ACC mine = from_a[AT_A(kk + u + lane / MWI, tm * MWI + lane % MWI)];                        \
            SHARE(mine)                                                                                       \
            _Pragma("unroll") for (int d = 0; d < DEPTH; ++d) {                                               \
                ACCV b[NV];                                                                                   \
                _Pragma("unroll") for (int j = 0; j < NV; ++j)                                                \
                    b[j] = LOCAL_IN(from_b + AT_B(kk + u + d, (j * NDIM + tn) * 4));                          \
                _Pragma("unroll") for (int i = 0; i < MWI; ++i)                                               \
                    _Pragma("unroll") for (int j = 0; j < NV; ++j)                                            \
                        acc[i][j] = SHARED_FMA(mine, d * MWI + i, b[j], acc[i][j]);                           \
            }                                                                                                 \
            SHARED_ENOUGH();                                                                                  \
        }
#endif
#ifndef IN_SUBGROUPS
#define IN_SUBGROUPS
#endif

// Which item of its group this is, and column tn and row tm of what it computes.
#if LANES
#ifdef cl_intel_required_subgroup_size
#define ITEM() ((int)(get_sub_group_id() * LANES + get_sub_group_local_id()))
#else
#define ITEM() ((int)get_local_id(0))
#endif
#define PLACE_ITEM()                                                                                          \
    const int item = ITEM(), lane = item % LANES, tn = item % NDIM, tm = item / NDIM;                         \
    (void)lane;
#elif NDIM % 8 == 0 && MDIM % 4 == 0
// Items that run together form blocks of 8 x 4: they read 8 vectors of B and 4 of A, the fewest that 32 can.
#define PLACE_ITEM()                                                                                          \
    const int item = (int)get_local_id(0), block = item / 32, in_block = item % 32;                           \
    const int tn = block % (NDIM / 8) * 8 + in_block % 8, tm = block / (NDIM / 8) * 4 + in_block / 8;
#else
#define PLACE_ITEM() const int item = (int)get_local_id(0), tn = item % NDIM, tm = item / NDIM;
#endif

// Scale and store the sums of an item; what lies outside of C is left out.  Inlined, so that the sums stay in registers; and
// PoCL 3.1 loses beta in a call from a function that is none of its kernels.
__attribute__((always_inline))
void store_tile(ACCV (*acc)[NV], __global REAL *C, int ldc, __global const REAL *bias, ACC alpha, ACC beta, int M, int N,
                int own_row, int own_col, int tm, int tn)
{
    const int row0 = MOVED_BACK(own_row, END_M, MWG), col0 = MOVED_BACK(own_col, END_N, NWG);
    #pragma unroll
    for (int i = 0; i < MWI; ++i)
        #pragma unroll
        for (int j = 0; j < NV; ++j)
            if (OWN_ROW(i) && OWN_WHOLE(j)) {
                __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                if (ALIGNED_C) store_wide(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta);
                else store_c(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta, 1);
            }
#if !ALIGNED_W   // parts of vectors, in a loop that is not unrolled: a copy of this code for each would be most of the kernel
    int parts = 0;
    #pragma unroll
    for (int j = 0; j < NV; ++j) parts |= OWN_PART(j);
    if (parts) {
        EACH_IN_TURN(acc) {
            THIS_SUM(acc)
            if (!OWN_ROW(i) || !OWN_PART(j)) continue;
            const int from = OWN_FROM(j);
            store_edge(C + (size_t)ROW(i) * ldc + COL(j) + from, bias + BIAS_AT(ROW(i), COL(j) + from), sum + from, alpha,
                       beta, 1, OWN_TO(j) - from);
        }
    }
#endif
}

// Where an item keeps vector v of the sums of a piece of a tile: side by side with its neighbours'.
#define PIECE(slot, v) (work + (((size_t)(slot) * VECTORS + (v)) * ITEMS + item) * VW)
#define HEAD_OF(group) (2 * (group))        // the piece with which a share begins inside a tile
#define TAIL_OF(group) (2 * (group) + 1)    // the piece with which it ends inside a tile that it began

__kernel GROUP_OF(ITEMS, 1) IN_SUBGROUPS
void gemm(int M, int N, int K, ACC alpha, ACC beta, __global const REAL *restrict A, ulong offset_a, int lda,
          __global const REAL *restrict B, ulong offset_b, int ldb, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias, __global ACC *restrict work)
{
    __local ACC tile_a[BUFFERS * KWG * STEP_A] __attribute__((aligned(16 * sizeof(ACC))));
    __local ACC tile_b[BUFFERS * KWG * STEP_B] __attribute__((aligned(16 * sizeof(ACC))));
#if LANES && !WORDS
    __local ACC exchanged[ITEMS];
#endif
    PLACE_ITEM()
    const int blocks_m = (M + MWG - 1) / MWG, blocks_n = (N + NWG - 1) / NWG;
    const int group = (int)get_group_id(0);

    A += offset_a; B += offset_b; C += offset_c;
    if (alpha == 0) K = 0;   // BLAS: A and B are not read

#if STREAM_K
    const int steps = steps_of(K), groups = (int)get_num_groups(0), all = blocks_m * blocks_n * steps;
    const int end = begin_of(group + 1, groups, all);
    for (int at = begin_of(group, groups, all), next; at < end; at = next) {
        const int tile = at / steps, first = at % steps, last = min(steps, first + end - at);
        const int k0 = min(first * KWG, K), k1 = min(last * KWG, K);
        next = at + last - first;
#elif PERSISTENT
    for (int tile = group; tile < blocks_m * blocks_n; tile += (int)get_num_groups(0)) {
        const int k0 = 0, k1 = K;
#else
    {
        const int tile = group, k0 = 0, k1 = K;
#endif
        const int2 corner = corner_of(tile, blocks_m, blocks_n);
        const int row0 = MOVED_BACK(corner.x, END_M, MWG), col0 = MOVED_BACK(corner.y, END_N, NWG), inside = INSIDE();
        const int kw = k1 - LAST_ROW_APART();
        ACCV acc[MWI][NV], next_a[TAKEN_A], next_b[TAKEN_B];
        NO_SUMS(acc)

        int now = 0, k = k0;
        if (k0 < k1) {
            TAKE_BOTH(k0, 0)
            PUT_BOTH(0)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside)   // no edge in sight: a loop of its own, because the code for edges costs registers even unused
            for (; k + 2 * KWG <= kw; k += KWG) STEP(1, 1)
        for (; k < k1; k += KWG) STEP(k + KWG < k1, 0)

#if STREAM_K
        if (last - first < steps) {
            const int slot = first > 0 ? HEAD_OF(group) : TAIL_OF(group);
            #pragma unroll
            for (int i = 0; i < MWI; ++i)
                #pragma unroll
                for (int j = 0; j < NV; ++j) STORE_ACC(acc[i][j], PIECE(slot, i * NV + j));
            continue;
        }
#endif
        store_tile(acc, C, ldc, bias, alpha, beta, M, N, corner.x, corner.y, tm, tn);
    }
}

#if STREAM_K
// Finish the tiles that lie in several shares.  Group g looks at where share g + 1 begins: if that is inside a tile, and no
// earlier share began inside the same one, it adds the tile's pieces: the one that began it, then the heads of all that
// went on.  Every tile that was cut has exactly one such place.
__kernel GROUP_OF(ITEMS, 1) IN_SUBGROUPS
void mend(int M, int N, int K, ACC alpha, ACC beta, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias, __global const ACC *restrict work, int groups)
{
    PLACE_ITEM()
    const int blocks_m = (M + MWG - 1) / MWG, blocks_n = (N + NWG - 1) / NWG;
    if (alpha == 0) K = 0;
    const int steps = steps_of(K), all = blocks_m * blocks_n * steps, went_on = (int)get_group_id(0) + 1;
    const int tile = begin_of(went_on, groups, all) / steps, began = tile * steps;
    if (begin_of(went_on, groups, all) == began || begin_of(went_on - 1, groups, all) > began) return;

    ACCV acc[MWI][NV];
    #pragma unroll
    for (int v = 0; v < VECTORS; ++v) acc[v / NV][v % NV] = LOAD_ACC(PIECE(TAIL_OF(went_on - 1), v));
    for (int g = went_on; g < groups && begin_of(g, groups, all) < began + steps; ++g)
        #pragma unroll
        for (int v = 0; v < VECTORS; ++v) acc[v / NV][v % NV] += LOAD_ACC(PIECE(HEAD_OF(g), v));
    const int2 corner = corner_of(tile, blocks_m, blocks_n);
    store_tile(acc, C + offset_c, ldc, bias, alpha, beta, M, N, corner.x, corner.y, tm, tn);
}
#endif
