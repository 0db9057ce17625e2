// hotloop GEMM 2/3: copy op(A) and op(B) into zero-padded panels.
//
// A panel p: packed[p*MWG*K + k*MWG + i] = op(A)[p*MWG + i][k].
// B panel q: packed[q*NWG*K + k*NWG + j] = op(B)[k][q*NWG + j].
// One work-item copies PACK_K (from the launch plan) consecutive k of one panel.  When the source runs along the panel
// width, each k is a plain copy; when it runs along k, PACK_V values of k are loaded per row as one vector and written
// out transposed.
#define PACK_V 8

#define PACK_KERNEL(NAME, WIDTH, K_IS_CONTIGUOUS)                                                             \
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))                                                       \
void NAME(int extent, int K, __global const REAL *restrict src, ulong offset, int ld,                        \
          __global ACC *restrict packed)                                                                      \
{                                                                                                             \
    const int panel = get_global_id(0), k0 = get_global_id(1) * PACK_K, k1 = min(k0 + PACK_K, K);             \
    const int first = panel * (WIDTH), valid = min(extent - first, (WIDTH));                                  \
    const size_t step_k = K_IS_CONTIGUOUS ? 1 : ld, step_i = K_IS_CONTIGUOUS ? ld : 1;                        \
    __global ACC *out = packed + (size_t)panel * (WIDTH) * K + (size_t)k0 * (WIDTH);                          \
    src += offset + first * step_i + k0 * step_k;                                                             \
    int k = k0;                                                                                               \
    if (valid == (WIDTH)) {                                                                                   \
        if (K_IS_CONTIGUOUS) {                                                                                \
            for (; k + PACK_V <= k1; k += PACK_V, out += PACK_V * (WIDTH), src += PACK_V) {                   \
                REAL block[WIDTH][PACK_V];                                                                    \
                _Pragma("unroll") for (int i = 0; i < (WIDTH); ++i)                                           \
                    JOIN(vstore, PACK_V)(JOIN(vload, PACK_V)(0, src + i * step_i), 0, block[i]);              \
                _Pragma("unroll") for (int v = 0; v < PACK_V; ++v)                                            \
                    _Pragma("unroll") for (int i = 0; i < (WIDTH); ++i)                                       \
                        out[v * (WIDTH) + i] = (ACC)block[i][v];                                              \
            }                                                                                                 \
        }                                                                                                     \
        for (; k < k1; ++k, out += (WIDTH), src += step_k)                                                    \
            _Pragma("unroll") for (int i = 0; i < (WIDTH); ++i) out[i] = (ACC)src[i * step_i];                \
    } else {                                                                                                  \
        for (; k < k1; ++k, out += (WIDTH), src += step_k)                                                    \
            _Pragma("unroll 1") for (int i = 0; i < (WIDTH); ++i)                                             \
                out[i] = i < valid ? (ACC)src[i * step_i] : (ACC)0;                                           \
    }                                                                                                         \
}
#if PACKED_A
PACK_KERNEL(pack_a, MWG, (!TRANSA))
#endif
#if PACKED_B
PACK_KERNEL(pack_b, NWG, (TRANSB))
#endif
