"""Repetition penalty and temperature of logits: each token of the history counts once, positive logits are divided, others multiplied."""

import numpy as np

import hotloop as hl

SOURCE = """
#define G 64
__kernel void penalise(__global float *logits, __global const int *history, __global const int *length, const int vocabulary, const int longest,
                       const float penalty, const float temperature) {
    __local uint seen[128];
    const int b = get_group_id(0), l = get_local_id(0);
    for (int w = l; w < (vocabulary + 31) / 32; w += G) seen[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = l; t < length[b]; t += G) {
        const int token = history[b * longest + t];
        atomic_or(&seen[token >> 5], 1u << (token & 31));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int v = l; v < vocabulary; v += G) {
        float x = logits[b * vocabulary + v];
        if (seen[v >> 5] >> (v & 31) & 1) x = x > 0.0f ? x / penalty : x * penalty;
        logits[b * vocabulary + v] = x / temperature;
    }
}
"""


@hl.kernel(
    problem=dict(batch=24, vocabulary=2000, longest=120),
    work=lambda p: hl.Work(flops=2 * p.batch * p.vocabulary, bytes=8 * p.batch * p.vocabulary),
    awkward=lambda p: [
        dict(batch=1, vocabulary=1, longest=1),
        dict(batch=3, vocabulary=33, longest=70),
        dict(batch=2, vocabulary=1023, longest=5),
    ],
    tolerance=hl.Tolerance(terms=4),
    domain=dict(history="indices", vocabulary="at most 4096"),
)
class repenalty:
    def inputs(p, rng):
        return dict(
            logits=rng.standard_normal((p.batch, p.vocabulary), "f4") * 4,
            history=rng.integers(0, p.vocabulary, (p.batch, p.longest), dtype="i4"),
            length=rng.integers(0, p.longest + 1, p.batch, dtype="i4"),
            vocabulary=np.int32(p.vocabulary),
            longest=np.int32(p.longest),
            penalty=np.float32(1.2),
            temperature=np.float32(0.8),
        )

    def reference(p, logits, history, length, vocabulary, longest, penalty, temperature):
        x = logits.astype("f8")
        for b in range(p.batch):
            tokens = np.unique(history[b, : length[b]])
            own = x[b, tokens]
            x[b, tokens] = np.where(own > 0, own / float(penalty), own * float(penalty))
        return dict(logits=x / float(temperature))

    grouped = hl.OpenCL(SOURCE, "penalise", global_size=lambda p, c: (p.batch * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "grouped",
        "atomic",
        "bits are set without an atomic",
        "atomic_or(&seen[token >> 5], 1u << (token & 31));",
        "seen[token >> 5] |= 1u << (token & 31);",
    ),
    (
        "grouped",
        "barrier",
        "bits may be cleared after they are set",
        "seen[w] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "seen[w] = 0;",
    ),
    (
        "grouped",
        "barrier",
        "bits are read before all are set",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int v",
        "    }\n    for (int v",
    ),
    ("grouped", "uninitialised", "the last word is not cleared", "w < (vocabulary + 31) / 32", "w < vocabulary / 32"),
    ("grouped", "sign", "negative logits are divided, too", "x > 0.0f ? x / penalty : x * penalty", "x / penalty"),
    ("grouped", "limit", "the whole history counts", "t < length[b]; t", "t < min(length[b] + 1, longest); t"),
    ("grouped", "scalar", "the temperature is 0.8", "x / temperature", "x / 0.8f"),
]
