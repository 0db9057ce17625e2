// hotloop GEMM, pipelined: one group per tile and slice of k.
//
// Besides the stage's: COPY HOIST EARLY WEAVE SLICES, SPLIT (2 stands for any number above 1: the launch has as many rows of
// groups) and ARRIVE.

#define TILES (COPY ? COPY : BUFFERS)

// SLICES parts of a group share the steps of k of every tile: all bring it, each multiplies its share, the first adds.
#define WORKERS (MDIM * NDIM)    // items of a part
#define SHARE (KWG / SLICES)
#if SLICES > 1
#undef ITEMS
#define ITEMS (WORKERS * SLICES)
#undef MULTIPLY_TILE
#define MULTIPLY_TILE()                                                                                       \
    _Pragma("unroll 1") for (int kk = 0; kk < SHARE; kk += KUNROLL)                                           \
        _Pragma("unroll") for (int u = 0; u < KUNROLL; ++u) MULTIPLY(part * SHARE + kk + u)
#endif
#if COPY
// Tiles reach local memory without registers: COPY - 1 of them are on their way while one is multiplied.  What lies along k
// goes element by element, because it is transposed; 4 neighbours take 4 steps of k of a row, so that an item stays in few
// rows, whose other steps are a constant away.  What lies along the other side goes by vectors.  Where the processor has
// no such copies (PTX 0), or an edge cuts a tile off, the same elements are read and stored.
#define PIECES(WIDTH) ((WIDTH) * KWG / ITEMS)   // elements that an item copies of a tile along k
#define ROWS_AT_ONCE(WIDTH) (ITEMS / 4 < (WIDTH) ? ITEMS / 4 : (WIDTH))
#define STEPS_AT_ONCE(WIDTH) (ITEMS / ROWS_AT_ONCE(WIDTH))
#define PARTS(WIDTH) (KWG / STEPS_AT_ONCE(WIDTH))
#define MORE_ROWS(q, WIDTH) ((q) / PARTS(WIDTH) * ROWS_AT_ONCE(WIDTH))
#define MORE_STEPS(q, WIDTH) ((q) % PARTS(WIDTH) * STEPS_AT_ONCE(WIDTH))
#define PIECE_ROW(WIDTH) (item / 4 % ROWS_AT_ONCE(WIDTH))
#define PIECE_STEP(WIDTH) (item / 4 / ROWS_AT_ONCE(WIDTH) * 4 + item % 4)

#if PTX
#define ADDRESS_OF(p) ((uint)(size_t)(p))
void copy_one(__local ACC *to, __global const REAL *from)
{
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;" ::"r"(ADDRESS_OF(to)), "l"((ulong)from) : "memory");
}
void copy_four(__local ACC *to, __global const REAL *from)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(ADDRESS_OF(to)), "l"((ulong)from) : "memory");
}
#define COPIES_SENT() asm volatile("cp.async.commit_group;" ::: "memory")
#if COPY == 2
#define COPIES_HERE() asm volatile("cp.async.wait_group 0;" ::: "memory")
#elif COPY == 3
#define COPIES_HERE() asm volatile("cp.async.wait_group 1;" ::: "memory")
#else
#define COPIES_HERE() asm volatile("cp.async.wait_group 2;" ::: "memory")
#endif
#else
void copy_one(__local ACC *to, __global const REAL *from)
{
    *to = (ACC)*from;
}
void copy_four(__local ACC *to, __global const REAL *from)
{
    LOCAL_OUT(VECTOR_IN(from), to);
}
#define COPIES_SENT()
#define COPIES_HERE()
#endif

// Send a tile of an operand; FROM is element 0 of the item in that tile, FIRST and `at` are where the tile begins.
#define SEND_ALONG_K(T, AT, FROM, LD, WIDTH, FIRST, EXTENT)                                                   \
    _Pragma("unroll") for (int q = 0; q < PIECES(WIDTH); ++q) {                                               \
        const int x = PIECE_ROW(WIDTH) + MORE_ROWS(q, WIDTH), d = PIECE_STEP(WIDTH) + MORE_STEPS(q, WIDTH);   \
        __global const REAL *p = FROM + (size_t)MORE_ROWS(q, WIDTH) * LD + MORE_STEPS(q, WIDTH);              \
        if (whole) copy_one(T + AT(d, x), p);                                                                 \
        else T[AT(d, x)] = FIRST + x < EXTENT && at + d < k1 ? (ACC)*p : (ACC)0;                              \
    }
