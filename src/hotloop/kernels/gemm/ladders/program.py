"""The Gluon ladder for a card: its problem, and a rung's program from the file `stages`, which only the worker imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.kernels import _jit
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import gemm
from hotloop.kernels.gemm.reference import inputs
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.kernel import Empty, Kernel
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

if TYPE_CHECKING:
    import numpy as np

    from hotloop.model.kernel import Inputs

_SOURCE = "hotloop.kernels.gemm.ladders.stages"
TILE, DEPTH = 128, 64
"""Rows and columns of a tile in `stages`, and the longest step along k."""
_LANE = 16
"""Elements along n and k that a lane loads under one mask."""
_WARPS = 4
_EVERY = ("M", "N", "K", "LA", "LB", "SA", "SB", "MMA", "DA", "DB", "EVEN", "ASYNC", "CLASS")
_MORE = {"stage2": ("LEFT", "ORDER")}
"""Compile-time parameters of every kernel, and of one more."""


def posed(sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with half-precision operands and C in float32, which the ladder's kernels store."""
    problem = KERNEL.problem.replace(**{"dtype": "float16", "accumulate": "float32", **sizes})
    return replace(KERNEL, problem=problem, inputs=_inputs, awkward=lambda _problem: ())


def _inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    return {**inputs(problem, rng), "c": Empty((gemm(problem).c.elements,), "float32")}


def program(ladder: Ladder, rung: Rung, problem: Problem, device: Device) -> Program:
    """Return one launch of a declared kernel. Raises ValueError for sizes that it has no masks for."""
    del ladder
    form, (entry, _, variant) = gemm(problem), rung.kernel.partition("_")
    grain, along = (1, _LANE) if variant == "ragged" else (TILE, DEPTH)
    if form.m % grain or form.n % max(grain, _LANE) or form.k % along:
        raise ValueError(f"{rung.name} takes m, n and k in multiples of {grain}, {max(grain, _LANE)} and {along}")
    declared = f"DECLARED['{rung.kernel}_{Target.of(device.target).name}']"
    meta = Meta(
        values={"num_warps": _WARPS},
        expressions={name: f"{declared}['{name}']" for name in (*_EVERY, *_MORE.get(entry, ()))},
        dtypes={"a": "float16", "b": "float16", "c": "float32"},
    )
    sizes = (form.m, form.n, form.k, form.a.ld, form.b.ld, form.c.ld)
    arguments: tuple[Argument, ...] = (*map(Array, "abc"), *(Value(size, "int32") for size in sizes))
    group = threads(_WARPS, device.target)
    launch = Launch(entry, arguments, (-(-form.m // TILE) * group, -(-form.n // TILE)), (group, 1))
    return Program("gluon", _jit.text(_SOURCE), meta.options, (launch,), source_name="stages.py")
