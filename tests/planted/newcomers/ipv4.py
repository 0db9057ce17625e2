"""Dotted addresses of the Internet, a line of sixteen bytes each, filled with blanks, to numbers of 32 bits; whether they are sound."""

import numpy as np

import hotloop as hl

A = """
__kernel void ipv4(__global const uchar *text, __global uint *number, __global uchar *sound, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint value = 0, part = 0;
    int digits = 0, parts = 0;
    bool good = true;
    for (int k = 0; k < 16; ++k) {
        const uchar c = text[16 * i + k];
        if (c >= '0' && c <= '9') {
            part = part * 10 + (c - '0');
            ++digits;
            if (digits > 3 || part > 255 || (digits > 1 && part < 10)) good = false;
        } else if (c == '.') {
            if (digits == 0 || parts == 3) good = false;
            value = value << 8 | (part & 255);
            part = 0;
            digits = 0;
            ++parts;
        } else {
            if (c != ' ') good = false;
            for (int r = k + 1; r < 16; ++r)
                if (text[16 * i + r] != ' ') good = false;
            break;
        }
    }
    if (digits == 0 || parts != 3) good = false;
    number[i] = good ? value << 8 | part : 0;
    sound[i] = good;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=21 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    domain=dict(text="fixed"),
)
class ipv4:
    def inputs(p, rng):
        lines = []
        for _ in range(p.n):
            parts = [str(v) for v in rng.choice([0, 1, 9, 10, 25, 99, 100, 199, 255, int(rng.integers(0, 256))], 4)]
            kind = rng.integers(0, 12)
            if kind == 0:
                parts[rng.integers(4)] = str(rng.choice([256, 260, 300, 999]))
            if kind == 1:
                parts[rng.integers(4)] = "0" + parts[0][:2]
            if kind == 2:
                parts = parts[:3]
            if kind == 3:
                parts[rng.integers(4)] = ""
            if kind == 4:
                parts.append("1")
            line = ".".join(parts)
            if kind == 5:
                line = line.replace("1", "x")
            if kind == 6:
                line = line[:4] + " " + line[5:]
            lines.append(line[:16].ljust(16))
        return dict(
            text=np.frombuffer("".join(lines).encode(), "u1").reshape(p.n, 16).copy(),
            number=hl.empty(p.n, "u4"),
            sound=hl.empty(p.n, "u1"),
            n=p.n,
        )

    def reference(p, text, number, sound, n):
        import re

        rule = re.compile(r"(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2}) *")
        value, good = np.zeros(n, "u4"), np.zeros(n, "u1")
        for i in range(n):
            m = rule.fullmatch(bytes(text[i]).decode("latin-1"))
            if m and all(int(g) <= 255 for g in m.groups()):
                a, b, c, d = map(int, m.groups())
                value[i], good[i] = a << 24 | b << 16 | c << 8 | d, 1
        return dict(number=value, sound=good)

    a = hl.OpenCL(A, "ipv4", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "parts up to 256", "part > 255", "part > 256"),
    ("a", "zero", "zeros in front are let pass", " || (digits > 1 && part < 10)", ""),
    (
        "a",
        "end",
        "a point at the end",
        "if (digits == 0 || parts != 3) good = false;\n    number",
        "if (parts != 3) good = false;\n    number",
    ),
    (
        "a",
        "order",
        "the lowest byte first",
        "value = value << 8 | (part & 255);",
        "value = value | (part & 255) << (8 * parts);",
    ),
    (
        "a",
        "end",
        "what follows a blank is not looked at",
        "            for (int r = k + 1; r < 16; ++r)\n                if (text[16 * i + r] != ' ') good = false;\n",
        "",
    ),
    (
        "a",
        "empty",
        "empty parts are let pass",
        "if (digits == 0 || parts == 3) good = false;",
        "if (parts == 3) good = false;",
    ),
    ("a", "lost", "lines of fifteen bytes", "for (int k = 0; k < 16; ++k)", "for (int k = 0; k < 15; ++k)"),
    (
        "a",
        "limit",
        "numbers of unsound lines",
        "number[i] = good ? value << 8 | part : 0;",
        "number[i] = value << 8 | part;",
    ),
]
