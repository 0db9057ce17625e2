"""What a rung of a ladder is: a variant of its family, or a program of the ladder's own, and the problem that it solves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from hotloop.app import userfile
from hotloop.app.ladder import data as ladder_data
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.problem import Problem
from hotloop.model.record import Scalar
from hotloop.model.space import Config
from hotloop.model.subject import Subject
from hotloop.targets.target import Target


def subject_of(kernel: Kernel, ladder: Ladder, rung: Rung, problem: Problem, device: Device) -> Subject:
    """Return what is verified and timed as a rung.

    Raises:
        UsageError: the configuration is none of its implementation's: a defect of the data file.
    """
    name = ladder.implementation(rung)
    names = {implementation.name for implementation in kernel.implementations}
    shipped = not ladder.source and (name is None or name in names)
    own = None if shipped else ladder_data.collection(ladder.family).program
    if own is not None:
        return Subject(rung.name, partial(own, ladder, rung), problem, device, rung.name)
    variant = Variant(kernel.implementation(name), config_of(kernel, ladder, rung, Target.of(device.target).name))
    return Subject.of(variant, problem, device)


def config_of(kernel: Kernel, ladder: Ladder, rung: Rung, target: str = "") -> Config:
    """Return the configuration of a rung that stands on all those below it.

    Raises:
        UsageError: it breaks a constraint of the family's space: a defect of the data file.
    """
    implementation = kernel.implementation(ladder.implementation(rung))
    config = implementation.start.replace(**ladder.changes(rung, target))
    if broken := implementation.space.violation(config):
        raise UsageError(f"ladder {ladder.name}, rung {rung.name}: {broken}.")
    return config


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


def posed(ladder: Ladder, sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with the problem of these sizes, as the ladder's own programs solve it where it has such."""
    pose = ladder_data.collection(ladder.family).posed
    if ladder.source and pose is not None:
        return pose({**ladder.problem, **sizes})
    kernel = userfile.find(ladder.family)
    return replace(kernel, problem=kernel.problem.replace(**sizes))