#define SEND_ACROSS(T, AT, FROM, LD, WIDTH, FIRST, EXTENT, ALIGNED, COUNT)                                    \
    _Pragma("unroll") for (int q = 0; q < COUNT; ++q) {                                                       \
        const int x = ACROSS(q, 0, WIDTH, 0), d = DEEP(q, 0, WIDTH, 0);                                           \
        __global const REAL *p = FROM + (size_t)(q * (ITEMS / ((WIDTH) / 4))) * LD;                           \
        __local ACC *to = T + AT(d, x);                                                                       \
        if (whole && ALIGNED) copy_four(to, p);                                                               \
        else if (whole) {                                                                                     \
            _Pragma("unroll") for (int l = 0; l < 4; ++l) copy_one(to + l, p + l);                            \
        }                                                                                                     \
        else LOCAL_OUT(part_of(p, at + d < k1 ? EXTENT - FIRST - x : 0, 1), to);                               \
    }
#define START_ALONG_K(P, LD, WIDTH, FIRST)                                                                    \
    (P + (size_t)(FIRST + PIECE_ROW(WIDTH)) * LD + (k0 + PIECE_STEP(WIDTH)))
#define START_ACROSS(P, LD, WIDTH, FIRST)                                                                     \
    (P + (size_t)(k0 + DEEP(0, 0, WIDTH, 0)) * LD + (FIRST + ACROSS(0, 0, WIDTH, 0)))
#if TRANSA
#define SEND_A(T) SEND_ACROSS(T, AT_A, ahead_a, lda, MWG, row0, M, ALIGNED_A, TAKEN_A)
#define START_A START_ACROSS(A, lda, MWG, row0)
#define STRIDE_A ((size_t)KWG * lda)
#else
#define SEND_A(T) SEND_ALONG_K(T, AT_A, ahead_a, lda, MWG, row0, M)
#define START_A START_ALONG_K(A, lda, MWG, row0)
#define STRIDE_A ((size_t)KWG)
#endif
#if TRANSB
#define SEND_B(T) SEND_ALONG_K(T, AT_B, ahead_b, ldb, NWG, col0, N)
#define START_B START_ALONG_K(B, ldb, NWG, col0)
#define STRIDE_B ((size_t)KWG)
#else
#define SEND_B(T) SEND_ACROSS(T, AT_B, ahead_b, ldb, NWG, col0, N, ALIGNED_B, TAKEN_B)
#define START_B START_ACROSS(B, ldb, NWG, col0)
#define STRIDE_B ((size_t)KWG * ldb)
#endif

// The tile at `step` into a buffer.
#define SEND(step, certain, into)                                                                             \
    {                                                                                                         \
        const int at = (step), whole = (certain) || (inside && at + KWG <= kw);                               \
        __local ACC *to_a = tile_a + (into) * KWG * STEP_A, *to_b = tile_b + (into) * KWG * STEP_B;           \
        (void)at;                                                                                             \
        SEND_A(to_a)                                                                                          \
        SEND_B(to_b)                                                                                          \
        ahead_a += STRIDE_A;                                                                                  \
        ahead_b += STRIDE_B;                                                                                  \
    }
#define BEFORE(buffer) ((buffer) == 0 ? COPY - 1 : (buffer) - 1)
#define AFTER(buffer) ((buffer) == COPY - 1 ? 0 : (buffer) + 1)

// Wait for the oldest tile; the buffer that everybody has just left takes the one COPY - 1 tiles ahead.
#define COPY_STEP(certain)                                                                                    \
    {                                                                                                         \
        COPIES_HERE();                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
        if ((certain) || k + (COPY - 1) * KWG < k1) SEND(k + (COPY - 1) * KWG, certain, BEFORE(now))          \
        COPIES_SENT();                                                                                        \
        __local const ACC *from_a = tile_a + now * KWG * STEP_A, *from_b = tile_b + now * KWG * STEP_B;       \
        MULTIPLY_TILE()                                                                                       \
        now = AFTER(now);                                                                                     \
        k += KWG;                                                                                             \
    }
