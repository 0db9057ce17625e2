"""Number types by name: NumPy's own and bfloat16, which NumPy lacks.

The package ``ml_dtypes`` gives NumPy a bfloat16. It is imported where the first one appears and never before, so that nobody
else pays for it. To NumPy such a type is of kind ``V`` (void): whoever asks for floating-point numbers asks `floating`, and
the type's properties are written down here, for ``numpy.finfo`` does not know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

BFLOAT16 = "bfloat16"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a floating-point type can hold."""

    eps: float
    """Distance from 1 to the next number."""
    largest: float
    """Largest finite number."""
    normal: float
    """Smallest normal number."""
    smallest: float
    """Smallest number above zero."""
    digits: int
    """Bits of a significand, the implicit one included."""


_OF_BFLOAT16 = Limits(2.0**-7, (2.0 - 2.0**-7) * 2.0**127, 2.0**-126, 2.0**-133, 8)
"""The upper half of a float32: its 8 bits of exponent and 7 of its 23 bits of significand."""


@cache
def bfloat16() -> np.dtype[np.generic]:
    """Return NumPy's bfloat16; importing its package takes about 15 ms, once."""
    import ml_dtypes

    made: np.dtype[np.generic] = np.dtype(ml_dtypes.bfloat16)
    return made


def dtype_of(dtype: DTypeLike) -> np.dtype[np.generic]:
    """Return the type that a name or a type means.

    Raises:
        TypeError: there is no such type.

    >>> dtype_of("float32").itemsize, dtype_of("bfloat16").itemsize
    (4, 2)
    """
    return bfloat16() if isinstance(dtype, str) and dtype == BFLOAT16 else np.dtype(dtype)


def item_bytes(name: str) -> int:
    """Return the bytes of one number of a type; a worker, which handles only bytes, need not load bfloat16 for that."""
    return 2 if name == BFLOAT16 else np.dtype(name).itemsize


def floating(dtype: np.dtype[np.generic]) -> bool:
    """Tell whether numbers of a type are floating-point.

    >>> floating(np.dtype("f2")), floating(dtype_of("bfloat16")), floating(np.dtype("i4")), floating(np.dtype("V2"))
    (True, True, False, False)
    """
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name == BFLOAT16)


def numeric(dtype: np.dtype[np.generic]) -> bool:
    """Tell whether a type holds real numbers or truth values."""
    return dtype.kind in "fiub" or floating(dtype)


@cache
def limits(dtype: np.dtype[np.generic]) -> Limits:
    """Return the properties of a floating-point type."""
    if dtype.kind == "V":
        return _OF_BFLOAT16
    known = np.finfo(dtype.name)
    return Limits(
        float(known.eps),
        float(known.max),
        float(known.tiny),
        float(known.smallest_subnormal),
        int(known.nmant) + 1,
    )
