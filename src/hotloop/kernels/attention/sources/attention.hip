// The kernel: the order in which a work-group moves tiles, multiplies and waits. Follows products.hip.
#if RESIDENT
#define FEW __attribute__((amdgpu_waves_per_eu(RESIDENT, RESIDENT)))
#else
#define FEW
#endif
extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(THREADS, THREADS))) FEW void
attention(const f16 *q, const f16 *k, const f16 *v, const Sizes *sizes, f16 *out)
{
    const int queries = sizes->queries, keys = sizes->keys;
    const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread % LANES;
    const Lane at{thread, __builtin_amdgcn_readfirstlane(thread / LANES), lane % SIDE, lane / SIDE};
    const int first = __builtin_amdgcn_workgroup_id_x() * ROWS, query0 = first + at.wave * SIDE;
    const long head = __builtin_amdgcn_workgroup_id_y();
    q += head * queries * D, out += head * queries * D, k += head * keys * D, v += head * keys * D;
    const int end = EXIT && CAUSAL ? (keys < first + ROWS ? keys : first + ROWS) : keys;
    const float scale = sizes->scale * 1.44269504f;  // so that exp is exp2

    Pack held[STEPS];
#if QFROM == 2
#pragma unroll
    for (int step = 0; step < STEPS; ++step)
        held[step] = query0 + at.n < queries
                         ? *(const Pack *)(q + (long)(query0 + at.n) * D + step * KMMA + WIDTH * at.g) : Pack{};
#else
    f16x8 qmoved[QMOVES];
    fetch<1>(at, q, first, queries, qmoved);
    put(at, lds, qmoved);
#if QFROM == 1
    meet();
#pragma unroll
    for (int step = 0; step < STEPS; ++step)
        held[step] = *(const QPack *)(lds + (at.wave * SIDE + at.n) * QS + step * KMMA + WIDTH * at.g);
    if (OVERLAY) meet();
#endif
#endif

    Sums o[COLUMNS], s[TILES];
    Pack p[PACKS];
    float top[STATS], sum[STATS], shrink[STATS];
    f16x8 kmoved[MOVES], vmoved[MOVES];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) o[c] = Sums{};
#pragma unroll
    for (int r = 0; r < STATS; ++r) top[r] = -__builtin_inff(), sum[r] = 0.0f;

#if STAGGER
    // Two halves of the waves take turns: one multiplies (this step's first product, the last step's second), the other has its
    // softmax. A tile of K is written in the two phases after its place was read last and before it is read: the late waves
    // write a tile that is one further. Copies past the registers start in the first of the two phases for both halves.
    const int late = at.wave >= WAVES / 2, ahead = DIRECT ? 0 : late * BN;
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    leave_k(at, lds + KAT, kmoved);
    if (!DIRECT && late) {
        take_k(at, k, BN, keys, lds, kmoved);
        take_v(at, v, 0, keys, lds, vmoved);
        leave_k(at, lds + KAT + KSIZE, kmoved);
        leave_v(at, lds + VAT, vmoved);
    }
    arrive();
    meet();
    if (late) phase();
    int slot = 0;
    const auto turn = [&](int key0, bool first) __attribute__((always_inline)) {
        const int other = 1 - slot, to_k = DIRECT || !late ? other : slot, to_v = DIRECT || !late ? slot : other;
        take_k(at, k, key0 + BN + ahead, keys, lds + KAT + to_k * KSIZE, kmoved);
        take_v(at, v, key0 + ahead, keys, lds + VAT + to_v * VSIZE, vmoved);
        urgent(1);
        score(at, lds + KAT + slot * KSIZE, held, s);
        if (!first) gather(at, lds + VAT + other * VSIZE, p, o);
        read_ahead();
        urgent(0);
        if (late) arrive();
        phase();
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
        leave_k(at, lds + KAT + to_k * KSIZE, kmoved);
        leave_v(at, lds + VAT + to_v * VSIZE, vmoved);
        if (!late) arrive();
        phase();
        slot = other;
    };
    turn(0, true);
    for (int key0 = BN; key0 < end; key0 += BN) turn(key0, false);
    if (!late) phase();
    gather(at, lds + VAT + (1 - slot) * VSIZE, p, o);
