"""Layer normalisation of rows, with scale and shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, normal, same_array, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

EPSILON = 1e-5
SOURCE = """\
#define REDUCE(value)                                              \\
    part[lane] = value;                                            \\
    barrier(CLK_LOCAL_MEM_FENCE);                                  \\
    for (int span = WG / 2; span > 0; span /= 2) {                 \\
        if (lane < span) part[lane] += part[lane + span];          \\
        barrier(CLK_LOCAL_MEM_FENCE);                              \\
    }                                                              \\
    value = part[0];                                               \\
    barrier(CLK_LOCAL_MEM_FENCE);

__kernel void layernorm(__global const float *x, __global const float *scale, __global const float *shift,
                        __global float *y, const int columns) {
    __local float part[WG];
    const int lane = get_local_id(0);
    x += (size_t)get_group_id(0) * columns;
    y += (size_t)get_group_id(0) * columns;
    float sum = 0.0f;
    for (int i = lane; i < columns; i += WG) sum += x[i];
    REDUCE(sum)
    const float mean = sum / columns;
    float square = 0.0f;
    for (int i = lane; i < columns; i += WG) square += (x[i] - mean) * (x[i] - mean);
    REDUCE(square)
    const float factor = 1.0f / sqrt(square / columns + 1e-5f);
    for (int i = lane; i < columns; i += WG) y[i] = (x[i] - mean) * factor * scale[i] + shift[i];
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    """Draw rows with different means and spreads; the first row is constant."""
    rows, columns = p.integer("rows"), p.integer("columns")
    means = rng.choice((0.0, 30.0, -30.0), (rows, 1)).astype(np.float32)
    spreads = rng.choice((0.01, 1.0, 20.0), (rows, 1)).astype(np.float32)
    spreads[0] = 0
    x = means + spreads * normal(rng, rows, columns)
    return {"x": x, "scale": normal(rng, columns), "shift": normal(rng, columns), "y": Empty((rows, columns))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    x = wide(arrays, "x")
    centred = x - x.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)
    return {"y": centred / spread * wide(arrays, "scale") + wide(arrays, "shift")}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    group, arrays = c.integer("WG"), ("x", "scale", "shift", "y")
    return (call("layernorm", arrays, (p.integer("columns"),), (p.integer("rows") * group,), (group,)),)


SPECIMEN = Specimen(
    name="layernorm",
    language="opencl",
    kernel=Draft(
        name="layernorm",
        sizes=Record(rows=48, columns=256),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (64, 8)},
        awkward=({"rows": 1, "columns": 1}, {"rows": 5, "columns": 3}, {"rows": 19, "columns": 77}, {"rows": 7, "columns": 257}),
        # A mean of 30 is known to some 2e-6, and a spread of 0.01 magnifies that by 100.
        tolerance=Tolerance(terms=lambda _p: 16.0, absolute=3e-3),
    ).kernel(),
    mutants=(
        Mutant.planted("one-pass", "precision", "the variance is the difference of two large numbers",
             "square += (x[i] - mean) * (x[i] - mean);", "square += x[i] * x[i] - mean * mean;"),
        Mutant.planted("unbiased", "epsilon", "the variance is divided by columns - 1", "square / columns", "square / (columns - 1)"),
        Mutant.planted("epsilon-outside", "epsilon", "epsilon is added to the root, not under it", "sqrt(square / columns + 1e-5f)", "(sqrt(square / columns) + 1e-5f)"),
        Mutant.planted("epsilon-missing", "epsilon", "no epsilon: constant rows divide by zero", " + 1e-5f)", ")"),
        Mutant.planted("epsilon-large", "epsilon", "epsilon is 1e-3", "1e-5f", "1e-3f"),
        Mutant.planted("scale-row", "stride", "scale is taken by row", "scale[i]", "scale[get_group_id(0) % columns]"),
        Mutant.planted("shift-missing", "zeroed", "the shift counts as zero", " + shift[i];", ";"),
        Mutant.planted("scale-last", "zeroed", "the last weight counts as zero", "scale[i] +", "(i < columns - 1 ? scale[i] : 0.0f) +"),
        Mutant.planted("tail", "lost-tail", "the mean misses the last element", "i += WG) sum", "i += WG) if (i < columns - 1) sum"),
        Mutant.planted("tail-square", "lost-tail", "the variance sees whole groups only", "i < columns; i += WG) square", "i < max(columns / WG * WG, 1); i += WG) square"),
        Mutant.planted("tail-store", "stale-output", "elements behind the last whole group are not written", "i < columns; i += WG) y[i]", "i < columns / WG * WG; i += WG) y[i]"),
        Mutant.planted("barrier", "barrier", "no barrier before the reduction", "    part[lane] = value;                                            \\\n    barrier(CLK_LOCAL_MEM_FENCE);                                  \\\n", "    part[lane] = value;                                            \\\n", runtime="intel"),
        Mutant.planted("span", "reduction", "the last step of the reductions is missing", "span > 0; span /= 2", "span > 1; span /= 2"),
        Mutant.planted("start", "uninitialised", "the second sum starts where the first ended", "float square = 0.0f;", "float square = sum;"),
        Mutant.planted("bf16", "precision", "normalised values are rounded to 8 bits", "y[i] = (x[i] - mean) * factor * scale[i]", "y[i] = as_float(as_int((x[i] - mean) * factor) & 0xffff0000) * scale[i]"),
        Mutant(name="shift-is-scale", kind="aliasing", bug="the scale is passed for the shift", relaunch=same_array("scale", "shift")),
        Mutant(name="last-row", kind="stale-output", bug="the last row is never computed", relaunch=fewer_groups),
    ),
)  # fmt: skip
