/* One instruction, a wave, a work-group, a share of the grid. */
#include "types.h"
#include "functions.h"
#include "operands.h"
#include "rows.h"
#include "vector.h"
#include "division.h"
#include "lanes.h"
#include "matrix.h"
#include "findings.h"
#include "memory.h"
#include "local.h"
#include "waits.h"
#include "hazards.h"

/* What only changes registers. */
static void compute_ins(Run *r, Wave *w, const Ins *ins) {
    switch (ins->op) {
    case OP_NOTHING: return;
    case OP_ROW:
    case OP_SELECT: do_row(r, w, ins); return;
    case OP_DUAL: do_dual(r, w, ins); return;
    case OP_COMPARE: do_compare(r, w, ins); return;
    case OP_CARRY: do_carry(r, w, ins); return;
    case OP_WIDE: do_wide(r, w, ins); return;
    case OP_DIVIDE: do_divide(r, w, ins); return;
    case OP_HALVES: do_halves(r, w, ins); return;
    case OP_TRUTH: do_truth(r, w, ins); return;
    case OP_MIX: do_mix(r, w, ins); return;
    case OP_DOT: do_dot(r, w, ins); return;
    case OP_READ_FIRST: do_read_first(r, w, ins); return;
    case OP_READ_LANE: do_read_lane(r, w, ins); return;
    case OP_WRITE_LANE: do_write_lane(r, w, ins); return;
    case OP_PERMLANE16: do_permlane16(r, w, ins); return;
    case OP_PERMLANE64: do_permlane64(r, w, ins); return;
    case OP_SWAP: do_swap(r, w, ins); return;
    case OP_MBCNT: do_mbcnt(r, w, ins); return;
    case OP_SCALAR: do_scalar(r, w, ins); return;
    case OP_SCALAR_COMPARE: do_scalar_compare(r, w, ins); return;
    case OP_SAVE: do_save(r, w, ins); return;
    case OP_MATRIX: do_matrix(r, w, ins); return;
    case OP_GETPC: put_scalar(r, w, ins->row, K_U64, ins->address); return;
    case OP_ZERO: w->s[ins->row] = 0; return;
    case OP_BACK:
        if (r->launch->back((i32)(ins - r->launch->code), w)) r->status = STOPPED_BACK;
        w->exec = ~w->exec; /* taken over again from its registers */
        refresh(r, w);
        return;
    }
    found(r);
}

static void jump(Run *r, Wave *w, u64 address) {
    const Launch *a = r->launch;
    i64 low = 0, high = a->instructions;
    while (high - low > 1) {
        i64 middle = (low + high) / 2;
        if (a->addresses[middle] <= address) low = middle;
        else high = middle;
    }
    if (a->addresses[low] != address) {
        r->status = WILD_JUMP, r->aim = address;
        return;
    }
    w->pc = (u32)a->indices[low];
}

static int condition(Run *r, Wave *w, const Ins *ins) {
    switch (ins->n[0]) {
    case 0: return !w->scc;
    case 1: return w->scc != 0;
    case 2: return mask_of(r, w, VCC_ROW) == 0;
    case 3: return mask_of(r, w, VCC_ROW) != 0;
    case 4: return w->exec == 0;
    default: return w->exec != 0;
    }
}

static void compare_barriers(Run *r) {
    const Wave *waves = r->group->waves;
    for (int k = 1; k < r->launch->waves_per_group; k++)
        if (waves[k].barriers != waves[0].barriers) found(r);
}

static void execute(Run *r, Wave *w, const Ins *ins) {
    switch (ins->op) {
    case OP_WAIT: do_wait(r, w, ins); return;
    case OP_BRANCH: w->pc = (u32)ins->target; return;
    case OP_CONDITION:
        if (condition(r, w, ins)) w->pc = (u32)ins->target;
        return;
    case OP_LOAD: do_load(r, w, ins); return;
    case OP_STORE: do_store(r, w, ins); return;
    case OP_SCALAR_LOAD: do_scalar_load(r, w, ins); return;
    case OP_CLOCK: do_clock(r, w, ins); return;
    case OP_SCRATCH_LOAD: do_scratch_load(r, w, ins); return;
    case OP_SCRATCH_STORE: do_scratch_store(r, w, ins); return;
    case OP_DS_READ: do_ds_read(r, w, ins); return;
    case OP_DS_WRITE: do_ds_write(r, w, ins); return;
    case OP_DS_ATOMIC: do_ds_atomic(r, w, ins); return;
    case OP_DS_TURN: do_ds_turn(r, w, ins); return;
    case OP_CROSSBAR: do_crossbar(r, w, ins); return;
    case OP_COPY: do_copy(r, w, ins); return;
    case OP_ISSUE: issue(r, w, ins, 0); return;
    case OP_SIGNAL: w->signals++; return;
    case OP_BARRIER: /* n[0]: the second half of a split one, which is never met without the first */
        if (ins->n[0] && w->signals <= w->barriers) found(r);
        w->state = BLOCKED;
        return;
    case OP_SETPC: jump(r, w, uniform(r, w, &ins->src[0])); return;
    case OP_SWAPPC: {
        u64 aim = uniform(r, w, &ins->src[0]);
        put_scalar(r, w, ins->row, K_U64, ins->address);
        jump(r, w, aim);
        return;
    }
    case OP_TRAP: r->status = TRAPPED; return;
    case OP_END:
        w->state = ENDED;
        if (--r->group->live == 0) compare_barriers(r);
        return;
    }
    compute_ins(r, w, ins);
}

