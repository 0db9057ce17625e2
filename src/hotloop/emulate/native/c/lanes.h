/* Data moving between lanes, and the scalar unit. */
static void do_read_first(Run *r, Wave *w, const Ins *ins) {
    Lanes a;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a);
    put_scalar(r, w, ins->row, K_U32, x[w->exec ? __builtin_ctzll(w->exec) : 0]);
}

static void do_read_lane(Run *r, Wave *w, const Ins *ins) {
    Lanes a;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a);
    put_scalar(r, w, ins->row, K_U32, x[uniform(r, w, &ins->src[1]) & (r->launch->lanes - 1)]);
}

static void do_write_lane(Run *r, Wave *w, const Ins *ins) {
    u32 value = (u32)uniform(r, w, &ins->src[0]), lane = (u32)uniform(r, w, &ins->src[1]) & (r->launch->lanes - 1);
    w->v[(size_t)ins->row * LANES + lane] = value;
}

/* n[0]: 16 for the neighbouring row, n[1]: inactive lanes too, n[2]: 0 where there is none. */
static void do_permlane16(Run *r, Wave *w, const Ins *ins) {
    Lanes a, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a), *old = w->v + (size_t)ins->row * LANES;
    u64 pair = (u32)uniform(r, w, &ins->src[1]) | uniform(r, w, &ins->src[2]) << 32;
    for (int l = 0; l < LANES; l++) {
        int from = ((l & ~15) ^ ins->n[0]) + (int)(pair >> (l & 15) * 4 & 15), ok = ins->n[1] || (w->exec >> from & 1);
        result.w[l] = ok ? x[from] : ins->n[2] ? 0 : old[l];
    }
    put_words(w->v + (size_t)ins->row * LANES, result.w, w->em);
}

static void do_permlane64(Run *r, Wave *w, const Ins *ins) {
    Lanes a, result;
    const u32 *x = fetch(r, w, ins, &ins->src[0], &a);
    int flip = r->launch->lanes == 64 ? 32 : 0;
    for (int l = 0; l < LANES; l++) result.w[l] = x[l ^ flip];
    put_words(w->v + (size_t)ins->row * LANES, result.w, w->em);
}

/* Two registers exchange their values; n[0]: rows of 16 or 32 lanes, 0: all lanes. */
static void do_swap(Run *r, Wave *w, const Ins *ins) {
    u32 *first = w->v + (size_t)ins->row * LANES, *second = w->v + (size_t)ins->mask * LANES;
    Lanes one, two;
    int width = ins->n[0];
    for (int l = 0; l < LANES; l++) {
        int odd = width && (l / width & 1);
        one.w[l] = !width ? second[l] : odd ? second[l ^ width] : first[l];
        two.w[l] = !width ? first[l] : odd ? second[l] : first[l ^ width];
    }
    put_words(first, one.w, w->em);
    put_words(second, two.w, w->em);
}

/* n[0]: 0 or 32, the first lane that counts. */
static void do_mbcnt(Run *r, Wave *w, const Ins *ins) {
    Lanes a, b, result;
    const u32 *mask = fetch(r, w, ins, &ins->src[0], &a), *add = fetch(r, w, ins, &ins->src[1], &b);
    for (int l = 0; l < LANES; l++) {
        int place = l - ins->n[0];
        u32 below = place <= 0 ? 0 : place >= 32 ? ALL : (1u << place) - 1;
        result.w[l] = (u32)__builtin_popcount(mask[l] & below) + add[l];
    }
    put_words(w->v + (size_t)ins->row * LANES, result.w, w->em);
}

/* -- scalar unit -------------------------------------------------------------------------------------------------- */

static void do_scalar(Run *r, Wave *w, const Ins *ins) {
    u64 a = ins->sources > 0 ? uniform(r, w, &ins->src[0]) : 0, b = ins->sources > 1 ? uniform(r, w, &ins->src[1]) : 0;
    u64 c = ins->sources > 2 ? uniform(r, w, &ins->src[2]) : 0, d = ins->n[0] ? uniform(r, w, &ins->src[3]) : 0, result = 0;
    u32 flag = w->scc;
    scalars[ins->fn](a, b, c, d, w->scc, &result, &flag);
    if (ins->kind != 255) put_scalar(r, w, ins->row, ins->kind, result);
    w->scc = flag;
}

static void do_scalar_compare(Run *r, Wave *w, const Ins *ins) {
    u64 a = uniform(r, w, &ins->src[0]), b = uniform(r, w, &ins->src[1]), result;
    scalars[ins->fn](a, b, 0, 0, 0, &result, &w->scc);
}

/* s_and_saveexec_b64 and the like; n[0]: how, n[1]: the new mask is the result. */
static void do_save(Run *r, Wave *w, const Ins *ins) {
    int wide = wide_kind(ins->kind);
    u64 a = uniform(r, w, &ins->src[0]), e = wide ? pair_of(w, EXEC_ROW) : w->s[EXEC_ROW], fresh = 0;
    switch (ins->n[0]) {
    case 0: fresh = a & e; break;
    case 1: fresh = a | e; break;
    case 2: fresh = a ^ e; break;
    case 3: fresh = a & ~e; break;
    case 4: fresh = a | ~e; break;
    case 5: fresh = ~a & e; break;
    case 6: fresh = ~a | e; break;
    case 7: fresh = ~(a & e); break;
    case 8: fresh = ~(a | e); break;
    case 9: fresh = ~(a ^ e); break;
    }
    if (!wide) fresh = (u32)fresh;
    put_scalar(r, w, EXEC_ROW, ins->kind, fresh);
    put_scalar(r, w, ins->row, ins->kind, ins->n[1] ? fresh : e);
    w->scc = fresh != 0;
}
