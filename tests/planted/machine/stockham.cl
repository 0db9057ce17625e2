// A number-theoretic transform of 256 numbers modulo 257 in one copy in local memory.
// grid 2, group 128
// x=u32:512:count y=u32:512:fresh
// 1: race in local memory; results are written while others still read
// 2: race in local memory; no barrier behind a step
// 3: out of bounds; the second half begins one place later
// 4: uninitialised; only half of the numbers is loaded
// 5: out of bounds; results are written one place further
// 6: race in local memory; barriers only in every second step
uint power(uint b, uint e) { uint r = 1; for (; e; e >>= 1, b = b * b % 257) if (e & 1) r = r * b % 257; return r; }
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void stockham(__global const uint *x, __global uint *y) {
    __local uint s[256];
    const uint t = get_local_id(0), g = get_group_id(0);
    s[t] = x[256 * g + t] % 257;
    if (BUG != 4) s[t + 128] = x[256 * g + 128 + t] % 257;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 1; n < 256; n *= 2) {
        const uint k = t & n - 1, a = s[t], b = s[t + 128 + (BUG == 3)] * power(3, 128 / n * k) % 257;
        if (BUG != 1 && (BUG != 6 || n % 3 == 1)) barrier(CLK_LOCAL_MEM_FENCE);
        const uint at = (t - k) * 2 + k;
        s[at] = (a + b) % 257;
        s[at + n + (BUG == 5)] = (a + 257 - b) % 257;
        if (BUG != 2) barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[256 * g + t] = s[t];
    y[256 * g + 128 + t] = s[t + 128];
}
