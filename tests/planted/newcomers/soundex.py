"""Names coded by their sound: a letter and three digits, as in the census."""

import numpy as np

import hotloop as hl

A = """
__constant char code[27] = "01230120022455012623010202";
__kernel void sx(__global const uchar *w, __global uchar *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    __global const uchar *p = w + 12 * i;
    uchar out[4] = {'0', '0', '0', '0'};
    int m = 0;
    uchar last = 0;
    for (int k = 0; k < 12 && p[k]; ++k) {
        const uchar c = p[k] | 32;
        if (c < 'a' || c > 'z') continue;
        const uchar d = code[c - 'a'];
        if (m == 0) out[m++] = c - 32;
        else if (d != '0' && d != last && m < 4) out[m++] = d;
        if (c != 'h' && c != 'w') last = d;
    }
    for (int j = 0; j < 4; ++j) o[4 * i + j] = out[j];
}
"""


@hl.kernel(
    problem=dict(n=1500),
    work=lambda p: hl.Work(flops=0, bytes=4 * 4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=13), dict(n=64)],
)
class soundex:
    def inputs(p, rng):
        letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZhwHW-'. ", "u1")
        w = rng.choice(letters, (p.n, 12))
        w[np.arange(12) >= rng.integers(0, 15, (p.n, 1))] = 0
        return dict(w=w, o=hl.empty((p.n, 4), "u1"), n=p.n)

    def reference(p, w, o, n):
        codes = b"01230120022455012623010202"
        out = np.full((p.n, 4), ord("0"), "u1")
        for i, word in enumerate(w.tolist()):
            m, last = 0, 0
            for c in word:
                if not c:
                    break
                c |= 32
                if not 97 <= c <= 122:
                    continue
                d = codes[c - 97]
                if m == 0:
                    out[i, 0], m = c - 32, 1
                elif d != 48 and d != last and m < 4:
                    out[i, m], m = d, m + 1
                if c not in b"hw":
                    last = d
        return dict(o=out)

    a = hl.OpenCL(A, "sx", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "a fifth digit is stored beside the code", " && m < 4) out", ") out"),
    ("a", "bounds", "a name of twelve letters goes on into the next", "k < 12 && p[k]", "k < 13 && p[k]"),
    ("a", "state", "h and w part equal sounds", "if (c != 'h' && c != 'w') last = d;", "last = d;"),
    ("a", "uninitialised", "the last sound is not set", "uchar last = 0;", "uchar last;"),
    (
        "a",
        "uninitialised",
        "the code is not filled with zeros",
        "uchar out[4] = {'0', '0', '0', '0'};",
        "uchar out[4];",
    ),
    ("a", "case", "capitals are no letters", "const uchar c = p[k] | 32;", "const uchar c = p[k];"),
]
