"""Results that stand alone: no input has a part in two of them, so that no result's rounding excuses an error of another one.

The room that rounding of the inputs leaves to a result is at least the mean of its row, because an element may hardly move by chance. Where a row holds
norms of rows that differ by 60 powers of ten, that mean lets zeros pass for all small ones. So where a file draws such results, or says that every value
is legal, an element that stays as it is to three digits however its inputs are moved gets a part of itself at most. Elsewhere a kernel that is right
to a rounding of the row's largest result may be meant (a running sum, a logarithm of one and something).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import floating
from hotloop.verify.condition import apart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Outputs = Mapping[str, NDArray[np.generic]]
    Reference = Callable[[Inputs], Outputs]
    Asked = tuple[Reference, Inputs, Outputs]

_STEADY = 2.0**-10
"""Part of itself by which a result that is well conditioned moves at most."""
_MOST = 1 / 16
"""Part of itself that such a result may be off."""
_MORE_TRIES = 6
"""Further times that the inputs are moved, each value for itself: that a result which cancels hardly moves in all of them is no chance."""
_PLACES = 2
_SPAN, _MANY = 2.0**-24, 1 / 16
"""Results below this part of the largest are small, as float32 has no such digits beside it; part of all that must be small."""


def spanning(value: NDArray[np.generic]) -> bool:
    """Tell whether results as a file draws them differ by more than the digits of float32, so that each must be right for itself.

    >>> spanning(np.array([1e-30, 2.0, 3e25])), spanning(np.array([1e-4, 2.0, 300.0])), spanning(np.array([0, 1 << 30]))
    (True, False, False)
    """
    if not floating(value.dtype):
        return False
    size = np.abs(np.asarray(value, np.float64))
    size = size[np.isfinite(size) & (size > 0)]
    return bool(size.size and np.mean(size < _SPAN * size.max()) >= _MANY)


def most(room: NDArray[np.float64], name: str, asked: Asked) -> NDArray[np.float64] | None:
    """Return by how much each element may be off at most: infinity, but for steady results that stand alone and that the room lets pass as zeros.

    Args:
        room: by how much each element may differ because inputs are rounded.
        name: of the output.
        asked: the reference, the inputs and what it answers to them.
    """
    reference, inputs, outputs = asked
    value = np.abs(np.asarray(outputs[name], np.float64))
    drowned = (room >= value) & (value > 0) & np.isfinite(value)
    if not drowned.any():
        return None
    try:
        with np.errstate(all="ignore"):
            if not _alone(reference, inputs, outputs, name):
                return None
            for attempt in range(_MORE_TRIES):
                moved = np.asarray(reference(apart(inputs, attempt))[name], np.float64)
                drowned &= np.abs(moved - np.asarray(outputs[name], np.float64)) <= _STEADY * value
    except KernelFileError:  # the reference takes no such inputs
        return None
    return np.where(drowned, _MOST * value, np.inf)


def _alone(reference: Reference, inputs: Inputs, outputs: Outputs, name: str) -> bool:
    """Tell whether each of two elements of every array has a part in one result at most, and some have in one.

    Where whole numbers say which elements belong together nothing is told: sums of parts are made of sums of all that is before.
    """
    arrays = {key: value for key, value in inputs.items() if isinstance(value, np.ndarray) and value.size}
    if not arrays or not all(floating(value.dtype) for value in arrays.values()):
        return False
    met = 0
    for turn in range(_PLACES):
        for key, value in arrays.items():
            after = np.asarray(reference({**inputs, key: _changed(value, turn)})[name], np.float64)
            changed = int(np.count_nonzero(~_same(after, np.asarray(outputs[name], np.float64))))
            if changed > 1:
                return False
            met += changed
    return met > 0


def _same(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)))


def _changed(value: NDArray[np.generic], turn: int) -> NDArray[np.generic]:
    """Return an array with the largest finite element, or the one in the middle, half as large: what it has a part in changes."""
    flat = value.astype(np.float64).reshape(-1)
    finite = np.where(np.isfinite(flat), np.abs(flat), -1.0)
    place = int(np.argmax(finite)) if turn == 0 else flat.size // 2
    flat[place] = flat[place] / 2 if flat[place] else 1.0
    return flat.reshape(value.shape).astype(value.dtype)
