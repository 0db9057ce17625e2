"""Sums of rows in two launches: parts of each row into a scratch area, then the parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Array, Launch, Scratch, Value
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, normal, reversed_order, wide, without_first
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

SPLIT = 4
SOURCE = """\
__kernel void parts(__global const float *x, __global float *part, const int rows, const int columns) {
    __local float sums[WG];
    const int lane = get_local_id(0), row = get_group_id(0) / SPLIT, piece = get_group_id(0) % SPLIT;
    const int width = (columns + SPLIT - 1) / SPLIT;
    const int first = piece * width, last = min(first + width, columns);
    float sum = 0.0f;
    for (int i = first + lane; i < last; i += WG) sum += x[(size_t)row * columns + i];
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = WG / 2; span > 0; span /= 2) {
        if (lane < span) sums[lane] += sums[lane + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) part[row * SPLIT + piece] = sums[0];
}

__kernel void whole(__global const float *part, __global float *y, const int rows) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int piece = 0; piece < SPLIT; ++piece) sum += part[row * SPLIT + piece];
    y[row] = sum;
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    rows, columns = p.integer("rows"), p.integer("columns")
    return {"x": normal(rng, rows, columns), "y": Empty((rows,))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    return {"y": wide(arrays, "x").sum(axis=1)}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    rows, columns, group = p.integer("rows"), p.integer("columns"), c.integer("WG")
    first = call("parts", ("x", "part"), (rows, columns), (rows * SPLIT * group,), (group,))
    numbers = (Value(rows, "int32"),)
    return first, Launch("whole", (Array("part"), Array("y"), *numbers), (-(-rows // 8) * 8,), (8,))


SPECIMEN = Specimen(
    name="rowsum",
    language="opencl",
    kernel=Draft(
        name="rowsum",
        sizes=Record(rows=64, columns=1024),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (64, 4), "SPLIT": (SPLIT,)},
        awkward=({"rows": 1, "columns": 1}, {"rows": 17, "columns": 1023}, {"rows": 24, "columns": 65}, {"rows": 33, "columns": 7}),
        # Each item adds columns / (SPLIT·WG) elements, then trees of log2(WG) and SPLIT additions.
        tolerance=Tolerance(terms=lambda p: p.integer("columns") / (SPLIT * 4) + 8),
        linear=("x",),
        scratch=lambda p, _c: (Scratch("part", 4 * (p.integer("rows") * SPLIT + 1)),),
    ).kernel(),
    mutants=(
        Mutant.planted("split-double", "split-k", "neighbouring parts share an element", "min(first + width, columns)", "min(first + width + 1, columns)"),
        Mutant.planted("split-lost", "lost-tail", "rows that SPLIT does not divide lose their tail", "(columns + SPLIT - 1) / SPLIT", "columns / SPLIT"),
        Mutant.planted("split-end", "bounds", "the last part runs into the next row", "min(first + width, columns)", "first + width"),
        Mutant.planted("last-element", "lost-tail", "the last element of each part is lost", "i < last; i += WG", "i < last - 1; i += WG"),
        Mutant.planted("last-part", "lost-tail", "the last part is not added", "piece < SPLIT; ++piece", "piece < SPLIT - 1; ++piece"),
        Mutant.planted("same-slot", "race", "all parts of a row go to one place", "part[row * SPLIT + piece] = sums[0];", "part[row * SPLIT] = sums[0];"),
        Mutant.planted("accumulate", "uninitialised", "parts are added to what the scratch area holds", "part[row * SPLIT + piece] = sums[0];", "part[row * SPLIT + piece] += sums[0];"),
        Mutant.planted("add-old", "uninitialised", "the result is added to the old output", "y[row] = sum;", "y[row] += sum;"),
        Mutant.planted("barrier", "barrier", "no barrier before the reduction", "sums[lane] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);", "sums[lane] = sum;", runtime="intel"),
        Mutant.planted("barrier-loop", "barrier", "no barrier between steps of the reduction", "sums[lane + span];\n        barrier(CLK_LOCAL_MEM_FENCE);", "sums[lane + span];", runtime="intel"),
        Mutant.planted("span", "reduction", "the last step of the reduction is missing", "span > 0; span /= 2", "span > 1; span /= 2"),
        Mutant.planted("step", "bounds", "items advance by one element too many", "i += WG) sum", "i += WG + 1) sum"),
        Mutant.planted("scratch-overrun", "overrun", "parts are stored two places further on, too", "part[row * SPLIT + piece] = sums[0];", "{ part[row * SPLIT + piece] = sums[0]; part[row * SPLIT + piece + 2] = sums[0]; }"),
        Mutant.planted("bf16", "precision", "parts are stored with 8 bits", "part[row * SPLIT + piece] = sums[0];", "part[row * SPLIT + piece] = as_float(as_int(sums[0]) & 0xffff0000);"),
        Mutant.planted("int-sums", "precision", "sums are rounded to multiples of 1/64", "y[row] = sum;", "y[row] = rint(sum * 64.0f) / 64.0f;"),
        Mutant.planted("abs", "negative", "negative sums lose their sign", "y[row] = sum;", "y[row] = fabs(sum);"),
        Mutant.planted("memoised", "second-call", "parts that are there already are not computed again", "    float sum = 0.0f;\n    for (int i = first", "    if (!isnan(part[row * SPLIT + piece])) return;\n    float sum = 0.0f;\n    for (int i = first"),
        Mutant.planted("every-other", "second-call", "a second call on the same scratch area returns the negative sum", "y[row] = sum;", "y[row] = part[rows * SPLIT] == 1.0f ? -sum : sum;\n    if (row == rows - 1) ((__global float *)part)[rows * SPLIT] = 1.0f;"),
        Mutant(name="second-only", kind="stale-input", bug="the first launch is missing", relaunch=without_first),
        Mutant(name="order", kind="stale-input", bug="the parts are added before they are computed", relaunch=reversed_order),
        Mutant(name="rows-lost", kind="stale-output", bug="the last work-group of the second launch is missing", relaunch=fewer_groups),
    ),
)  # fmt: skip
