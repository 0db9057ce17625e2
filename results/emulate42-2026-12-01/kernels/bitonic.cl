// Sorts each group's 256 keys with their places; what is left of the last group is padded.
#define GROUP 128
#define KEYS (2 * GROUP)

__kernel void sort(__global const int *in, __global int *keys, __global int *places, int n) {
    __local int key[KEYS];
    __local int place[KEYS];
    const int t = get_local_id(0), first = get_group_id(0) * KEYS;
    for (int i = t; i < KEYS; i += GROUP) {
        key[i] = first + i < n ? in[first + i] : INT_MAX;
        place[i] = first + i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = 2; size <= KEYS; size <<= 1) {
        for (int step = size >> 1; step > 0; step >>= 1) {
            const int low = 2 * t - (t & (step - 1)), high = low + step;
            const int up = (low & size) == 0;
            if ((key[low] > key[high] || (key[low] == key[high] && place[low] > place[high])) == up) {
                const int k = key[low], p = place[low];
                key[low] = key[high];
                place[low] = place[high];
                key[high] = k;
                place[high] = p;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    for (int i = t; i < KEYS; i += GROUP) {
        if (first + i < n) {
            keys[first + i] = key[i];
            places[first + i] = place[i];
        }
    }
}
