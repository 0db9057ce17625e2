// hotloop GEMM 3/3: the main kernel, from the GPU-style local-memory tile to the CPU-style register tile.
//
// One work-group of MDIM x NDIM items owns MPI x NPI tiles of MWG x NWG outputs; one item owns MWI rows and NV vectors
// of each tile: rows i*MDIM + tm and columns (j*NDIM + tn)*VW .. +VW.
// C (row-major) = act(alpha * op(A) * op(B) + beta * C + bias).
//
// SA, SB: 0 the operand is read where it lies (or from its packed panel); 1 each KWG steps of k are staged in local
// memory between two barriers; 2 a whole k block is staged once and serves all tiles that the group owns in it.

#if MDIM * NDIM == 1
#define SYNC()
#else
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define ROW(i) (row0 + (i) * MDIM + tm)
#define COL(j) (col0 + ((j) * NDIM + tn) * VW)

// Direct vectors of B that column N cuts off start earlier instead, see col[]: their first lanes belong to a neighbour.
#define SHIFTED (!PACKED_B && !SB)
#define BIAS_AT(m, n) (BIAS == 2 ? (m) : BIAS == 1 ? (n) : 0)

// Place in a staged row k: xor with k keeps the map injective because SWZ is a power of two that divides the row.
#define LOCAL_A(k, m) ((k) * (MWG + PAD) + ((m) ^ ((k) % SWZ)))
#define LOCAL_B(k, v) ((k) * (NWG + PAD) + ((v) ^ ((k) % SWZ)) * VW)

// The compiler's own prefetch wants the generic addresses of OpenCL C 2.0; prefetch() may be a call of an empty function.
#if GENERIC_FETCH
#define FETCH(p) __builtin_prefetch((__generic const void *)(p), 1, 3)
#else
#define FETCH(p) prefetch((p), 1)
#endif

// What item (tm, tn) reads at depth kk of the current position: a scalar of A per row, a vector of B per column group.
#if SA == 2
#define GET_A(i, kk) la[(kk) * (MWG + PAD) + (i) * MDIM + tm]
#elif SA
#define GET_A(i, kk) staged_a[LOCAL_A(kk, (i) * MDIM + tm)]
#elif PACKED_A
#define GET_A(i, kk) pa[(kk) * MWG + (i) * MDIM + tm]
#elif TRANSA
#define GET_A(i, kk) ((ACC)pa[(size_t)(kk) * lda + row[i]])
#else
#define GET_A(i, kk) ((ACC)pa[i][kk])
#endif
#if SB == 2
#define GET_B(j, kk) LOAD_ACC(lb + (kk) * (NWG + PAD) + ((j) * NDIM + tn) * VW)
#elif SB
#define GET_B(j, kk) LOAD_ACC(staged_b + LOCAL_B(kk, (j) * NDIM + tn))
#elif PACKED_B
#define GET_B(j, kk) LOAD_ACC(pb + (kk) * NWG + ((j) * NDIM + tn) * VW)
#elif TRANSB
#define GET_B(j, kk) gather(pb + (size_t)col[j] * ldb + (kk), ldb)
#else
#define GET_B(j, kk) LOAD_REAL(pb + (size_t)(kk) * ldb + col[j])
#endif

#define RANK_1_UPDATE(kk)                                                                                     \
    {                                                                                                         \
        ACCV b[NV];                                                                                           \
        _Pragma("unroll") for (int j = 0; j < NV; ++j) b[j] = GET_B(j, kk);                                   \
        _Pragma("unroll") for (int i = 0; i < MWI; ++i) {                                                     \
            const ACCV a = (ACCV)(GET_A(i, kk));                                                              \
            _Pragma("unroll") for (int j = 0; j < NV; ++j) acc[i][j] = fma(a, b[j], acc[i][j]);               \
        }                                                                                                     \
    }

// Move the unstaged operand pointers n steps of k onwards.
#if SA == 2
#define ADVANCE_A(n) la += (n) * (MWG + PAD)
#elif SA
#define ADVANCE_A(n)
#elif PACKED_A
#define ADVANCE_A(n) pa += (n) * MWG
#elif TRANSA
#define ADVANCE_A(n) pa += (size_t)(n) * lda
#else
#define ADVANCE_A(n) _Pragma("unroll") for (int i = 0; i < MWI; ++i) pa[i] += (n)
#endif
#if SB == 2
#define ADVANCE_B(n) lb += (n) * (NWG + PAD)
#elif SB
#define ADVANCE_B(n)
#elif PACKED_B
#define ADVANCE_B(n) pb += (n) * NWG
#elif TRANSB
#define ADVANCE_B(n) pb += (n)
#else
#define ADVANCE_B(n) pb += (size_t)(n) * ldb
#endif

