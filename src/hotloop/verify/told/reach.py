"""Whether a NaN or an infinity among the inputs can reach a result, or stands there by the reference's own arithmetic.

NumPy's complex product multiplies both parts by both parts: with a NaN in one of them both parts of the result are NaN, also
where one does not depend on it at all, such as the last part of a spectrum that is zero by its definition. A kernel that computes
parts for themselves is right there. Such a result is what the reference says of any other number in that place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.oracle import zeroed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Answer = Callable[[Inputs], Mapping[str, NDArray[np.generic]]]

_DRAWS = 2
"""Other numbers in all arrays, so that a product with a zero that was drawn by chance does not count as out of reach."""

_ROUNDED = 1e-9
"""Relative size, compared with the largest result, of what rounding leaves of a number that does not matter, such as a product with the sine
of half a turn."""


def within_reach(
    answer: Answer, inputs: Inputs, linear: Iterable[str], name: str, reference: NDArray[np.generic]
) -> NDArray[np.generic]:
    """Return a reference with other values where it is not finite although no NaN or infinity of the linear inputs matters there.

    >>> x, y = np.array([np.nan, 1.0]), np.array([1.0, 2.0])
    >>> spectrum = lambda given: {"s": ((given["x"] + 1j * given["y"]) * (1 + 0j)).imag}
    >>> within_reach(spectrum, {"x": x, "y": y}, ("x",), "s", spectrum({"x": x, "y": y})["s"])
    array([1., 2.])
    """
    odd = ~np.isfinite(reference.astype(np.float64))
    with np.errstate(all="ignore"):
        for draw in range(_DRAWS):
            one, other = (
                answer(_redrawn(inputs, linear, draw, planted))[name].astype(np.float64) for planted in (1.0, -3.0)
            )
            odd &= np.abs(one - other) <= _ROUNDED * np.abs(one).max(initial=0.0)
        if not odd.any():
            return reference
        plain = answer({**inputs, **zeroed({key: inputs[key] for key in linear if key in inputs})})[name]
    return np.where(odd & np.isfinite(plain.astype(np.float64)), plain, reference)


def _redrawn(inputs: Inputs, linear: Iterable[str], draw: int, planted: float) -> Inputs:
    rng = np.random.default_rng(draw)
    return {key: _other(value, rng, planted) if key in linear else value for key, value in inputs.items()}


def _other(value: object, rng: np.random.Generator, planted: float) -> Any:  # noqa: ANN401 - of the value's own type
    """Return normal numbers, and others in the places of NaN and infinities."""
    if not isinstance(value, np.ndarray) or not floating(value.dtype):
        return value
    return np.where(_odd(value), planted * rng.uniform(0.5, 2.0), rng.standard_normal(value.shape)).astype(value.dtype)


def _odd(value: NDArray[np.generic]) -> NDArray[np.bool_]:
    return ~np.isfinite(value.astype(np.float64))