static void step(Run *r, Wave *w) {
    if (unlikely(w->pc >= (u64)r->launch->instructions)) { /* it ran off the end */
        found(r);
        return;
    }
    const Ins *ins = r->launch->code + w->pc;
    const Touch *t = r->launch->touched + ins->touch;
    int seen = 0;
    r->wave = w, w->ins = w->pc;
    for (u32 k = 0; k < ins->touches; k++) seen |= w->poisoned[t[k].reg] | w->flying[t[k].reg];
    w->pc++;
    r->counts[w->ins]++, r->steps++;
    if (!(unlikely(seen) && inspect(r, w, ins))) execute(r, w, ins);
    if (unlikely(r->status)) r->at = (i32)w->ins;
}

/* -- work-groups -------------------------------------------------------------------------------------------------- */

static void release(Run *r, Group *g) {
    for (int k = 0; k < r->launch->waves_per_group; k++) {
        Wave *w = &g->waves[k];
        if (w->state != BLOCKED) continue;
        w->state = RUNS, w->barriers++;
        pass_local(r, w);
    }
}

static void account(Run *r) {
    u64 now = __atomic_add_fetch(&r->launch->steps, r->steps - r->turned_steps, __ATOMIC_RELAXED);
    r->turned_steps = r->steps;
    if (now + (u64)r->launch->steps_known > (u64)r->launch->budget && !r->status) r->status = EXHAUSTED;
    if (r->launch->stop && !r->status) r->status = CUT_SHORT;
}

/* Waves at the instruction that comes first in the program execute it, one after the other. 1: the group has ended. */
static int together(Run *r, Group *g, i64 turn) {
    int count = r->launch->waves_per_group;
    while (g->live) {
        u32 lowest = ~0u;
        for (int k = 0; k < count; k++)
            if (g->waves[k].state == RUNS && g->waves[k].pc < lowest) lowest = g->waves[k].pc;
        if (lowest == ~0u) {
            release(r, g);
            continue;
        }
        for (int k = 0; k < count; k++) {
            Wave *w = &g->waves[k];
            if (w->state != RUNS || w->pc != lowest) continue;
            step(r, w);
            if (unlikely(r->status)) return 1;
        }
        if ((turn -= count) < 0) return 0;
    }
    return 1;
}

/* Each wave goes on until it waits, ends or has had its turn. */
static int apart(Run *r, Group *g, i64 turn) {
    int count = r->launch->waves_per_group;
    while (g->live) {
        int found = 0;
        for (int k = 0; k < count; k++) {
            Wave *w = &g->waves[r->launch->order == 1 ? k : count - 1 - k];
            for (i64 left = turn; w->state == RUNS && left > 0; left--) {
                step(r, w);
                found = 1;
                if (unlikely(r->status)) return 1;
            }
        }
        if (!found) release(r, g);
        for (int k = 0; found && k < count; k++)
            if (g->waves[k].state == RUNS) return 0;
    }
    return 1;
}

static void begin(Run *r, Group *g, i64 number) {
    Launch *a = r->launch;
    g->number = number, g->live = (u32)a->waves_per_group;
    g->newest = 0, g->newest_ins = ~0u, g->newest_now = 0;
    i64 stride = (a->lds_bytes + 15) / 16 * 16 + 16;
    memset(g->lds, 0, (size_t)stride);
    if (g->places) memset(g->places, 0, (size_t)(stride >> a->local_shift) * sizeof(Place));
    for (int k = 0; k < a->waves_per_group; k++) {
        Wave *w = &g->waves[k];
        memset(w->v, 0, (size_t)a->rows * LANES * 4);
        memset(w->p, 0xFF, (size_t)a->rows * LANES * 4);
        memcpy(w->v, a->vectors + (size_t)k * a->vector_rows * LANES, (size_t)a->vector_rows * LANES * 4);
        memcpy(w->s, a->scalars + (size_t)k * SCALARS, sizeof w->s);
        for (int m = 0; m < a->movings; m++) w->s[a->moving[3 * m]] += (u32)a->groups[3 * number + a->moving[3 * m + 1]] * (u32)a->moving[3 * m + 2];
        for (int m = 0; m < a->rows + SCALARS; m++) w->poisoned[m] = !a->defined[m];
        for (int m = 0; m < SCALARS; m++) w->sp[m] = a->defined[a->rows + m] ? 0 : ALL;
        memset(w->flying, 0, (size_t)(a->rows + SCALARS));
        memset(w->issued, 0, sizeof w->issued);
        memset(w->done, 0, sizeof w->done);
        if (w->passed) memset(w->passed, 0, (size_t)w->epochs * 8);
        w->scc = 0, w->pc = (u32)a->entry, w->state = RUNS, w->slot = (u32)k, w->pendings = 0, w->barriers = w->signals = 0, w->ins = w->pc;
        if (a->scratch_bytes) memset(w->scratch, 0, (size_t)(a->scratch_bytes + 16) * LANES);
        if (a->scratch_bytes) memset(w->kept, 0, (size_t)(a->scratch_bytes + 16) * LANES);
        w->exec = ~0ull;
        for (int l = 0; l < LANES; l++) w->em[l] = ALL;
        refresh(r, w);
    }
}

