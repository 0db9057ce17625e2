"""Whole numbers from fixed fields of text: blanks, a sign, digits up to the first other byte, clamped to 32 bits."""

import numpy as np

import hotloop as hl

PLAIN = """
#define WIDTH 14
__kernel void k(__global const uchar *text, __global int *value, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    __global const uchar *t = text + i * WIDTH;
    int at = 0;
    while (at < WIDTH && t[at] == ' ') ++at;
    int negative = 0;
    if (at < WIDTH && (t[at] == '-' || t[at] == '+')) negative = t[at++] == '-';
    long v = 0;
    while (at < WIDTH && t[at] >= '0' && t[at] <= '9') v = 10 * v + (t[at++] - '0');
    v = negative ? -v : v;
    value[i] = (int)clamp(v, (long)INT_MIN, (long)INT_MAX);
}
"""
STATES = """
#define WIDTH 14
__kernel void k(__global const uchar *text, __global int *value, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long v = 0;
    int state = 0, sign = 1;
    for (int at = 0; at < WIDTH; ++at) {
        const uchar c = text[i * WIDTH + at];
        const int digit = c >= '0' && c <= '9';
        if (state == 0 && c == ' ') continue;
        if (state == 0 && (c == '-' || c == '+')) { sign = c == '-' ? -1 : 1; state = 1; continue; }
        if (!digit) break;
        state = 1;
        v = min(10 * v + (c - '0'), 1l << 32);
    }
    v *= sign;
    value[i] = v > INT_MAX ? INT_MAX : v < INT_MIN ? INT_MIN : (int)v;
}
"""


@hl.kernel(
    problem=dict(n=3001),
    work=lambda p: hl.Work(flops=0, bytes=18 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=64), dict(n=257)],
    domain=dict(text="range"),
)
class atoi:
    def inputs(p, rng):
        signs, rows = ["", "-", "+"], []
        for _ in range(p.n):
            number = int(rng.integers(0, 10 ** int(rng.integers(1, 12))))
            body = " " * int(rng.integers(0, 3)) + signs[int(rng.integers(0, 3))] + str(number)
            body = (
                ["", "-", "+", " ", "2147483647", "-2147483648", "2147483648", "-2147483649"][int(rng.integers(0, 8))]
                if rng.random() < 0.1
                else body
            )
            rows.append((body + ("x9" if rng.random() < 0.3 else ""))[:14].ljust(14, "\0"))
        return dict(text=np.frombuffer("".join(rows).encode(), "u1").copy(), value=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, text, value, n):
        import re

        out = []
        for row in text.reshape(-1, 14):
            found = re.match(rb" *([-+]?)([0-9]*)", row.tobytes())
            number = int(found.group(2) or b"0") * (-1 if found.group(1) == b"-" else 1)
            out.append(min(max(number, -(2**31)), 2**31 - 1))
        return dict(value=np.array(out, "i8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    states = hl.OpenCL(STATES, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "type", "the value in 32 bits", "long v = 0;", "int v = 0;"),
    ("plain", "sign", "a plus is a minus", "negative = t[at++] == '-'", "negative = (t[at++], 1)"),
    ("plain", "limit", "nine is no digit", "t[at] <= '9'", "t[at] < '9'"),
    ("states", "clamp", "the lowest number is one higher", "v < INT_MIN ? INT_MIN", "v <= INT_MIN ? INT_MIN + 1"),
    ("states", "state", "a sign among digits is taken", "state == 0 && (c == '-'", "(c == '-'"),
    ("states", "lost-tail", "the last byte of a field is not read", "at < WIDTH; ++at", "at < WIDTH - 1; ++at"),
]
