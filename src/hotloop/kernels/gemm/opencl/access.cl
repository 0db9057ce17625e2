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
