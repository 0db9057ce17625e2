"""A rung of a ladder as a task, on a small problem with the arrays that it is launched with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from hotloop.app.code import offline
from hotloop.app.emulate import compiled
from hotloop.app.emulate.task import Task
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, rung_target, unit_of
from hotloop.app.ladder.contest import launched
from hotloop.app.ladder.subjects import posed, subject_of
from hotloop.errors import UsageError
from hotloop.model.kernel import Kernel
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.emulate.judged import Pose
    from hotloop.compilers.offer import Compiled
    from hotloop.model.kernel import Inputs
    from hotloop.model.ladder import Ladder, Rung, Unit
    from hotloop.model.problem import Problem


def of(
    family: str, name: str, target: str, given: Mapping[str, Scalar] | None = None, *, whole: bool = False
) -> tuple[Kernel, Pose]:
    """Return the family with a small problem of a rung, or one of given sizes, and how its tasks are made.

    Args:
        family: of the ladder.
        name: of the rung.
        target: processor.
        given: sizes that differ.
        whole: begin with the ladder's own problem instead of a small one.

    Raises:
        UsageError: no such ladder or rung, or it does not compile.
    """
    aim = Target.parse(target)
    ladder = ladder_data.ladder_for(ladder_data.family_of(family), aim.name)
    rung = ladder.rung(name)
    if not rung.exists_on(aim.name):
        raise UsageError(f"{aim.name} has no rung {name}; it exists on {', '.join(rung.targets)}.")
    sizes = {**(ladder.varied(rung) if whole else small(ladder, rung)), **(given or {})}
    kernel = posed(ladder, sizes)
    unit = unit_of(ladder, rung, aim.name, sizes)
    code = compiled.made(compile_rung(ladder, rung, rung_target(rung, aim), sizes), name, aim)
    if unit is not None:
        return kernel, partial(_unit_task, name, unit, code)
    return kernel, partial(_planned, name, kernel, ladder, rung, code, rung_target(rung, aim))


def small(ladder: Ladder, rung: Rung) -> dict[str, Scalar]:
    """Return the sizes of a small problem that a rung can solve."""
    own, changed = ladder.varied(rung), ladder_data.collection(ladder.family).small
    return {**own, **changed(own)} if changed else dict(own)


def _unit_task(name: str, unit: Unit, code: Compiled, problem: Problem, inputs: Inputs, pattern: int) -> Task:
    del problem
    return compiled.task(name, launched(unit, code, name), compiled.Whole(code), inputs, pattern)


def _planned(
    name: str, kernel: Kernel, ladder: Ladder, rung: Rung, code: Compiled, target: Target, problem: Problem, inputs: Inputs, pattern: int
) -> Task:  # fmt: skip
    program = subject_of(kernel, ladder, rung, problem, offline.device_for(target)).plan(
        problem, offline.device_for(target)
    )
    if program is None or not program.launches:
        raise UsageError(f"rung {name} has nothing to execute on {problem.key}.")
    if program.language == "opencl" and len({launch.entry for launch in program.launches}) > 1:
        return compiled.task(name, program, compiled.compiled(program, target), inputs, pattern)
    return compiled.task(name, program, compiled.Whole(code), inputs, pattern)
