// hotloop GEMM, pipelined: for devices whose local memory is a memory of its own.
//
// Besides the prelude's and the epilogue's: WIDE BUFFERS, HOIST EARLY (absent is 0), and from the plan ALIGNED_A ALIGNED_B
// ALIGNED_C ALIGNED_W (every row of the array begins at a multiple of a vector; of C and W, whose width is N, it ends at one
// too), CUT_A CUT_B (its rows do not), EVEN (tiles divide C), HOLD_A HOLD_B (C has fewer rows, or columns, than a tile), LIMITED (the compiler got a limit of registers) and PTX (float32
// on a GPU that takes PTX of sm_80).  VW is 4.
//
// A work-group computes MWG x NWG outputs.  An item owns blocks of 4 x 4: rows (i*MDIM + tm)*4 .. +4, columns
// (j*NDIM + tn)*4 .. +4, so that it reads both operands from local memory as vectors, neighbours side by side.  The
// operand that is contiguous along k is transposed on its way there.  While KWG steps are multiplied, the next ones
// travel from global memory to registers; with two buffers they are put into the other one before the barrier.
//
// No tile has an edge: the last one of a side begins earlier instead, so far that it ends with the matrix.  Of what it then
// has in common with its neighbour the neighbour stores its part, so that C is read and written once.  Only where a whole
// side is shorter than a tile, and for the steps of k that fill none, elements are looked at one by one.
#define AV (MWI / 4)             // vectors of an item along m
#define STEP_A (MWG + PAD)       // elements of a row of local memory
#define STEP_B (NWG + PAD)
#define TAKEN_A (MWG * KWG / 4 / ITEMS) // vectors that an item brings of each tile
#define TAKEN_B (NWG * KWG / 4 / ITEMS)
#define KQ (KWG / 4)

// A kernel of a known group size gets the registers that this size leaves, and NVIDIA's assembler ignores every other limit:
// where the plan sets one, the size stays unsaid.
#if LIMITED
#define GROUP_OF(x, y)
#else
#define GROUP_OF(x, y) __attribute__((reqd_work_group_size(x, y, 1)))
#endif

// Xor with the step of k, in vectors, spreads the four stores of a transposed vector over the banks: the KQ items that
// read neighbouring vectors of one row write 4 rows each, at columns that differ by SPREAD.
#define SPREAD (KWG > 32 ? 4 : 128 / KWG)
#define MOVED(k, x) ((x) ^ ((((k) / 4) % SWZ) * SPREAD))
#if TRANSA
#define AT_A(k, m) ((k) * STEP_A + (m))
#else
#define AT_A(k, m) ((k) * STEP_A + MOVED(k, m))
#endif
#if TRANSB
#define AT_B(k, n) ((k) * STEP_B + MOVED(k, n))
#else
#define AT_B(k, n) ((k) * STEP_B + (n))
#endif

// One vector of memory that is aligned to it; a vload promises the alignment of one element only, which costs a GPU four reads.
// A CPU may work in its caller's memory, which begins at any element: IN_PLACE.
#define WIDE_ACCESS (WIDE > 1 && !IN_PLACE)
#if WIDE_ACCESS && PRECISION == 16 && ACC32
#define VECTOR_IN(p) convert_float4(*(__global const REALV *)(p))
#elif WIDE_ACCESS
#define VECTOR_IN(p) (*(__global const ACCV *)(p))
#else
#define VECTOR_IN(p) LOAD_REAL(p)
#endif
#if WIDE > 1
#define LOCAL_IN(p) (*(__local const ACCV *)(p))
#define LOCAL_OUT(v, p) (*(__local ACCV *)(p) = (v))
#else
#define LOCAL_IN(p) LOAD_ACC(p)
#define LOCAL_OUT(v, p) STORE_ACC(v, p)
#endif
#define IN_A(p) (ALIGNED_A ? VECTOR_IN(p) : LOAD_REAL(p))
#define IN_B(p) (ALIGNED_B ? VECTOR_IN(p) : LOAD_REAL(p))

// Where tiles divide C, NVIDIA's compiler gets the code for edges all the same, though no group ever takes it: what it makes of
// the loop over k depends on what surrounds it.  Without one part of it or another an H200 took 1024 at 0.91 to 1.02 of the
// speed, 512 at 0.94 to 0.99.
#define KEPT (EVEN && PTX)

