__kernel __attribute__((reqd_work_group_size(NDIM, MDIM, 1)))
void gemm(int M, int N, int K, ACC alpha, ACC beta, __global const REAL *restrict A, ulong offset_a, int lda,
          __global const REAL *restrict B, ulong offset_b, int ldb, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias, __global ACC *restrict work)
{
    __local ACC tile_a[BUFFERS * KWG * STEP_A] __attribute__((aligned(16 * sizeof(ACC))));
    __local ACC tile_b[BUFFERS * KWG * STEP_B] __attribute__((aligned(16 * sizeof(ACC))));
    const int item = (int)get_local_id(1) * NDIM + (int)get_local_id(0);
#if NDIM % 8 == 0 && MDIM % 4 == 0
    // Items that run together form blocks of 8 x 4: they read 8 vectors of B and 4 of A, the fewest that 32 can.
    const int block = item / 32, lane = item % 32;
    const int tn = block % (NDIM / 8) * 8 + lane % 8, tm = block / (NDIM / 8) * 4 + lane / 8;
#else
    const int tn = get_local_id(0), tm = get_local_id(1);
#endif
    const int blocks_m = (M + MWG - 1) / MWG, blocks_n = (N + NWG - 1) / NWG;

    // Rasterization: bands of RASTER block rows, m fastest inside a band (1: n fastest overall; 0: m fastest overall).
    const int band_rows = RASTER == 0 ? blocks_m : min(RASTER, blocks_m);
    const int id = (int)get_group_id(0), band = id / (band_rows * blocks_n), in_band = id % (band_rows * blocks_n);
    const int rows = min(band_rows, blocks_m - band * band_rows);
    const int row0 = (band * band_rows + in_band % rows) * MWG, col0 = in_band / rows * NWG;
    const int inside = row0 + MWG <= M && col0 + NWG <= N;

    A += offset_a; B += offset_b; C += offset_c;
    if (alpha == 0) K = 0;   // BLAS: A and B are not read
    const int slice = SPLIT == 1 ? 0 : (int)get_group_id(1);
    const int share = (((K + KWG - 1) / KWG) + SPLIT - 1) / SPLIT * KWG;
    const int k0 = min(slice * share, K), k1 = min(k0 + share, K);

    ACCV acc[MWI][NV], next_a[TAKEN_A], next_b[TAKEN_B];
    #pragma unroll
    for (int i = 0; i < MWI; ++i)
        #pragma unroll
        for (int j = 0; j < NV; ++j) acc[i][j] = (ACCV)(0);

    int now = 0, k = k0;
    if (k0 < k1) {
        TAKE_BOTH(k0, 0)
        PUT_BOTH(0)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)   // no edge in sight: a loop of its own, because the code for edges costs registers even unused
        for (; k + 2 * KWG <= k1; k += KWG) STEP(1, 1)
    for (; k < k1; k += KWG) STEP(k + KWG < k1, 0)

#if SPLIT > 1
    work += (size_t)slice * M * N;
#endif
    if (inside) {
        #pragma unroll
        for (int i = 0; i < MWI; ++i)
            #pragma unroll
            for (int j = 0; j < NV; ++j) {
#if SPLIT > 1
                __global ACC *to = work + (size_t)ROW(i) * N + COL(j);
                if (WIDE > 1 && ALIGNED_W) *(__global ACCV *)to = acc[i][j];
                else STORE_ACC(acc[i][j], to);
#else
                __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                if (ALIGNED_C) store_wide(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta);
                else store_c(c, bias + BIAS_AT(ROW(i), COL(j)), acc[i][j], alpha, beta, 1);
#endif
            }
    } else {   // a loop that is not unrolled: a copy of this code per vector would be most of the kernel
#if !SUMS_MOVE_UP
        ACC sums[MWI * NWI];
        #pragma unroll
        for (int i = 0; i < MWI; ++i)
            #pragma unroll
            for (int j = 0; j < NV; ++j) STORE_ACC(acc[i][j], sums + (i * NV + j) * VW);
#endif
        #pragma unroll 1
        for (int i = 0; i < MWI; ++i)
            #pragma unroll 1
            for (int j = 0; j < NV; ++j) {
#if SUMS_MOVE_UP
                ACC sum[VW];
                STORE_ACC(acc[0][0], sum);
                #pragma unroll
                for (int v = 1; v < MWI * NV; ++v) acc[(v - 1) / NV][(v - 1) % NV] = acc[v / NV][v % NV];
#else
                const ACC *sum = sums + (i * NV + j) * VW;
#endif
                if (ROW(i) >= M || COL(j) >= N) continue;
                const int n = min(N - COL(j), VW);
#if SPLIT > 1
                for (int l = 0; l < n; ++l) work[(size_t)ROW(i) * N + COL(j) + l] = sum[l];
#else
                __global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);
                __global const REAL *b = bias + BIAS_AT(ROW(i), COL(j));
                if (n < VW) store_edge(c, b, sum, alpha, beta, 1, n);
                else store_c(c, b, LOAD_ACC(sum), alpha, beta, 1);
#endif
            }
    }
}

#if SPLIT > 1
// Add the slices of k in order and finish C; one item for each vector of a row.
__kernel void add_slices(int M, int N, ACC alpha, ACC beta, __global const ACC *restrict work, __global REAL *restrict C,
                         ulong offset_c, int ldc, __global const REAL *restrict bias)
{
    const int m = get_global_id(1), n = (int)get_global_id(0) * VW, left = min(N - n, VW);
    if (m >= M || left <= 0) return;
    __global const ACC *from = work + (size_t)m * N + n;
    __global REAL *c = C + offset_c + (size_t)m * ldc + n;
    __global const REAL *b = bias + BIAS_AT(m, n);
    ACC sum[VW];
    for (int l = 0; l < VW; ++l) sum[l] = 0;
    for (int s = 0; s < SPLIT; ++s, from += (size_t)M * N)
        for (int l = 0; l < left; ++l) sum[l] += from[l];
    if (left < VW) store_edge(c, b, sum, alpha, beta, 1, left);
    else store_c(c, b, LOAD_ACC(sum), alpha, beta, 1);
}
#endif
