
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void update(__global float16 *y, const long vectors_per_item, const long vectors) {
    const long first = get_global_id(0) * vectors_per_item;
    const long last = min(first + vectors_per_item, vectors);
    for (long i = first; i < last; ++i) y[i] = 1.0f - y[i];
}
