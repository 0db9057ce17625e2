// hotloop GEMM, slices of k: how the sums of several groups become one.
//
// SPLIT (2 stands for any number above 1), ARRIVE, PTX, and of the kernel that uses them WIDE ALIGNED_C ALIGNED_W.

#define APART (SPLIT > 1 && !ARRIVE)   // slices are added by a launch of their own

// ARRIVE: each group leaves its sums, and whoever arrives last at a tile adds those of all slices, in their order whoever it is.
// A second launch costs as much as many of these products take.  Nobody waits for anybody.  The counters belong to the built
// program, which begins with zeros, and are zero again when a tile is done: launches of one program follow one another.
#if ARRIVE
#define COUNTERS 4096
#if PTX
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
// The name is the function's own, so that the counters are declared, advanced and wrapped to zero in a single place.
uint arrived_before(int tile, int last)
{
    uint before;
    asm volatile("{\n\t"
                 ".global .align 4 .u32 arrived[" TEXT(COUNTERS) "];\n\t"
                 ".reg .u64 place;\n\t"
                 "mov.u64 place, arrived;\n\t"
                 "mad.wide.u32 place, %1, 4, place;\n\t"
                 "fence.acq_rel.gpu;\n\t"
                 "atom.acq_rel.gpu.global.inc.u32 %0, [place], %2;\n\t"
                 "fence.acq_rel.gpu;\n\t"
                 "}"
                 : "=r"(before) : "r"(tile), "r"(last) : "memory");
    return before;
}
#else
__global atomic_uint arrived[COUNTERS];
uint arrived_before(int tile, int last)
{
    const uint before = atomic_fetch_add_explicit(arrived + tile, 1, memory_order_acq_rel, memory_scope_device);
    if (before == last) atomic_store_explicit(arrived + tile, 0, memory_order_relaxed, memory_scope_device);
    return before;
}
#endif
#endif

#if APART
// Add the slices of k in order and finish C; one item for each vector of a row.
__kernel void add_slices(int M, int N, int slices, ACC alpha, ACC beta, __global const ACC *restrict work, __global REAL *restrict C,
                         ulong offset_c, int ldc, __global const REAL *restrict bias)
{
    const int m = get_global_id(1), n = (int)get_global_id(0) * VW, left = min(N - n, VW);
    if (m >= M || left <= 0) return;
    __global const ACC *from = work + (size_t)m * N + n;
    __global REAL *c = C + offset_c + (size_t)m * ldc + n;
    __global const REAL *b = bias + BIAS_AT(m, n);
    if (left == VW) {
        ACCV sum = (ACCV)(0);
        #pragma unroll 8
        for (int s = 0; s < slices; ++s, from += (size_t)M * N)
            sum += WIDE > 1 && ALIGNED_W ? *(__global const ACCV *)from : LOAD_ACC(from);
#if ALIGNED_C
        store_wide(c, b, sum, alpha, beta);
#else
        store_c(c, b, sum, alpha, beta, 1);
#endif
        return;
    }
    ACC sum[VW];
    for (int l = 0; l < VW; ++l) sum[l] = 0;
    for (int s = 0; s < slices; ++s, from += (size_t)M * N)
        for (int l = 0; l < left; ++l) sum[l] += from[l];
    store_edge(c, b, sum, alpha, beta, 1, left);
}
#endif
