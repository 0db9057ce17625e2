"""What a text does on inputs drawn at random beside its results: whether they depend on its work-items' order, how exact they are.

Both decide what may be asked of a candidate: where two work-items write one place no result is right, and the error of a few sums says
little about the error that such sums have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.bare.oracle import distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.app.bare.oracle import Oracle, Truth

_SAME = 1e-2
"""Relative difference in norm up to which two builds of one text computed the same."""
_FEW_OTHERS = 1e-3
"""Share of whole numbers that rounding may move."""
_FEW = 64
"""Results of which one run does not tell the usual error."""
_DRAWS = 3
_ROUGH = re.compile(r"\b(?:native|half)_\w+\s*\(")
_OWN = 8.0
"""Times the root mean square of the text's own errors that an element may be off."""
_LARGEST = 1024.0
"""Roundings that the usual error of an element may be as a part of its size: what mostly cancels says nothing about what does not."""
UNSTEADY = (
    "the text's own results depend on the order of its work-items on inputs drawn at random, as where two of them use one place: "
    "where a program's data have no such conflict, capture it: hotloop capture -- PROGRAM"
)


def steady(oracle: Oracle, sizes: Mapping[str, float], inputs: Mapping[str, object]) -> bool:
    """Tell whether a text computes the same in other orders of its work-items. Raises KernelFileError."""
    own = oracle.truth(sizes, inputs).own
    return all(_alike(own[name], other[name]) for other in oracle.otherwise(sizes, inputs) for name in own)


def _alike(left: NDArray[np.generic], right: NDArray[np.generic]) -> bool:
    if left.dtype.kind in "iu":
        return not left.size or float(np.mean(left != right)) <= _FEW_OTHERS
    if left.dtype.kind != "f":
        return True
    with np.errstate(all="ignore"):
        difference = np.nan_to_num(left.astype(np.float64) - right.astype(np.float64), posinf=0.0, neginf=0.0)
        size = np.nan_to_num(left.astype(np.float64), posinf=0.0, neginf=0.0)
    return bool(np.linalg.norm(difference) <= _SAME * np.linalg.norm(size))


@dataclass(frozen=True, slots=True)
class Errors:
    """Finds what a text is off by beyond what one run of it shows."""

    oracle: Oracle
    text: str

    def of(
        self, sizes: Mapping[str, float], inputs: Mapping[str, object], truth: Truth
    ) -> dict[str, NDArray[np.float64]]:
        """Return by output how far the text in single precision is from double, element by element or alike for all. Raises KernelFileError."""
        errors = {
            name: distance(truth.own[name], value) for name, value in truth.outputs.items() if value.dtype.kind == "f"
        }
        for name, off in truth.off.items():
            errors[name] = np.maximum(errors[name], off)
        few = {name for name, error in errors.items() if 0 < error.size < _FEW}
        rough = bool(_ROUGH.search(self.text))  # how exact they are is the compiler's choice
        if few or rough:
            for ran in self.oracle.otherwise(sizes, inputs):
                for name in errors if rough else few:
                    if rough or _alike(truth.own[name], ran[name]):
                        errors[name] = np.maximum(errors[name], distance(ran[name], truth.outputs[name]))
        if truth.double and few:
            for number in range(_DRAWS):
                other = self.oracle.truth(sizes, _shuffled(inputs, number))
                for name in few:
                    off = np.maximum(distance(other.own[name], other.outputs[name]), other.off.get(name, 0.0))
                    usual = np.sqrt(np.mean(np.square(off)))
                    errors[name] = np.maximum(errors[name], usual)
        return errors


def _shuffled(inputs: Mapping[str, object], number: int) -> dict[str, object]:
    """Return inputs whose real numbers stand in another order."""
    rng = np.random.default_rng(number)
    return {
        name: rng.permutation(array) if isinstance(array, np.ndarray) and array.dtype.kind == "f" else array
        for name, array in inputs.items()
    }


def changed(own: NDArray[np.generic], before: object) -> NDArray[np.bool_] | None:
    """Return which elements a text gave another value, None where what was there before is not known."""
    if isinstance(before, np.ndarray) and before.shape == own.shape:
        return np.asarray(own != before)
    return None


def scale(
    value: NDArray[np.generic], own: np.dtype[np.generic], off: NDArray[np.float64] | None,
    changed: NDArray[np.bool_] | None = None,
) -> NDArray[np.generic]:  # fmt: skip
    """Return the size by element that the tolerance multiplies by four roundings: it grows with the error `off` of the text itself.

    `changed` says which elements the text gave a value: those that it leaves alone are off by nothing, and no evidence of what is usual.
    """
    if off is None:
        return np.asarray(np.abs(value))
    exact = np.abs(value.astype(np.float64))
    eps = float(np.finfo(np.dtype(own.name)).eps)
    seen = off if changed is None or not changed.any() else off[changed]
    usual = np.sqrt(np.mean(np.square(np.minimum(seen, np.quantile(seen, 0.999))))) if seen.size else 0.0
    usual = np.maximum(usual, np.minimum(_relative(exact, off), _LARGEST * eps) * exact)
    return np.asarray(exact + (_OWN * usual + 4.0 * off) / (4.0 * eps))


def _relative(exact: NDArray[np.float64], off: NDArray[np.float64]) -> float:
    """Return the usual error of an element as a part of its size: a sum of squares among sums that cancel is no more exact than that."""
    sized = exact > 0
    return float(np.median(off[sized] / exact[sized])) if sized.any() else 0.0
