"""What a rung of a ladder for NVIDIA cards runs: a variant of its family, or a program of the ladder's own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hotloop.app.ladder import data as ladder_data
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.problem import Problem
from hotloop.model.space import Config
from hotloop.model.subject import Subject


def subject_of(kernel: Kernel, ladder: Ladder, rung: Rung, problem: Problem, device: Device) -> Subject:
    """Return what is verified and timed as a rung.

    Raises:
        UsageError: the configuration is none of its implementation's: a defect of the data file.
    """
    name = ladder.implementation(rung)
    if name not in {implementation.name for implementation in kernel.implementations}:
        own = ladder_data.collection(ladder.family).program
        if own is not None:
            return Subject(rung.name, partial(own, ladder, rung), problem, device, rung.name)
    implementation = kernel.implementation(name)
    config = Config({**implementation.start, **ladder.changes(rung)})
    if broken := implementation.space.violation(config):
        raise UsageError(f"ladder {ladder.name}, rung {rung.name}: {broken}.")
    return Subject.of(Variant(implementation, config), problem, device)


def problem_of(kernel: Kernel, ladder: Ladder, rung: Rung) -> Problem:
    """Return the problem that a rung solves."""
    return kernel.problem.replace(**ladder.varied(rung))


def verified_on(kernel: Kernel, ladder: Ladder, problem: Problem) -> Kernel:
    """Return the family with this problem; what is verified beside it are the ladder's ragged sizes.

    They suit the ladder's own problem only.
    """
    own = kernel.problem.replace(**ladder.problem) == problem
    ragged = tuple(problem.replace(**sizes) for sizes in ladder.ragged) if own else ()
    return replace(kernel, problem=problem, awkward=lambda _problem: ragged)
