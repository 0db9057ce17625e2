"""How far each element of a result may lie from its reference: the rounding that the arithmetic cannot avoid.

Source of the bound: Higham, Accuracy and Stability of Numerical Algorithms, section 3.5: a computed contraction of length
k obeys |computed − exact| ≤ k·u/(1 − k·u) · |A||B| in any order of summation, with unit roundoff u = eps / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import floor, isfinite
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import dtype_of, floating, limits
from hotloop.model.kernel import Tolerance
from hotloop.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sums = tuple[NDArray[np.float64], NDArray[np.float64]]
    """References, and the magnitudes of what was summed."""


@dataclass(frozen=True, slots=True)
class Bound:
    """``relative · scale + rounding · |reference| + absolute``, per element."""

    relative: float
    """Factor on the scale: the magnitude (|A||B|) where it is known, else |reference|."""
    absolute: float
    rounding: float = 0.0
    """Factor on |reference|: rounding the result to a coarser output type than the arithmetic's."""

    def at(self, reference: NDArray[np.float64], magnitude: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the bound of each element.

        >>> Bound(0.5, 0.25).at(np.array([2.0, -4.0])).tolist()
        [1.25, 2.25]
        """
        permitted = self.relative * (np.abs(reference) if magnitude is None else magnitude)
        if self.rounding:
            permitted += self.rounding * np.abs(reference)
        permitted += self.absolute
        return np.asarray(permitted, dtype=np.float64)

    def norms(self, reference: NDArray[np.generic], magnitude: NDArray[np.generic]) -> tuple[float, float]:
        """Return the Euclidean norms of a reference and of the bounds of its elements."""
        wide, scale = reference.astype(np.float64).ravel(), np.broadcast_to(magnitude, reference.shape).ravel()
        return float(np.linalg.norm(wide)), float(np.linalg.norm(self.at(wide, scale.astype(np.float64))))


EXACT = Bound(0.0, 0.0)
"""Integers, and sums of small integers that a floating-point type holds exactly."""


def eps(dtype: str | np.dtype[np.generic]) -> float:
    """Return the distance from 1 to the next number of a floating-point type; 0 for integers and booleans.

    >>> eps("float16"), eps("bfloat16"), eps("int32")
    (0.0009765625, 0.0078125, 0.0)
    """
    kind = dtype_of(dtype)
    return limits(kind).eps if floating(kind) else 0.0


def arithmetic(tolerance: Tolerance, problem: Problem, dtype: str | np.dtype[np.generic]) -> np.dtype[np.generic]:
    """Return the type whose roundings count for an output of a type: what the tolerance names, else the output's own.

    Raises:
        KernelFileError: what it names is no floating-point type.
    """
    named = tolerance.eps_dtype(problem) if callable(tolerance.eps_dtype) else tolerance.eps_dtype
    if not named:
        return dtype_of(dtype)
    try:
        computed = dtype_of(named)
    except TypeError:
        computed = np.dtype(np.void)
    if not floating(computed):
        raise KernelFileError(
            f"the tolerance of {problem.family} has eps_dtype = {named!r}; it must name a floating-point type, such as float32."
        )
    return computed


@lru_cache(maxsize=256)
def bound(tolerance: Tolerance, problem: Problem, dtype: str | np.dtype[np.generic]) -> Bound:
    """Return the bound of an output of a type: ``factor · terms · eps``, plus what the type itself forces.

    Results below the smallest normal number may come back as zero (devices flush them), which counts as absolute error.
    """
    kind = dtype_of(dtype)
    if not floating(kind):
        return _whole(tolerance, problem) if kind.kind in "iu" and kind.itemsize <= _NARROW_BYTES else EXACT
    _sensible(tolerance, problem)
    computed, output = eps(arithmetic(tolerance, problem, kind)), eps(kind)
    return Bound(
        relative=tolerance.factor * max(tolerance.terms(problem), 1.0) * computed,
        absolute=tolerance.absolute + _flushed(kind),
        rounding=output if output > computed else 0.0,
    )


_NARROW_BYTES = 2
"""Of pixels and samples; wider integers are counts and indices, which nothing rounds."""


def _whole(tolerance: Tolerance, problem: Problem) -> Bound:
    """Return the bound of narrow integers: exact, but for what a file says of results that are rounded to them from real numbers.

    >>> from hotloop.model.record import Record
    >>> [_whole(Tolerance(absolute=one), Problem("p", Record())).absolute for one in (1e-3, 1.01)]
    [0.0, 1.0]
    """
    given: object = tolerance.absolute  # a user's file may give anything
    if not isinstance(given, Real) or given < 1:
        return EXACT
    _sensible(tolerance, problem)
    return Bound(0.0, float(floor(tolerance.absolute)))


def exact(tolerance: Tolerance, problem: Problem, dtype: np.dtype[np.generic], sums: Sums) -> Bound | None:
    """Return the bound of sums that no order of summation rounds, None where they are not such.

    They are exact, or rounded once where the output's type is coarser than that of the arithmetic.
    """
    computed = arithmetic(tolerance, problem, dtype)
    rounded = eps(dtype) > eps(computed)
    if not exact_sums(*sums, computed if rounded else dtype):
        return None
    return Bound(0.0, 0.0, eps(dtype)) if rounded else EXACT


def _usable(value: object) -> bool:
    """Tell whether what a user's function gave is a number that can widen a bound."""
    return isinstance(value, Real) and isfinite(value) and float(value) >= 0


def _grows(value: object) -> bool:
    """Tell whether what a user's file gave is a factor that errors may grow by; infinity is one."""
    return isinstance(value, Real) and float(value) >= 1


def _sensible(tolerance: Tolerance, problem: Problem) -> None:
    """Raise KernelFileError for a tolerance that accepts anything, or that no comparison can use."""
    for name, value in (
        ("factor", tolerance.factor),
        ("absolute", tolerance.absolute),
        ("terms", tolerance.terms(problem)),
    ):
        if not _usable(value):
            raise KernelFileError(
                f"the tolerance of {problem.family} has {name} = {value!r:.40}; it must be finite and not negative."
            )
    if not _grows(tolerance.loss):
        raise KernelFileError(
            f"the tolerance of {problem.family} has loss = {tolerance.loss!r:.40}; it must be a number, 1 or more."
        )


def one_rounding(tolerance: Tolerance, problem: Problem, dtype: str | np.dtype[np.generic]) -> float:
    """Return the share of the bound that a single rounding of a result uses up; 0 for integers.

    >>> from hotloop.model.record import Record
    >>> problem = Problem("p", Record())
    >>> one_rounding(Tolerance(), problem, "float32"), one_rounding(Tolerance(), problem, "int32")
    (0.125, 0.0)
    """
    limit = bound(tolerance, problem, dtype)
    permitted = limit.relative + limit.rounding
    return eps(dtype) / 2 / permitted if permitted else 0.0


@lru_cache(maxsize=256)
def typical(tolerance: Tolerance, problem: Problem, dtype: str | np.dtype[np.generic]) -> Bound:
    """Return what the errors of many elements come to in the mean: the root of `terms` instead of `terms`.

    With the default factor that is two standard deviations of the probabilistic bound √k·u, u = eps / 2.
    """
    most = bound(tolerance, problem, dtype)
    share = _USUAL_FACTOR * max(tolerance.terms(problem), 1.0) ** 0.5
    return Bound(most.relative / share, most.absolute, most.rounding)


_USUAL_FACTOR = 4.0
"""Default of `Tolerance.factor`."""


def norm_room(
    terms: float, count: int, *, said: bool, made_up: bool = False, iterated: bool = False, orders: bool = False
) -> float | None:
    """Return by how much the norm of the errors of some elements may be above the typical one; None where it has no statistical meaning.

    Args:
        terms: that each element adds up.
        count: of the elements.
        said: whether a sum of magnitudes is known; else fewer terms may stand for something else.
        made_up: whether hotloop chose the size: a kernel may add one by one what its file never meant to be so long.
        iterated: whether the reference loops: terms may be steps, each of which goes on with what the one before has.
        orders: whether it is known what sums err in the orders in which right kernels add, however long they are.

    >>> norm_room(64, 64, said=True), norm_room(64, 64, said=False), norm_room(4096, 1, said=True), norm_room(2**24, 1, said=True)
    (1.0, None, 8.0, None)
    >>> norm_room(2**20, 64, said=True), norm_room(2**20, 64, said=True, made_up=True), norm_room(2**24, 1, said=True, orders=True)
    (1.0, 8.0, 8.0)
    >>> norm_room(2**18, 2, said=False), norm_room(2**18, 2, said=False, made_up=True, iterated=True)
    (8.0, 64.0)
    """
    if terms < _LONG or (terms < _UNSAID_LONG and not (said and count >= _LONG)):
        return None
    if count < _LONG:  # so much by chance is out of the question, but beyond so many terms rounding may go one way
        steps = made_up and iterated  # they hand their errors on, and are as many as nobody meant
        return (_STEPS_ROOM if steps else _UNSAID_ROOM) if terms <= _FEW_LONGEST or orders else None
    return 1.0 if said and not (made_up and terms >= _STALLS) else _UNSAID_ROOM


_STALLS = 2**20
"""Terms from which sums that are added one by one stall."""
_LONG = 64
"""Numbers of terms and of elements from which the norm of errors is judged; with fewer it has no statistical meaning."""
_UNSAID_LONG, _UNSAID_ROOM = 4096, 8.0
"""Terms from which it is also judged where no sum of magnitudes is known, or of fewer elements, and by how much more it may then be."""
_STEPS_ROOM = 64.0
"""How much more of few elements at a size that hotloop made up: errors of a step grow in those that follow, faster than the root of their number."""
_FEW_LONGEST = 2**22
"""Terms beyond which a float32 sum, one by one, adds what is below an eighth of its last bit."""


def exact_sums(reference: NDArray[np.float64], magnitude: NDArray[np.float64], dtype: np.dtype[np.generic]) -> bool:
    """Tell whether every order of summation gives exactly the reference: integers that never leave the exact range.

    Partial sums are bounded by the magnitude; a quarter of the range is left for algorithms that form differences first
    (Strassen). Few outputs prove nothing: one quotient may come out whole by chance.
    """
    if not floating(dtype) or reference.size < _ENOUGH:
        return False
    limit = 2.0 ** (limits(dtype).digits - 2)
    return all(bool(np.all(np.isfinite(a)) and np.all(a == np.rint(a))) for a in (reference, magnitude)) and bool(
        np.abs(magnitude).max() <= limit
    )


_ENOUGH = 16


def _flushed(dtype: np.dtype[np.generic]) -> float:
    reach = limits(dtype)
    return reach.smallest if dtype.name == "float16" else reach.normal
