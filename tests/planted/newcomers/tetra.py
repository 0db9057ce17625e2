"""Colours by a table of 3D nodes, interpolated within one of six tetrahedra of a cell."""

import numpy as np

import hotloop as hl

A = """
__kernel void tetra(__global const float *rgb, __global const float *table, __global float *out, const int n, const int g) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float top = (float)(g - 1);
    const float r = clamp(rgb[3 * i], 0.0f, 1.0f) * top, s = clamp(rgb[3 * i + 1], 0.0f, 1.0f) * top, b = clamp(rgb[3 * i + 2], 0.0f, 1.0f) * top;
    const int ri = min((int)r, g - 2), si = min((int)s, g - 2), bi = min((int)b, g - 2);
    const float x = r - ri, y = s - si, z = b - bi;
    const int o = (ri * g + si) * g + bi, dx = g * g, dy = g, dz = 1;
    int p, q;
    float f0, f1, f2;
    if (x >= y) {
        if (y >= z) { p = dx; q = dx + dy; f0 = x; f1 = y; f2 = z; }
        else if (x >= z) { p = dx; q = dx + dz; f0 = x; f1 = z; f2 = y; }
        else { p = dz; q = dz + dx; f0 = z; f1 = x; f2 = y; }
    } else {
        if (x >= z) { p = dy; q = dy + dx; f0 = y; f1 = x; f2 = z; }
        else if (y >= z) { p = dy; q = dy + dz; f0 = y; f1 = z; f2 = x; }
        else { p = dz; q = dz + dy; f0 = z; f1 = y; f2 = x; }
    }
    const float a = table[o], c = table[o + p], d = table[o + q], e = table[o + dx + dy + dz];
    out[i] = (1.0f - f0) * a + (f0 - f1) * c + (f1 - f2) * d + f2 * e;
}
"""


@hl.kernel(
    problem=dict(n=4000, g=9),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1, g=2), dict(n=65, g=3), dict(n=100, g=17)],
    tolerance=hl.Tolerance(terms=24, absolute=2e-5),
    domain=dict(g="fixed"),
)
class tetra:
    def inputs(p, rng):
        rgb = rng.uniform(-0.1, 1.1, (p.n, 3)).astype("f4")
        return dict(rgb=rgb, table=rng.standard_normal((p.g, p.g, p.g), "f4"), out=hl.empty(p.n), n=p.n, g=p.g)

    def reference(p, rgb, table, out, n, g):
        c = np.clip(rgb, np.float32(0), np.float32(1)).astype("f8") * (p.g - 1)
        base = np.minimum(c.astype("i8"), p.g - 2)
        f = c - base
        order = np.argsort(-f, axis=1, kind="stable")
        s = np.take_along_axis(f, order, 1)
        t = table.astype("f8")
        at = [base]
        for k in range(3):
            step = np.zeros_like(base)
            step[np.arange(p.n), order[:, k]] = 1
            at.append(at[-1] + step)
        v = [t[tuple(a.T)] for a in at]
        return dict(out=(1 - s[:, 0]) * v[0] + (s[:, 0] - s[:, 1]) * v[1] + (s[:, 1] - s[:, 2]) * v[2] + s[:, 2] * v[3])

    a = hl.OpenCL(A, "tetra", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "the last cell is not the last but one", "ri = min((int)r, g - 2)", "ri = min((int)r, g - 1)"),
    ("a", "bounds", "the last cell of blue is not the last but one", "bi = min((int)b, g - 2)", "bi = (int)b"),
    ("a", "clamp", "nothing is clamped above", "clamp(rgb[3 * i + 1], 0.0f, 1.0f)", "max(rgb[3 * i + 1], 0.0f)"),
    ("a", "clamp", "nothing is clamped below", "clamp(rgb[3 * i + 2], 0.0f, 1.0f)", "min(rgb[3 * i + 2], 1.0f)"),
    (
        "a",
        "symmetry",
        "green and blue change places in one of six",
        "{ p = dy; q = dy + dz; f0 = y; f1 = z; f2 = x; }",
        "{ p = dz; q = dy + dz; f0 = y; f1 = z; f2 = x; }",
    ),
    (
        "a",
        "order",
        "two weights change places in one of six",
        "{ p = dz; q = dz + dx; f0 = z; f1 = x; f2 = y; }",
        "{ p = dz; q = dz + dx; f0 = z; f1 = y; f2 = x; }",
    ),
    ("a", "stride", "rows of the table change places with planes", "(ri * g + si) * g + bi", "(si * g + ri) * g + bi"),
    ("a", "rounding", "cells are the nearest ones", "(int)s, g - 2)", "(int)(s + 0.5f), g - 2)"),
    (
        "a",
        "precision",
        "places in eighths of a half's bits",
        "x = r - ri,",
        "x = convert_float(convert_int(( r - ri) * 1024.0f)) / 1024.0f,",
    ),
]