// Where the tiles of a side end.  Aligned vectors cannot begin earlier by less than a vector: the last ones of a row then
// reach into what lies between the rows, for columns of C that nobody stores; behind the last row there may be nothing.
#define END_M (TRANSA && ALIGNED_A && CUT_A ? (M + 3) / 4 * 4 : M)
#define END_N (!TRANSB && ALIGNED_B && CUT_B ? (N + 3) / 4 * 4 : N)
#define MOVED_BACK(own, END, SIDE) (EVEN ? (own) : max(min(own, (END) - (SIDE)), 0))
#define INSIDE() ((EVEN && !KEPT) || ((HOLD_A || row0 + MWG <= END_M) && (HOLD_B || col0 + NWG <= END_N)))
#define LAST_ROW_APART() (!EVEN && (CUT_A || CUT_B) && (row0 + MWG > M || col0 + NWG > N))

// HOLD: a side is shorter than a tile. What is beyond reads what its last element or vector reads, and nobody stores those sums.
#define HELD_A(x) (HOLD_A ? min((x), M - (TRANSA ? 4 : 1)) : (x))
#define HELD_B(x) (HOLD_B ? min((x), N - (TRANSB ? 1 : 4)) : (x))

// Where NVIDIA's processors would read the elements of a vector one by one anyway, because it is not aligned, an item takes
// elements that lie apart, so that neighbours read side by side.
#define APART_A (PTX && WIDE > 1 && !ALIGNED_A)
#define APART_B (PTX && WIDE > 1 && !ALIGNED_B)
#define STRIDE(apart, along_k, WIDTH) ((apart) ? (along_k) ? KQ : (WIDTH) / 4 : 1)

// Four elements, `stride` apart, of which those before `left` are inside.
ACCV part_of(__global const REAL *p, int left, int stride)
{
    return (ACCV)(left > 0 ? (ACC)p[0] : (ACC)0, left > stride ? (ACC)p[stride] : (ACC)0,
                  left > 2 * stride ? (ACC)p[2 * stride] : (ACC)0, left > 3 * stride ? (ACC)p[3 * stride] : (ACC)0);
}
#define FOUR(p, stride) (ACCV)((ACC)(p)[0], (ACC)(p)[stride], (ACC)(p)[2 * (stride)], (ACC)(p)[3 * (stride)])

// Vector number q of an item in a tile of WIDTH: place across the tile and first step of k.
#define PLACE(q) (item | (q) * ITEMS)
#define ACROSS(q, along_k, WIDTH, apart) ((along_k) ? PLACE(q) / KQ : PLACE(q) % ((WIDTH) / 4) * ((apart) ? 1 : 4))
#define DEEP(q, along_k, WIDTH, apart) ((along_k) ? PLACE(q) % KQ * ((apart) ? 1 : 4) : PLACE(q) / ((WIDTH) / 4))

// Global memory to registers: TO[q] for the tile at depth `k`.
#define TAKE(TO, COUNT, P, LD, along_k, WIDTH, FIRST, EXTENT, VECTOR, CUT, apart, HELD)                       \
    _Pragma("unroll") for (int q = 0; q < COUNT; ++q) {                                                       \
        const int x = HELD(FIRST + ACROSS(q, along_k, WIDTH, apart)), d = DEEP(q, along_k, WIDTH, apart);     \
        __global const REAL *p = P + ((along_k) ? (size_t)x * LD + (at + d) : (size_t)(at + d) * LD + x);      \
        if (whole) TO[q] = apart ? FOUR(p, STRIDE(apart, along_k, WIDTH)) : VECTOR(p);                        \
        else {                                                                                                \
            const int left = (along_k) ? (x < EXTENT ? k1 - at - d : 0) : (at + d < k1 ? EXTENT - x : 0);     \
            if (CUT || apart || KEPT) TO[q] = part_of(p, left, STRIDE(apart, along_k, WIDTH));                \
            else TO[q] = left > 0 ? VECTOR(p) : (ACCV)(0);                                                    \
        }                                                                                                     \
    }

// Registers to local memory.
#define PUT(FROM, COUNT, T, AT, along_k, WIDTH, apart)                                                        \
    _Pragma("unroll") for (int q = 0; q < COUNT; ++q) {                                                       \
        const int x = ACROSS(q, along_k, WIDTH, apart), d = DEEP(q, along_k, WIDTH, apart);                   \
        const int stride = STRIDE(apart, along_k, WIDTH), dd = (along_k) ? stride : 0, dx = (along_k) ? 0 : stride; \
        if ((along_k) || apart) {                                                                             \
            T[AT(d, x)] = FROM[q].s0;                                                                         \
            T[AT(d + dd, x + dx)] = FROM[q].s1;                                                               \
            T[AT(d + 2 * dd, x + 2 * dx)] = FROM[q].s2;                                                       \
            T[AT(d + 3 * dd, x + 3 * dx)] = FROM[q].s3;                                                       \
        } else LOCAL_OUT(FROM[q], T + AT(d, x));                                                              \
    }

