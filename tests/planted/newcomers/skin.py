"""Vertices moved by up to four bones each: the mean of 3 x 4 matrices by weights in bytes, of 255."""

import numpy as np

import hotloop as hl

A = """
__kernel void skin(__global const float *bones, __global const float *v, __global const uchar *weight, __global const ushort *bone,
                   __global float *out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float3 at = vload3(i, v);
    float3 sum = (float3)(0.0f);
    for (int k = 0; k < 4; ++k) {
        const float w = weight[4 * i + k] / 255.0f;
        if (w == 0.0f) continue;
        __global const float *m = bones + 12 * bone[4 * i + k];
        sum.x += w * (m[0] * at.x + m[1] * at.y + m[2] * at.z + m[3]);
        sum.y += w * (m[4] * at.x + m[5] * at.y + m[6] * at.z + m[7]);
        sum.z += w * (m[8] * at.x + m[9] * at.y + m[10] * at.z + m[11]);
    }
    vstore3(sum, i, out);
}
"""


@hl.kernel(
    problem=dict(n=4000, bones=300),
    work=lambda p: hl.Work(flops=100 * p.n, bytes=36 * p.n),
    awkward=lambda p: [dict(n=1, bones=1), dict(n=63, bones=257), dict(n=257, bones=2)],
    tolerance=hl.Tolerance(terms=24),
    domain=dict(bone="indices"),
)
class skin:
    def inputs(p, rng):
        cut = np.sort(rng.integers(0, 256, (p.n, 3)), 1)
        weight = np.diff(np.concatenate([np.zeros((p.n, 1), int), cut, np.full((p.n, 1), 255)], 1), axis=1)
        weight[rng.random(p.n) < 0.3] = [255, 0, 0, 0]
        return dict(
            bones=rng.standard_normal((p.bones, 12)).astype("f4"),
            v=rng.standard_normal((p.n, 3)).astype("f4"),
            weight=weight.astype("u1"),
            bone=rng.integers(0, p.bones, (p.n, 4)).astype("u2"),
            out=hl.empty((p.n, 3)),
            n=p.n,
        )

    def reference(p, bones, v, weight, bone, out, n):
        m = bones.astype("f8").reshape(-1, 3, 4)[bone]
        moved = np.einsum("nkij,nj->nki", m[..., :3], v.astype("f8")) + m[..., 3]
        return dict(out=((weight / 255.0)[..., None] * moved).sum(1))

    def magnitude(p, bones, v, weight, bone, out, n):
        m = np.abs(bones.astype("f8")).reshape(-1, 3, 4)[bone]
        moved = np.einsum("nkij,nj->nki", m[..., :3], np.abs(v.astype("f8"))) + m[..., 3]
        return dict(out=((weight / 255.0)[..., None] * moved).sum(1))

    a = hl.OpenCL(A, "skin", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "narrow", "numbers of bones in a byte", "12 * bone[4 * i + k]", "12 * (uchar)bone[4 * i + k]"),
    ("a", "constant", "weights of 256", "/ 255.0f", "/ 256.0f"),
    ("a", "lost", "the fourth bone is left out", "k < 4", "k < 3"),
    ("a", "swap", "the second row's offset of the third", "+ m[7])", "+ m[11])"),
    ("a", "early", "an empty weight ends the list", "if (w == 0.0f) continue;", "if (w == 0.0f) break;"),
    ("a", "swap", "y for z in the first row", "m[2] * at.z", "m[2] * at.y"),
]
