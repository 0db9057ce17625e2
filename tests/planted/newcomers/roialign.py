"""Regions of a map of features averaged to 4 x 4 cells, 2 x 2 samples each, between pixels (RoIAlign); samples outside count zero."""

import numpy as np

import hotloop as hl

A = """
#define C 4
__kernel void roi(__global const float *f, __global const float *box, __global float *out, const int channels, const int h, const int w,
                  const int boxes, const float scale) {
    const int cell = get_global_id(0), c = get_global_id(1), r = get_global_id(2);
    if (cell >= C * C || c >= channels || r >= boxes) return;
    const float x0 = box[4 * r] * scale - 0.5f, y0 = box[4 * r + 1] * scale - 0.5f;
    const float bw = (box[4 * r + 2] - box[4 * r]) * scale / C, bh = (box[4 * r + 3] - box[4 * r + 1]) * scale / C;
    __global const float *m = f + (size_t)c * h * w;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
        float y = y0 + (cell / C + ((k >> 1) + 0.5f) / 2) * bh, x = x0 + (cell % C + ((k & 1) + 0.5f) / 2) * bw;
        if (y < -1.0f || y > h || x < -1.0f || x > w) continue;
        y = fmax(y, 0.0f);
        x = fmax(x, 0.0f);
        int t = (int)y, l = (int)x, b = t + 1, q = l + 1;
        if (t >= h - 1) { t = b = h - 1; y = t; }
        if (l >= w - 1) { l = q = w - 1; x = l; }
        const float fy = y - t, fx = x - l;
        sum += (1 - fy) * ((1 - fx) * m[t * w + l] + fx * m[t * w + q]) + fy * ((1 - fx) * m[b * w + l] + fx * m[b * w + q]);
    }
    out[((size_t)r * channels + c) * C * C + cell] = sum / 4;
}
"""


@hl.kernel(
    problem=dict(channels=6, h=40, w=50, boxes=30),
    work=lambda p: hl.Work(flops=60 * p.boxes * p.channels * 16, bytes=4 * p.channels * p.h * p.w),
    awkward=lambda p: [
        dict(channels=1, h=1, w=1, boxes=1),
        dict(channels=3, h=7, w=5, boxes=3),
        dict(channels=2, h=33, w=3, boxes=17),
    ],
    tolerance=hl.Tolerance(terms=64, absolute=2e-4),
    domain=dict(box="fixed"),
)
class roialign:
    def inputs(p, rng):
        x, y = rng.uniform(-8, 4 * p.w, p.boxes), rng.uniform(-8, 4 * p.h, p.boxes)
        box = np.stack([x, y, x + rng.uniform(1, 3 * p.w, p.boxes), y + rng.uniform(1, 3 * p.h, p.boxes)], 1)
        return dict(
            f=rng.standard_normal((p.channels, p.h, p.w)).astype("f4"),
            box=box.astype("f4"),
            out=hl.empty((p.boxes, p.channels, 4, 4)),
            channels=p.channels,
            h=p.h,
            w=p.w,
            boxes=p.boxes,
            scale=np.float32(rng.choice([0.25, 0.125])),
        )

    def reference(p, f, box, out, channels, h, w, boxes, scale):
        wide, s = f.astype("f8"), np.float32(scale)
        x0, y0 = box[:, 0] * s - np.float32(0.5), box[:, 1] * s - np.float32(0.5)
        bw, bh = (box[:, 2] - box[:, 0]) * s / np.float32(4), (box[:, 3] - box[:, 1]) * s / np.float32(4)
        at = (np.arange(8, dtype="f4") + np.float32(0.5)) / np.float32(2)
        y = y0[:, None].astype("f8") + at * bh[:, None].astype("f8")
        x = x0[:, None].astype("f8") + at * bw[:, None].astype("f8")

        def parts(v, size):
            ok = (v >= -1) & (v <= size)
            v = np.minimum(np.maximum(v, 0), size - 1)
            low = np.floor(v).astype(int)
            high = np.minimum(low + 1, size - 1)
            return ok, low, high, v - low

        oy, t, b, fy = parts(y, h)
        ox, l, q, fx = parts(x, w)
        ok = (oy[:, :, None] & ox[:, None, :])[:, None]

        def get(a, c):
            return np.moveaxis(wide[:, a[:, :, None], c[:, None, :]], 0, 1)

        gy, gx = fy[:, None, :, None], fx[:, None, None, :]
        v = (1 - gy) * ((1 - gx) * get(t, l) + gx * get(t, q)) + gy * ((1 - gx) * get(b, l) + gx * get(b, q))
        v = np.where(ok, v, 0).reshape(p.boxes, p.channels, 4, 2, 4, 2)
        return dict(out=v.mean((3, 5)))

    a = hl.OpenCL(A, "roi", global_size=lambda p, c: (16, p.channels, p.boxes))


MUTANTS = [
    ("a", "offset", "half a pixel is not taken off", "box[4 * r] * scale - 0.5f", "box[4 * r] * scale"),
    (
        "a",
        "scalar",
        "the scale is taken as a quarter",
        "(box[4 * r + 2] - box[4 * r]) * scale",
        "(box[4 * r + 2] - box[4 * r]) * 0.25f",
    ),
    ("a", "border", "samples left of the first pixel count zero", "x < -1.0f", "x < 0.0f"),
    ("a", "border", "no lower limit for x", "        x = fmax(x, 0.0f);\n", ""),
    ("a", "stride", "channels are w squared apart", "(size_t)c * h * w", "(size_t)c * w * w"),
    (
        "a",
        "border",
        "the last column is met with the one behind it",
        "if (l >= w - 1) { l = q = w - 1; x = l; }",
        "if (l >= w) { l = q = w - 1; x = l; }",
    ),
    (
        "a",
        "lost",
        "the fourth sample is left out",
        "float sum = 0.0f;\n    for (int k = 0; k < 4; ++k) {",
        "float sum = 0.0f;\n    for (int k = 0; k < 3; ++k) {",
    ),
]
