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
    const int id = (int)get_group_id(0);
    PLACE_IN_BANDS(id)

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
                NO_SUMS(acc)

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
                    EACH_IN_TURN(acc) {
                        THIS_SUM(acc)
                        if (ROW(i) >= M || COL(j) >= N) continue;
                        __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                        __global const REAL *b = bias + BIAS_AT(ROW(i), COL(j));
                        const int n = N - COL(j), foreign = SHIFTED ? VW - n : 0;
                        if (n < VW) store_edge(c, b, sum + foreign, alpha, scale_c, last, n);
                        else store_c(c, b, LOAD_ACC(sum), alpha, scale_c, last);
                    }
                }
            }
        }
    }
}
