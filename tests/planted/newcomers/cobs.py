"""Consistent overhead byte stuffing: no zero bytes but the ending one; packets have lengths of their own."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void cobs(__global const uchar *in, __global const int *length, __global uchar *out, __global int *used, const int n, const int m) {
    const int p = get_global_id(0);
    if (p >= n) return;
    const int room = m + m / 254 + 2;
    __global const uchar *a = in + (long)p * m;
    __global uchar *o = out + (long)p * room;
    int code_at = 0, at = 1;
    uchar code = 1;
    for (int i = 0; i < length[p]; ++i) {
        if (code == 255) {
            o[code_at] = code;
            code_at = at++;
            code = 1;
        }
        if (a[i]) {
            o[at++] = a[i];
            ++code;
        } else {
            o[code_at] = code;
            code_at = at++;
            code = 1;
        }
    }
    o[code_at] = code;
    o[at++] = 0;
    used[p] = at;
    while (at < room) o[at++] = 0;
}
"""


def encoded(data):
    out = []
    parts = data.split(b"\0")
    for k, part in enumerate(parts):
        while len(part) > 254 or (len(part) == 254 and k < len(parts) - 1):
            out += [255, *part[:254]]
            part = part[254:]
        out += [len(part) + 1, *part]
    return [*out, 0]


@hl.kernel(
    problem=dict(n=80, m=700),
    work=lambda p: hl.Work(flops=2 * p.n * p.m, bytes=2 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=3, m=254), dict(n=9, m=255), dict(n=65, m=20)],
)
class cobs:
    def inputs(p, rng):
        data = rng.integers(0, 256, (p.n, p.m), dtype="u1")
        dense = rng.random(p.n) < 0.4
        data[dense] = np.maximum(data[dense], 1)
        return dict(
            data=data,
            length=rng.integers(0, p.m + 1, p.n, dtype="i4"),
            out=hl.empty((p.n, p.m + p.m // 254 + 2), "u1"),
            used=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, data, length, out, used, n, m):
        rows = [encoded(bytes(row[:size])) for row, size in zip(data, length, strict=True)]
        room = p.m + p.m // 254 + 2
        return dict(
            out=np.array([row + [0] * (room - len(row)) for row in rows], "u1"),
            used=np.array([len(row) for row in rows], "i4"),
        )

    plain = hl.OpenCL(SOURCE, "cobs", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "limit", "blocks of 253", "code == 255", "code == 254"),
    ("plain", "limit", "full blocks wrap to zero", "if (code == 255) {", "if (code == 0) {"),
    (
        "plain",
        "uninitialised",
        "the rest of the row stays",
        "while (at < room) o[at++] = 0;",
        "for (int e = room - 1; at < e;) o[at++] = 0;",
    ),
    (
        "plain",
        "lost-tail",
        "the last code is not written",
        "    o[code_at] = code;\n    o[at++] = 0;",
        "    if (code > 1 || !length[p]) o[code_at] = code;\n    o[at++] = 0;",
    ),
    ("plain", "scalar", "all packets have the first one's length", "i < length[p]", "i < length[p & 31]"),
    ("plain", "branch", "a full block in front of a zero", "if (code == 255) {", "if (code == 255 && a[i]) {"),
]
