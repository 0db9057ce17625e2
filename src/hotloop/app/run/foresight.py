"""What a run on a GPU will need compiled, begun before it is needed: programs of a verification's problems and of the next moves.

A GPU's compilers take seconds for a kernel whose sizes are compiled in, and a full verification has such a program for each of
its problems: compiled one after the other as their turn comes, they took longer than all their runs.
"""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING

from hotloop.app.desk import foresighted
from hotloop.app.run.inputs.chosen import searched
from hotloop.engine import names
from hotloop.errors import HotloopError
from hotloop.host.settings import usable_cores
from hotloop.model.language import language
from hotloop.model.outcome import Artifact
from hotloop.model.program import Input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.finding import Move
    from hotloop.model.kernel import Variant
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.subject import Subject
    from hotloop.verify.cases import Case, Level

BESIDE = 2.0
"""Compile time of a program beside others on all cores over that of one alone: 0.41 s against 0.19 s for convolutions on 16 cores."""


NEXT = 3
"""How many of the moves that are tried next compile while the first of them is tried."""


def warm(desk: Desk, name: str, *, opening: bool = False) -> None:
    """Start the compilers of a language while other things are made; `opening`: those that open the device, for which timings wait."""
    if language(name).cross_compiled is not opening and (engine := foresighted(desk, name)) is not None:
        engine.warm(name)


def start(desk: Desk, workload: Workload, variant: Variant) -> None:
    """Begin to compile what a run's baseline will need, where that leaves the GPU alone: its ceilings are measured meanwhile."""
    warm(desk, variant.implementation.language)
    if language(variant.implementation.language).cross_compiled:
        with suppress(ValueError, HotloopError):  # the same is said where the baseline is to run
            begin(desk, workload, workload.subject(variant), "quick")


def begin(desk: Desk, workload: Workload, subject: Subject, level: Level = "full") -> None:
    """Begin to compile what a verification on a GPU will run; a CPU that compiles ahead would keep the first case waiting."""
    if desk.device.kind != "gpu":
        return
    cases = workload.cases(level, desk.seed)
    programs = _programs(
        desk, subject, _light(workload, cases) if level == "full" else searched(subject, cases, desk.device)
    )
    if programs and (engine := foresighted(desk, programs[0].language)) is not None:
        engine.ahead(programs)


def soon(desk: Desk, programs: Callable[[Variant], Sequence[Program]], moves: Sequence[Move]) -> None:
    """Begin to compile what the next steps of a climb on a GPU try; `programs` returns what a step runs of a variant."""
    for move in moves[:NEXT] if desk.device.kind == "gpu" else ():
        if (engine := foresighted(desk, move.variant.implementation.language)) is not None:
            engine.ahead(programs(move.variant))


def building_s(desk: Desk, workload: Workload, subject: Subject) -> float:
    """Return how long a full verification on a GPU is expected to wait for compilers, in s; what a quick one ran is there already."""
    if desk.device.kind != "gpu":
        return 0.0
    there = {names.build(program) for program in _programs(desk, subject, workload.cases("quick", desk.seed))}
    every = _programs(desk, subject, _light(workload, workload.cases("full", desk.seed)))
    missing = [program for program in every if names.build(program) not in there]
    own = next(iter(every), None)
    built = desk.engine.build(own) if missing and own is not None else None
    if own is None or not isinstance(built, Artifact):
        return 0.0
    beside = foresighted(desk, own.language) is not None
    rounds = ceil(len(missing) / usable_cores()) if beside else len(missing)
    return (BESIDE if beside else 1.0) * rounds * built.build_ns / 1e9


def _light(workload: Workload, cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases for which anything may be prepared before their turn."""
    return (case for case in cases if workload.light(case))


def _programs(desk: Desk, subject: Subject, cases: Iterable[Case]) -> tuple[Program, ...]:
    """Return a program for each problem of some cases, without those that need numbers of inputs that nobody has drawn yet."""
    planned: dict[str, Program] = {}
    met: set[Problem] = set()
    for case in cases:
        if case.problem in met:
            continue
        met.add(case.problem)
        with suppress(ValueError, HotloopError):  # what that means is said where the case is to run
            program = subject.plan(case.problem, desk.device)
            if program is not None and not any(isinstance(x, Input) for run in program.launches for x in run.arguments):
                planned.setdefault(names.build(program), program)
    return tuple(planned.values())
