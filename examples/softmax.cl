// A work-group of WG work-items computes the softmax of one row, VW elements at a time; columns is a multiple of WG * VW.
#if VW == 1
typedef float V;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
typedef CAT(float, VW) V;
#define LOAD(p) CAT(vload, VW)(0, p)
#define STORE(v, p) CAT(vstore, VW)(v, 0, p)
#endif

#if WG > 1
#define REDUCE(value, op)                                                   \
    do {                                                                    \
        shared[lane] = value;                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                       \
        for (int half_size = WG / 2; half_size > 0; half_size /= 2) {       \
            if (lane < half_size) shared[lane] = op(shared[lane], shared[lane + half_size]); \
            barrier(CLK_LOCAL_MEM_FENCE);                                   \
        }                                                                   \
        value = shared[0];                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                       \
    } while (0)
#else
#define REDUCE(value, op)
#endif
#define ADD(a, b) ((a) + (b))

__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void softmax(__global const float *restrict x, __global float *restrict y, const int columns) {
    const int lane = get_local_id(0);
#if WG > 1
    __local float shared[WG];
#endif
    x += (size_t)get_group_id(0) * columns;
    y += (size_t)get_group_id(0) * columns;

    V widest = (V)(-INFINITY);
    for (int i = lane * VW; i < columns; i += WG * VW) widest = fmax(widest, LOAD(x + i));
    float lanes[VW] __attribute__((aligned(64)));
    *(V *)lanes = widest;
    float largest = lanes[0];
    for (int i = 1; i < VW; ++i) largest = fmax(largest, lanes[i]);
    REDUCE(largest, fmax);

    V sums = (V)(0.0f);
    for (int i = lane * VW; i < columns; i += WG * VW) {
        const V e = exp(LOAD(x + i) - (V)(largest));
        STORE(e, y + i);
        sums += e;
    }
    *(V *)lanes = sums;
    float total = lanes[0];
    for (int i = 1; i < VW; ++i) total += lanes[i];
    REDUCE(total, ADD);

    const V scale = (V)(1.0f / total);
    for (int i = lane * VW; i < columns; i += WG * VW) STORE(LOAD(y + i) * scale, y + i);
}
