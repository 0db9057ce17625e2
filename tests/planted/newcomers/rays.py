"""Where rays hit spheres first: the distance, or minus one where none is hit; rays start anywhere, also within."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float4 *ball, __global const float4 *from, __global const float4 *way, __global float *o, const int rays, const int balls) {
    const int i = get_global_id(0);
    if (i >= rays) return;
    float best = INFINITY;
    for (int j = 0; j < balls; ++j) {
        const float3 m = from[i].xyz - ball[j].xyz;
        const float b = dot(m, way[i].xyz), c = dot(m, m) - ball[j].w * ball[j].w;
        const float disc = b * b - c;
        if (disc < 0) continue;
        const float root = sqrt(disc), near = -b - root, far = -b + root;
        const float t = near > 0 ? near : far;
        if (t > 0 && t < best) best = t;
    }
    o[i] = isinf(best) ? -1.0f : best;
}
"""


@hl.kernel(
    problem=dict(rays=2000, balls=12),
    work=lambda p: hl.Work(flops=20 * p.rays * p.balls, bytes=36 * p.rays),
    awkward=lambda p: [dict(rays=1, balls=1), dict(rays=65, balls=3), dict(rays=301, balls=20)],
    tolerance=hl.Tolerance(terms=lambda p: 32, absolute=1e-2),
    domain=dict(ball="fixed", way="fixed", **{"from": "fixed"}),
)
class rays:
    def inputs(p, rng):
        ball = np.concatenate([rng.uniform(-10, 10, (p.balls, 3)), rng.uniform(0.5, 3, (p.balls, 1))], 1)
        way = rng.standard_normal((p.rays, 4))
        way[:, 3] = 0
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        start = np.concatenate([rng.uniform(-10, 10, (p.rays, 3)), np.zeros((p.rays, 1))], 1)
        d = start[:, None, :3] - ball[None, :, :3]
        b = (d * way[:, None, :3]).sum(2)
        disc = b * b - (d * d).sum(2) + ball[:, 3] ** 2
        start[(np.abs(disc).min(1) < 0.02) | (np.abs((d * d).sum(2) - ball[:, 3] ** 2).min(1) < 0.1), :3] = 1000.0
        return {
            "ball": ball.astype("f4"), "from": start.astype("f4"), "way": way.astype("f4"), "o": hl.empty(p.rays),
            "rays": np.int32(p.rays), "balls": np.int32(p.balls),
        }  # fmt: skip

    def reference(p, ball, way, o, rays, balls, **others):
        d = others["from"].astype("f8")[:, None, :3] - ball.astype("f8")[None, :, :3]
        b = (d * way.astype("f8")[:, None, :3]).sum(2)
        disc = b * b - (d * d).sum(2) + ball[:, 3].astype("f8") ** 2
        root = np.sqrt(np.maximum(disc, 0))
        t = np.where(-b - root > 0, -b - root, -b + root)
        best = np.where((disc >= 0) & (t > 0), t, np.inf).min(1)
        return dict(o=np.where(np.isinf(best), -1.0, best))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rays,))


MUTANTS = [
    ("plain", "case", "from within nothing is hit", "near > 0 ? near : far", "near"),
    ("plain", "sign", "what lies behind is hit", "if (t > 0 && t < best)", "if (fabs(t) < best)"),
    ("plain", "lost-tail", "the last sphere", "j < balls; ++j", "j < balls - 1 || j == 0; ++j"),
    ("plain", "scalar", "radii are not squared", "ball[j].w * ball[j].w", "ball[j].w"),
]
