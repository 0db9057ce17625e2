// Row sum, max, softmax, RMS norm and layer norm in OpenCL C: LX work-items share a row, RPI rows follow one another.
//
// Every upper-case name is a -D macro of the launch plan: OP 0 sum, 1 max, 2 softmax, 3 RMS norm, 4 layer norm; HALF; and
// the parameters LX RPI VW UNROLL FAST of space.py. Arithmetic is float whatever the arrays hold.
#if HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#else
#define REAL float
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VW == 1
#define VEC float
#define MASK int
#define LOAD(p) ((float)*(p))
#define STORE(v, p) (*(p) = (REAL)(v))
#else
#define VEC JOIN(float, VW)
#define MASK JOIN(int, VW)
#if HALF
#define LOAD(p) JOIN(convert_float, VW)(JOIN(vload, VW)(0, (p)))
#define STORE(v, p) JOIN(vstore, VW)(JOIN(convert_half, VW)(v), 0, (p))
#else
#define LOAD(p) JOIN(vload, VW)(0, (p))
#define STORE(v, p) JOIN(vstore, VW)((v), 0, (p))
#endif
#endif
#if FAST
#define EXP native_exp
#else
#define EXP exp
#endif

#define STRIDE (LX * VW * UNROLL)

// A NaN, once met, stays: it is larger than everything.
inline float larger(float a, float b) { return b > a || b != b ? b : a; }
inline VEC larger_vector(VEC a, VEC b)
{
#if VW == 1
    return larger(a, b);
#else
    return select(a, b, (MASK)(b > a) | (MASK)(b != b));
#endif
}

// What becomes of an element before it is added; `shift` is the row's maximum or mean.
#if OP == 2
#define TERM(T, v, shift) EXP((v) - (shift))
#elif OP == 3
#define TERM(T, v, shift) ((v) * (v))
#elif OP == 4
#define TERM(T, v, shift) (((v) - (shift)) * ((v) - (shift)))
#else
#define TERM(T, v, shift) (v)
#endif

inline float across(float mine, int is_max, __local float *meeting)
{
#if LX > 1
    const int lane = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    meeting[lane] = mine;
    for (int half_way = LX / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_way) {
            const float other = meeting[lane + half_way];
            meeting[lane] = is_max ? larger(meeting[lane], other) : meeting[lane] + other;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return meeting[0];
#else
    return mine;
#endif
}

// UNROLL independent vectors of partial results, then the elements that fill no vector.
#define REDUCE(NAME, FIRST, COMBINE, COMBINE_ONE, ELEMENT, ELEMENT_ONE)                                        \
inline float NAME(__global const REAL *row, int columns, float shift)                                          \
{                                                                                                              \
    const int lane = get_local_id(0);                                                                          \
    VEC part[UNROLL];                                                                                          \
    _Pragma("unroll") for (int u = 0; u < UNROLL; ++u) part[u] = (VEC)(FIRST);                                 \
    int i = lane * VW;                                                                                         \
    for (; i + (UNROLL - 1) * LX * VW + VW <= columns; i += STRIDE)                                            \
        _Pragma("unroll") for (int u = 0; u < UNROLL; ++u) {                                                   \
            const VEC v = LOAD(row + i + u * LX * VW);                                                         \
            part[u] = COMBINE(part[u], ELEMENT);                                                               \
        }                                                                                                      \
    for (; i + VW <= columns; i += LX * VW) {                                                                  \
        const VEC v = LOAD(row + i);                                                                           \
        part[0] = COMBINE(part[0], ELEMENT);                                                                   \
    }                                                                                                          \
    float each[VW], total = FIRST;                                                                             \
    _Pragma("unroll") for (int u = 0; u < UNROLL; ++u) {                                                       \
        SPREAD(part[u], each);                                                                                 \
        for (int e = 0; e < VW; ++e) total = COMBINE_ONE(total, each[e]);                                      \
    }                                                                                                          \
    for (int j = columns / VW * VW + lane; j < columns; j += LX) {                                             \
        const float v = (float)row[j];                                                                         \
        total = COMBINE_ONE(total, ELEMENT_ONE);                                                               \
    }                                                                                                          \
    return total;                                                                                              \
}
#if VW == 1
#define SPREAD(v, to) (to)[0] = (v)
#else
#define SPREAD(v, to) JOIN(vstore, VW)((v), 0, (to))
#endif
#define PLUS(a, b) ((a) + (b))
REDUCE(sum_terms, 0.0f, PLUS, PLUS, TERM(VEC, v, (VEC)(shift)), TERM(float, v, shift))
#if OP == 1 || OP == 2
REDUCE(largest, -INFINITY, larger_vector, larger, v, v)
#endif
#if OP == 4
REDUCE(plain_sum, 0.0f, PLUS, PLUS, v, v)
#endif

// Global size: LX, then items of RPI rows.
__kernel __attribute__((reqd_work_group_size(LX, 1, 1)))
void reduce_rows(__global const REAL *restrict x, __global const REAL *restrict scale, __global const REAL *restrict shift,
                 __global REAL *restrict y, int rows, int columns, float epsilon)
{
    __local float meeting[LX];
    const int lane = get_local_id(0), first = get_global_id(1) * RPI, last = min(first + RPI, rows);
    for (int r = first; r < last; ++r) {
        __global const REAL *row = x + (size_t)r * columns;
#if OP == 0
        const float result = across(sum_terms(row, columns, 0.0f), 0, meeting);
        if (lane == 0) y[r] = (REAL)result;
#elif OP == 1
        const float result = across(largest(row, columns, 0.0f), 1, meeting);
        if (lane == 0) y[r] = (REAL)result;
#else
        __global REAL *out = y + (size_t)r * columns;
#if OP == 2
        const float centre = across(largest(row, columns, 0.0f), 1, meeting);
        const float factor = 1.0f / across(sum_terms(row, columns, centre), 0, meeting);
#define RESULT(T, v, at, LOADER) (EXP((v) - (T)(centre)) * factor)
#elif OP == 3
        const float mean_square = across(sum_terms(row, columns, 0.0f), 0, meeting) / columns;
        const float factor = 1.0f / sqrt(mean_square + epsilon);
#define RESULT(T, v, at, LOADER) ((v) * factor * LOADER(scale + (at)))
#else
        const float centre = across(plain_sum(row, columns, 0.0f), 0, meeting) / columns;
        const float factor = 1.0f / sqrt(across(sum_terms(row, columns, centre), 0, meeting) / columns + epsilon);
#define RESULT(T, v, at, LOADER) (((v) - (T)(centre)) * factor * LOADER(scale + (at)) + LOADER(shift + (at)))
#endif
#define LOAD_ONE(p) ((float)*(p))
        for (int i = lane * VW; i + VW <= columns; i += LX * VW) {
            const VEC v = LOAD(row + i);
            STORE(RESULT(VEC, v, i, LOAD), out + i);
        }
        for (int j = columns / VW * VW + lane; j < columns; j += LX) {
            const float v = (float)row[j];
            out[j] = (REAL)RESULT(float, v, j, LOAD_ONE);
        }
#endif
    }
}
