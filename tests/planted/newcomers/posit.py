"""Posits of 16 bits with one exponent bit to float32; the single exception is NaN."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void decode(__global const ushort *p, __global float *out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = p[i];
    float r;
    if (v == 0) r = 0.0f;
    else if (v == 0x8000) r = NAN;
    else {
        const int negative = v >> 15;
        if (negative) v = (0x10000 - v) & 0xFFFF;
        const uint body = v << 17;
        const int ones = body >> 31;
        const int run = ones ? clz(~body) : clz(body);
        const int k = ones ? run - 1 : -run;
        const uint rest = run + 1 < 32 ? body << (run + 1) : 0;
        const int e = rest >> 31;
        const uint fraction = rest << 1;
        r = ldexp(1.0f + fraction * 0x1p-32f, 2 * k + e);
        if (negative) r = -r;
    }
    out[i] = r;
}
"""


def value(bits):
    if bits in (0, 0x8000):
        return 0.0 if bits == 0 else np.nan
    sign = -1 if bits >> 15 else 1
    text = f"{(0x10000 - bits if sign < 0 else bits) & 0x7FFF:015b}"
    run = len(text) - len(text.lstrip(text[0]))
    k = run - 1 if text[0] == "1" else -run
    rest = text[run + 1 :]
    e = int(rest[:1] or "0")
    fraction = int(rest[1:] or "0", 2) / 2 ** len(rest[1:])
    return sign * 2.0 ** (2 * k + e) * (1 + fraction)


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=15 * p.n, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=333)],
    domain=dict(p_="nan"),
)
class posit:
    def inputs(p, rng):
        return dict(p_=rng.integers(0, 1 << 16, p.n, dtype="u2"), out=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, p_, out, n):
        every = np.array([value(b) for b in range(1 << 16)])
        return dict(out=every[p_])

    plain = hl.OpenCL(SOURCE, "decode", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "sign",
        "negative ones are read as they are",
        "if (negative) v = (0x10000 - v) & 0xFFFF;",
        "if (negative) v &= 0x7FFF;",
    ),
    (
        "plain",
        "limit",
        "the exception is the lowest number",
        "else if (v == 0x8000) r = NAN;",
        "else if (v == 0x8000) r = -0x1p28f;",
    ),
    (
        "plain",
        "off-by-one",
        "long runs of ones are one short",
        "ones ? run - 1 : -run",
        "ones ? run - 1 - (run > 14) : -run",
    ),
    ("plain", "branch", "zero", "if (v == 0) r = 0.0f;", "if (v == 0) r = 0x1p-28f;"),
    (
        "plain",
        "off-by-one",
        "one exponent bit too few",
        "const int e = rest >> 31;\n        const uint fraction = rest << 1;",
        "const int e = 0;\n        const uint fraction = rest;",
    ),
    (
        "plain",
        "type",
        "the last bit of fractions is lost",
        "const uint fraction = rest << 1;",
        "const uint fraction = (rest << 1) & 0xFFE00000u;",
    ),
]
