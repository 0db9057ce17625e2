"""Which names match a pattern of *, ? and letters: the last star is taken up again where what follows does not fit."""

import numpy as np

import hotloop as hl

A = """
__kernel void globmatch(__global const uchar *text, __global const int *first, __global const uchar *pattern, __global uchar *found,
                        const int names, const int length) {
    const int i = get_global_id(0);
    if (i >= names) return;
    int s = first[i], p = 0, star = -1, again = 0;
    const int end = first[i + 1];
    bool fits = true;
    while (s < end) {
        if (p < length && (pattern[p] == '?' || (pattern[p] == text[s] && pattern[p] != '*'))) {
            ++p;
            ++s;
        } else if (p < length && pattern[p] == '*') {
            star = p++;
            again = s;
        } else if (star >= 0) {
            p = star + 1;
            s = ++again;
        } else {
            fits = false;
            break;
        }
    }
    while (p < length && pattern[p] == '*') ++p;
    found[i] = fits && p == length;
}
"""


@hl.kernel(
    problem=dict(names=3000, length=6),
    work=lambda p: hl.Work(flops=0, bytes=20 * p.names),
    awkward=lambda p: [dict(names=1, length=1), dict(names=65, length=3), dict(names=257, length=9)],
    domain=dict(text="range", pattern="fixed", first="sorted", length="at most 16"),
)
class globmatch:
    def inputs(p, rng):
        sizes = rng.integers(0, 14, p.names)
        first = np.concatenate([[0], np.cumsum(sizes)]).astype("i4")
        return dict(
            text=rng.choice(np.frombuffer(b"ab", "u1"), max(int(first[-1]), 1)),
            first=first,
            pattern=rng.choice(np.frombuffer(b"ab?**", "u1"), p.length),
            found=hl.empty(p.names, "u1"),
            names=p.names,
            length=p.length,
        )

    def reference(p, text, first, pattern, found, names, length):
        import re

        shorter = re.sub(rb"[*]+", b"*", bytes(pattern))
        rule = re.compile("".join({"?": ".", "*": ".*"}.get(chr(c), re.escape(chr(c))) for c in shorter), re.DOTALL)
        raw = bytes(text).decode("latin-1")
        return dict(
            found=np.array([rule.fullmatch(raw[first[i] : first[i + 1]]) is not None for i in range(names)], "u1")
        )

    a = hl.OpenCL(A, "globmatch", global_size=lambda p, c: (p.names,))


MUTANTS = [
    ("a", "early", "a star is not taken up again", "} else if (star >= 0) {", "} else if (false) {"),
    ("a", "end", "stars at the end must match something", "    while (p < length && pattern[p] == '*') ++p;\n", ""),
    ("a", "end", "what is left of the pattern is not looked at", "fits && p == length", "fits"),
    ("a", "index", "taken up one further", "s = ++again;", "again += 2; s = again;"),
    (
        "a",
        "bounds",
        "names run into the next",
        "const int end = first[i + 1];",
        "const int end = first[i + 1] + (i < names - 1);",
    ),
    ("a", "literal", "a question mark matches nothing", "pattern[p] == '?' || ", ""),
    (
        "a",
        "bounds",
        "the pattern is read behind its end",
        "} else if (p < length && pattern[p] == '*') {",
        "} else if (pattern[p] == '*') {",
    ),
]
