"""Validity of account numbers by their remainder of 97: the first four signs go to the end, letters are 10 to 35."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void iban(__global const uchar *text, __global const int *length, __global int *valid, const int n, const int width) {
    const int i = get_global_id(0);
    if (i >= n) return;
    __global const uchar *t = text + (size_t)i * width;
    const int len = length[i];
    uint r = 0;
    int ok = len >= 5;
    for (int j = 0; j < len; ++j) {
        int at = j + 4;
        if (at >= len) at -= len;
        if (len < 5) break;
        const uchar c = t[at];
        if (c >= '0' && c <= '9') r = (r * 10 + (c - '0')) % 97;
        else if (c >= 'A' && c <= 'Z') r = (r * 100 + (c - 'A' + 10)) % 97;
        else ok = 0;
    }
    valid[i] = ok && r == 1;
}
"""


def remainder(text):
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97


@hl.kernel(
    problem=dict(n=600, width=34),
    work=lambda p: hl.Work(flops=4 * p.n * p.width, bytes=p.n * p.width + 8 * p.n),
    awkward=lambda p: [dict(n=1, width=34), dict(n=65, width=34), dict(n=3, width=24)],
    domain=dict(text="fixed", width="fixed"),
)
class mod97:
    def inputs(p, rng):
        text, length = np.zeros((p.n, p.width), "u1"), np.zeros(p.n, "i4")
        signs = np.array(list("0123456789" * 3 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        for i in range(p.n):
            size = int(rng.integers(15, p.width + 1))
            line = "".join(rng.choice(signs[30:], 2)) + "00" + "".join(rng.choice(signs, size - 4))
            line = line[:2] + f"{98 - remainder(line):02d}" + line[4:]
            if rng.random() < 0.4:
                at = int(rng.integers(0, size))
                line = line[:at] + str(rng.choice(list("0123456789AZ-a"))) + line[at + 1 :]
            text[i, :size], length[i] = list(line.encode()), size
        return dict(text=text, length=length, valid=hl.empty(p.n, "i4"), n=np.int32(p.n), width=np.int32(p.width))

    def reference(p, text, length, valid, n, width):
        out = []
        for row, size in zip(text, length, strict=True):
            line = bytes(row[:size])
            good = size >= 5 and all(48 <= c <= 57 or 65 <= c <= 90 for c in line)
            out.append(good and remainder(line.decode()) == 1)
        return dict(valid=np.array(out, "i4"))

    plain = hl.OpenCL(SOURCE, "iban", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "limit", "Z is no letter", "c <= 'Z'", "c < 'Z'"),
    ("plain", "factor", "letters move by one digit", "(r * 100 + (c - 'A' + 10))", "(r * 10 + (c - 'A' + 10))"),
    ("plain", "off-by-one", "three signs go to the end", "int at = j + 4;", "int at = j + 3;"),
    ("plain", "branch", "other signs are passed over", "else ok = 0;", "else ok &= c != 'a';"),
    ("plain", "limit", "remainder zero is valid, too", "r == 1", "r <= 1"),
    ("plain", "lost-tail", "the longest numbers lose a sign", "j < len; ++j", "j < min(len, 33); ++j"),
]
