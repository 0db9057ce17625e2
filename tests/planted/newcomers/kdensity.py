"""Densities by Epanechnikov's kernel: at each place of a grid the sum over all values that are near, in tiles of local memory."""

import numpy as np

import hotloop as hl

A = """
#define WG 64
__kernel void density(__global const float *v, __global float *o, const float from, const float step, const float width, const int n, const int m) {
    __local float tile[WG];
    const int g = get_global_id(0), t = get_local_id(0);
    const float x = from + step * g;
    float sum = 0.0f;
    for (int first = 0; first < n; first += WG) {
        if (first + t < n) tile[t] = v[first + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int count = min(WG, n - first);
        for (int i = 0; i < count; ++i) {
            const float u = (x - tile[i]) / width;
            if (u * u < 1.0f) sum += 0.75f * (1.0f - u * u);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (g < m) o[g] = sum / (n * width);
}
"""


@hl.kernel(
    problem=dict(n=1500, m=200),
    work=lambda p: hl.Work(flops=5 * p.n * p.m, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=63, m=65), dict(n=129, m=300)],
    tolerance=hl.Tolerance(terms=lambda p: 16 + p.n / 8, absolute=1e-5),
    domain={"from": "range", "step": "range", "width": "range"},
)
class kdensity:
    def inputs(p, rng):
        return {
            "v": rng.standard_normal(p.n, "f4"), "o": hl.empty(p.m), "from": np.float32(-3.0), "step": np.float32(6.0 / max(1, p.m - 1)),
            "width": np.float32(0.4), "n": p.n, "m": p.m,
        }  # fmt: skip

    def reference(p, **a):
        x = float(a["from"]) + float(a["step"]) * np.arange(p.m)
        out = np.zeros(p.m)
        for value in a["v"].astype("f8"):
            u = (x - value) / float(a["width"])
            out += np.where(u * u < 1, 0.75 * (1 - u * u), 0)
        return dict(o=out / (p.n * float(a["width"])))

    a = hl.OpenCL(A, "density", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "tail", "the last tile counts as whole", "const int count = min(WG, n - first);", "const int count = WG;"),
    (
        "a",
        "barrier",
        "no barrier before the next tile",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n",
        "        }\n    }\n",
    ),
    ("a", "branch", "distant values take away", "if (u * u < 1.0f) sum +=", "sum +="),
    ("a", "scalar", "the width is not divided by", "sum / (n * width)", "sum / n"),
    (
        "a",
        "early",
        "items without a place leave",
        "    float sum = 0.0f;\n",
        "    float sum = 0.0f;\n    if (g >= m) return;\n",
    ),
    ("a", "guard", "the guard lets one more through", "if (g < m) o[g]", "if (g <= m) o[g]"),
]
