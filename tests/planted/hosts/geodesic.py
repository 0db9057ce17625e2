import numpy as np

import hotloop as hl

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const float *a, __global const float *b, __global const float *d, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    const double f = 1 / 298.257223563, u = atan((1 - f) * tan((double)a[i])), w = atan((1 - f) * tan((double)b[i])), l = d[i];
    const double su = sin(u), cu = cos(u), sw = sin(w), cw = cos(w); double g = l, s = 0, ss = 0, cs = 1, ca = 0, cm = 0;
    for (int t = 0; t < 12; ++t) {
        const double sg = sin(g), cg = cos(g); ss = sqrt((cw * sg) * (cw * sg) + (cu * sw - su * cw * cg) * (cu * sw - su * cw * cg));
        cs = su * sw + cu * cw * cg; s = atan2(ss, cs); const double sa = ss > 0 ? cu * cw * sg / ss : 0; ca = 1 - sa * sa; cm = ca > 1e-12 ? cs - 2 * su * sw / ca : 0;
        const double c = f / 16 * ca * (4 + f * (4 - 3 * ca)); g = l + (1 - c) * f * sa * (s + c * ss * (cm + c * cs * (2 * cm * cm - 1))); }
    const double z = ca * 0.00673949674228, A = 1 + z / 16384 * (4096 + z * (-768 + z * (320 - 175 * z))), B = z / 1024 * (256 + z * (-128 + z * (74 - 47 * z)));
    y[i] = (float)(6356752.314245 * A * (s - B * ss * (cm + B / 4 * (cs * (2 * cm * cm - 1)))));
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1.0),
)
class geodesic:
    """Distances on an ellipsoid by two latitudes and a difference of longitudes, twelve steps."""

    def inputs(p, rng):
        return dict(
            a=rng.uniform(-1.5, 1.5, p.n).astype("f4"),
            b=rng.uniform(-1.5, 1.5, p.n).astype("f4"),
            d=rng.uniform(-2.8, 2.8, p.n).astype("f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
        )

    def reference(p, a, b, d, y, n):
        f = 1 / 298.257223563
        u, w, g = (
            np.arctan((1 - f) * np.tan(a.astype("f8"))),
            np.arctan((1 - f) * np.tan(b.astype("f8"))),
            d.astype("f8"),
        )
        su, cu, sw, cw = np.sin(u), np.cos(u), np.sin(w), np.cos(w)
        for _ in range(12):
            sg, cg = np.sin(g), np.cos(g)
            ss = np.sqrt((cw * sg) ** 2 + (cu * sw - su * cw * cg) ** 2)
            cs = su * sw + cu * cw * cg
            s = np.arctan2(ss, cs)
            sa = np.where(ss > 0, cu * cw * sg / np.where(ss > 0, ss, 1), 0)
            ca = 1 - sa**2
            cm = np.where(ca > 1e-12, cs - 2 * su * sw / np.where(ca > 1e-12, ca, 1), 0)
            c = f / 16 * ca * (4 + f * (4 - 3 * ca))
            g = d + (1 - c) * f * sa * (s + c * ss * (cm + c * cs * (2 * cm**2 - 1)))
        z = ca * 0.00673949674228
        big = 1 + z / 16384 * (4096 + z * (-768 + z * (320 - 175 * z)))
        small = z / 1024 * (256 + z * (-128 + z * (74 - 47 * z)))
        return dict(y=6356752.314245 * big * (s - small * ss * (cm + small / 4 * (cs * (2 * cm**2 - 1)))))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
