"""Executed cases against the float64 reference: what a verification on a card does, with the executor as the card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Task
from hotloop.app.run.inputs.legal import supposed
from hotloop.emulate.answer import Answer
from hotloop.model.kernel import Empty, Kernel
from hotloop.model.record import Scalar
from hotloop.verify.cases import Case, draw
from hotloop.verify.distributions import NORMAL
from hotloop.verify.guards import make_banded, payload_view
from hotloop.verify.judge import judge
from hotloop.verify.oracle import Expected, conditioned, expect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.model.problem import Problem

Pose = Callable[["Problem", "Inputs", int], Task]
"""The task of a problem on some inputs, outputs poisoned with a pattern."""
MOST_FLOPS = 1 << 23
"""Work that is executed in seconds; a larger default problem is made smaller."""
_LEAST = 16


def run(kernel: Kernel, case: Case, pose: Pose, how: Adversary) -> Answer:
    """Execute a case and judge it.

    Raises:
        EmulateError: it cannot be executed.
        KernelFileError: the kernel's own inputs or reference are at fault.
    """
    return _run(kernel, case, pose, how, *_posed(kernel, case))


def attempt(kernel: Kernel, case: Case, pose: Pose, how: Adversary) -> Answer | None:
    """Execute and judge a case that hotloop chose; None where the file's functions refuse it, or no kernel could be right.

    Raises:
        EmulateError: it cannot be executed.
    """
    try:
        inputs = draw(kernel, case)
        usual = partial(_usual, kernel, case.problem)
        expected = supposed(kernel, case, inputs, lambda one, given: expect(kernel, one.problem, given), usual)
    except Exception:  # noqa: BLE001 - the user's functions may raise anything on what nobody promised them
        return None
    return None if expected is None else _run(kernel, case, pose, how, inputs, expected)


def _posed(kernel: Kernel, case: Case) -> tuple[Inputs, Expected]:
    """Return inputs and what is expected of them, of integers with what rounding of inputs may do to them. Raises KernelFileError."""
    inputs = draw(kernel, case)
    expected = expect(kernel, case.problem, inputs)
    return inputs, conditioned(kernel, case.problem, inputs, expected) if kernel.varied else expected


def _usual(kernel: Kernel, problem: Problem) -> Expected:
    return expect(kernel, problem, draw(kernel, Case(problem, NORMAL, 0, 0)))


def _run(kernel: Kernel, case: Case, pose: Pose, how: Adversary, inputs: Inputs, expected: Expected) -> Answer:
    answer = execute(pose(case.problem, inputs, case.poison), how)
    banded = dict(_banded(inputs, answer, case.poison))
    return answer.judged(judge(kernel, case, inputs, banded, expected=expected))


def _banded(inputs: Inputs, answer: Answer, pattern: int) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Yield the arrays as a judge wants them: the executor checks bounds itself, so the bands are whole."""
    for name, value in inputs.items():
        if isinstance(value, Empty):
            made = make_banded(shape=value.shape, dtype=value.dtype, poison=pattern)
            left = answer.arrays[name]
            payload_view(made, left.dtype, left.shape)[...] = left
            yield name, made
        elif isinstance(value, np.ndarray):
            yield name, _after(value, answer.arrays[name])


def _after(before: NDArray[np.generic], left: NDArray[np.generic]) -> NDArray[np.uint8]:
    banded = make_banded(before)
    payload_view(banded, left.dtype, left.shape)[...] = left
    return banded


def smaller(kernel: Kernel, problem: Problem) -> Problem:
    """Return a problem with its largest sizes halved until it is executed in seconds."""
    while kernel.work(problem).flops > MOST_FLOPS or kernel.work(problem).bytes > MOST_FLOPS:
        sizes = {name: value for name, value in problem.sizes.items() if _halves(value)}
        if not sizes:
            return problem
        name = max(sizes, key=lambda key: sizes[key])
        try:
            shrunk = problem.replace(**{name: int(sizes[name]) // 2})
            kernel.work(shrunk)
        except (ValueError, ZeroDivisionError):
            return problem
        problem = shrunk
    return problem


def _halves(value: Scalar) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 2 * _LEAST and value % 2 == 0