#if TRANSB && !PACKED_B && !SB
ACCV gather(__global const REAL *p, int stride)
{
    ACC lane[VW];
    #pragma unroll
    for (int l = 0; l < VW; ++l) lane[l] = (ACC)p[(size_t)l * stride];
    return LOAD_ACC(lane);
}
#endif

ACCV activate(ACCV x)
{
#if ACTIVATION == 1     // ReLU; written so that NaN stays NaN
    return x < (ACCV)(0) ? (ACCV)(0) : x;
#elif ACTIVATION == 2   // GELU, tanh form
    const ACCV u = (ACCV)((ACC)0.7978845608028654) * fma((ACCV)((ACC)0.044715) * x * x, x, x);
    return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + tanh(u));
#elif ACTIVATION == 3   // GELU, erf form
    return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + erf((ACCV)((ACC)0.7071067811865476) * x));
#elif ACTIVATION == 4   // SiLU
    return x / ((ACCV)(1) + exp(-x));
#else
    return x;
#endif
}

ACCV with_bias(ACCV x, __global const REAL *bias)
{
#if BIAS == 1
    return x + LOAD_REAL(bias);
#elif BIAS == 2
    return x + (ACCV)((ACC)*bias);
#else
    return x;
#endif
}

// One whole vector of C.
void store_c(__global REAL *c, __global const REAL *bias, ACCV sum, ACC alpha, ACC beta, int last)
{
    ACCV x = (ACCV)(alpha) * sum;
    if (beta != 0) x = fma((ACCV)(beta), LOAD_REAL(c), x);
    if (last) x = activate(with_bias(x, bias));
    STORE_REAL(x, c);
}

// The first n elements of a vector that column N cuts off.
void store_edge(__global REAL *c, __global const REAL *bias, const ACC *sum, ACC alpha, ACC beta, int last, int n)
{
    ACC lane[VW];
    for (int l = 0; l < VW; ++l) lane[l] = l < n ? alpha * sum[l] : (ACC)0;
    for (int l = 0; l < n; ++l) {
        if (beta != 0) lane[l] = fma(beta, (ACC)c[l], lane[l]);
#if BIAS
        if (last) lane[l] += (ACC)bias[BIAS == 1 ? l : 0];
#endif
    }
    if (last) STORE_ACC(activate(LOAD_ACC(lane)), lane);
    for (int l = 0; l < n; ++l) c[l] = (REAL)lane[l];
}

