// hotloop GEMM 1/3: types and vocabulary shared by the pack kernels and the main kernel.
//
// Every upper-case name is a -D macro that the launch plan sets; parameters are described in opencl.py.
// Problem: PRECISION 16|32|64, ACC32, TRANSA, TRANSB, BIAS 0 none|1 per column|2 per row, ACTIVATION, STAGE_K, PACK_K.
// Runtime: GENERIC_FETCH.
// Parameters: MDIM NDIM MWI NWI VW KWG KUNROLL SA SB PAD SWZ PACK KC MPI NPI RASTER PREFETCH.

// REAL: what the matrices hold.  ACC: what sums, panels and local memory hold (float for half when ACC32).
#if PRECISION == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL double
#define ACC double
#elif PRECISION == 16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#if ACC32
#define ACC float
#else
#define ACC half
#endif
#else
#define REAL float
#define ACC float
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// One vector of VW elements along n.  LOAD_REAL and STORE_REAL convert where matrices and sums differ in type.
#if VW == 1
#define ACCV ACC
#define LOAD_ACC(p) (*(p))
#define STORE_ACC(v, p) (*(p) = (v))
#define LOAD_REAL(p) ((ACC)(*(p)))
#define STORE_REAL(v, p) (*(p) = (REAL)(v))
#else
#define ACCV JOIN(ACC, VW)
#define REALV JOIN(REAL, VW)
#define LOAD_ACC(p) JOIN(vload, VW)(0, (p))
#define STORE_ACC(v, p) JOIN(vstore, VW)((v), 0, (p))
#if PRECISION == 16 && ACC32
#define LOAD_REAL(p) JOIN(convert_, ACCV)(JOIN(vload, VW)(0, (p)))
#define STORE_REAL(v, p) JOIN(vstore, VW)(JOIN(convert_, REALV)(v), 0, (p))
#else
#define LOAD_REAL(p) JOIN(vload, VW)(0, (p))
#define STORE_REAL(v, p) JOIN(vstore, VW)((v), 0, (p))
#endif
#endif

#define PACKED_A (PACK == 2)
#define PACKED_B (PACK >= 1)
#define NV (NWI / VW)            // vectors of one work-item in a row of its tile
#define MWG (MDIM * MWI)         // rows of C in one tile of a work-group = height of an A panel
#define NWG (NDIM * NWI)         // columns of C in one tile of a work-group = width of a B panel
#define ITEMS (MDIM * NDIM)      // work-items of a group

// Element (m, k) of op(A) and (k, n) of op(B) where they lie.
#if TRANSA
#define A_AT(m, k) ((size_t)(k) * lda + (m))
#else
#define A_AT(m, k) ((size_t)(m) * lda + (k))
#endif
#if TRANSB
#define B_AT(k, n) ((size_t)(n) * ldb + (k))
#else
#define B_AT(k, n) ((size_t)(k) * ldb + (n))
#endif

// Rasterization: bands of RASTER block rows, m fastest inside a band (1: n fastest overall; 0: m fastest overall).
#define PLACE_IN_BANDS(id)                                                                                    \
    const int band_rows = RASTER == 0 ? blocks_m : min(RASTER, blocks_m);                                     \
    const int band = id / (band_rows * blocks_n), in_band = id % (band_rows * blocks_n);                      \
    const int rows = min(band_rows, blocks_m - band * band_rows);                                             \
    const int block_m = band * band_rows + in_band % rows, block_n = in_band / rows;
