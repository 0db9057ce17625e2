// Sum of an array: strided loads of VW elements, then a tree in local memory.
#ifndef VW
#define VW 4
#endif
#ifndef WG
#define WG 256
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VW == 1
#define LOAD(i, p) ((p)[i])
#define REALV float
#else
#define LOAD JOIN(vload, VW)
#define REALV JOIN(float, VW)
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(int vectors, __global const float *x, __global float *y)
{
    __local float partial[WG];
    const int item = get_local_id(0);
    REALV sum = (REALV)(0);
    for (int i = get_global_id(0); i < vectors; i += get_global_size(0)) sum += LOAD(i, x);
    float total = 0;
#if VW == 1
    total = sum;
#else
    #pragma unroll
    for (int l = 0; l < VW; ++l) total += ((float *)&sum)[l];
#endif
    partial[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = WG / 2; width > 0; width >>= 1) {
        if (item < width) partial[item] += partial[item + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) y[get_group_id(0)] = partial[0];
}
