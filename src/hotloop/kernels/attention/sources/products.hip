// The two matrix products, and the softmax between them. Follows moves.hip.
INLINE void score(Lane at, const f16 *kt, const Pack (&held)[STEPS], Sums (&s)[TILES])
{
#pragma unroll
    for (int t = 0; t < TILES; ++t) s[t] = Sums{};
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
        const int d = step * KMMA + WIDTH * at.g;
        const Pack mine = QFROM ? held[step] : *(const QPack *)(lds + (at.wave * SIDE + at.n) * QS + d);
#pragma unroll
        for (int t = 0; t < TILES; ++t) {
            const Pack other = *(const QPack *)(kt + k_place(SIDE * t + at.n, d));
            s[t] = PREG ? multiply(other, mine, s[t]) : multiply(mine, other, s[t]);
        }
    }
}

INLINE void mask(Lane at, int query0, int key0, int keys, Sums (&s)[TILES])
{
    if (EDGE && key0 + BN <= keys && !(CAUSAL && key0 + BN - 1 > query0)) return;
#pragma unroll
    for (int t = 0; t < TILES; ++t)
#pragma unroll
        for (int i = 0; i < REGS; ++i) {
            const int key = key0 + SIDE * t + (PREG ? row(at, i) : at.n), query = query0 + (PREG ? at.n : row(at, i));
            if (key >= keys || (CAUSAL && key > query)) s[t][i] = -__builtin_inff();
        }
}

constexpr float SLACK = 8.0f;  // P may reach 2^SLACK before sums are rescaled: far from the end of half precision

// S becomes P; `shrink` is what earlier sums of a row are worth after its maximum has grown. Returns whether any has to shrink.
INLINE bool soften(Lane at, Sums (&s)[TILES], float (&top)[STATS], float (&sum)[STATS], float (&shrink)[STATS], float scale)
{
    bool grown = !LAZY;
#pragma unroll
    for (int r = 0; r < STATS; ++r) {
        float now = top[r], part = 0.0f;
#pragma unroll
        for (int t = 0; t < TILES; ++t)
#pragma unroll
            for (int i = r; i < REGS; i += PREG ? 1 : REGS) now = highest(now, s[t][i]);
        now = across(at, now, highest);
        if (LAZY && __builtin_amdgcn_ballot_w64((now - top[r]) * scale > SLACK) == 0)
            now = top[r];
        else
            grown = true;
        shrink[r] = __builtin_amdgcn_exp2f((top[r] - now) * scale);
#pragma unroll
        for (int t = 0; t < TILES; ++t)
#pragma unroll
            for (int i = r; i < REGS; i += PREG ? 1 : REGS) {
                s[t][i] = __builtin_amdgcn_exp2f(__builtin_fmaf(s[t][i], scale, -now * scale));
                part += s[t][i];
            }
        if (!LATE) part = across(at, part, total);
        sum[r] = sum[r] * shrink[r] + part;
        top[r] = now;
    }
    return grown;
}

INLINE void pin(Sums (&o)[COLUMNS])  // no instruction: it only says where O is
{
#if AGPR && defined(__AMDGCN__)
    asm("" : "+a"(o[0]), "+a"(o[1]), "+a"(o[2]), "+a"(o[3]));
#endif
}

INLINE void rescale(Sums (&o)[COLUMNS], const float (&shrink)[STATS])
{
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int i = 0; i < REGS; ++i) o[c][i] *= shrink[PREG ? 0 : i];
    pin(o);
}

// P as operands: in registers it is already where the second product wants it, otherwise it goes through LDS.
INLINE void pack(Lane at, const Sums (&s)[TILES], Pack (&p)[PACKS])
{
#if PREG
#pragma unroll
    for (int u = 0; u < PACKS; ++u)
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) p[u][j] = (f16)s[(u * WIDTH + j) / REGS][(u * WIDTH + j) % REGS];
#else
    f16 *mine = lds + PAT + at.wave * SIDE * PS;
#pragma unroll
    for (int t = 0; t < TILES; ++t)
#pragma unroll
        for (int i = 0; i < REGS; ++i) mine[row(at, i) * PS + SIDE * t + at.n] = (f16)s[t][i];
#endif
}

INLINE void collect(Lane at, Pack (&p)[PACKS])
{
#if !PREG
    const f16 *mine = lds + PAT + at.wave * SIDE * PS;
#pragma unroll
    for (int u = 0; u < PACKS; ++u) p[u] = *(const Pack *)(mine + at.n * PS + u * KMMA + WIDTH * at.g);
#endif
}

// Pack u of V's column tile c. With P in registers the keys of a wide pack are those of two narrow ones.
INLINE Pack values(Lane at, const f16 *vt, int c, int u)
{
    Pack found;
    const int d = SIDE * c + at.n;
#pragma unroll
    for (int part = 0; part < WIDTH / 4; ++part) {
        const int key = 4 * GROUPS * (u * (WIDTH / 4) + part) + 4 * at.g;
#if VT
        const f16x4 four = *(const VPack *)(vt + v_place(d, key));
#elif TR
        // Of 16 lanes, four give the address of a row of 16 columns; each gets its column of the four rows.
        const f16 *corner = vt + v_place(SIDE * c + at.n / 16 * 16 + at.n % 4 * 4, key + at.n % 16 / 4);
        const f16x4 four = __builtin_bit_cast(f16x4, __builtin_amdgcn_ds_read_tr16_b64_v4i16((LOCAL s16x4 *)corner));
#else
        f16x4 four;
#pragma unroll
        for (int j = 0; j < 4; ++j) four[j] = vt[(key + j) * VS + d];
#endif
#pragma unroll
        for (int j = 0; j < 4; ++j) found[4 * part + j] = four[j];
    }
    return found;
}

INLINE void gather(Lane at, const f16 *vt, const Pack (&p)[PACKS], Sums (&o)[COLUMNS])
{
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int u = 0; u < PACKS; ++u) {
            const Pack other = values(at, vt, c, u);
            o[c] = PREG ? multiply(other, p[u], o[c]) : multiply(p[u], other, o[c]);
        }
    pin(o);
}

INLINE void finish(Lane at, f16 *out, int query0, int queries, const Sums (&o)[COLUMNS], float (&sum)[STATS])
{
#pragma unroll
    for (int r = 0; r < STATS; ++r) sum[r] = 1.0f / (LATE ? across(at, sum[r], total) : sum[r]);
#if PREG
    if (query0 + at.n >= queries) return;
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
#pragma unroll
        for (int i = 0; i < REGS; i += 4) {
            f16x4 four;
#pragma unroll
            for (int j = 0; j < 4; ++j) four[j] = (f16)(o[c][i + j] * sum[0]);
            *(f16x4 *)(out + (long)(query0 + at.n) * D + SIDE * c + row(at, i)) = four;
        }
#else
#pragma unroll
    for (int i = 0; i < REGS; ++i)
        if (query0 + row(at, i) < queries)
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c)
                out[(long)(query0 + row(at, i)) * D + SIDE * c + at.n] = (f16)(o[c][i] * sum[i]);
#endif
}

struct Sizes {
    int queries, keys;
    float scale;
};

