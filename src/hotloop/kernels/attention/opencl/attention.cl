// Attention forward in OpenCL C: a work-item owns one query row and folds the keys into it one after the other.
//
// Every upper-case name is a -D macro of the launch plan: SIZE of a head, HALF, CAUSAL, and the parameters LX SPLIT FAST of
// opencl.py. Arithmetic is float whatever the arrays hold. The row maximum only rescales the sums when it grows, which
// gives the same result as rescaling by one.
#if HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#else
#define REAL float
#endif
#if FAST
#define EXP native_exp
#else
#define EXP exp
#endif

__kernel void attention(__global const REAL *restrict q, __global const REAL *restrict k, __global const REAL *restrict v,
                        __global REAL *restrict o, int heads, int group, int length_q, int length_k, float scale)
{
    const int row = get_global_id(0);
    const int head = get_global_id(1);
    if (row >= length_q)
        return;
    const int batch = head / heads;
    const int source = batch * (heads / group) + head % heads / group;
    const size_t place = ((size_t)head * length_q + row) * SIZE;
    const size_t keys = (size_t)source * length_k * SIZE;
    float query[SIZE], sum[SIZE];
    for (int d = 0; d < SIZE; ++d) {
        query[d] = (float)q[place + d] * scale;
        sum[d] = 0.0f;
    }
    float most = -INFINITY, norm = 0.0f;
    const int end = CAUSAL ? min(row + 1, length_k) : length_k;
    for (int j = 0; j < end; ++j) {
        float part[SPLIT];
        for (int s = 0; s < SPLIT; ++s)
            part[s] = 0.0f;
        for (int d = 0; d < SIZE; d += SPLIT)
            for (int s = 0; s < SPLIT; ++s)
                part[s] += query[d + s] * (float)k[keys + (size_t)j * SIZE + d + s];
        float score = 0.0f;
        for (int s = 0; s < SPLIT; ++s)
            score += part[s];
        if (score > most) {
            const float shrink = EXP(most - score);
            norm *= shrink;
            for (int d = 0; d < SIZE; ++d)
                sum[d] *= shrink;
            most = score;
        }
        const float weight = score == -INFINITY ? 0.0f : EXP(score - most);
        norm += weight;
        for (int d = 0; d < SIZE; ++d)
            sum[d] += weight * (float)v[keys + (size_t)j * SIZE + d];
    }
    for (int d = 0; d < SIZE; ++d)
        o[place + d] = (REAL)(sum[d] / norm);
}
