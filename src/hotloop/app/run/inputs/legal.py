"""What is expected of inputs that hotloop made up: nothing where no kernel could be right, else with what rounding does to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Empty
from hotloop.verify.drawing import generator
from hotloop.verify.oracle import Expected, Kind, conditioned, sensible
from hotloop.verify.variety import CONSTANT, EXACT, KINDS, ROWS, SCALARS

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.verify.cases import Case

    Answer = Callable[[Case, Inputs], Expected]


def supposed(
    kernel: Kernel, case: Case, inputs: Inputs, answer: Answer, usual: Callable[[], Expected | None]
) -> Expected | None:
    """Return what is expected of a case that nobody promised to be legal; None where it says nothing.

    Args:
        kernel: whose file draws and judges.
        case: what hotloop chose.
        inputs: of the case.
        answer: the reference's answer to a case's inputs.
        usual: what is expected of inputs as the file draws them, if that is known.

    Raises:
        KernelFileError: the reference refuses such inputs.
    """
    expected = answer(case, inputs)
    odd = case.distribution != ROWS and not sensible(inputs, expected)
    if odd or (case.distribution == SCALARS and _unused(kernel, case, inputs, expected, answer)):
        return None
    if expected.divided and (drawn := usual()) is not None and not drawn.divided:
        return None  # a divisor that the file never draws as zero
    few = case.distribution in EXACT
    if few and any(isinstance(value, float | np.floating) for value in inputs.values()):
        return expected
    varied = case.distribution in KINDS
    kind = Kind(varied, case.distribution == CONSTANT, few)
    return conditioned(kernel, case.problem, inputs, expected, kind, usual() if varied else None)


def _unused(kernel: Kernel, case: Case, inputs: Inputs, expected: Expected, answer: Answer) -> bool:
    """Tell whether the reference does not look at a number that was changed: then it is not ours to change."""
    before = kernel.inputs(case.problem, generator(case.seed))
    for name, value in inputs.items():
        if isinstance(value, np.ndarray | Empty) or value == before[name]:
            continue
        other = answer(case, {**inputs, name: before[name]})
        if all(np.array_equal(other.outputs[key], output) for key, output in expected.outputs.items()):
            return True
    return False
