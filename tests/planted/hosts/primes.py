import numpy as np

import hotloop as hl

SOURCE = """
uint power(uint b, uint e, uint m) { ulong r = 1, a = b % m; while (e) { if (e & 1) r = r * a % m; a = a * a % m; e >>= 1; } return r; }
int witness(uint a, uint n) { if (a % n == 0) return 0; uint d = n - 1; int s = 0; while (!(d & 1)) { d >>= 1; ++s; } ulong v = power(a, d, n); if (v == 1 || v == n - 1) return 0; while (--s > 0) { v = v * v % n; if (v == n - 1) return 0; } return 1; }
__kernel void k(__global const uint *x, __global uchar *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; const uint v = x[i];
    y[i] = v < 2 ? 0 : v % 2 == 0 ? v == 2 : !(witness(2, v) || witness(7, v) || witness(61, v));
}
"""


@hl.kernel(
    problem=dict(n=16384),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
)
class primes:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 2**32, p.n).astype("u4"), y=hl.empty(p.n, "u1"), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("i8")
        small = np.ones(65537, bool)
        small[:2] = False
        for q in range(2, 257):
            if small[q]:
                small[q * q :: q] = False
        ok = v >= 2
        for q in np.flatnonzero(small):
            ok &= (v % q != 0) | (v == q)
        return dict(y=ok.astype("u1"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
