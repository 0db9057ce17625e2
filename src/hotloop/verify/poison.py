"""Bit patterns that no kernel produces by accident: outputs start as poison, so an element never written shows.

Two patterns, used in turn: a quiet NaN with a payload, which spreads when it is read, and a large finite number, which
shows where a reference is NaN itself or a kernel hides NaN (``max``, ``isnan ? 0``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import BFLOAT16, FLOAT8, dtype_of, floating

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

PATTERNS = 2
"""How many patterns alternate in the cases of every check."""
ALL = 4
"""Number of all patterns: two more, a large negative number and zero, are used with inputs of further kinds. Any integer selects a pattern,
modulo this."""

_FLOATS = {
    "float16": (0x7E5A, 0x7A5A, 0xFA5A, 0),
    BFLOAT16: (0x7FDA, 0x7E5A, 0xFE5A, 0),
    "float32": (0x7FC5A5A5, 0x7E5A5A5A, 0xFE5A5A5A, 0),
    "float64": (0x7FF8A5A5A5A5A5A5, 0x7FDA5A5A5A5A5A5A, 0xFFDA5A5A5A5A5A5A, 0),
    FLOAT8: (0xFF, 0x7D, 0xFD, 0),  # it has two NaN and no payloads; arithmetic and conversions give the positive one
}
_BYTES = (0xA5, 0x5A, 0x81, 0)
_ZERO = 3
"""The pattern that no element can be told by: kernels write it, too."""
_HALVES = (0x7FF5, 0x7A5A, 0xFA5A, 0)  # repeated: NaN in every float type, or large and finite in every float type


def pattern(dtype: DTypeLike, poison: int = 0) -> NDArray[np.uint8]:
    """Return the bytes of one poisoned element.

    >>> float(pattern("float32", 0).view("float32")[0]), float(pattern("float16", 1).view("float16")[0]) > 5e4
    (nan, True)
    """
    kind = dtype_of(dtype)
    if floating(kind) and kind.name in _FLOATS:
        return np.array([_FLOATS[kind.name][poison % ALL]], f"<u{kind.itemsize}").view(np.uint8)
    return np.full(kind.itemsize, _BYTES[poison % ALL], np.uint8)


def fill(payload: NDArray[np.uint8], dtype: DTypeLike, poison: int = 0) -> None:
    """Overwrite payload bytes with poison of a type, in place."""
    element = pattern(dtype, poison)
    if element.size in (2, 4, 8):  # byte by byte it takes ten times as long
        payload.view(f"<u{element.size}")[:] = element.view(f"<u{element.size}")
    else:
        payload.reshape(-1, element.size)[:] = element


def fill_scratch(payload: NDArray[np.uint8], poison: int = 0) -> None:
    """Overwrite untyped bytes with a pattern that is poison for every float type, in place."""
    half = np.array([_HALVES[poison % ALL]], "<u2").view(np.uint8)
    even = payload[: payload.size // 2 * 2]
    even.reshape(-1, 2)[:] = half
    payload[even.size :] = half[0]


def is_poison(values: NDArray[np.generic], poison: int = 0) -> NDArray[np.bool_]:
    """Return which elements of a contiguous array still hold the poison bits."""
    kind = values.dtype
    if poison % ALL == _ZERO:
        return np.zeros(values.shape, np.bool_)
    words = f"<u{kind.itemsize}"
    if kind.itemsize not in (1, 2, 4, 8):
        rows = np.ascontiguousarray(values).view(np.uint8).reshape(*values.shape, kind.itemsize)
        return np.asarray((rows == pattern(kind, poison)).all(axis=-1), dtype=np.bool_)
    return np.asarray(values.view(words) == pattern(kind, poison).view(words)[0], dtype=np.bool_)


def plain_nan(value: np.generic) -> bool:
    """Return whether a number is a NaN without payload, as 0/0 gives on most processors; none of poison or of bands is one.

    >>> plain_nan(np.float32("nan")), plain_nan(pattern("float32").view("float32")[0]), plain_nan(np.float64(1))
    (True, False, False)
    """
    if value == value or not floating(value.dtype) or value.dtype.name not in _PLAIN:
        return False
    whole = int.from_bytes(value.tobytes(), "little")
    return whole & ~(1 << 8 * value.dtype.itemsize - 1) == _PLAIN[value.dtype.name]


_PLAIN = {"float16": 0x7E00, BFLOAT16: 0x7FC0, "float32": 0x7FC00000, "float64": 0x7FF8000000000000}
_WILD = 1e19
"""Root of the largest float32: products of what local and private memory are filled with exceed it, results seldom do."""


def left_over(first: NDArray[np.generic], then: NDArray[np.generic], reference: NDArray[np.generic]) -> bool:
    """Return whether elements of two runs of one start show what local and private memory held before each of them.

    That is NaN and large numbers of either sign in turn, while arrays start alike: results that are wild in both runs and
    in different ways, where the reference (of their shape) is not, were computed from it. Of integers nothing is said.
    """
    if not floating(first.dtype):
        return False
    old, new = first.astype(np.float64), then.astype(np.float64)
    wild = ~(np.abs(old) < _WILD) & ~(np.abs(new) < _WILD) & (np.abs(reference.astype(np.float64)) < _WILD)
    return bool((wild & ((np.isnan(old) != np.isnan(new)) | (old * new < 0))).any())
