// hotloop GEMM, skinny: few rows or few columns of C.  The long operand is read once, and reading it is all the time there is.
//
// Parameters: ODIM KDIM OWI VW KUNROLL FEW SPLIT ARRIVE.  From the plan: LONG_A (the long operand is A, else B), ALONG_K (its
// rows lie along k), ALIGNED (they begin at whole vectors), CUT (a vector across outputs may reach beyond them), SHORT_ALONG_K,
// SHORT_WIDE (vectors of the short operand lie along k, aligned) and
// IN_PLACE.
//
// A group computes a strip of outputs along the long side for FEW rows or columns of the short one.  ODIM of its items lie
// along the strip, KDIM along k; vectors of the long operand go from global memory to registers, KUNROLL of each row or
// column of vectors on their way at once, and never through local memory: nobody else needs them.

#define ALONG_O (!ALONG_K)
#define STRIP (ODIM * OWI * (ALONG_O ? VW : 1))   // outputs of a group along the long side
#define STEPS (KDIM * (ALONG_K ? VW : 1))         // steps of k that the items of a group take at once
#define ALL_ITEMS (ODIM * KDIM)
#define LANES (ALONG_O ? VW : 1)                  // sums of an item per vector and row of the short side
#define HELD (OWI * FEW * LANES)                  // sums of an item

#if LONG_A
#define EXTENT_O M
#define EXTENT_F N
#define M_OF(o, f) (o)
#define N_OF(o, f) (f)
#else
#define EXTENT_O N
#define EXTENT_F M
#define M_OF(o, f) (f)
#define N_OF(o, f) (o)
#endif

// Lanes are added in pairs, halves of halves.
#define SUM_1(v) (v)
#define SUM_2(v) ((v).s0 + (v).s1)
#define SUM_4(v) SUM_2((v).lo + (v).hi)
#define SUM_8(v) SUM_4((v).lo + (v).hi)
#define SUM_16(v) SUM_8((v).lo + (v).hi)
#define SUM_OF_LANES(v) JOIN(SUM_, VW)(v)

// A vector that is aligned to its size; a vload promises the alignment of one element only, which costs a GPU a read for each.
// A CPU may work in its caller's memory, which begins at any element (IN_PLACE), and reads such vectors as fast.
#if VW == 1 || IN_PLACE
#define WHOLE(p) LOAD_REAL(p)
#elif PRECISION == 16 && ACC32
#define WHOLE(p) JOIN(convert_, ACCV)(*(__global const REALV *)(p))
#else
#define WHOLE(p) (*(__global const ACCV *)(p))
#endif
#define LONG_IN(p) (ALIGNED ? WHOLE(p) : LOAD_REAL(p))

// The first `count` elements of a vector, `stride` apart; the others are 0.
ACCV first_of(__global const REAL *p, uint count, size_t stride)
{
    ACC lane[VW];
    for (int l = 0; l < VW; ++l) lane[l] = l < count ? (ACC)p[l * stride] : (ACC)0;
    return LOAD_ACC(lane);
}

// Steps k .. k + VW of row f of the short operand as a vector.
ACCV short_in(__global const REAL *p, size_t step)
{
#if SHORT_WIDE
    return WHOLE(p);
#elif VW == 1
    return (ACC)*p;
#else
    return first_of(p, VW, step);
#endif
}