static void *take(u8 **at, size_t bytes) {
    void *found = *at;
    *at += (bytes + 63) / 64 * 64;
    return found;
}

static size_t part(size_t bytes) { return (bytes + 63) / 64 * 64; }

static u8 *make_group(Launch *a, Group *g) {
    size_t waves = (size_t)a->waves_per_group, file = part((size_t)a->rows * LANES * 4), flags = part((size_t)a->rows + SCALARS);
    i64 stride = (a->lds_bytes + 15) / 16 * 16 + 16;
    size_t held = a->races && a->lds_bytes ? part((size_t)(stride >> a->local_shift) * sizeof(Place)) : 0;
    size_t scratch = part((size_t)(a->scratch_bytes + 16) * LANES);
    size_t all = part(waves * sizeof(Wave)) + waves * (2 * file + 2 * flags + part(LANES * 4) + 2 * scratch) + part((size_t)stride) + held;
    u8 *block = calloc(all + 64, 1), *at = block;
    if (!block) return 0;
    at += (64 - (size_t)at % 64) % 64;
    g->waves = take(&at, waves * sizeof(Wave));
    g->lds = take(&at, (size_t)stride), g->places = held ? take(&at, held) : 0;
    for (size_t m = 0; m < waves; m++) {
        Wave *w = &g->waves[m];
        w->v = take(&at, file), w->p = take(&at, file), w->em = take(&at, LANES * 4);
        w->poisoned = take(&at, flags), w->flying = take(&at, flags);
        w->scratch = take(&at, scratch), w->kept = take(&at, scratch);
    }
    return block;
}

static void free_group(Launch *a, Group *g, u8 *block) {
    for (int m = 0; block && m < a->waves_per_group; m++) {
        free(g->waves[m].pending);
        free(g->waves[m].passed);
    }
    free(block);
}

/* Execute work-groups until there are none left. Returns the status; `told`: why it stopped where that is certain, with the other side, index of the last
   instruction, group and wave, the aim of a jump. */
API int hotloop_run(Launch *a, u64 *counts, i64 *told) {
    Run run, *r = &run;
    Group group, *g = &group;
    memset(r, 0, sizeof *r);
    r->other = -1;
    r->launch = a, r->counts = counts, r->group = g;
    u8 *block = make_group(a, g);
    if (!block) r->status = NO_MEMORY;
    while (!r->status) {
        u64 next = __atomic_fetch_add(&a->next, 1, __ATOMIC_RELAXED);
        if (next >= (u64)a->group_count) break;
        begin(r, g, (i64)next);
        while (!r->status && !(a->order == 0 ? together(r, g, a->turn) : apart(r, g, a->turn))) account(r);
        account(r);
    }
    if (r->status) __atomic_store_n(&a->stop, 1, __ATOMIC_RELAXED);
    told[0] = r->why | (r->other + 1) << 8, told[1] = r->at, told[2] = g->number, told[3] = r->wave ? r->wave->slot : 0, told[4] = (i64)r->aim;
    free_group(a, g, block);
    return r->status;
}

/* Execute one instruction that only changes registers on given files; returns the status. */
API int hotloop_try(Launch *a, i32 index, u32 *vectors, u32 *scalar_file, u32 *flag) {
    Run run, *r = &run;
    Wave wave, *w = &wave;
    u32 em[LANES];
    memset(r, 0, sizeof *r);
    memset(w, 0, sizeof *w);
    memset(em, 0, sizeof em);
    r->launch = a, r->wave = w, w->v = vectors, w->em = em, w->scc = *flag;
    memcpy(w->s, scalar_file, sizeof w->s);
    refresh(r, w);
    compute_ins(r, w, a->code + index);
    memcpy(scalar_file, w->s, sizeof w->s);
    *flag = w->scc;
    return r->status;
}

API void hotloop_sizes(i64 *sizes) {
    sizes[0] = sizeof(Operand), sizes[1] = sizeof(Ins), sizes[2] = sizeof(Touch), sizes[3] = sizeof(Launch), sizes[4] = sizeof(Buffer);
}

/* Vector file, scalars and SCC of a wave, for the other back end. */
API u32 *hotloop_vectors(Wave *w) { return w->v; }
API u32 *hotloop_scalars(Wave *w) { return w->s; }
API u32 *hotloop_scc(Wave *w) { return &w->scc; }
