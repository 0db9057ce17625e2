"""Fields of lines of text: the number of the field of each byte, commas within quotes being text; doubled quotes fall out so."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *s, __global uchar *field, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int quoted = 0, f = 0;
    for (int i = 0; i < n; ++i) {
        const uchar c = s[r * n + i];
        if (c == '"') quoted = !quoted;
        field[r * n + i] = f;
        if (c == ',' && !quoted) ++f;
    }
}
"""
MASK = """
__kernel void k(__global const uchar *s, __global uchar *field, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uint f = 0, q = 0;
    for (int t = 0; t < n; t += 32) {
        const int m = min(32, n - t);
        uint quotes = 0, commas = 0;
        for (int j = 0; j < m; ++j) {
            quotes |= (uint)(s[r * n + t + j] == '"') << j;
            commas |= (uint)(s[r * n + t + j] == ',') << j;
        }
        uint inside = quotes;
        for (int o = 1; o < 32; o <<= 1) inside ^= inside << o;
        inside ^= q;
        commas &= ~inside;
        for (int j = 0; j < m; ++j) field[r * n + t + j] = f + popcount(commas & ((1u << j) - 1));
        f += popcount(commas);
        q = (int)inside >> 31;
    }
}
"""


@hl.kernel(
    problem=dict(rows=80, n=120),
    work=lambda p: hl.Work(flops=4 * p.rows * p.n, bytes=2 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=3, n=32), dict(rows=65, n=33), dict(rows=5, n=100)],
)
class csvstate:
    def inputs(p, rng):
        s = rng.choice(np.frombuffer(b'a,b",c', "u1"), (p.rows, p.n))
        return dict(s=s, field=hl.empty((p.rows, p.n), "u1"), rows=np.int32(p.rows), n=np.int32(p.n))

    def reference(p, s, field, rows, n):
        quoted = (s == ord('"')).cumsum(1) % 2
        commas = (s == ord(",")) & (quoted == 0)
        return dict(field=(commas.cumsum(1) - commas) % 256)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    mask = hl.OpenCL(MASK, "k", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("plain", "case", "commas in quotes count", "c == ',' && !quoted", "c == ','"),
    (
        "plain",
        "order",
        "a comma lies in the next field",
        "        field[r * n + i] = f;\n        if (c == ',' && !quoted) ++f;",
        "        if (c == ',' && !quoted) ++f;\n        field[r * n + i] = f;",
    ),
    ("mask", "lost-tail", "quotes end with their word", "q = (int)inside >> 31;", "q = 0;"),
    ("mask", "type", "the carry is one bit", "q = (int)inside >> 31;", "q = inside >> 31;"),
    ("mask", "reduction", "the last step of the prefix is missing", "o < 32; o <<= 1", "o < 16; o <<= 1"),
    ("mask", "over", "the last word is always whole", "const int m = min(32, n - t);", "const int m = 32;"),
]
