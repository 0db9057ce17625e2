"""Dispatch of matrix products: shapes compared as the kernels see them, row-major."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.family import Family
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.opencl import OPENCL, fitting
from hotloop.kernels.gemm.opencl.rows import TABLES
from hotloop.kernels.gemm.pipelined import PIPELINED, rounds
from hotloop.kernels.gemm.pipelined import rows as tiles
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, gemm
from hotloop.kernels.gemm.skinny import SKINNY, strips
from hotloop.kernels.gemm.skinny import rows as strip_rows
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.model.record import Record

if TYPE_CHECKING:
    from hotloop.kernels.gemm.problem import Gemm
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

WEIGHTS = {"op": 0.7, "dtype": 3.0, "accumulate": 0.5, "c": 0.05, "epilogue": 0.05}
"""Read against ln 2 = 0.69, the distance of one doubled size: a transposed operand weighs as much, another type as
much as four doublings, reading C or an epilogue next to nothing (both touch each output once)."""


def shape(problem: Problem) -> Record:
    """Return sizes, types and transpositions of the row-major product; scale factors, strides and offsets do not count."""
    form = gemm(problem)
    epilogue = f"{'bias' if form.bias != 'none' else ''}-{form.activation}"
    return Record(
        m=form.m,
        n=form.n,
        k=form.k,
        op="nt"[form.transposed_a] + "nt"[form.transposed_b],
        dtype=form.dtype,
        accumulate=form.accumulate,
        c="read" if form.beta != 0 else "written",
        epilogue=epilogue.strip("-"),
    )


def adapt(problem: Problem, measured: Record, config: Config, device: Device) -> Config:
    """Return a configuration that fits type and local memory, with fewer tiles per group where cores would be idle."""
    if "MPI" not in config:  # the GPU implementations give each group one tile and have no vectors to halve
        return config
    form = gemm(problem)
    if measured.get("accumulate") == "float32":
        config = fitting.fit_type(form, config)
    config = fitting.fit_memory(form, config, device)
    return fitting.spread(form, config, device.compute_units)


def advise(problem: Problem, device: Device) -> Candidate | None:
    """Return the row of the shipped tables that the tuned thresholds between paths name, or whose tiles or strips are done first.

    Distance cannot do this: 2048 by 16 by 2048 is nearer to the cube of 2048 than to that of 512, but has 5 times the
    speed unpacked, as the small cubes do. The choice between both paths is worth more than most parameters (a reported library
    ran every size through the direct path because its threshold was never consulted, 550 instead of 1657 GFLOP/s).
    """
    form = gemm(problem)
    lanes = device.lanes(ELEMENT_BYTES[form.accumulate])
    if device.target in TABLES and Sides.of(form).few == 1 and lanes:
        config = strips.of_cores(form, lanes, device.compute_units)
        return _strips(form, config, strip_rows.CORES)
    if rows := TABLES.get(device.target, ()):
        size = fitting.extent(form)
        row = next((row for row in rows if size <= row.up_to), rows[-1])
        source = f"{row.path} path, won at n={row.n}: {row.machine}, {row.runtime}, {row.date}"
        return _advised(OPENCL.name, row.config, (row.n, row.n, row.n), source)
    if device.target != tiles.TARGET:
        return None
    if strips.suits(form):
        return _strips(form, strips.quickest(form), strip_rows.H200)
    first, config = rounds.quickest(form, tiles.TABLE, device.compute_units)
    source = f"whose rounds of tiles should end first; {first.evidence}"
    return _advised(PIPELINED.name, config, first.shape, source)


def _strips(form: Gemm, config: Config, table: tuple[strip_rows.Row, ...]) -> Candidate:
    """Return the strips of a product with few rows or columns; the measured shape is the nearest to which the rule was fitted."""
    along_k, sizes = Sides.of(form).along_k, (form.m, form.n, form.k)
    alike = [row for row in table if row.along_k == along_k]
    far = {row: abs(math.log(max(1, math.prod(sizes)) / math.prod(row.shape))) for row in alike}
    first = min(alike, key=lambda row: (row.shape != sizes, far[row]))
    if first.shape == sizes and first.config.VW == config.VW:
        config = first.config
    source = f"strips for few rows or columns; {first.evidence}"
    return _advised(SKINNY.name, config, first.shape, source, first.op)


def _advised(
    implementation: str, config: Config, measured: tuple[int, int, int], source: str, op: str = "nn"
) -> Candidate:
    m, n, k = measured
    return Candidate(
        origin=Origin.PRESET,
        implementation=implementation,
        config=config,
        sizes=KERNEL.problem.replace(m=m, n=n, k=k, op=op).sizes,
        source=f"shipped table, {source}",
        advised=True,
    )


FAMILY = Family(kernel=KERNEL, shape=shape, weights=WEIGHTS, adapt=adapt, advise=advise)
