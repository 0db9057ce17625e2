"""A step of the lattice Boltzmann method (D2Q9): relaxation, then streaming on a torus."""

import numpy as np

import hotloop as hl

CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
W = (4 / 9, *(4 * (1 / 9,)), *(4 * (1 / 36,)))

A = """
__constant int CX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant float W[9] = {4.0f/9, 1.0f/9, 1.0f/9, 1.0f/9, 1.0f/9, 1.0f/36, 1.0f/36, 1.0f/36, 1.0f/36};
__kernel void step(__global const float *f, __global float *g, const int width, const int height, const float omega) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    const int n = width * height, at = y * width + x;
    float rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < 9; ++q) {
        const float v = f[q * n + at];
        rho += v; ux += CX[q] * v; uy += CY[q] * v;
    }
    ux /= rho; uy /= rho;
    const float uu = 1.5f * (ux * ux + uy * uy);
    for (int q = 0; q < 9; ++q) {
        const float cu = 3.0f * (CX[q] * ux + CY[q] * uy);
        const float e = W[q] * rho * (1.0f + cu + 0.5f * cu * cu - uu);
        const int tx = (x + CX[q] + width) % width, ty = (y + CY[q] + height) % height;
        g[q * n + ty * width + tx] = f[q * n + at] + omega * (e - f[q * n + at]);
    }
}
"""


@hl.kernel(
    problem=dict(width=96, height=80),
    work=lambda p: hl.Work(flops=150 * p.width * p.height, bytes=72 * p.width * p.height),
    awkward=lambda p: [dict(width=1, height=1), dict(width=17, height=5), dict(width=3, height=33)],
    tolerance=hl.Tolerance(terms=40),
)
class lattice:
    def inputs(p, rng):
        f = np.array(W, "f4")[:, None, None] * (1 + 0.1 * rng.random((9, p.height, p.width), "f4"))
        return dict(f=f.astype("f4"), g=hl.empty(f.shape), width=p.width, height=p.height, omega=np.float32(1.2))

    def reference(p, f, g, width, height, omega):
        f = f.astype("f8")
        cx, cy, w = np.array(CX)[:, None, None], np.array(CY)[:, None, None], np.array(W)[:, None, None]
        rho = f.sum(0)
        ux, uy = (cx * f).sum(0) / rho, (cy * f).sum(0) / rho
        cu = 3 * (cx * ux + cy * uy)
        e = w * rho * (1 + cu + cu * cu / 2 - 1.5 * (ux * ux + uy * uy))
        after = f + float(omega) * (e - f)
        return dict(g=np.stack([np.roll(after[q], (CY[q], CX[q]), (0, 1)) for q in range(9)]))

    a = hl.OpenCL(A, "step", global_size=lambda p, c: (p.width, p.height))


MUTANTS = [
    (
        "a",
        "weights",
        "a diagonal has the weight of an axis",
        "1.0f/36, 1.0f/36, 1.0f/36, 1.0f/36}",
        "1.0f/36, 1.0f/36, 1.0f/36, 1.0f/9}",
    ),
    ("a", "square", "no square of the velocity", "+ 0.5f * cu * cu - uu", "- uu"),
    ("a", "torus", "height is taken for width", "(x + CX[q] + width) % width", "(x + CX[q] + height) % height % width"),
    ("a", "constant", "omega is a constant", "+ omega * (e", "+ 1.2f * (e"),
    (
        "a",
        "race",
        "streams into the cell it reads",
        "const int tx = (x + CX[q] + width) % width",
        "const int tx = (x - CX[q] + width) % width",
    ),
]
