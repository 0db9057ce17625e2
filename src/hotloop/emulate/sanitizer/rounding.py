"""Values that are the same but for rounding: copies of one sum that lanes or waves have added up in different orders.

Compilers let every lane hold a result that a whole wave or work-group computed, and all of them store it. Which copy stays is open,
but the copies differ in their last bits only. That is known from the type of the array which is stored to; of local memory, which has
none, words are taken for float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import roundoff

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array

COPIES = "stores copies of one sum to one place, which differ in their last bits only: which one stays is open"
"""What is said of such a store."""
_SUMS = {4: 2.0**-20, 8: 2.0**-49}
"""Error that roundings leave in a sum of so many bytes, relative to the largest number that an instruction stores."""
_SMALLEST = 2.0**-100
"""Words that are whole numbers are smaller than this as floats, unless they are large."""


def numbers(words: Array, size: int, kind: Any) -> Array:  # noqa: ANN401 - any type of floats
    """Return the numbers [..., elements] in words [..., words] of which an access takes so many bytes."""
    return np.ascontiguousarray(np.ascontiguousarray(words).view(np.uint8)[..., :size]).view(kind)


def alike(one: Array, other: Array, largest: float) -> Array:
    """Tell which pairs of numbers of one type differ by rounding at most; `largest`: the largest number stored beside them.

    A sum of float32 or float64 has lost digits to its largest terms. A narrower number was rounded at last, so one step is all.
    """
    kind = one.dtype
    a, b = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore"):
        step = 2 * roundoff(kind.name) * np.maximum(np.abs(a), np.abs(b))
        near = np.abs(a - b) <= (_SUMS[kind.itemsize] * largest if kind.itemsize in _SUMS else step)
    bits = np.dtype(f"u{kind.itemsize}")
    return (near & np.isfinite(a) & np.isfinite(b)) | (one.view(bits) == other.view(bits))


def magnitude(values: Array) -> float:
    """Return the largest finite number."""
    found = np.abs(values.astype(np.float64))
    return float(found.max(initial=0.0, where=np.isfinite(found)))


def copies(places: Array, values: Array) -> bool:
    """Tell whether numbers [stores, elements] that go to one place are the same but for rounding, and some are not the same."""
    _, first, back = np.unique(places, return_index=True, return_inverse=True)
    if len(first) == len(places):
        return False
    kept = values[first][back.reshape(-1)]
    bits = np.dtype(f"u{values.dtype.itemsize}")
    if not (kept.view(bits) != values.view(bits)).any():
        return False
    return bool(alike(kept, values, magnitude(values)).all())


@dataclass(frozen=True, slots=True)
class Copies:
    """Stores of some waves that are the same but for rounding as what other waves have stored there."""

    lanes: Array
    """Which of the lanes [waves, lanes] store such."""
    places: Array
    """Of these, their first elements, counted in elements from the begin of memory."""
    least: Array
    """Of what stood there and what is stored the one whose bits are the smaller number."""

    @classmethod
    def of(cls, memory: Array, offsets: Array, given: Array, lanes: Array) -> Copies:
        """Compare the numbers [waves, lanes, elements] that some lanes store with what stands in memory."""
        held_all = memory.view(given.dtype)
        each = given.dtype.itemsize
        lanes = lanes & (offsets % each == 0)
        first = np.where(lanes, offsets, 0) // each
        held = held_all[first[..., None] + np.arange(given.shape[-1])]
        close = lanes & alike(given, held, magnitude(given[lanes])).all(axis=-1)
        bits = np.dtype(f"u{each}")
        return cls(close, first[close], np.minimum(held[close].view(bits), given[close].view(bits)))

    def settle(self, memory: Array) -> None:
        """After the store, leave of all copies the one whose bits are the smallest number: it does not depend on the order of waves."""
        where = self.places[:, None] + np.arange(self.least.shape[-1])
        np.minimum.at(memory.view(self.least.dtype), where, self.least)


def words_alike(words: Array, held: Array) -> bool:
    """Tell whether all words that are stored, taken for float32, are the same but for rounding as what stands there.

    Whole numbers, which are tiny as floats, are not, nor are infinities and NaNs.
    """
    apart = words != held
    one, other = words[apart].view(np.float32), held[apart].view(np.float32)
    if not len(one) or not np.isfinite(one).all() or not np.isfinite(other).all():
        return False
    largest = magnitude(words.view(np.float32))
    return bool(alike(one, other, largest).all() and min(np.abs(one).min(), np.abs(other).min()) > _SMALLEST)


def between_groups(groups: Array, offsets: Array, lanes: Array) -> Array:
    """Tell of lanes [waves, lanes] whether another work-group's lane stores to the same place at once."""
    members = np.broadcast_to(groups[:, None], offsets.shape)
    _, back = np.unique(offsets, return_inverse=True)
    back = back.reshape(-1)
    least, most = np.full(back.max() + 1, members.max()), np.full(back.max() + 1, -1)
    np.minimum.at(least, back, members.reshape(-1))
    np.maximum.at(most, back, members.reshape(-1))
    return lanes & (least != most)[back].reshape(offsets.shape)


def only_rounding(offsets: Array, values: list[Array], chosen: Array) -> bool:
    """Tell whether lanes that store to one place of local memory store the same but for roundings, taken for floats of 32 bits."""
    places = offsets[chosen]
    _, first, back = np.unique(places, return_index=True, return_inverse=True)
    for value in values:
        words = value[chosen]
        apart = words != words[first][back]
        if not apart.any():
            continue
        pair = np.stack((words, words[first][back]))[:, apart].view(np.float32).astype(np.float64)
        largest = np.abs(words.view(np.float32).astype(np.float64)).max()
        with np.errstate(invalid="ignore"):
            same = np.abs(pair[0] - pair[1]) <= _SUMS[4] * largest
        if not (np.isfinite(largest) and same.all() and np.abs(pair).min() > _SMALLEST):
            return False
    return True
