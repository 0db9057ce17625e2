"""How far each element of a result may lie from its reference: the rounding that the arithmetic cannot avoid.

Source of the bound: Higham, Accuracy and Stability of Numerical Algorithms, section 3.5: a computed contraction of length
k obeys |computed − exact| ≤ k·u/(1 − k·u) · |A||B| in any order of summation, with unit roundoff u = eps / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Tolerance
from hotloop.model.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BFLOAT16_EPS = 2.0**-7  # NumPy has no bfloat16


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
        found = self.relative * (np.abs(reference) if magnitude is None else magnitude)
        if self.rounding:
            found += self.rounding * np.abs(reference)
        found += self.absolute
        return np.asarray(found, dtype=np.float64)

    def excess(self, norm_err: float, reference: NDArray[np.generic], magnitude: NDArray[np.generic]) -> float:
        """Return an error in norm, relative to the reference's, over the norm of the bounds."""
        wide, scale = reference.astype(np.float64).ravel(), np.broadcast_to(magnitude, reference.shape).ravel()
        own, allowed = float(np.linalg.norm(wide)), float(np.linalg.norm(self.at(wide, scale.astype(np.float64))))
        return norm_err * own / allowed if 0 < allowed < np.inf else 0.0


EXACT = Bound(0.0, 0.0)
"""Integers, and sums of small integers that a floating-point type holds exactly."""


def eps(dtype: str | np.dtype[np.generic]) -> float:
    """Return the distance from 1 to the next number of a floating-point type; 0 for integers and booleans.

    >>> eps("float16"), eps("bfloat16"), eps("int32")
    (0.0009765625, 0.0078125, 0.0)
    """
    if isinstance(dtype, str) and dtype == "bfloat16":
        return _BFLOAT16_EPS
    kind = np.dtype(dtype)
    return float(np.finfo(kind.name).eps) if kind.kind == "f" else 0.0


@lru_cache(maxsize=256)
def bound(tolerance: Tolerance, problem: Problem, dtype: str | np.dtype[np.generic]) -> Bound:
    """Return the bound of an output of a type: ``factor · terms · eps``, plus what the type itself forces.

    Results below the smallest normal number may come back as zero (devices flush them), which counts as absolute error.
    """
    kind = np.dtype(dtype)
    if kind.kind != "f":
        return EXACT
    _sensible(tolerance, problem)
    arithmetic, output = eps(tolerance.eps_dtype or kind), eps(kind)
    return Bound(
        relative=tolerance.factor * max(tolerance.terms(problem), 1.0) * arithmetic,
        absolute=tolerance.absolute + _flushed(kind),
        rounding=output if output > arithmetic else 0.0,
    )


def _sensible(tolerance: Tolerance, problem: Problem) -> None:
    """Raise KernelFileError for a tolerance that accepts anything, or that no comparison can use."""
    for name, value in (
        ("factor", tolerance.factor),
        ("absolute", tolerance.absolute),
        ("terms", tolerance.terms(problem)),
    ):
        if not (isfinite(value) and value >= 0):
            raise KernelFileError(
                f"the tolerance of {problem.family} has {name} = {value}; it must be finite and not negative."
            )


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


def exact_sums(reference: NDArray[np.float64], magnitude: NDArray[np.float64], dtype: np.dtype[np.generic]) -> bool:
    """Tell whether every order of summation gives exactly the reference: integers that never leave the exact range.

    Partial sums are bounded by the magnitude; a quarter of the range is left for algorithms that form differences first
    (Strassen). Few outputs prove nothing: one quotient may come out whole by chance.
    """
    if np.dtype(dtype).kind != "f" or reference.size < _ENOUGH:
        return False
    limit = 2.0 ** (np.finfo(np.dtype(dtype).name).nmant + 1 - 2)
    return all(bool(np.all(np.isfinite(a)) and np.all(a == np.rint(a))) for a in (reference, magnitude)) and bool(
        np.abs(magnitude).max() <= limit
    )


_ENOUGH = 16


def _flushed(dtype: np.dtype[np.generic]) -> float:
    info = np.finfo(dtype.name)
    return float(info.smallest_subnormal if dtype.itemsize == 2 else info.tiny)