// Once through the buffers, so that which one is which is part of the instructions.
#if COPY == 2
#define COPY_ROUND() COPY_STEP(1) COPY_STEP(1)
#elif COPY == 3
#define COPY_ROUND() COPY_STEP(1) COPY_STEP(1) COPY_STEP(1)
#else
#define COPY_ROUND() COPY_STEP(1) COPY_STEP(1) COPY_STEP(1) COPY_STEP(1)
#endif
#endif

// One row of sums after the other through the memory of a tile of B: the parts' order is that of k.
#define ADD_PARTS()                                                                                           \
    for (int from = 1; from < SLICES; ++from)                                                                 \
        _Pragma("unroll") for (int i = 0; i < MWI; ++i) {                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            _Pragma("unroll") for (int j = 0; j < NV; ++j)                                                    \
                if (part == from) LOCAL_OUT(acc[i][j], tile_b + (j * WORKERS + worker) * VW);                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            _Pragma("unroll") for (int j = 0; j < NV; ++j)                                                    \
                if (part == 0) acc[i][j] += LOCAL_IN(tile_b + (j * WORKERS + worker) * VW);                   \
        }

__kernel GROUP_OF(NDIM, MDIM * SLICES)
void gemm(int M, int N, int K, ACC alpha, ACC beta, __global const REAL *restrict A, ulong offset_a, int lda,
          __global const REAL *restrict B, ulong offset_b, int ldb, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias, __global ACC *restrict work)
{
    __local ACC tile_a[TILES * KWG * STEP_A] __attribute__((aligned(16 * sizeof(ACC))));
    __local ACC tile_b[TILES * KWG * STEP_B] __attribute__((aligned(16 * sizeof(ACC))));
    const int item = (int)get_local_id(1) * NDIM + (int)get_local_id(0);
    const int worker = item % WORKERS, part = item / WORKERS;
    (void)part;
#if NDIM % 8 == 0 && MDIM % 4 == 0
    // Items that run together form blocks of 8 x 4: they read 8 vectors of B and 4 of A, the fewest that 32 can.
    const int block = worker / 32, lane = worker % 32;
#if WEAVE   // pairs of neighbours read one vector of B, pairs of pairs of A: half a wave then takes one turn, not two
    const int in_n = lane / 2 % 8, in_m = lane / 16 * 2 + lane % 2;
#else
    const int in_n = lane % 8, in_m = lane / 8;
#endif
    const int tn = block % (NDIM / 8) * 8 + in_n, tm = block / (NDIM / 8) * 4 + in_m;
#else
    const int tn = worker % NDIM, tm = worker / NDIM;
#endif
    const int blocks_m = (M + MWG - 1) / MWG, blocks_n = (N + NWG - 1) / NWG;
    const int id = (int)get_group_id(0);
    PLACE_IN_BANDS(id)
    const int own_row = block_m * MWG, own_col = block_n * NWG;
    const int row0 = MOVED_BACK(own_row, END_M, MWG), col0 = MOVED_BACK(own_col, END_N, NWG), inside = INSIDE();

    A += offset_a; B += offset_b; C += offset_c;
    if (alpha == 0) K = 0;   // BLAS: A and B are not read
#if SPLIT == 1
    const int slice = 0, share = (K + KWG - 1) / KWG * KWG;
#else
    const int slice = (int)get_group_id(1), slices = (int)get_num_groups(1);
    const int share = ((K + KWG - 1) / KWG + slices - 1) / slices * KWG;
#endif
    const int k0 = min(slice * share, K), k1 = min(k0 + share, K), kw = k1 - LAST_ROW_APART();

    ACCV acc[MWI][NV];
    NO_SUMS(acc)

    int now = 0, k = k0;
#if COPY
    __global const REAL *ahead_a = START_A, *ahead_b = START_B;
    for (int tile = 0; tile < COPY - 1; ++tile) {
        if (k0 + tile * KWG < k1) SEND(k0 + tile * KWG, 0, tile)
        COPIES_SENT();
    }
    if (inside)   // no edge in sight: a loop of its own, because the code for edges costs registers even unused
        for (; k + (2 * COPY - 1) * KWG <= kw;) { COPY_ROUND() }
    while (k < k1) COPY_STEP(0)
#else
    ACCV next_a[TAKEN_A], next_b[TAKEN_B];
    HOISTED()
    if (k0 < k1) {
        TAKE_BOTH(k0, 0)
        PUT_BOTH(0)
#if EARLY
        if (k0 + KWG < k1) TAKE_BOTH(k0 + KWG, 0)
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)   // no edge in sight: a loop of its own, because the code for edges costs registers even unused
#if HOIST && BUFFERS == 2   // two tiles at a time: which buffer is which is then part of the instructions
        for (; k + (TILES_AHEAD + 2) * KWG <= kw;) {
            STEP(1, 1)
            k += KWG;
            STEP(1, 1)
            k += KWG;
        }
#else
        for (; k + (TILES_AHEAD + 1) * KWG <= kw; k += KWG) STEP(1, 1)
#endif
    for (; k < k1; k += KWG) STEP(k + KWG < k1, 0)
#endif

#if SLICES > 1
    ADD_PARTS()
#if !ARRIVE
    if (part) return;
#endif
#endif
#if ARRIVE
    __local uint before;
    {
        work += (size_t)id * slices * (MWG * NWG);
        __global ACCV *own = (__global ACCV *)(work + (size_t)slice * (MWG * NWG)) + worker;
        if (part == 0)
            #pragma unroll
            for (int i = 0; i < MWI; ++i)
                #pragma unroll
                for (int j = 0; j < NV; ++j) own[(i * NV + j) * WORKERS] = acc[i][j];
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (item == 0) before = arrived_before(id, slices - 1);
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if ((int)before != slices - 1) return;
        NO_SUMS(acc)
        #pragma unroll 4
        for (int s = part; s < slices; s += SLICES) {
            __global const ACCV *from = (__global const ACCV *)(work + (size_t)s * (MWG * NWG)) + worker;
            #pragma unroll
            for (int i = 0; i < MWI; ++i)
                #pragma unroll
                for (int j = 0; j < NV; ++j) acc[i][j] += from[(i * NV + j) * WORKERS];
        }
    }
#if SLICES > 1
    ADD_PARTS()
    if (part) return;
#endif
#endif
#if APART
    work += (size_t)slice * M * N;
#endif
#if KEPT
    if (inside)
#endif
    {
        #pragma unroll
        for (int i = 0; i < MWI; ++i)
            #pragma unroll
            for (int j = 0; j < NV; ++j)
                if (OWN_ROW(i) && OWN_WHOLE(j)) {
#if APART
                    __global ACC *to = work + (size_t)ROW(i) * N + COL(j);
                    if (WIDE > 1 && ALIGNED_W) *(__global ACCV *)to = acc[i][j];
                    else STORE_ACC(acc[i][j], to);
#else
                    __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                    if (ALIGNED_C) store_wide(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta);
                    else store_c(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta, 1);
#endif
                }
    }
#if KEPT
    else
#elif !ALIGNED_W
    int parts = 0;
    #pragma unroll
    for (int j = 0; j < NV; ++j) parts |= OWN_PART(j);
    if (parts)
#endif
#if KEPT || !ALIGNED_W
    {   // parts of vectors, in a loop that is not unrolled: a copy of this code for each would be most of the kernel
        EACH_IN_TURN(acc) {
            THIS_SUM(acc)
            if (LEFT_OUT(i, j)) continue;
            const int from = OWN_FROM(j), n = OWN_TO(j) - from;
#if APART
            for (int l = 0; l < n; ++l) work[(size_t)ROW(i) * N + COL(j) + from + l] = sum[from + l];
#else
            __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j) + from;
            __global const REAL *b = bias + BIAS_AT(ROW(i), COL(j) + from);
            if (!KEPT || n < VW) store_edge(c, b, sum + from, alpha, beta, 1, n);
            else store_c(c, b, LOAD_ACC(sum), alpha, beta, 1);
#endif
        }
    }
#endif
}
