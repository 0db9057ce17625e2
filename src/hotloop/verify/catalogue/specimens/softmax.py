"""Softmax of rows: a work-group reduces each row through local memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, normal, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

SOURCE = """\
__kernel void softmax(__global const float *x, __global float *y, const int columns) {
    __local float part[WG];
    const int lane = get_local_id(0);
    x += (size_t)get_group_id(0) * columns;
    y += (size_t)get_group_id(0) * columns;

    float top = -INFINITY;
    for (int i = lane; i < columns; i += WG) top = fmax(top, x[i]);
    part[lane] = top;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = WG / 2; span > 0; span /= 2) {
        if (lane < span) part[lane] = fmax(part[lane], part[lane + span]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    top = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int i = lane; i < columns; i += WG) sum += exp(x[i] - top);
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = WG / 2; span > 0; span /= 2) {
        if (lane < span) part[lane] += part[lane + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = part[0];

    for (int i = lane; i < columns; i += WG) y[i] = exp(x[i] - top) / sum;
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    """Draw rows at several levels and with spikes: forgetting the largest element shows nowhere else."""
    rows, columns = p.integer("rows"), p.integer("columns")
    levels = np.float32(rng.choice((0.0, 40.0, -200.0, 95.0), (rows, 1)))
    spikes = np.where(rng.random((rows, columns)) < 1.0 / columns, np.float32(130), np.float32(0))
    return {"x": 3 * normal(rng, rows, columns) + levels + spikes, "y": Empty((rows, columns))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    x = wide(arrays, "x")
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return {"y": powers / powers.sum(axis=1, keepdims=True)}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    group = c.integer("WG")
    return (call("softmax", ("x", "y"), (p.integer("columns"),), (p.integer("rows") * group,), (group,)),)


SPECIMEN = Specimen(
    name="softmax",
    language="opencl",
    kernel=Draft(
        name="softmax",
        sizes=Record(rows=64, columns=256),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (64, 8)},
        awkward=(
            {"rows": 1, "columns": 1}, {"rows": 5, "columns": 3}, {"rows": 33, "columns": 77}, {"rows": 7, "columns": 257},
        ),
        # exp() may be off by 3 ulp of its argument's size (OpenCL C, relative error table); levels reach 200.
        tolerance=Tolerance(terms=lambda _p: 64.0, absolute=1e-12),
    ).kernel(),
    mutants=(
        Mutant.planted("no-shift", "large-values", "the largest element is not subtracted: high rows overflow",
             "exp(x[i] - top)", "exp(x[i])", count=2),
        Mutant.planted("start-zero", "negative", "the largest element starts at 0: low rows underflow", "top = -INFINITY", "top = 0.0f"),
        Mutant.planted("tail-max", "large-values", "the maximum sees the first WG elements only, so sums overflow",
             "for (int i = lane; i < columns; i += WG) top", "for (int i = lane; i < columns && i < 1; i += WG) top"),
        Mutant.planted("tail-sum", "lost-tail", "the last element is not summed",
             "i < columns; i += WG) sum", "i < columns - 1; i += WG) sum"),
        Mutant.planted("tail-store", "stale-output", "elements after the last whole group are never written",
             "i < columns; i += WG) y[i]", "i < columns / WG * WG; i += WG) y[i]"),
        Mutant.planted("past-row", "overrun", "one element behind each row is written", "i < columns; i += WG) y[i]", "i <= columns; i += WG) y[i]"),
        Mutant.planted("span", "reduction", "the last step of the reduction of sums is missing",
             "span > 0; span /= 2) {\n        if (lane < span) part[lane] +=", "span > 1; span /= 2) {\n        if (lane < span) part[lane] +="),
        Mutant.planted("span-max", "reduction", "the reduction of the maximum begins too late",
             "int span = WG / 2; span > 0; span /= 2) {\n        if (lane < span) part[lane] = fmax", "int span = WG / 4; span > 0; span /= 2) {\n        if (lane < span) part[lane] = fmax"),
        Mutant.planted("barrier", "barrier", "no barrier between storing a partial sum and reading another's",
             "part[lane] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);", "part[lane] = sum;", runtime="intel"),
        Mutant.planted("barrier-loop", "barrier", "no barrier between the steps of the reduction",
             "part[lane] += part[lane + span];\n        barrier(CLK_LOCAL_MEM_FENCE);", "part[lane] += part[lane + span];", runtime="intel"),
        Mutant.planted("in-place", "input-changed", "powers are kept in the input", "y[i] = exp(x[i] - top) / sum;",
             "{ y[i] = exp(x[i] - top) / sum; ((__global float *)x)[i] = exp(x[i] - top); }"),
        Mutant.planted("sum-start", "uninitialised", "the sum starts with what the local array holds", "float sum = 0.0f;", "float sum = part[lane];"),
        Mutant.planted("coarse", "precision", "results are rounded to 12 bits", "y[i] = exp(x[i] - top) / sum;",
             "y[i] = as_float(as_int(exp(x[i] - top) / sum) & 0xfffff000);"),
        Mutant.planted("other-row", "stride", "the sum of row 0 serves all rows", "    y += (size_t)get_group_id(0) * columns;\n",
             "    y += (size_t)get_group_id(0) * columns;\n    if (get_group_id(0) == 1) x -= columns;\n"),
        Mutant(name="last-row", kind="stale-output", bug="the last row is never computed", relaunch=fewer_groups),
    ),
)  # fmt: skip
