// Grid: x = chunks of PLANES output planes times BANDS times TILES (times SHARES if TOGETHER), y = SHARES (or 1), z = N; dynamic shared memory TURN_SHARED.
KERNEL(TURN_THREADS, BLOCKS)
conv3d_turn(ARGUMENTS) {
    DYNAMIC_SHARED(memory);
    bits32* planes = reinterpret_cast<bits32*>(memory);
    bits32* made = planes + SLOTS * IN_WORDS;
    int thread = threadIdx.x;
    Corner corner = corner_of_block();
    Mine mine = mine_of(thread);
    int steps = corner.planes + KD - 1;
    const elem* image = x + (bits64)blockIdx.z * ((bits64)D * H * W * C);
    elem* target = y + ((bits64)blockIdx.z * OD + corner.od) * ((bits64)OH * OW * C);

#if !AHEAD
    Eight held[IN_EACH][2];
    Sources sources;
#if STEADY
#pragma unroll
    for (int i = 0; i < IN_EACH; ++i) sources.each[i] = source_of(image, corner, corner.od - PD - 1, i);
#endif
    fetch(held, sources, image, corner, corner.od - PD);
#endif
    clear(planes, corner);
#if SPLIT
    bits64* moved = reinterpret_cast<bits64*>(made + SLOTS * MADE_WORDS);  // by slot: a plane is turned, an older one written
    bits64* multiplied = moved + SLOTS;
    if (thread == 0)
        for (int i = 0; i < 2 * SLOTS; ++i) barrier_init(moved + i, TURN_THREADS / WAVE);
#endif
    Taps taps[EACH][KD];
    float added[EACH];
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
        int channel = corner.channel + mine.channel + e;
        bool known = channel < C;
        added[e] = known ? BIAS_OF(channel) : 0.0f;
#pragma unroll
        for (int kd = 0; kd < KD; ++kd)
            load_taps(taps[e][kd], weights + ((known ? channel : 0) * KD + kd) * (KH * KW), thread);
    }
#if AHEAD
    Ring* ring = reinterpret_cast<Ring*>(made + 2 * MADE_WORDS);
#pragma unroll
    for (int plane = 0; plane < AHEAD; ++plane) {
        if (plane < steps) fetch(ring[plane], image, corner, corner.od - PD + plane);
        copy_commit();
    }
    int place = 0;  // in the ring, of the plane that a step computes with
    copy_wait<AHEAD - 1>();
    __syncthreads();
    settle(ring[0], planes, corner);
#else
    __syncthreads();  // before what is cleared is turned into
#pragma unroll
    for (int plane = 0; plane < LEAD; ++plane) {
        if (plane < steps) settle(held, planes + plane * IN_WORDS, corner);
#if EARLY || SPLIT
        if (plane + 1 < steps) fetch(held, sources, image, corner, corner.od - PD + plane + 1);
#endif
    }
#if SPLIT
    __syncthreads();
#endif
#endif

    Seen seen = 0;
    float carried[EACH][CARRIED][QUADS][4] = {};
    const int turn = thread / WAVE / 4 % 4;
    const bool settles = EARLY == 2 || (EARLY % 2 == 1 && turn % 2 == 0);
    const bool flushes = EARLY == 0 || (EARLY == 3 ? turn < 2 : settles);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        int slot = step % SLOTS, older = (step + SLOTS - BEHIND) % SLOTS, ahead = (step + LEAD) % SLOTS;
#if SPLIT
        if (step >= 2) barrier_wait(multiplied + older, (step - 2) / SLOTS % 2);
#else
        __syncthreads();
#endif
#if AHEAD
        if (step + AHEAD < steps) fetch(ring[place], image, corner, corner.od - PD + step + AHEAD);
        copy_commit();
        place = place + 1 < AHEAD ? place + 1 : 0;
#elif !EARLY && !SPLIT
        if (step + 1 < steps) fetch(held, sources, image, corner, corner.od - PD + step + 1);
