"""Runs expanded: values by their lengths, from the offsets where they begin."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const int *v, __global const int *at, __global int *o, const int runs) {
    int r = get_global_id(0);
    if (r >= runs) return;
    for (int j = at[r]; j < at[r + 1]; ++j) o[j] = v[r];
}
"""
B = """
__kernel void k(__global const int *v, __global const int *at, __global int *o, const int runs) {
    int j = get_global_id(0), lo = 0, hi = runs;
    if (j >= at[runs]) return;
    while (hi - lo > 1) { int m = (lo + hi) / 2; if (at[m] <= j) lo = m; else hi = m; }
    o[j] = v[lo];
}
"""


@hl.kernel(
    problem=dict(runs=300),
    work=lambda p: hl.Work(flops=20 * p.runs, bytes=60 * p.runs),
    awkward=lambda p: [dict(runs=1), dict(runs=37)],
    domain=dict(at="fixed"),
)
class rleexpand:
    def inputs(p, rng):
        lengths = np.random.default_rng(p.runs).integers(0, 25, p.runs)
        lengths[0] += 1
        at = np.concatenate([[0], np.cumsum(lengths)]).astype("i4")
        return dict(
            v=rng.integers(-(2**31), 2**31, p.runs, dtype="i4"), at=at, o=hl.empty(int(at[-1]), "int32"), runs=p.runs
        )

    def reference(p, v, at, o, runs):
        return dict(o=np.repeat(v, np.diff(at)))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.runs,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (25 * p.runs,))


MUTANTS = [
    ("a", "limit", "one too far", "j < at[r + 1]", "j <= at[r + 1]"),
    ("a", "limit", "the last of a run is left", "j < at[r + 1]", "j < at[r + 1] - 1"),
    (
        "a",
        "loop",
        "at least one of each run",
        "for (int j = at[r]; j < at[r + 1]; ++j) o[j] = v[r];",
        "int j = at[r]; do o[j] = v[r]; while (++j < at[r + 1]);",
    ),
    ("b", "limit", "a begin belongs to the run before", "at[m] <= j", "at[m] < j"),
    ("b", "limit", "the last run is left", "hi = runs;\n", "hi = runs - 1;\n"),
    ("b", "index", "the run behind", "v[lo]", "v[hi < runs ? hi : lo]"),
]
