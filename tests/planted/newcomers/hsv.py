"""RGB bytes to hue in 1536 steps, saturation and value: in whole numbers."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *c, __global ushort *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int r = c[3 * i], g = c[3 * i + 1], b = c[3 * i + 2];
    const int top = max(r, max(g, b)), low = min(r, min(g, b)), d = top - low;
    int hue = 0;
    if (d) {
        if (top == r) hue = (g - b) * 256 / d;
        else if (top == g) hue = 512 + (b - r) * 256 / d;
        else hue = 1024 + (r - g) * 256 / d;
        if (hue < 0) hue += 1536;
    }
    o[3 * i] = hue;
    o[3 * i + 1] = top ? 255 * d / top : 0;
    o[3 * i + 2] = top;
}
"""
VECTOR = """
__kernel void k(__global const uchar *c, __global ushort *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int3 v = convert_int3(vload3(i, c));
    const int top = max(max(v.x, v.y), v.z), d = top - min(min(v.x, v.y), v.z);
    const int which = top == v.x ? 0 : top == v.y ? 1 : 2;
    const int from = which == 0 ? v.y - v.z : which == 1 ? v.z - v.x : v.x - v.y;
    int hue = d == 0 ? 0 : 512 * which + 256 * from / max(d, 1);
    hue = hue < 0 ? hue + 1536 : hue;
    vstore3((ushort3)((ushort)hue, (ushort)(255 * d / max(top, 1)), (ushort)top), i, o);
}
"""


@hl.kernel(
    problem=dict(n=4001),
    work=lambda p: hl.Work(flops=0, bytes=9 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=520)],
)
class hsv:
    def inputs(p, rng):
        c = rng.integers(0, 256, (p.n, 3), dtype="u1")
        c[rng.random(p.n) < 0.2] //= 64
        return dict(c=c, o=hl.empty((p.n, 3), "u2"), n=np.int32(p.n))

    def reference(p, c, o, n):
        r, g, b = c.astype("i8").T
        top, low = np.maximum(r, np.maximum(g, b)), np.minimum(r, np.minimum(g, b))
        d = top - low
        cut = lambda a: np.sign(a) * (np.abs(a) * 256 // np.maximum(d, 1))
        hue = np.where(top == r, cut(g - b), np.where(top == g, 512 + cut(b - r), 1024 + cut(r - g)))
        hue = np.where(d == 0, 0, np.where(hue < 0, hue + 1536, hue))
        return dict(o=np.stack([hue, 255 * d // np.maximum(top, 1), top], -1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    vector = hl.OpenCL(VECTOR, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "wrap", "negative hues stay", "        if (hue < 0) hue += 1536;\n", ""),
    ("plain", "type", "the saturation's product in eight bits", "255 * d / top", "(uchar)(255 * d) / top"),
    ("plain", "scale", "saturation of 256 steps", "255 * d / top", "256 * d / top"),
    (
        "vector",
        "rounding",
        "a shift for the quotient of negative numbers",
        "256 * from / max(d, 1)",
        "(int)floor(256.0f * from / max(d, 1))",
    ),
    ("vector", "stride", "four bytes a colour", "vload3(i, c)", "vload3(0, c + 4 * i)"),
]
