// The largest number of each segment and where it stands; a row of a group's work-items for each segment.
__kernel void largest(__global const float *x, __global const int *begin, __global const int *length, int count,
                      __global float *top, __global int *where, __local float *values, __local int *places) {
    const int lane = get_local_id(0), lanes = get_local_size(0), row = get_local_id(1);
    const int segment = get_group_id(1) * get_local_size(1) + row;
    float best = -INFINITY;
    int place = -1;
    if (segment < count) {
        const int first = begin[segment];
        for (int i = lane; i < length[segment]; i += lanes) {
            const float v = x[first + i];
            if (v > best) {
                best = v;
                place = first + i;
            }
        }
    }
    const int at = row * lanes + lane;
    values[at] = best;
    places[at] = place;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int part = lanes / 2; part > 0; part /= 2) {
        if (lane < part) {
            const float other = values[at + part];
            const int its = places[at + part];
            if (other > values[at] || (other == values[at] && its < places[at])) {
                values[at] = other;
                places[at] = its;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && segment < count) {
        top[segment] = values[at];
        where[segment] = places[at];
    }
}
