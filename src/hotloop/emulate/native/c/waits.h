/* What memory operations bring, when a wait covers them. */
static void arrived(Run *r, Wave *w, const Ins *ins, const Pending *p) {
    const Touch *t = r->launch->touched + ins->touch;
    int rows_ = r->launch->rows;
    for (u32 k = 0; k < ins->touches; k++) {
        if (!(t[k].how & 2)) continue;
        int reg = t[k].reg;
        w->flying[reg]--;
        if (likely(!w->poisoned[reg] && !p->missing)) continue;
        if (reg >= rows_) {
            w->poisoned[reg] = p->missing != 0;
            if (reg - rows_ < SCALARS) w->sp[reg - rows_] = p->missing ? ALL : 0;
            continue;
        }
        u32 *bits = w->p + (size_t)reg * LANES, any = 0;
        if (!w->poisoned[reg]) memset(bits, 0, LANES * 4);
        for (int l = 0; l < LANES; l++) {
            u32 fresh = (p->missing >> l & 1) ? p->bits : 0;
            if (p->lanes >> l & 1) bits[l] = (bits[l] & ~p->bits) | fresh;
            if (l < r->launch->lanes) any |= bits[l];
        }
        w->poisoned[reg] = any != 0;
    }
}

static void deliver(Run *r, Wave *w, Pending *p) {
    const Ins *ins = r->launch->code + p->ins;
    if (p->late == 2) {
        int size = ins->n[0] < 4 ? 4 : ins->n[0];
        for (u64 left = p->inside; left; left &= left - 1) {
            int l = __builtin_ctzll(left);
            i64 at = ((i64)p->number[3] + (i64)l * size) & 0xFFFFFFFFll;
            for (int k = 0; k < ins->n[3]; k++) memcpy(r->group->lds + at + 4 * k, &p->u.word[k][l], 4);
        }
    } else if (ins->op == OP_SCALAR_LOAD || ins->op == OP_CLOCK) {
        for (int k = 0; k < ins->n[3]; k++) w->s[ins->row + k] = p->u.scalar[k];
        if (ins->row + ins->n[3] > EXEC_ROW) refresh(r, w);
    } else if (p->late) {
        u32 word[4][LANES];
        const u8 *memory = p->local ? r->group->lds : r->launch->arena;
        load_words(memory, p->at[0], p->inside, ins, word);
        if (p->local && ins->n[6] == 2) load_words(memory, p->at[1], p->inside2, ins, word + ins->n[3]);
        write_rows(w, ins, ins->row, word, p->lanes, p->local ? ins->n[3] * ins->n[6] : ins->n[3]);
    } else {
        int words = p->local ? ins->n[3] * ins->n[6] : ins->n[3];
        write_rows(w, ins, ins->row, p->u.word, p->lanes, words);
    }
    arrived(r, w, ins, p);
}

static int is_done(const Wave *w, const Pending *p) {
    for (int k = 0; k < p->count; k++)
        if (w->done[p->stream[k]] < p->number[k]) return 0;
    return 1;
}

static void settle(Run *r, Wave *w) {
    i32 kept = 0;
    for (i32 k = 0; k < w->pendings; k++) {
        if (is_done(w, &w->pending[k])) {
            deliver(r, w, &w->pending[k]);
        } else {
            if (kept != k) w->pending[kept] = w->pending[k];
            kept++;
        }
    }
    w->pendings = kept;
}

/* At `side`: n[0] times a stream, how many may be left, and whether its operations end in any order. */
static void do_wait(Run *r, Wave *w, const Ins *ins) {
    const i32 *plan = r->launch->side + ins->table;
    for (int k = 0; k < ins->n[0]; k++, plan += 3) {
        u32 stream = (u32)plan[0], most = (u32)plan[1], issued = w->issued[stream];
        if (plan[2] && most) continue;
        if (issued > most && issued - most > w->done[stream]) w->done[stream] = issued - most;
    }
    if (w->pendings) settle(r, w);
}
