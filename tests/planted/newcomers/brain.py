"""Brian's brain on a torus: ready cells with two firing neighbours fire, firing ones rest, resting ones are ready; in tiles."""

import numpy as np

import hotloop as hl

SOURCE = """
#define T 16
__kernel void brain(__global const uchar *a, __global uchar *o, const int h, const int w) {
    __local uchar t[T + 2][T + 2];
    const int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * T - 1, y0 = get_group_id(1) * T - 1;
    for (int i = ly * T + lx; i < (T + 2) * (T + 2); i += T * T) {
        const int y = y0 + i / (T + 2), x = x0 + i % (T + 2);
        t[i / (T + 2)][i % (T + 2)] = a[(y + h) % h * w + (x + w) % w];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = x0 + 1 + lx, y = y0 + 1 + ly;
    if (x >= w || y >= h) return;
    const uchar s = t[ly + 1][lx + 1];
    int firing = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) firing += (dy != 1 || dx != 1) && t[ly + dy][lx + dx] == 1;
    o[y * w + x] = s == 1 ? 2 : s == 2 ? 0 : firing == 2;
}
"""


@hl.kernel(
    problem=dict(h=90, w=110),
    work=lambda p: hl.Work(flops=12 * p.h * p.w, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=17), dict(h=33, w=3)],
    domain=dict(a="range"),
)
class brain:
    def inputs(p, rng):
        return dict(
            a=rng.choice(3, (p.h, p.w), p=[0.6, 0.2, 0.2]).astype("u1"),
            o=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
        )

    def reference(p, a, o, h, w):
        f = (a == 1).astype(int)
        near = sum(np.roll(f, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx)
        return dict(o=np.where(a == 1, 2, np.where(a == 2, 0, near == 2)).astype("u1"))

    tiled = hl.OpenCL(
        SOURCE,
        "brain",
        global_size=lambda p, c: (-(-p.w // 16) * 16, -(-p.h // 16) * 16),
        local_size=lambda p, c: (16, 16),
    )


MUTANTS = [
    ("tiled", "barrier", "no barrier after loading", "    barrier(CLK_LOCAL_MEM_FENCE);\n", "\n"),
    ("tiled", "boundary", "the torus is open above", "(y + h) % h", "clamp(y, 0, h - 1)"),
    (
        "tiled",
        "lost-tail",
        "the halo's last cells are not loaded",
        "i < (T + 2) * (T + 2);",
        "i < (T + 2) * (T + 2) - 1;",
    ),
    ("tiled", "limit", "two or three firing", "firing == 2;", "firing == 2 || firing == 8;"),
    (
        "tiled",
        "branch",
        "resting neighbours count",
        "t[ly + dy][lx + dx] == 1",
        "(t[ly + dy][lx + dx] & (dy + dx > 3 ? 3 : 1)) != 0",
    ),
]
