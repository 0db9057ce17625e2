"""Latitude, longitude and height on the ellipsoid to places in space, in double precision."""

import numpy as np

import hotloop as hl

PLAIN = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const double *g, __global double *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const double rad = 0.017453292519943295, a = 6378137.0, e2 = 0.0066943799901413165;
    const double lat = g[3 * i] * rad, lon = g[3 * i + 1] * rad, h = g[3 * i + 2];
    const double s = sin(lat), c = cos(lat), nu = a / sqrt(1.0 - e2 * s * s);
    o[3 * i] = (nu + h) * c * cos(lon);
    o[3 * i + 1] = (nu + h) * c * sin(lon);
    o[3 * i + 2] = (nu * (1.0 - e2) + h) * s;
}
"""


@hl.kernel(
    problem=dict(n=3001),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=48 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=400)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-7),
    domain=dict(g="range"),
)
class ecef:
    def inputs(p, rng):
        g = np.stack([rng.uniform(-90, 90, p.n), rng.uniform(-180, 180, p.n), rng.uniform(-100, 9000, p.n)], 1)
        return dict(g=g, o=hl.empty((p.n, 3), "f8"), n=np.int32(p.n))

    def reference(p, g, o, n):
        wide = g.astype(np.longdouble)
        rad = np.pi * np.longdouble(1) / 180
        lat, lon, h = wide[:, 0] * rad, wide[:, 1] * rad, wide[:, 2]
        a, e2 = np.longdouble(6378137.0), np.longdouble(0.0066943799901413165)
        s, c = np.sin(lat), np.cos(lat)
        nu = a / np.sqrt(1 - e2 * s * s)
        rows = [(nu + h) * c * np.cos(lon), (nu + h) * c * np.sin(lon), (nu * (1 - e2) + h) * s]
        return dict(o=np.stack(rows, 1).astype("f8"))

    def magnitude(p, g, o, n):
        return dict(o=np.full((p.n, 3), 6.4e6) + np.abs(g[:, 2:]))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "type",
        "the radius in float",
        "nu = a / sqrt(1.0 - e2 * s * s)",
        "nu = (float)(a / sqrt(1.0 - e2 * s * s))",
    ),
    ("plain", "formula", "the height is flattened, too", "(nu * (1.0 - e2) + h) * s", "(nu + h) * (1.0 - e2) * s"),
    ("plain", "precision", "pi in single precision", "rad = 0.017453292519943295", "rad = 0.0174532925f"),
    ("plain", "swap", "latitude and longitude", "(nu + h) * c * cos(lon)", "(nu + h) * cos(lon) * cos(lon)"),
]
