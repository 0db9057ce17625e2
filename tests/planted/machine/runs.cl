// Runs of equal bytes unpacked in local memory, then written out as words.
// grid 2, group 128
// x=u8:256 y=u32:256:fresh
// 1: uninitialised; every run is one byte short
// 2: race in local memory; runs overlap by a byte
// 3: out of bounds; the last run is five bytes long
// 4: misaligned | note; words are read one byte further on
// 5: race in local memory; no barrier before the bytes are read
// 6: misaligned | note; words are built by writing halves at odd bytes
// 7: race in local memory | depends on order; lanes of one wave write the same bytes
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void runs(__global const uchar *x, __global uint *y) {
    __local uchar text[512] __attribute__((aligned(16)));
    const int t = get_local_id(0), g = get_group_id(0);
    const uchar c = x[128 * g + t] ^ (uchar)(37 * t);
    const int longer = BUG == 2 ? t != 127 : BUG == 3;
    if (BUG == 6) {
        for (int i = 0; i < 2; ++i) *(volatile __local ushort *)(text + 4 * t + 2 * i + (t < 127)) = c * 257;
    } else
        for (int i = 0; i < 4 + longer - (BUG == 1); ++i) ((volatile __local uchar *)text)[4 * t + i] = c;
    if (BUG == 7) ((volatile __local uchar *)text)[4 * (t & ~1)] = c;
    if (BUG != 5) barrier(CLK_LOCAL_MEM_FENCE);
    const int back = 127 - t;
    y[128 * g + t] = *(__local uint *)(text + 4 * back + (BUG == 4 && back < 127));
}