__kernel __attribute__((reqd_work_group_size(ALL_ITEMS, 1, 1)))
void gemm(int M, int N, int K, ACC alpha, ACC beta, __global const REAL *restrict A, ulong offset_a, int lda,
          __global const REAL *restrict B, ulong offset_b, int ldb, __global REAL *restrict C, ulong offset_c, int ldc,
          __global const REAL *restrict bias, __global ACC *restrict work)
{
    __local ACC sums[HELD * ALL_ITEMS];
    const int item = (int)get_local_id(0);
#if ALONG_K
    const int in_k = item % KDIM, in_o = item / KDIM;   // items that run together read a row's vectors side by side
#else
    const int in_k = item / ODIM, in_o = item % ODIM;
#endif
    // Groups that share a strip follow one another, so that its second reader finds it in the cache.
    const int id = (int)get_group_id(0), strips_f = (EXTENT_F + FEW - 1) / FEW;
    const int first_o = id / strips_f * STRIP, first_f = id % strips_f * FEW;

#if LONG_A
    __global const REAL *l = A + offset_a, *other_side = B + offset_b;
    const size_t ld = lda, ls = ldb;
#else
    __global const REAL *l = B + offset_b, *other_side = A + offset_a;
    const size_t ld = ldb, ls = lda;
#endif
    const size_t step = SHORT_ALONG_K ? 1 : ls, apart = SHORT_ALONG_K ? ls : 1;
    if (alpha == 0) K = 0;   // BLAS: A and B are not read

#if SPLIT == 1
    const int slice = 0, slices = 1;
#else
    const int slice = (int)get_group_id(1), slices = (int)get_num_groups(1);
#endif
    const uint all = ((uint)K + STEPS - 1) / STEPS, share = (all + slices - 1) / slices * STEPS;
    const uint k0 = min((uint)slice * share, (uint)K), k1 = min(k0 + share, (uint)K);

    // What lies beyond the last row or column reads the last one again; nobody stores its sums.
    __global const REAL *from[OWI], *with[FEW];
#if ALONG_O && CUT
    uint inside[OWI];
#define TAKE(i, p) (inside[i] == VW ? LONG_IN(p) : first_of(p, inside[i], 1))
#else
#define TAKE(i, p) LONG_IN(p)
#endif
    #pragma unroll
    for (int i = 0; i < OWI; ++i) {
        const int o = first_o + (i * ODIM + in_o) * LANES;
#if ALONG_K
        from[i] = l + (size_t)min(o, EXTENT_O - 1) * ld;
#elif CUT
        from[i] = l + o;
        inside[i] = clamp(EXTENT_O - o, 0, VW);
#else
        from[i] = l + min(o, EXTENT_O - VW);
#endif
    }
    #pragma unroll
    for (int f = 0; f < FEW; ++f) with[f] = other_side + (size_t)min(first_f + f, EXTENT_F - 1) * apart;

    ACCV acc[OWI][FEW];
    #pragma unroll
    for (int i = 0; i < OWI; ++i)
        #pragma unroll
        for (int f = 0; f < FEW; ++f) acc[i][f] = (ACCV)(0);

#if ALONG_K
#define MINE(k) (k)
#define OTHER(f, k) short_in(with[f] + (k) * step, step)
#define NEEDED VW                     // steps of k that a read takes
    uint k = k0 + in_k * VW;
#else
#define MINE(k) ((k) * ld)
#define OTHER(f, k) (ACCV)((ACC)with[f][(k) * step])
#define NEEDED 1
    uint k = k0 + in_k;
#endif
#define PRESENT_AT(u, certain) ((certain) || k + (u) * STEPS + NEEDED <= k1)
#define ROUND(certain)                                                                                        \
    {                                                                                                         \
        ACCV taken[KUNROLL][OWI];                                                                             \
        _Pragma("unroll") for (int u = 0; u < KUNROLL; ++u)                                                   \
            _Pragma("unroll") for (int i = 0; i < OWI; ++i)                                                   \
                taken[u][i] = PRESENT_AT(u, certain) ? TAKE(i, from[i] + MINE((size_t)(k + u * STEPS))) : (ACCV)(0); \
        _Pragma("unroll") for (int u = 0; u < KUNROLL; ++u)                                                   \
            _Pragma("unroll") for (int f = 0; f < FEW; ++f) {                                                 \
                const ACCV other = PRESENT_AT(u, certain) ? OTHER(f, (size_t)(k + u * STEPS)) : (ACCV)(0);    \
                _Pragma("unroll") for (int i = 0; i < OWI; ++i)                                               \
                    acc[i][f] = fma(taken[u][i], other, acc[i][f]);                                           \
            }                                                                                                 \
    }
    for (; k + (KUNROLL - 1) * STEPS + NEEDED <= k1; k += KUNROLL * STEPS) ROUND(1)
#if KUNROLL > 1   // what is left is on its way at once, too: one after the other would take as many latencies
    if (k + NEEDED <= k1) {
        ROUND(0)
        while (k + NEEDED <= k1) k += STEPS;
    }
#endif
#if ALONG_K && VW > 1
    if (k < k1) {   // a part of a vector, at the end of K
        #pragma unroll
        for (int f = 0; f < FEW; ++f) {
            const ACCV other = first_of(with[f] + k * step, k1 - k, step);
            #pragma unroll
            for (int i = 0; i < OWI; ++i) acc[i][f] = fma(first_of(from[i] + k, k1 - k, 1), other, acc[i][f]);
        }
    }
#endif

    // The items along k add what they have, half of them to the other half, until one is left.
    #pragma unroll
    for (int i = 0; i < OWI; ++i)
        #pragma unroll
        for (int f = 0; f < FEW; ++f) {
#if ALONG_K
            sums[(i * FEW + f) * ALL_ITEMS + item] = SUM_OF_LANES(acc[i][f]);
#else
            ACC lane[VW];
            STORE_ACC(acc[i][f], lane);
            #pragma unroll
            for (int v = 0; v < VW; ++v) sums[((i * FEW + f) * VW + v) * ALL_ITEMS + item] = lane[v];
#endif
        }
#define NEIGHBOUR (ALONG_K ? 1 : ODIM)
    #pragma unroll
    for (int half_k = KDIM / 2; half_k > 0; half_k /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in_k < half_k)
            #pragma unroll
            for (int v = 0; v < HELD; ++v)
                sums[v * ALL_ITEMS + item] += sums[v * ALL_ITEMS + item + half_k * NEIGHBOUR];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Output number q of the group, along the strip first.
#define OUTPUTS (STRIP * FEW)
#define F_OF(q) (first_f + (q) / STRIP)
#define O_OF(q) (first_o + (q) % STRIP)
#define IN_O(q) ((q) % STRIP / LANES % ODIM)
#define HELD_AT(q) (((q) % STRIP / LANES / ODIM * FEW + (q) / STRIP) * LANES + (q) % LANES)
#define SUM_AT(q) (HELD_AT(q) * ALL_ITEMS + IN_O(q) * (ALONG_K ? KDIM : 1))
#define PRESENT(q) (O_OF(q) < EXTENT_O && F_OF(q) < EXTENT_F)
#define PLACE(q) ((size_t)M_OF(O_OF(q), F_OF(q)) * N + N_OF(O_OF(q), F_OF(q)))
#if SPLIT > 1
    for (int q = item; q < OUTPUTS; q += ALL_ITEMS)
        if (PRESENT(q)) work[(size_t)slice * M * N + PLACE(q)] = sums[SUM_AT(q)];
#endif
#if ARRIVE
    __local uint before;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (item == 0) before = arrived_before(id, slices - 1);
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if ((int)before != slices - 1) return;
#endif
#if !APART
    // More items than outputs share out the slices: one item would wait for them in turn.
#if ARRIVE && OUTPUTS < ALL_ITEMS
#define READERS (ALL_ITEMS / OUTPUTS)
    {
        const int q = item % OUTPUTS, reader = item / OUTPUTS;
        ACC sum = 0;
        if (PRESENT(q))
            #pragma unroll 4
            for (int s = reader; s < slices; s += READERS) sum += work[(size_t)s * M * N + PLACE(q)];
        sums[item] = sum;
        #pragma unroll
        for (int half_r = READERS / 2; half_r > 0; half_r /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (reader < half_r) sums[item] += sums[item + half_r * OUTPUTS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    for (int q = item; q < OUTPUTS; q += ALL_ITEMS) {
        if (!PRESENT(q)) continue;
#if ARRIVE && OUTPUTS < ALL_ITEMS
        const ACC sum = sums[q];
#elif ARRIVE
        ACC sum = 0;
        #pragma unroll 8
        for (int s = 0; s < slices; ++s) sum += work[(size_t)s * M * N + PLACE(q)];
#else
        const ACC sum = sums[SUM_AT(q)];
#endif
        const int m = M_OF(O_OF(q), F_OF(q)), n = N_OF(O_OF(q), F_OF(q));
        store_edge(C + offset_c + (size_t)m * ldc + n, bias + BIAS_AT(m, n), &sum, alpha, beta, 1, 1);
    }
#endif
}
