"""The spectrum of 2 m real numbers from the transform of m complex ones."""

import numpy as np

import hotloop as hl

A = """
__kernel void post(__global const float2 *z, __global float2 *s, const int m, const int rows) {
    const int k = get_global_id(0), r = get_global_id(1);
    if (k > m / 2 || r >= rows) return;
    __global const float2 *in = z + r * m;
    __global float2 *out = s + r * (m + 1);
    if (k == 0) {
        out[0] = (float2)(in[0].x + in[0].y, 0.0f);
        out[m] = (float2)(in[0].x - in[0].y, 0.0f);
        return;
    }
    const float2 a = in[k], b = in[m - k];
    const float2 even = 0.5f * (float2)(a.x + b.x, a.y - b.y), odd = 0.5f * (float2)(a.y + b.y, b.x - a.x);
    const float c = cospi((float)k / m), d = -sinpi((float)k / m);
    const float2 t = (float2)(odd.x * c - odd.y * d, odd.x * d + odd.y * c);
    out[k] = even + t;
    if (k != m - k) out[m - k] = (float2)(even.x - t.x, t.y - even.y);
}
"""


@hl.kernel(
    problem=dict(m=128, rows=30),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.m * p.rows),
    awkward=lambda p: [dict(m=1, rows=1), dict(m=2, rows=3), dict(m=9, rows=2)],
    tolerance=hl.Tolerance(terms=12),
    linear=("z",),
)
class rfftpost:
    def inputs(p, rng):
        return dict(z=rng.standard_normal((p.rows, p.m, 2), "f4"), s=hl.empty((p.rows, p.m + 1, 2)), m=p.m, rows=p.rows)

    def reference(p, z, s, m, rows):
        c = z[..., 0].astype("f8") + 1j * z[..., 1].astype("f8")
        k = np.arange(p.m + 1)
        a, b = c[:, k % p.m], np.conj(c[:, (p.m - k) % p.m])
        got = 0.5 * (a + b) - 0.5j * np.exp(-1j * np.pi * k / p.m) * (a - b)
        return dict(s=np.stack([got.real, got.imag], -1))

    def magnitude(p, z, s, m, rows):
        c = np.abs(z[..., 0].astype("f8")) + np.abs(z[..., 1].astype("f8"))
        k = np.arange(p.m + 1)
        both = c[:, k % p.m] + c[:, (p.m - k) % p.m]
        return dict(s=np.stack([both, both], -1))

    a = hl.OpenCL(A, "post", global_size=lambda p, c: (p.m // 2 + 1, p.rows))


MUTANTS = [
    ("a", "bounds", "the middle is left out", "if (k > m / 2", "if (k >= m / 2"),
    ("a", "sign", "the mirrored one is not conjugated", "t.y - even.y", "even.y - t.y"),
    ("a", "stride", "rows of the result are m apart", "s + r * (m + 1)", "s + r * m"),
    (
        "a",
        "zeroed",
        "the last imaginary part is not set",
        "out[m] = (float2)(in[0].x - in[0].y, 0.0f);",
        "out[m].x = in[0].x - in[0].y;",
    ),
    ("a", "index", "the mirror is one off", "b = in[m - k];", "b = in[m - 1 - k];"),
    ("a", "scalar", "half is missing in the odd part", "odd = 0.5f *", "odd ="),
    ("a", "precision", "angles through half", "cospi((float)k / m)", "cospi((float)(int)(1024.0f * k / m) / 1024.0f)"),
    ("a", "race", "two items store the middle, one of them something else", "if (k != m - k) out[m - k]", "out[m - k]"),
    ("a", "lost", "nothing is stored at m", "        out[m] = (float2)(in[0].x - in[0].y, 0.0f);\n", ""),
]
