"""A 5×5 convolution of an image: each output reads 25 neighbours, so reuse and vectors decide.

Starts as it would be written for a GPU, one work-item per pixel; ends with vectors and several rows per work-item.

    hotloop optimize examples/blur.py
"""

import numpy as np

import hotloop as hl

RADIUS = 2


def weights():
    one = np.array([1, 4, 6, 4, 1], "f8") / 16
    return np.outer(one, one).astype("f4")


@hl.kernel(
    problem=dict(width=2048, height=1024),
    work=lambda p: hl.Work(flops=50 * p.width * p.height, bytes=8 * p.width * p.height, convention="25 fma per pixel"),
    tolerance=hl.Tolerance(terms=lambda p: 25),
    linear=("image", "taps"),
    awkward=lambda p: [dict(width=64, height=1), dict(width=64, height=37), dict(width=256, height=8)],
)
class blur:
    def inputs(p, rng):
        padded = rng.standard_normal((p.height + 2 * RADIUS, p.width + 2 * RADIUS), "f4")
        return dict(
            image=padded,
            taps=weights(),
            out=hl.empty((p.height, p.width)),
            width=np.int32(p.width),
            height=np.int32(p.height),
        )

    def reference(p, image, taps, out, width, height):
        total = np.zeros((p.height, p.width))
        for dy in range(5):
            for dx in range(5):
                total += taps[dy, dx].astype("f8") * image[dy : dy + p.height, dx : dx + p.width]
        return dict(out=total)

    opencl = hl.OpenCL(
        "blur.cl",
        entry="blur",
        params=dict(VW=[1, 2, 4, 8, 16], ROWS=[1, 2, 4, 8, 16], WG=[64, 16, 4, 1]),
        techniques=dict(VW="vectorize", ROWS="work-per-item", WG="workgroup-size"),
        constraints=[lambda c: c.VW * c.WG <= 64],
        global_size=lambda p, c: (p.width // c.VW, -(-p.height // c.ROWS)),
        local_size=lambda p, c: (c.WG, 1),
        traits=lambda p, c, d: {"config.vector_elements": c.VW, "config.contiguous_bytes": 4 * c.VW},
    )
