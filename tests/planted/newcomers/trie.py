"""Longest words of a dictionary at each place of a text, by a table of states, with what does not occur as -1."""

import numpy as np

import hotloop as hl

A = """
__kernel void longest(__global const uchar *text, __global const int *next, __global const short *word, __global int *o, const int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int state = 0, found = -1;
        for (int j = i; j < n; ++j) {
            const int c = text[j] - 97;
            if (c < 0 || c >= 4) break;
            state = next[4 * state + c];
            if (state < 0) break;
            if (word[state] >= 0) found = word[state];
        }
        o[i] = found;
    }
}
"""


@hl.kernel(
    problem=dict(n=3000, words=40),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1, words=1), dict(n=33, words=5), dict(n=200, words=300)],
    domain=dict(next="structure", word="structure", words="fixed"),
)
class trie:
    def inputs(p, rng):
        rows, word = [[-1] * 4], [-1]
        for w in range(p.words):
            state = 0
            for c in rng.integers(0, 4, rng.integers(1, 7)):
                if rows[state][c] < 0:
                    rows.append([-1] * 4)
                    word.append(-1)
                    rows[state][c] = len(rows) - 1
                state = rows[state][c]
            word[state] = w
        text = rng.integers(97, 101, p.n)
        text[rng.random(p.n) < 0.1] = rng.integers(0, 256)
        return dict(
            text=text.astype("u1"), next=np.array(rows, "i4"), word=np.array(word, "i2"), o=hl.empty(p.n, "i4"), n=p.n
        )

    def reference(p, text, next, word, o, n):  # noqa: A002
        out = np.full(p.n, -1, "i8")
        for i in range(p.n):
            state = 0
            for j in range(i, p.n):
                c = int(text[j]) - 97
                if not 0 <= c < 4:
                    break
                state = next[state, c]
                if state < 0:
                    break
                if word[state] >= 0:
                    out[i] = word[state]
        return dict(o=out)

    a = hl.OpenCL(A, "longest", global_size=lambda p, c: (256,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "bounds", "a letter above the last is taken", "c >= 4", "c > 4"),
    ("a", "bounds", "letters below are not looked at", "if (c < 0 || c >= 4) break;", "if (c >= 4) break;"),
    ("a", "start", "the word at zero is none", "word[state] >= 0) found", "word[state] > 0) found"),
    (
        "a",
        "result",
        "the first word instead of the longest",
        "if (word[state] >= 0) found = word[state];",
        "if (word[state] >= 0) { found = word[state]; break; }",
    ),
    ("a", "narrow", "words in eight bits", "int state = 0, found = -1;", "int state = 0; char found = -1;"),
    ("a", "narrow", "states in eight bits", "int state = 0, found = -1;", "int found = -1; short state = 0;"),
    ("a", "bounds", "the text goes on", "j < n; ++j", "j <= n; ++j"),
    ("a", "stride", "only the first turn", "i += get_global_size(0)", "i += n"),
]
