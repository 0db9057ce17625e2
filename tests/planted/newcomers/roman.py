"""Roman numerals of 1 to 3999, padded with zero bytes."""

import numpy as np

import hotloop as hl

SOURCE = """
__constant int VALUE[13] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
__constant char SIGN[26] = {'M', 0, 'C', 'M', 'D', 0, 'C', 'D', 'C', 0, 'X', 'C', 'L', 0, 'X', 'L', 'X', 0, 'I', 'X', 'V', 0, 'I', 'V', 'I', 0};
__kernel void roman(__global const ushort *number, __global uchar *text, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int rest = number[i], at = 0;
    __global uchar *t = text + 16 * i;
    for (int k = 0; k < 13; ++k)
        while (rest >= VALUE[k]) {
            rest -= VALUE[k];
            t[at++] = SIGN[2 * k];
            if (SIGN[2 * k + 1]) t[at++] = SIGN[2 * k + 1];
        }
    while (at < 16) t[at++] = 0;
}
"""


def numeral(number):
    parts = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")]
    out = ""
    for value, sign in [*parts, (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        out, number = out + sign * (number // value), number % value
    return list(out.encode().ljust(16, b"\0"))


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=18 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77)],
    domain=dict(number="range"),
)
class roman:
    def inputs(p, rng):
        return dict(number=rng.integers(1, 4000, p.n, dtype="u2"), text=hl.empty((p.n, 16), "u1"), n=np.int32(p.n))

    def reference(p, number, text, n):
        return dict(text=np.array([numeral(int(x)) for x in number], "u1"))

    plain = hl.OpenCL(SOURCE, "roman", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "table", "ninety-nine is IC", "90, 50, 40, 10, 9", "99, 50, 40, 10, 9"),
    (
        "plain",
        "uninitialised",
        "only eight bytes behind the text are cleared",
        "while (at < 16) t[at++] = 0;",
        "for (int e = min(at + 8, 16); at < e;) t[at++] = 0;",
    ),
    (
        "plain",
        "limit",
        "the longest numeral loses its last sign",
        "t[at++] = SIGN[2 * k];",
        "if (at < 14) t[at++] = SIGN[2 * k];",
    ),
    ("plain", "branch", "nine hundred is one sign", "'M', 0, 'C', 'M', 'D'", "'M', 0, 'M', 0, 'D'"),
    (
        "plain",
        "loop",
        "at most three of a sign, thousands twice",
        "while (rest >= VALUE[k]) {",
        "for (int c = 0; c < (k ? 3 : 2) && rest >= VALUE[k]; ++c) {",
    ),
]
