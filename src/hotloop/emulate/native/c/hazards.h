/* Registers that are touched before their load has arrived, and values that nobody has defined. */
enum { READS = 1, WRITES = 2, IS_ADDRESS = 4, IS_DATA = 8 };
enum { IS_COMPUTE, IS_MEMORY, IS_BRANCH, IS_QUIET };
#define MOST_TOUCHED 160

static int touches(Run *r, const Ins *ins, int reg, u32 how) {
    const Touch *t = r->launch->touched + ins->touch;
    for (u32 k = 0; k < ins->touches; k++)
        if (t[k].reg == reg && (t[k].how & how)) return 1;
    return 0;
}

/* Loads of one stream write in the order of their issue. */
static int in_order(const Ins *ins, const Ins *load) {
    u32 mine = 0, its = 0;
    for (int k = 0; k < ins->issues; k++) mine |= 1u << ins->stream[k];
    for (int k = 0; k < load->issues; k++) its |= 1u << load->stream[k];
    return mine && mine == its;
}

static void early(Run *r, Wave *w, const Ins *ins) {
    const Touch *t = r->launch->touched + ins->touch;
    for (i32 k = 0; k < w->pendings; k++) {
        const Ins *load = r->launch->code + w->pending[k].ins;
        for (u32 m = 0; m < ins->touches; m++) {
            if (!w->flying[t[m].reg] || !touches(r, load, t[m].reg, WRITES)) continue;
            if ((t[m].how & READS) && !(ins->apart && (t[m].how & WRITES))) certain(r, READ_EARLY, w->pending[k].ins);
            if ((t[m].how & WRITES) && !in_order(ins, load)) certain(r, WRITTEN_EARLY, w->pending[k].ins);
        }
    }
}

static void undefined_scalar(Run *r, Wave *w, int row, u32 bits) {
    w->sp[row] = bits;
    w->poisoned[r->launch->rows + row] = bits != 0;
}

static int any_set(const u32 *bits, u64 lanes, u32 mask) {
    for (int l = 0; l < LANES; l++)
        if ((lanes >> l & 1) && (bits[l] & mask)) return 1;
    return 0;
}

static u64 whole(Run *r) { return r->launch->lanes == 64 ? ~0ull : 0xFFFFFFFFull; }

/* Addresses must be defined in active lanes, and so must stored data. */
static void look_memory(Run *r, Wave *w, const Ins *ins) {
    const Touch *t = r->launch->touched + ins->touch;
    int rows_ = r->launch->rows;
    for (u32 k = 0; k < ins->touches; k++) {
        int reg = t[k].reg, bad;
        if (!w->poisoned[reg] || w->flying[reg] || !(t[k].how & (IS_ADDRESS | IS_DATA))) continue;
        u32 mask = t[k].how & IS_DATA ? ins->stored : ALL;
        if (reg < rows_) bad = any_set(w->p + (size_t)reg * LANES, w->exec, mask);
        else bad = (w->sp[reg - rows_] & mask) != 0;
        if (bad) found(r);
    }
}

/* A branch on undefined bits is reported where the defined ones do not decide it; n[15]: 1 on VCC. */
static void look_branch(Run *r, Wave *w, const Ins *ins) {
    const Touch *t = r->launch->touched + ins->touch;
    int rows_ = r->launch->rows;
    if (ins->category == IS_QUIET) return;
    for (u32 k = 0; k < ins->touches; k++) {
        int reg = t[k].reg;
        if (!w->poisoned[reg] || w->flying[reg] || !(t[k].how & READS)) continue;
        if (reg < rows_) {
            if (any_set(w->p + (size_t)reg * LANES, whole(r), ALL)) found(r);
            continue;
        }
        int row = reg - rows_;
        u32 bits = w->sp[row], value = row == SCC_ROW ? w->scc : w->s[row];
        if (ins->n[15] && (row == VCC_ROW || row == VCC_ROW + 1) && (value & ~bits)) bits = 0;
        if (bits) found(r);
        undefined_scalar(r, w, row, 0);
    }
}

static void compute_ins(Run *r, Wave *w, const Ins *ins);

/* What stands in undefined bits of a register: nothing, all, large and small numbers of every type, those with masks that are empty and
   full; the last time another value in each, as two unknowns are not equal. */
#define LARGE 0x7BFF7BFFu
#define SMALL 0xFBFFFBFFu
static u32 filled(int fill, int row, int scalar) {
    static const u32 fills[2][6] = {{0, ALL, LARGE, SMALL, LARGE, SMALL}, {0, ALL, LARGE, SMALL, 0, ALL}};
    return fill < 6 ? fills[scalar][fill] : 0x3F9A6B57u + 0x5171u * (u32)row;
}

/* What a register that one side of a comparison for equality reads must hold to be the other side; n[14]: such a comparison. */
static u32 mirrored(Run *r, Wave *w, const Ins *ins, int reg, int lane) {
    for (int side = 0; side < 2; side++) {
        const Operand *one = ins->src + side, *other = ins->src + !side;
        int words = one->kind >= K_U64 ? 2 : 1, place = one->where == IN_VECTOR ? reg - one->row : reg - r->launch->rows - one->row;
        if (one->where > IN_SCALAR || place < 0 || place >= words) continue;
        if (other->where == IN_VECTOR) return w->v[(size_t)(other->row + place) * LANES + lane];
        if (other->where == IN_SCALAR) return w->s[other->row + place];
        return (u32)(other->value >> 32 * place);
    }
    return 0;
}