#define TAKE_BOTH(step, certain)                                                                              \
    {                                                                                                         \
        const int at = (step);                                                                                \
        const int whole = (certain) || (inside && at + KWG <= kw);                                            \
        TAKE(next_a, TAKEN_A, A, lda, !TRANSA, MWG, row0, M, IN_A, CUT_A, APART_A, HELD_A)                           \
        TAKE(next_b, TAKEN_B, B, ldb, TRANSB, NWG, col0, N, IN_B, CUT_B, APART_B, HELD_B)                            \
    }
#define PUT_BOTH(buffer)                                                                                      \
    {                                                                                                         \
        __local ACC *to_a = tile_a + (buffer) * KWG * STEP_A, *to_b = tile_b + (buffer) * KWG * STEP_B;       \
        PUT(next_a, TAKEN_A, to_a, AT_A, !TRANSA, MWG, APART_A)                                               \
        PUT(next_b, TAKEN_B, to_b, AT_B, TRANSB, NWG, APART_B)                                                \
    }

#define ONE_ROW(i, r, value)                                                                                  \
    _Pragma("unroll") for (int j = 0; j < NV; ++j)                                                            \
        acc[(i) * 4 + r][j] = fma((ACCV)(value), b[j], acc[(i) * 4 + r][j]);
#define MULTIPLY(kk)                                                                                          \
    {                                                                                                         \
        ACCV a[AV], b[NV];                                                                                    \
        _Pragma("unroll") for (int i = 0; i < AV; ++i) a[i] = LOCAL_IN(from_a + AT_A(kk, (i * MDIM + tm) * 4)); \
        _Pragma("unroll") for (int j = 0; j < NV; ++j) b[j] = LOCAL_IN(from_b + AT_B(kk, (j * NDIM + tn) * 4)); \
        _Pragma("unroll") for (int i = 0; i < AV; ++i) {                                                      \
            ONE_ROW(i, 0, a[i].s0)                                                                            \
            ONE_ROW(i, 1, a[i].s1)                                                                            \
            ONE_ROW(i, 2, a[i].s2)                                                                            \
            ONE_ROW(i, 3, a[i].s3)                                                                            \
        }                                                                                                     \
    }

#if KUNROLL == KWG
#define MULTIPLY_TILE()                                                                                       \
    _Pragma("unroll") for (int kk = 0; kk < KWG; ++kk) MULTIPLY(kk)
#else
#define MULTIPLY_TILE()                                                                                       \
    _Pragma("unroll 1") for (int kk = 0; kk < KWG; kk += KUNROLL)                                             \
        _Pragma("unroll") for (int u = 0; u < KUNROLL; ++u) MULTIPLY(kk + u)
#endif
#if BUFFERS == 2
#define NEXT_BUFFER() now ^= 1
#else
#define NEXT_BUFFER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

// The same from addresses that go from tile to tile by addition: FROM points at vector 0 of the item in the next tile, which
// lies inside.  Vectors of one item are whole rows apart, because ITEMS is a multiple of the vectors of a row.
#define AHEAD(TO, COUNT, FROM, LD, along_k, WIDTH, VECTOR, apart, HOLD, HELD)                                 \
    _Pragma("unroll") for (int q = 0; q < COUNT; ++q) {                                                       \
        const int on = (HOLD) && (along_k) ? HELD(PLACE(q) / KQ) - HELD(PLACE(0) / KQ)                        \
                                           : q * (ITEMS / ((along_k) ? KQ : (WIDTH) / 4));                    \
        __global const REAL *p = FROM + (size_t)on * LD;                                                      \
        TO[q] = apart ? PINNED_FOUR(p, STRIDE(apart, along_k, WIDTH)) : VECTOR(p);                            \
    }                                                                                                         \
    FROM += (along_k) ? (size_t)KWG : (size_t)KWG * LD;
#define TILES_AHEAD (EARLY ? 2 : 1)
#if EARLY && PTX
// A read that stays in front of the barrier; of memory that nobody writes, which the compiler sees, it would move behind it.
ACCV pinned(__global const REAL *p)
{
    float x, y, z, w;
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"((ulong)p) : "memory");
    return (ACCV)(x, y, z, w);
}
float pinned_one(__global const REAL *p)
{
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"((ulong)p) : "memory");
    return x;
}
#define PINNED_FOUR(p, stride)                                                                                \
    (ACCV)(pinned_one(p), pinned_one((p) + (stride)), pinned_one((p) + 2 * (stride)), pinned_one((p) + 3 * (stride)))