#elif OVERLAP
    // V lags a step behind K: beside the softmax of this step runs the second product of the last one.
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    leave_k(at, lds + KAT, kmoved);
    arrive();
    meet();
    take_k(at, k, BN, keys, lds + KAT + (SLOTS - 1) * KSIZE, kmoved);
    take_v(at, v, 0, keys, lds + VAT, vmoved);
    score(at, lds + KAT, held, s);
    mask(at, query0, 0, keys, s);
    soften(at, s, top, sum, shrink, scale);
    pack(at, s, p);
    if (SLOTS == 1) meet();
    leave_k(at, lds + KAT + (SLOTS - 1) * KSIZE, kmoved);
    leave_v(at, lds + VAT, vmoved);
    arrive();
    meet();
    int slot = SLOTS - 1;  // of this step's K; the last step's V is in the other one
    for (int key0 = BN; key0 < end; key0 += BN) {
        const int other = SLOTS - 1 - slot;
        take_k(at, k, key0 + BN, keys, lds + KAT + other * KSIZE, kmoved);
        take_v(at, v, key0, keys, lds + VAT + slot * VSIZE, vmoved);
        score(at, lds + KAT + slot * KSIZE, held, s);
        mask(at, query0, key0, keys, s);
        gather(at, lds + VAT + other * VSIZE, p, o);
        const bool grown = soften(at, s, top, sum, shrink, scale);
#if HINTS
#pragma unroll
        for (int i = 0; i < COLUMNS * PACKS; ++i) {
            __builtin_amdgcn_sched_group_barrier(0x008, 1, 0);
            __builtin_amdgcn_sched_group_barrier(0x002, HINTS, 0);
        }
#endif
        if (grown) rescale(o, shrink);
        pack(at, s, p);
        if (SLOTS == 1) meet();
        leave_k(at, lds + KAT + other * KSIZE, kmoved);
        leave_v(at, lds + VAT + slot * VSIZE, vmoved);
        arrive();
        meet();
        slot = other;
    }
    gather(at, lds + VAT + (SLOTS - 1 - slot) * VSIZE, p, o);
#elif PREFETCH
    take_k(at, k, 0, keys, lds + KAT, kmoved);
    take_v(at, v, 0, keys, lds + VAT, vmoved);
    leave_k(at, lds + KAT, kmoved);
    leave_v(at, lds + VAT, vmoved);
    arrive();
    meet();
    int slot = 0;
    for (int key0 = 0; key0 < end; key0 += BN) {
        const int other = SLOTS - 1 - slot;
        take_k(at, k, key0 + BN, keys, lds + KAT + other * KSIZE, kmoved);
        take_v(at, v, key0 + BN, keys, lds + VAT + other * VSIZE, vmoved);
        score(at, lds + KAT + slot * KSIZE, held, s);
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
        settle();
        collect(at, p);
        gather(at, lds + VAT + slot * VSIZE, p, o);
        slot = other;
        if (SLOTS == 1) meet();
        leave_k(at, lds + KAT + slot * KSIZE, kmoved);
        leave_v(at, lds + VAT + slot * VSIZE, vmoved);
        arrive();
        meet();
    }
#else
    for (int key0 = 0; key0 < end; key0 += BN) {
        fetch<1>(at, k, key0, keys, kmoved);
        put(at, lds + KAT, kmoved);
#if BUFFERS
        fetch<VROWS>(at, v, key0, keys, vmoved);
        put_v(at, lds + VAT, vmoved);
#endif
        meet();
        score(at, lds + KAT, held, s);
        mask(at, query0, key0, keys, s);
        if (soften(at, s, top, sum, shrink, scale)) rescale(o, shrink);
        pack(at, s, p);
#if BUFFERS
        settle();
#else
        fetch<VROWS>(at, v, key0, keys, vmoved);
        meet();
        put_v(at, lds + VAT, vmoved);
        meet();
#endif
        collect(at, p);
        gather(at, lds + VAT, p, o);
        meet();
    }
#endif
    finish(at, out, query0, queries, o, sum);
}
