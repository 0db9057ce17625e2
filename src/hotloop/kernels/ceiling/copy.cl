
#ifdef COALESCED
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void copy(__global const float4 *x, __global float4 *y, const long vectors) {
    const long i = get_global_id(0);
    if (i < vectors) y[i] = x[i];
}
#else
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void copy(__global const float16 *x, __global float16 *y, const long vectors_per_item, const long vectors) {
    const long first = get_global_id(0) * vectors_per_item;
    const long last = min(first + vectors_per_item, vectors);
    for (long i = first; i < last; ++i) y[i] = x[i];
}
#endif