#define PINNED_A(p) (ALIGNED_A && WIDE > 1 ? pinned(p) : IN_A(p))
#define PINNED_B(p) (ALIGNED_B && WIDE > 1 ? pinned(p) : IN_B(p))
#else
#define PINNED_FOUR(p, stride) FOUR(p, stride)
#define PINNED_A(p) IN_A(p)
#define PINNED_B(p) IN_B(p)
#endif
#if HOIST
#define FIRST_STEP(along_k, WIDTH, apart) (k0 + TILES_AHEAD * KWG + DEEP(0, along_k, WIDTH, apart))
#define FIRST_OF(P, LD, along_k, WIDTH, FIRST, apart, HELD)                                                   \
    ((along_k) ? P + (size_t)HELD(FIRST + ACROSS(0, along_k, WIDTH, apart)) * LD + FIRST_STEP(along_k, WIDTH, apart) \
               : P + (size_t)FIRST_STEP(along_k, WIDTH, apart) * LD + HELD(FIRST + ACROSS(0, along_k, WIDTH, apart)))
#define HOISTED()                                                                                             \
    __global const REAL *ahead_a = FIRST_OF(A, lda, !TRANSA, MWG, row0, APART_A, HELD_A);                             \
    __global const REAL *ahead_b = FIRST_OF(B, ldb, TRANSB, NWG, col0, APART_B, HELD_B);
#define TAKE_NEXT(step, certain)                                                                              \
    if (certain) {                                                                                            \
        AHEAD(next_a, TAKEN_A, ahead_a, lda, !TRANSA, MWG, PINNED_A, APART_A, HOLD_A, HELD_A)                 \
        AHEAD(next_b, TAKEN_B, ahead_b, ldb, TRANSB, NWG, PINNED_B, APART_B, HOLD_B, HELD_B)                  \
    } else TAKE_BOTH(step, 0)
#else
#define HOISTED()
#define TAKE_NEXT(step, certain) TAKE_BOTH(step, certain)
#endif

// Multiply the tile in local memory while the next one, at k + KWG, arrives.  EARLY: it is in registers or on its way already,
// and what follows it is sent for before the barrier.  Left to themselves compilers move these reads down to where their
// registers are free, into the middle of the multiplication.
#if EARLY
#define STEP(more, certain)                                                                                   \
    {                                                                                                         \
        __local const ACC *from_a = tile_a + now * KWG * STEP_A, *from_b = tile_b + now * KWG * STEP_B;       \
        MULTIPLY_TILE()                                                                                       \
        NEXT_BUFFER();                                                                                        \
        if (more) PUT_BOTH(now)                                                                               \
        if ((certain) || k + 2 * KWG < k1) { TAKE_NEXT(k + 2 * KWG, certain) }                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
    }
#else
#define STEP(more, certain)                                                                                   \
    {                                                                                                         \
        if (more) { TAKE_NEXT(k + KWG, certain) }                                                             \
        __local const ACC *from_a = tile_a + now * KWG * STEP_A, *from_b = tile_b + now * KWG * STEP_B;       \
        MULTIPLY_TILE()                                                                                       \
        NEXT_BUFFER();                                                                                        \
        if (more) PUT_BOTH(now)                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
    }
#endif

#define ROW(i) (row0 + ((i) / 4 * MDIM + tm) * 4 + (i) % 4)
#define COL(j) (col0 + ((j) * NDIM + tn) * 4)

// What of its tile a group stores: rows and columns from own_row and own_col on, as far as C goes.
#define OWN_ROW(i) (EVEN || (ROW(i) >= own_row && ROW(i) < M))
#define OWN_WHOLE(j) (EVEN || (COL(j) >= own_col && COL(j) + VW <= N))
#define OWN_FROM(j) (EVEN ? 0 : max(own_col - COL(j), 0))
#define OWN_TO(j) min(N - COL(j), VW)
#define OWN_PART(j) (!OWN_WHOLE(j) && OWN_FROM(j) < OWN_TO(j))
#if KEPT
#define LEFT_OUT(i, j) (ROW(i) >= M || COL(j) >= N)
#else
#define LEFT_OUT(i, j) (!OWN_ROW(i) || !OWN_PART(j))
#endif

// A whole vector of C at an aligned place.
void store_wide(__global REAL *c, __global const REAL *bias, ACCV sum, ACC alpha, ACC beta)
{
    ACCV x = (ACCV)(alpha) * sum;
    if (beta != 0) x = fma((ACCV)(beta), VECTOR_IN(c), x);
    x = activate(with_bias(x, bias));
#if WIDE_ACCESS && PRECISION == 16 && ACC32
    *(__global REALV *)c = convert_half4(x);
#elif WIDE_ACCESS
    *(__global ACCV *)c = x;
#else
    STORE_REAL(x, c);
#endif
}