__kernel __attribute__((reqd_work_group_size(NDIM, MDIM, 1)))
void gemm(int M, int N, int K, ACC alpha, ACC beta,
#if PACKED_A
          __global const ACC *restrict A,
#else
          __global const REAL *restrict A,
#endif
          ulong offset_a, int lda,
#if PACKED_B
          __global const ACC *restrict B,
#else
          __global const REAL *restrict B,
#endif
          ulong offset_b, int ldb, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias)
{
#if SA
    __local ACC staged_a[SA == 2 ? MPI * STAGE_K * (MWG + PAD) : KWG * (MWG + PAD)];
#endif
#if SB
    __local ACC staged_b[(SB == 2 ? STAGE_K : KWG) * (NWG + PAD)];
#endif
    const int tn = NDIM == 1 ? 0 : (int)get_local_id(0), tm = MDIM == 1 ? 0 : (int)get_local_id(1);
    const int tiles_m = (M + MWG - 1) / MWG, tiles_n = (N + NWG - 1) / NWG;
    const int blocks_m = (tiles_m + MPI - 1) / MPI, blocks_n = (tiles_n + NPI - 1) / NPI;

    // Rasterization: bands of RASTER block rows, m fastest inside a band (1: n fastest overall; 0: m fastest overall).
    const int band_rows = RASTER == 0 ? blocks_m : min(RASTER, blocks_m);
    const int id = (int)get_group_id(0), band = id / (band_rows * blocks_n), in_band = id % (band_rows * blocks_n);
    const int rows = min(band_rows, blocks_m - band * band_rows);
    const int block_m = band * band_rows + in_band % rows, block_n = in_band / rows;

    A += offset_a; B += offset_b; C += offset_c;
    if (alpha == 0) K = 0;   // BLAS: A and B are not read
#if !SB && !PACKED_B && VW > 1
    if (N < VW) return;      // direct vectors need VW columns; the launch plan never asks for less
#endif
    const int depth = KC == 0 ? max(K, 1) : KC;
    for (int k0 = 0; k0 == 0 || k0 < K; k0 += depth) {
        const int k1 = min(k0 + depth, K), last = k1 == K;
        const ACC scale_c = k0 == 0 ? beta : (ACC)1;
        const int tile_n1 = min(block_n * NPI + NPI, tiles_n), tile_m1 = min(block_m * MPI + MPI, tiles_m);
#if SA == 2
        SYNC();
        for (int tile_m = block_m * MPI; tile_m < tile_m1; ++tile_m) {
            __local ACC *to = staged_a + (tile_m - block_m * MPI) * STAGE_K * (MWG + PAD);
            for (int k = k0 + tn; k < k1; k += NDIM)
                #pragma unroll
                for (int i = 0; i < MWI; ++i) {
                    const int in_tile = i * MDIM + tm;
                    to[(k - k0) * (MWG + PAD) + in_tile] = (ACC)A[A_AT(min(tile_m * MWG + in_tile, M - 1), k)];
                }
        }
#endif
        for (int tile_n = block_n * NPI; tile_n < tile_n1; ++tile_n) {
            const int col0 = tile_n * NWG;
#if SB == 2
            SYNC();
            for (int k = k0 + tm; k < k1; k += MDIM) {
                __local ACC *to = staged_b + (k - k0) * (NWG + PAD);
                if (!TRANSB && col0 + NWG <= N) {
                    #pragma unroll
                    for (int j = 0; j < NV; ++j)
                        STORE_ACC(LOAD_REAL(B + B_AT(k, COL(j))), to + (j * NDIM + tn) * VW);
                } else {
                    #pragma unroll
                    for (int j = 0; j < NV; ++j)
                        for (int l = 0; l < VW; ++l)
                            to[(j * NDIM + tn) * VW + l] = COL(j) + l < N ? (ACC)B[B_AT(k, COL(j) + l)] : (ACC)0;
                }
            }
#endif
#if SA == 2 || SB == 2
            SYNC();
#endif
            for (int tile_m = block_m * MPI; tile_m < tile_m1; ++tile_m) {
                const int row0 = tile_m * MWG;
#if SA == 2
                __local const ACC *la = staged_a + (tile_m - block_m * MPI) * STAGE_K * (MWG + PAD);
#endif
#if SB == 2
                __local const ACC *lb = staged_b;
#endif
                ACCV acc[MWI][NV];
                #pragma unroll
                for (int i = 0; i < MWI; ++i)
                    #pragma unroll
                    for (int j = 0; j < NV; ++j) acc[i][j] = (ACCV)(0);

                // Unstaged direct operands: rows past M repeat the last row; a vector that would cross column N starts
                // earlier instead.  Nothing is read outside the matrices and the k loop has no edge test.
#if PACKED_A && !SA
                __global const ACC *pa = A + (size_t)tile_m * MWG * K + (size_t)k0 * MWG;
#elif !SA && TRANSA
                int row[MWI];
                #pragma unroll
                for (int i = 0; i < MWI; ++i) row[i] = min(ROW(i), M - 1);
                __global const REAL *pa = A + (size_t)k0 * lda;
#elif !SA
                __global const REAL *pa[MWI];
                #pragma unroll
                for (int i = 0; i < MWI; ++i) pa[i] = A + (size_t)min(ROW(i), M - 1) * lda + k0;
#endif
#if PACKED_B && !SB
                __global const ACC *pb = B + (size_t)tile_n * NWG * K + (size_t)k0 * NWG;
#elif !SB
                int col[NV];
                #pragma unroll
                for (int j = 0; j < NV; ++j) col[j] = min(COL(j), N - VW);
                __global const REAL *pb = B + (TRANSB ? (size_t)k0 : (size_t)k0 * ldb);
#endif
#if PREFETCH
                #pragma unroll
                for (int i = 0; i < MWI; ++i) FETCH(C + (size_t)min(ROW(i), M - 1) * ldc + min(COL(0), N - 1));
#endif

#if SA == 1 || SB == 1
                for (int k = k0; k < k1; k += KWG) {
                    const int depth_now = min(KWG, k1 - k), item = tm * NDIM + tn;
#if SA && PACKED_A
                    const __global ACC *from_a = A + (size_t)tile_m * MWG * K + (size_t)k * MWG;
                    for (int e = item; e < MWG * depth_now; e += ITEMS) staged_a[LOCAL_A(e / MWG, e % MWG)] = from_a[e];
#elif SA && TRANSA
                    for (int e = item; e < MWG * depth_now; e += ITEMS)
                        staged_a[LOCAL_A(e / MWG, e % MWG)] =
                            row0 + e % MWG < M ? (ACC)A[A_AT(row0 + e % MWG, k + e / MWG)] : (ACC)0;
#elif SA
                    for (int e = item; e < MWG * KWG; e += ITEMS)
                        if (e % KWG < depth_now)
                            staged_a[LOCAL_A(e % KWG, e / KWG)] =
                                row0 + e / KWG < M ? (ACC)A[A_AT(row0 + e / KWG, k + e % KWG)] : (ACC)0;
#endif
#if SB
                    for (int e = item; e < (NWG / VW) * depth_now; e += ITEMS) {
                        const int kk = e / (NWG / VW), v = e % (NWG / VW), n = col0 + v * VW;
                        __local ACC *to = staged_b + LOCAL_B(kk, v);
#if PACKED_B
                        STORE_ACC(LOAD_ACC(B + ((size_t)tile_n * K + k + kk) * NWG + v * VW), to);
#else
                        if (!TRANSB && n + VW <= N) {
                            STORE_ACC(LOAD_REAL(B + B_AT(k + kk, n)), to);
                        } else {
                            for (int l = 0; l < VW; ++l) to[l] = n + l < N ? (ACC)B[B_AT(k + kk, n + l)] : (ACC)0;
                        }
#endif
                    }
#endif
                    SYNC();
                    if (depth_now == KWG) {
                        for (int kk = 0; kk < KWG; kk += KUNROLL) {
                            #pragma unroll
                            for (int u = 0; u < KUNROLL; ++u) RANK_1_UPDATE(kk + u)
                        }
                    } else {
                        for (int kk = 0; kk < depth_now; ++kk) RANK_1_UPDATE(kk)
                    }
                    ADVANCE_A(KWG);
                    ADVANCE_B(KWG);
                    SYNC();
                }
#else
                int k = k0;
                for (; k + KUNROLL <= k1; k += KUNROLL) {
                    #pragma unroll
                    for (int u = 0; u < KUNROLL; ++u) RANK_1_UPDATE(u)
                    ADVANCE_A(KUNROLL);
                    ADVANCE_B(KUNROLL);
                }
                for (; k < k1; ++k) {
                    RANK_1_UPDATE(0)
                    ADVANCE_A(1);
                    ADVANCE_B(1);
                }
#endif

                // Inside C the vectors go out one by one.  At its edges, and before a long activation, a loop that is not
                // unrolled stores them, because a copy of that code per vector would be most of the kernel.
                if (ACTIVATION < 2 && row0 + MWG <= M && col0 + NWG <= N) {
                    #pragma unroll
                    for (int i = 0; i < MWI; ++i)
                        #pragma unroll
                        for (int j = 0; j < NV; ++j)
                            store_c(C + (size_t)ROW(i) * ldc + COL(j), bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha,
                                    scale_c, last);
                } else {
                    ACC sums[MWI * NWI];
                    #pragma unroll
                    for (int i = 0; i < MWI; ++i)
                        #pragma unroll
                        for (int j = 0; j < NV; ++j) STORE_ACC(acc[i][j], sums + (i * NV + j) * VW);
                    #pragma unroll 1
                    for (int i = 0; i < MWI; ++i)
                        #pragma unroll 1
                        for (int j = 0; j < NV; ++j) {
                            if (ROW(i) >= M || COL(j) >= N) continue;
                            __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                            __global const REAL *b = bias + BIAS_AT(ROW(i), COL(j));
                            const ACC *sum = sums + (i * NV + j) * VW;
                            const int n = N - COL(j), foreign = SHIFTED ? VW - n : 0;
                            if (n < VW) store_edge(c, b, sum + foreign, alpha, scale_c, last, n);
                            else store_c(c, b, LOAD_ACC(sum), alpha, scale_c, last);
                        }
                }
            }
        }
    }
}
