"""Causal attention forward with an online softmax over tiles of keys; one work-item per query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, normal, same_array, wide
from hotloop.verify.catalogue.mutant import Edit, Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

SOURCE = """\
#define D 32
#define TILE 16
__kernel void attention(__global const float *q, __global const float *k, __global const float *v,
                        __global float *o, const int length) {
    const int row = get_global_id(0);
    if (row >= length) return;
    const float scale = rsqrt((float)D);
    float out[D], top = -INFINITY, total = 0.0f;
    for (int c = 0; c < D; ++c) out[c] = 0.0f;
    for (int first = 0; first <= row; first += TILE) {
        float score[TILE], highest = top;
        const int count = min(TILE, row + 1 - first);
        for (int j = 0; j < count; ++j) {
            float dot_product = 0.0f;
            for (int c = 0; c < D; ++c) dot_product = fma(q[row * D + c], k[(first + j) * D + c], dot_product);
            score[j] = dot_product * scale;
            highest = fmax(highest, score[j]);
        }
        const float shrink = exp(top - highest);
        total *= shrink;
        for (int c = 0; c < D; ++c) out[c] *= shrink;
        for (int j = 0; j < count; ++j) {
            const float p = exp(score[j] - highest);
            total += p;
            for (int c = 0; c < D; ++c) out[c] = fma(p, v[(first + j) * D + c], out[c]);
        }
        top = highest;
    }
    for (int c = 0; c < D; ++c) o[row * D + c] = out[c] / total;
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    """Draw queries and keys that differ in length, so that the largest score moves from tile to tile."""
    length = p.integer("length")
    q, k, v = (normal(rng, length, 32) for _ in range(3))
    return {"q": 3 * q, "k": k * np.float32(rng.choice((1.0, 4.0), (length, 1))), "v": v, "o": Empty((length, 32))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    q, k, v = (wide(arrays, name) for name in "qkv")
    out = np.zeros(q.shape)
    for row in range(len(q)):  # keys behind the query are not read, so their NaN stay where they are
        scores = k[: row + 1] @ q[row] / np.sqrt(q.shape[1])
        powers = np.exp(scores - scores.max())
        out[row] = (powers[:, None] * v[: row + 1]).sum(axis=0) / powers.sum()
    return {"o": out}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    length = p.integer("length")
    return (call("attention", ("q", "k", "v", "o"), (length,), (length,), (c.integer("WG"),)),)


SPECIMEN = Specimen(
    name="attention",
    language="opencl",
    kernel=Draft(
        name="attention",
        sizes=Record(length=128),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (8, 4)},
        awkward=({"length": 1}, {"length": 17}, {"length": 63}, {"length": 97}),
        # Scores reach 60 and are rounded to 4e-6, which exp() turns into a relative error of each weight.
        tolerance=Tolerance(terms=lambda _p: 128.0),
        linear=("v",),
    ).kernel(),
    mutants=(
        Mutant.planted("diagonal-lost", "causal", "a query does not see its own key", "const int count = min(TILE, row + 1 - first);", "const int count = min(TILE, max(row - first, first == 0));"),
        Mutant.planted("diagonal-future", "causal", "a query sees one key too many", "min(TILE, row + 1 - first)", "min(TILE, min(row + 2, length) - first)"),
        Mutant.planted("tile-future", "causal", "the last tile is not masked", "min(TILE, row + 1 - first)", "min(TILE, length - first)"),
        Mutant(name="no-mask", kind="causal", bug="no key is masked", edits=(
            Edit("first <= row; first += TILE", "first < length; first += TILE"),
            Edit("min(TILE, row + 1 - first)", "min(TILE, length - first)"))),
        Mutant.planted("loop-edge", "causal", "a tile that begins at the query is skipped", "first <= row; first", "first < max(row, 1); first"),
        Mutant.planted("tail-unmasked", "mask", "keys behind the last one are read", "min(TILE, row + 1 - first)", "(row == length - 1 ? TILE : min(TILE, row + 1 - first))"),
        Mutant.planted("masked-by-zero", "nan", "masked values are multiplied by zero, so their NaN spread",
             "out[c] = fma(p, v[(first + j) * D + c], out[c]);", "out[c] = fma(0.0f, v[(length - 1) * D + c], fma(p, v[(first + j) * D + c], out[c]));"),
        Mutant.planted("scale-missing", "scale", "scores are not scaled", "dot_product * scale", "dot_product"),
        Mutant.planted("scale-wrong", "scale", "scores are divided by D instead of its root", "rsqrt((float)D)", "1.0f / D"),
        Mutant.planted("no-rescale", "online", "the output is not rescaled when the largest score grows", "out[c] *= shrink;", "out[c] *= 1.0f;"),
        Mutant.planted("total-rescale", "online", "the sum is not rescaled when the largest score grows", "total *= shrink;", ""),
        Mutant.planted("shrink-inverse", "online", "the factor of rescaling is inverted", "exp(top - highest)", "(first == 0 ? 0.0f : exp(highest - top))"),
        Mutant.planted("top-late", "online", "the largest score is not kept", "        top = highest;\n", "        if (first == 0) top = highest;\n"),
        Mutant.planted("max-zero", "negative", "the largest score starts at 90: low rows underflow", "top = -INFINITY,", "top = 90.0f,"),
        Mutant.planted("no-shift", "large-values", "the largest score is not subtracted", "exp(score[j] - highest)", "exp(score[j])"),
        Mutant.planted("first-key", "bounds", "the first key is skipped", "for (int j = 0; j < count; ++j) {\n            const float p", "for (int j = (first == 0 && row > 0); j < count; ++j) {\n            const float p"),
        Mutant.planted("short-dot", "lost-tail", "the last element of the dot product is lost", "for (int c = 0; c < D; ++c) dot_product", "for (int c = 0; c < D - 1; ++c) dot_product"),
        Mutant.planted("v-transposed", "fragment", "values are read transposed within a tile", "v[(first + j) * D + c], out", "v[min((first + c % TILE) * D + j, length * D - 1)], out"),
        Mutant.planted("unnormalised", "scale", "results are divided by the number of keys", "out[c] / total", "out[c] / (row + 1)"),
        Mutant.planted("bf16-weights", "precision", "weights are rounded to 8 bits", "const float p = exp(score[j] - highest);", "const float p = as_float(as_int(exp(score[j] - highest)) & 0xffff0000);"),
        Mutant.planted("weights-dropped", "zeroed", "weights below 1e-3 count as zero", "const float p = exp(score[j] - highest);", "const float p = exp(score[j] - highest) < 1e-3f ? 0.0f : exp(score[j] - highest);"),
        Mutant.planted("odd-length", "odd-sizes", "the last query of odd lengths is not written", "    for (int c = 0; c < D; ++c) o[", "    if (!(length & 1) || row + 1 < length || length == 1) for (int c = 0; c < D; ++c) o["),
        Mutant(name="k-for-v", kind="aliasing", bug="keys are passed for values", relaunch=same_array("k", "v")),
        Mutant(name="last-queries", kind="stale-output", bug="the last work-group is never launched", relaunch=fewer_groups),
    ),
)  # fmt: skip
