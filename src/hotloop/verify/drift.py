"""Whether errors, each within its bound, are larger together than rounding explains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Empty, Kernel
from hotloop.verify.cases import Case
from hotloop.verify.distributions import NORMAL
from hotloop.verify.oracle import Expected, again
from hotloop.verify.rounding import serial
from hotloop.verify.tolerance import Bound, arithmetic, norm_room, typical
from hotloop.verify.variety import STRIPED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Output = Callable[[str], NDArray[np.generic]]
    """Returns what a kernel wrote, by name."""


def drifts(
    kernel: Kernel, case: Case, inputs: Inputs, norms: Sequence[float | None], truth: Expected, output: Output
) -> Iterator[str]:
    """Yield outputs whose errors are each within their bounds and whose norm is far larger than rounding explains.

    The bound of an element must hold in the worst case, so it grows with the number of terms; rounding errors grow with
    its root (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci. Comput. 41, 2019).
    Long sums therefore leave room for operands of fewer bits, which only the norm of all errors shows. Terms that are much
    alike are rounded one like the other: what float32 then makes of sums term by term is no drift (`hotloop.verify.rounding.serial`).
    """
    terms = kernel.tolerance.terms(case.problem)
    if case.distribution not in (NORMAL, STRIPED):
        return
    for name, norm_err in zip(truth.outputs, norms, strict=True):
        target = inputs[name]
        assert isinstance(target, np.ndarray | Empty)
        alike = partial(
            norm_room,
            terms,
            prod(target.shape),
            said=name in truth.magnitudes,
            made_up=case.added,
            iterated=kernel.iterated,
        )
        room = alike(orders=True)
        if norm_err is None or room is None:
            continue
        usual = typical(kernel.tolerance, case.problem, target.dtype)
        limit = replace(usual, relative=room * usual.relative)
        least = limit.relative + limit.rounding  # of the reference's norm: magnitudes are no smaller
        if norm_err > least and (excess := _excess(norm_err, name, limit, truth)) > 1:
            left = _beyond_orders(kernel, case, inputs, name, truth, output)
            if any(_excess(each, name, limit, truth) <= 1 for each in left):
                continue
            if (alike() is None or case.added) and not any(each[name].any() for each in truth.serial):
                # Of so many terms rounding may go one way, and nobody sees where the reference adds; and at a size that nobody asked for
                # a file's terms need not be those of a sum: places in a table are rounded by more, the longer it is.
                continue
            due = arithmetic(kernel.tolerance, case.problem, target.dtype).name
            told = (
                f"{name}: errors are {norm_err:.2g} of the result in norm, {excess:.2g} times what rounding adds up to"
            )
            yield f"{told}: the arithmetic has fewer bits than {due}, or leaves terms out"


def _beyond_orders(
    kernel: Kernel, case: Case, inputs: Inputs, name: str, truth: Expected, output: Output
) -> Iterator[float]:
    """Yield the norm of a result's errors, as a part of the reference's, beyond what sums in float32 err: in one order, in this or a second one, and so on."""
    actual = output(name)
    if arithmetic(kernel.tolerance, case.problem, actual.dtype) != np.float32:
        return
    reference = truth.outputs[name].astype(np.float64)
    with np.errstate(all="ignore"):
        error = np.nan_to_num(actual.astype(np.float64) - reference, posinf=0.0, neginf=0.0)
    own = float(np.linalg.norm(np.nan_to_num(reference, posinf=0.0, neginf=0.0)))
    for number in range(len(serial.WAYS) if own else 0):
        if number == len(truth.serial):
            try:
                truth.serial.append(serial.errors(partial(again, kernel, case.problem), inputs, truth.outputs, number))
            except (KernelFileError, ValueError):  # a reference that refuses such arrays
                return
        orders = [each[name] for each in truth.serial[: number + 1]]
        yield float(np.linalg.norm(serial.unexplained(error, orders))) / own


def _excess(norm_err: float, name: str, limit: Bound, truth: Expected) -> float:
    """Return an error in norm, relative to the reference's, over the norm of the bounds; both say nothing of a candidate."""
    if (name, limit) not in truth.norms:
        magnitude = truth.magnitudes.get(name, np.abs(truth.outputs[name]))
        truth.norms[name, limit] = limit.norms(truth.outputs[name], magnitude)
    own, allowed = truth.norms[name, limit]
    return norm_err * own / allowed if 0 < allowed < np.inf else 0.0