/* Execute with several values in the undefined bits; what differs in the results is undefined. */
static void look_compute(Run *r, Wave *w, const Ins *ins) {
    static __thread u32 before[MOST_TOUCHED][LANES], first[MOST_TOUCHED][LANES];
    u32 sbefore[MOST_TOUCHED], sfirst[MOST_TOUCHED];
    const Touch *t = r->launch->touched + ins->touch;
    int rows_ = r->launch->rows, modes = 0;
    u32 count = ins->touches;
    int compares = (ins->op == OP_COMPARE || ins->op == OP_SCALAR_COMPARE) && ins->n[14], last = compares ? 7 : 6;
    u8 unknown[MOST_TOUCHED];
    for (u32 k = 0; k < count; k++) {
        int reg = t[k].reg;
        unknown[k] = w->poisoned[reg] && !w->flying[reg];
        if (reg < rows_) memcpy(before[k], w->v + (size_t)reg * LANES, LANES * 4);
        else sbefore[k] = reg - rows_ == SCC_ROW ? w->scc : w->s[reg - rows_];
        if (reg - rows_ == EXEC_ROW || reg - rows_ == EXEC_ROW + 1) modes = 1;
    }
    for (int fill = 0; fill <= last; fill++) {
        for (u32 k = 0; k < count; k++) {
            int reg = t[k].reg, row = reg - rows_;
            if (!unknown[k] && !(t[k].how & WRITES)) continue;
            if (reg < rows_) {
                u32 *to = w->v + (size_t)reg * LANES, *bits = w->p + (size_t)reg * LANES;
                if (!unknown[k]) memcpy(to, before[k], LANES * 4);
                else
                    for (int l = 0; l < LANES; l++) {
                        u32 value = fill == 7 ? mirrored(r, w, ins, reg, l) : filled(fill, reg, 0);
                        to[l] = (before[k][l] & ~bits[l]) | (value & bits[l]);
                    }
            } else {
                u32 other = fill == 7 ? mirrored(r, w, ins, reg, 0) : filled(fill, row, 1);
                u32 value = unknown[k] ? (sbefore[k] & ~w->sp[row]) | (other & w->sp[row]) : sbefore[k];
                if (row == SCC_ROW) w->scc = value != 0;
                else w->s[row] = value;
            }
        }
        if (modes) refresh(r, w);
        compute_ins(r, w, ins);
        if (r->status) return;
        for (u32 k = 0; k < count; k++) {
            int reg = t[k].reg, row = reg - rows_;
            if (!(t[k].how & WRITES)) continue;
            if (reg < rows_) {
                const u32 *from = w->v + (size_t)reg * LANES;
                if (fill == 0) memcpy(first[k], from, LANES * 4);
            } else if (fill == 0) {
                sfirst[k] = row == SCC_ROW ? w->scc : w->s[row];
            }
        }
        /* differences pile up in a copy, as the bits themselves are still needed for the fills */
        static __thread u32 differs[MOST_TOUCHED][LANES];
        static __thread u32 sdiffers[MOST_TOUCHED];
        for (u32 k = 0; k < count; k++) {
            int reg = t[k].reg, row = reg - rows_;
            if (!(t[k].how & WRITES)) continue;
            if (reg < rows_) {
                const u32 *from = w->v + (size_t)reg * LANES;
                for (int l = 0; l < LANES; l++) differs[k][l] = (fill ? differs[k][l] : 0) | (from[l] ^ first[k][l]);
            } else {
                u32 now = row == SCC_ROW ? w->scc : w->s[row];
                sdiffers[k] = (fill ? sdiffers[k] : 0) | (now ^ sfirst[k]);
            }
            if (fill < last) continue;
            if (reg < rows_) {
                u32 any = 0, *bits = w->p + (size_t)reg * LANES;
                for (int l = 0; l < r->launch->lanes; l++) any |= bits[l] = differs[k][l];
                w->poisoned[reg] = any != 0;
            } else if (row == SCC_ROW) {
                undefined_scalar(r, w, row, sdiffers[k] ? ALL : 0);
            } else if (row == EXEC_ROW || row == EXEC_ROW + 1) {
                if (sdiffers[k]) found(r);
            } else {
                undefined_scalar(r, w, row, sdiffers[k]);
            }
        }
    }
    for (u32 k = 0; k < count; k++) { /* undo the fills in registers that were only read */
        int reg = t[k].reg, row = reg - rows_;
        if (!unknown[k] || (t[k].how & WRITES)) continue;
        if (reg < rows_) memcpy(w->v + (size_t)reg * LANES, before[k], LANES * 4);
        else if (row == SCC_ROW) w->scc = sbefore[k];
        else w->s[row] = sbefore[k];
    }
    if (modes) refresh(r, w);
}

/* Look at an instruction that touches registers which are pending or undefined; 1: it was executed on the way. */
static int inspect(Run *r, Wave *w, const Ins *ins) {
    const Touch *t = r->launch->touched + ins->touch;
    int any = 0;
    if (w->pendings) early(r, w, ins);
    for (u32 k = 0; k < ins->touches; k++) any |= w->poisoned[t[k].reg] && !w->flying[t[k].reg];
    if (!any) return 0;
    if (ins->category == IS_MEMORY) look_memory(r, w, ins);
    else if (ins->category != IS_COMPUTE) look_branch(r, w, ins);
    else {
        look_compute(r, w, ins);
        return 1;
    }
    return 0;
}
