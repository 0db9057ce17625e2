/* Types of the executor in C. What stands in `Operand`, `Touch`, `Ins` and `Launch` is written by layout.py, field by field. */
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;
typedef __SIZE_TYPE__ size_t;

#define LANES 64
#define SCALARS 136
#define VCC_ROW 106
#define M0_ROW 124
#define EXEC_ROW 126
#define SCC_ROW 128
#define STREAMS 16
#define ALL 0xFFFFFFFFu
#define API __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
double exp2(double);
double log2(double);
double sin(double);
double cos(double);
double fma(double, double, double);
double ldexp(double, int);
double frexp(double, int *);

typedef struct {
    u8 where, kind, negated, absolute, high, shift, width, extended;
    u8 permuted, select, spare0, spare1;
    i32 row;
    u64 value;
} Operand;

typedef struct {
    i32 reg; /* vector row, or rows + scalar row */
    u32 how;
} Touch;

typedef struct {
    u16 op, fn;
    u8 sources, kind, half, finish;
    u8 category, issues, apart, coherent;
    u8 stream[4];
    i32 target;
    i32 row, mask, carry;
    u32 touch, touches, written, stored;
    i32 table;
    i32 n[16];
    i64 offset;
    u64 address;
    Operand src[5];
} Ins;

typedef struct {
    i32 ins;
    i32 count;
    u8 stream[4];
    u32 number[4];
    u32 bits;
    u8 late, poisoned, places_held, local;
    u64 lanes, inside, missing, inside2;
    i64 at[2][LANES]; /* where local memory is read, or where late loads read */
    union {
        u32 word[4][LANES];
        u32 scalar[16];
    } u;
} Pending;

typedef struct {
    u32 number, epoch; /* epoch: barriers before the last read, plus one */
    u8 wave, reader;   /* wave: who wrote, plus one; reader: who read last, SEVERAL: more than one */
    u8 kind, atomic;
    u32 born; /* barriers before the last write */
} Place;
#define SEVERAL 0xFF

typedef struct {
    u32 *v, *p; /* vector file and its undefined bits, [rows][LANES] */
    u32 *em;    /* all ones in active lanes */
    u8 *poisoned, *flying;
    u32 s[SCALARS], sp[SCALARS];
    u64 exec;
    u32 scc, pc, state, slot;
    u32 issued[STREAMS], done[STREAMS];
    Pending *pending;
    i32 pendings, room;
    u32 barriers, signals, ins; /* signals: first halves of split barriers */
    u32 *passed; /* [epochs][2] */
    u32 epochs;
    u8 *scratch, *kept; /* private memory, and which of its bytes were written */
} Wave;

enum { RUNS, BLOCKED, ENDED };

typedef struct {
    i64 start, end;
    i32 writable, granule, unit, fresh, wide; /* bytes: of an element, of a place */
    void *places; /* u16, or u32 where `wide` */
    u8 *seen;     /* bytes that were read; 0: nobody asks */
} Buffer;

typedef int (*StepBack)(i32 ins, void *wave);

typedef struct {
    /* program */
    const Ins *code;
    const Touch *touched;
    const i32 *side;
    const f32 *floats;
    const u64 *addresses; /* sorted, of instructions */
    const i32 *indices;
    i64 instructions, steps_known;
    i32 rows, lanes, local_shift, entry;
    i32 waves_per_group, order, late, races;
    i32 lds_bytes, scratch_bytes, parallel, phased; /* phased: each step writes all that it reads of local memory */
    i64 budget, turn;
    /* memory */
    u8 *arena;
    Buffer *buffers;
    i64 buffer_count;
    /* start */
    const u32 *vectors; /* [waves][vector_rows][LANES] */
    const u32 *scalars; /* [waves][SCALARS] */
    const u8 *defined;  /* [rows + SCALARS] */
    const i32 *moving;  /* rows of s that hold a group's number: row, axis, factor */
    const i32 *groups;  /* [groups][3] */
    i64 group_count;
    i32 vector_rows, movings;
    i64 base; /* device address of the arena */
    StepBack back;
    /* shared by threads */
    u64 next, steps;
    i32 stop, spare;
} Launch;

typedef struct {
    Wave *waves;
    Place *places;
    u8 *lds;
    i64 number;
    u32 live;
    u32 newest, newest_ins, newest_now; /* of what one instruction's waves read between two barriers: barriers before the last write */
} Group;

typedef struct {
    Launch *launch;
    Group *group;
    Wave *wave;
    u64 *counts;
    u64 steps, turned_steps;
    i32 status, at;
    u64 aim;
    i32 cached, why;
    i64 other;
    u64 suspect;
} Run;

/* Why an execution stopped, where that is certain. */
enum { UNSURE, READ_EARLY, WRITTEN_EARLY, LOCAL_READ, LOCAL_WRITTEN };
enum { OK, STOPPED_BACK, FOUND, EXHAUSTED, TRAPPED, WILD_JUMP, NO_MEMORY, CUT_SHORT };