#endif
#pragma unroll
        for (int half = 0; half < 2; ++half) {  // nothing but registers lies between what moves and what multiplies
            if (half == (settles ? 0 : 1)) {
#if AHEAD
                copy_wait<AHEAD - 1>();
                if (step + 1 < steps) settle(ring[place], planes + ahead * IN_WORDS, corner);
#else
                if (step + LEAD < steps) settle(held, planes + ahead * IN_WORDS, corner);
#if EARLY || SPLIT
                if (step + LEAD + 1 < steps) fetch(held, sources, image, corner, corner.od - PD + step + LEAD + 1);
#endif
#endif
            }
            if (step >= KD - 1 + BEHIND && half == (flushes ? 0 : 1)) {
                flush(made + older * MADE_WORDS, target, corner);
                target += (bits64)OH * OW * C;
            }
#if SPLIT
            if (half == (settles && flushes ? 0 : 1)) arrive(moved + slot);
#endif
            if (half == 1) continue;
#if SPLIT
            if (step >= LEAD) barrier_wait(moved + (step - LEAD) % SLOTS, (step - LEAD) / SLOTS % 2);
#endif
#pragma unroll
            for (int e = 0; e < EACH; ++e) {
                const bits32* from = planes + slot * IN_WORDS + plane_at(mine.channel, PLANE_WORDS) + e * PLANE_WORDS +
                                     (mine.row + mine.t) * ROW_WORDS + mine.column / 2;
                bits32* to = made + slot * MADE_WORDS + plane_at(mine.channel, OUT_WORDS) + e * OUT_WORDS +
                             (mine.row + mine.t) * PAIRS_OUT + mine.column / 2;
                const float start = FIRST_OF(added[e]);
                bits32 above[4], below[4], further[4];
                read_row(above, from);
                if (SOON) read_row(below, from + 4 * ROW_WORDS);
#pragma unroll
                for (int q = 0; q < QUADS; ++q) {
                    float sum[KD][4];
#pragma unroll
                    for (int kd = 0; kd < KD; ++kd)
#pragma unroll
                        for (int i = 0; i < 4; ++i) sum[kd][i] = kd == 0 ? start : carried[e][kd - 1][q][i];
                    if (!SOON) read_row(below, from + (q + 1) * 4 * ROW_WORDS);
                    if (SOON && q + 1 < QUADS) read_row(further, from + (q + 2) * 4 * ROW_WORDS);
#pragma unroll
                    for (int j = 0; j < STEPS; ++j)
#pragma unroll
                        for (int kd = KD - 1; kd >= 0; --kd)  // so that a sum may take the registers of the one that was read before
                            multiply(sum[kd], j, above, below, taps[e][kd]);
#pragma unroll
                    for (int i = 0; i < 4; ++i) above[i] = below[i], below[i] = further[i];
#pragma unroll
                    for (int kd = 0; kd < KD - 1; ++kd)
#pragma unroll
                        for (int i = 0; i < 4; ++i) carried[e][kd][q][i] = sum[kd][i];
                    if (STEADY || step >= KD - 1) {  // what is written too early is never read, and no branch keeps the groups apart
                        const float (&done)[4] = sum[KD - 1];
                        Block<8> four = {pack2(done[0], done[1]), pack2(done[2], done[3])};
                        watch(seen, done, four);
                        *reinterpret_cast<Block<8>*>(to + q * 4 * PAIRS_OUT) = four;
                    }
                }
            }
#if SPLIT
            arrive(multiplied + slot);
#endif
        }
    }
    __syncthreads();
    for (int step = steps > BEHIND ? steps - BEHIND : 0; step < steps; ++step) {
        if (step < KD - 1) continue;
        flush(made + step % SLOTS * MADE_WORDS, target, corner);
        target += (bits64)OH * OW * C;
    }
    __syncthreads();  // before what others wrote is read
    elem* all = y + (bits64)blockIdx.z * ((bits64)OD * OH * OW * C);
#pragma unroll
    for (int e = 0; e < EACH; ++e)
        if (any_of_wave(seen)) repair(image, weights, all, added[e], e);
}
