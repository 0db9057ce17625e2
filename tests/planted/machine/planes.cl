// Four planes of bytes woven into words that are declared as words: each wave of the group writes its byte of every word.
// grid 2, group 256
// x=u8:512 y=u32:128:fresh z=u32:128:fresh
// 1: uninitialised; the last plane is not written
// 2: race in global memory; two planes are written to the same bytes
// 3: race in global memory; no barrier before the words are read
// 4: out of bounds; the last plane is written one word too far
// 5: uninitialised; a word of the result is put together from halves of which one is missing
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void planes(__global const uchar *x, __global uint *y, __global uint *z) {
    const int t = get_local_id(0), g = get_group_id(0), plane = t / 64, at = 64 * g + t % 64;
    __global uchar *bytes = (__global uchar *)y;
    if (BUG != 1 || plane < 3) bytes[4 * (at + (BUG == 4 && plane == 3)) + (BUG == 2 && plane == 3 ? 2 : plane)] = x[256 * g + t] + 50 * plane;
    if (BUG != 3) barrier(CLK_GLOBAL_MEM_FENCE);
    if (t < 64) {
        __global ushort *part = (__global ushort *)(z + 64 * g + 63 - t);
        part[0] = y[at];
        if (BUG != 5) part[1] = y[at] >> 16;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t >= 64 && t < 128) z[64 * g + t - 64] ^= 0x01010101;
}
