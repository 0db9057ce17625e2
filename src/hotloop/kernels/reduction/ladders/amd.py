"""From a rung of the AMD ladder to the text, the macros and the launch of its kernel: variants of the family's HIP, older forms, FlyDSL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from hotloop.kernels import _offline, _text
from hotloop.kernels.reduction import KERNEL
from hotloop.kernels.reduction.cuda import HIP
from hotloop.kernels.reduction.geometry import OPERATIONS
from hotloop.kernels.reduction.ladders import forms
from hotloop.kernels.reduction.problem import rows_of
from hotloop.model.kernel import Kernel
from hotloop.model.ladder import Ladder, Rung, Unit
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Scalar

FLYDSL = "flydsl"
"""The series of rungs that the FlyDSL source makes; the others are HIP's."""
_FLYDSL_ARRAYS = ("x", "scale", "y", "shift")


def unit(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar]) -> Unit:
    """Return what is compiled for a rung and how it is launched, for the ladder's problem with other `sizes`.

    Raises:
        ValueError: the sizes have no meaning for the rung, or its configuration is outside the implementation's space.
    """
    problem = KERNEL.problem.replace(**{**ladder.varied(rung), **sizes})
    if rung.series.startswith(FLYDSL):
        return _flydsl(ladder, rung, target, problem)
    return _offline.unit(_program(ladder, rung, target, problem), "rows.hip")


def _program(ladder: Ladder, rung: Rung, target: str, problem: Problem) -> Program:
    device = _offline.device(target)
    if ladder.implementation(rung) != HIP.name:
        return forms.program(ladder, rung, problem, device)
    config = HIP.start.replace(**ladder.changes(rung, target))
    if broken := HIP.space.violation(config):
        raise ValueError(f"{rung.name}: {broken}")
    return HIP.plan(problem, config, device)


# -- FlyDSL -----------------------------------------------------------------------------------------------------------


def _flydsl(ladder: Ladder, rung: Rung, target: str, problem: Problem) -> Unit:
    rows = rows_of(problem)
    if rows.dtype != "bfloat16":
        raise ValueError(f"the FlyDSL source is for bfloat16, not {rows.dtype}")
    constants = {"OP": OPERATIONS.index(rows.operation), "COLUMNS": rows.columns}
    switches = {**constants, **ladder.changes(rung, target)}
    threads = int(switches["LANES"])
    if rows.columns % (8 * threads):
        raise ValueError(f"rows of {rows.columns} are no whole vectors of {threads} threads")
    return Unit(
        language=FLYDSL,
        name="rows_flydsl.py",
        text=flydsl_text(switches, rows.epsilon),
        entry="",
        grid=(rows.rows, 1, 1),
        threads=threads,
        arrays=_FLYDSL_ARRAYS,
        described=True,
    )


def flydsl_text(switches: Mapping[str, Scalar], epsilon: float = 1e-5) -> str:
    """Return the FlyDSL source with its switches set.

    Raises:
        ValueError: it has no such switch.
    """
    text = _text.read("hotloop.kernels.reduction.ladders", "rows.flydsl").replace(
        "EPSILON = 1e-5", f"EPSILON = {epsilon!r}"
    )
    for name, value in switches.items():
        text, count = re.subn(rf"^{name} = \d+$", f"{name} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"the FlyDSL source of the reductions has no switch {name}")
    return text


# -- the problem ------------------------------------------------------------------------------------------------------


def posed(sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with the problem of these sizes."""
    return replace(KERNEL, problem=KERNEL.problem.replace(**sizes), awkward=lambda _problem: ())
