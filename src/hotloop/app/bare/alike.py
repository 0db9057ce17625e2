"""Inputs of the kind that a program had: its own values, or others drawn from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUTS = "inputs"
"""Size of a captured problem that says which inputs are meant."""
ALIKE, EXACT = "alike", "captured"
_JITTER = 0.1
"""Relative change of a number that is drawn again, so that no result is met twice."""


def alike(kept: NDArray[np.generic], length: int, rng: np.random.Generator) -> NDArray[np.generic]:
    """Return so many elements of the kind of those that were kept.

    Whole numbers that rise (offsets, lengths that add up) stay as they are, others are drawn from the kept ones: labels and
    indices keep their range, and values that mean something stay frequent. Numbers with a point are drawn so too and changed by
    a tenth; zero, infinities and arrays of one value keep what they mean.
    """
    if kept.size == 0:
        return np.zeros(length, kept.dtype)
    if not floating(kept.dtype):
        rising = kept.size > 2 and bool(np.greater_equal(kept[1:], kept[:-1]).all()) and kept[0] != kept[-1]
        if rising and kept.size >= length:
            return kept[:length].copy()
        return np.asarray(rng.choice(kept, length))
    if bool((kept == kept[0]).all()):
        return np.full(length, kept[0], kept.dtype)
    drawn = rng.choice(kept, length)
    with np.errstate(all="ignore"):
        changed = drawn.astype(np.float64) * (1.0 + _JITTER * rng.standard_normal(length))
        return np.asarray(changed.astype(kept.dtype))


def given(
    which: object, arrays: Mapping[str, tuple[NDArray[np.generic] | None, int, str]], rng: np.random.Generator
) -> dict[str, NDArray[np.generic]]:
    """Return arrays by name: the captured ones where `which` asks for them and all of them were kept.

    Args:
        which: `ALIKE` or `EXACT`.
        arrays: by name what was kept of it, its length in elements, and its type; of what was not kept, uniform numbers are drawn.
        rng: where fresh ones come from.
    """
    found: dict[str, NDArray[np.generic]] = {}
    for name, (kept, length, dtype) in arrays.items():
        if kept is None:
            found[name] = _unknown(length, dtype, rng)
        elif which == EXACT and kept.size == length:
            found[name] = kept.copy()
        else:
            found[name] = alike(kept, length, rng)
    return found


def _unknown(length: int, dtype: str, rng: np.random.Generator) -> NDArray[np.generic]:
    from hotloop.model.dtype import dtype_of

    kind = dtype_of(dtype)
    if not floating(kind):
        return np.zeros(length, kind)  # the only index that is certain to lie within
    return np.asarray(rng.uniform(-1.0, 1.0, length).astype(kind))
