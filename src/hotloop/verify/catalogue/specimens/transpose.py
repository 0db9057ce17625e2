"""Transposition through a padded tile of local memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty, Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, never, normal, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

SOURCE = """\
__kernel void transpose(__global const float *x, __global float *y, const int rows, const int columns) {
    __local float tile[TILE][TILE + 1];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int column = get_group_id(0) * TILE + tx, row = get_group_id(1) * TILE + ty;
    if (row < rows && column < columns) tile[ty][tx] = x[(size_t)row * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int to_row = get_group_id(0) * TILE + ty, to_column = get_group_id(1) * TILE + tx;
    if (to_row < columns && to_column < rows) y[(size_t)to_row * rows + to_column] = tile[tx][ty];
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    rows, columns = p.integer("rows"), p.integer("columns")
    return {"x": normal(rng, rows, columns), "y": Empty((columns, rows))}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    return {"y": np.ascontiguousarray(wide(arrays, "x").T)}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    sizes, group = (p.integer("rows"), p.integer("columns")), (c.integer("TILE"),) * 2
    return (call("transpose", ("x", "y"), sizes, sizes[::-1], group),)


SPECIMEN = Specimen(
    name="transpose",
    language="opencl",
    kernel=Draft(
        name="transpose",
        sizes=Record(rows=128, columns=128),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"TILE": (8, 4)},
        awkward=({"rows": 1, "columns": 1}, {"rows": 9, "columns": 31}, {"rows": 37, "columns": 8}, {"rows": 3, "columns": 100}),
        tolerance=Tolerance(factor=0.0),
        linear=("x",),
    ).kernel(),
    mutants=(
        Mutant.planted("square-read", "stride", "rows of the input are `rows` apart: right for square matrices", "x[(size_t)row * columns + column]", "x[(size_t)row * rows + column]"),
        Mutant.planted("square-write", "stride", "rows of the output are `columns` apart: right for square matrices", "y[(size_t)to_row * rows + to_column]", "y[(size_t)to_row * columns + to_column]"),
        Mutant.planted("square-guard", "bounds", "the guards of the output are exchanged: right for square matrices", "to_row < columns && to_column < rows", "to_row < rows && to_column < columns"),
        Mutant.planted("barrier", "barrier", "no barrier between filling and reading the tile", "    barrier(CLK_LOCAL_MEM_FENCE);\n", "", runtime="intel"),
        Mutant.planted("fragment", "fragment", "the tile is read as it was written", "= tile[tx][ty];", "= tile[ty][tx];"),
        Mutant.planted("blocks", "fragment", "tiles keep their place", "to_row = get_group_id(0) * TILE + ty, to_column = get_group_id(1) * TILE + tx", "to_row = get_group_id(1) * TILE + ty, to_column = get_group_id(0) * TILE + tx"),
        Mutant.planted("edge", "bounds", "the last row of the input is not read", "row < rows && column < columns", "row < rows - 1 && column < columns"),
        Mutant.planted("overrun", "overrun", "one column too many is written", "to_row < columns && to_column < rows", "to_row < columns && to_column <= rows"),
        Mutant.planted("nan", "nan", "NaN comes out as zero", "= tile[tx][ty];", "= isnan(tile[tx][ty]) ? 0.0f : tile[tx][ty];"),
        Mutant.planted("minus-zero", "precision", "elements lose their last bit", "= tile[tx][ty];", "= as_float(as_int(tile[tx][ty]) & ~1);"),
        Mutant.planted("shape", "odd-sizes", "column 64 is forgotten in matrices of odd height", "to_column < rows) y", "to_column < rows && !(rows % 2 && to_row == 30)) y"),
        Mutant(name="last-group", kind="stale-output", bug="the last work-groups along x are never launched", relaunch=fewer_groups),
        Mutant(name="nothing", kind="stale-output", bug="nothing is launched", relaunch=never),
    ),
)  # fmt: skip
