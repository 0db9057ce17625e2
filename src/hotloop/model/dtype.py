"""Number types by name: NumPy's own, and bfloat16 and float8_e4m3fn, which NumPy lacks.

The package ``ml_dtypes`` gives them to NumPy. It is imported where the first one appears and never before, so that nobody
else pays for it. To NumPy such a type is of kind ``V`` (void): whoever asks for floating-point numbers asks `floating`, and
the types' properties are written down here, for ``numpy.finfo`` does not know them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

BFLOAT16 = "bfloat16"
FLOAT8 = "float8_e4m3fn"
"""Eight bits: a sign, 4 of exponent, 3 of significand; ``fn``: finite, with NaN but no infinity."""
FLOAT8_FNUZ = "float8_e4m3fnuz"
"""8-bit floats of gfx942: the bits of FLOAT8 mean half as much, and those of its negative zero are the only NaN."""


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
    infinite: bool = True
    """Whether it has infinities; without them what is too large becomes NaN, or the largest number."""


@dataclass(frozen=True, slots=True)
class _Foreign:
    """A type that NumPy has from ``ml_dtypes``."""

    item_bytes: int
    limits: Limits


_FOREIGN = {
    # The upper half of a float32: its 8 bits of exponent and 7 of its 23 bits of significand.
    BFLOAT16: _Foreign(2, Limits(2.0**-7, (2.0 - 2.0**-7) * 2.0**127, 2.0**-126, 2.0**-133, 8)),
    # Open Compute Project, OCP 8-bit Floating Point Specification, 5.1: all bits of exponent and significand set is NaN.
    FLOAT8: _Foreign(1, Limits(2.0**-3, 448.0, 2.0**-6, 2.0**-9, 4, infinite=False)),
    # AMD CDNA 3 ISA reference, 8-bit floats.
    FLOAT8_FNUZ: _Foreign(1, Limits(2.0**-3, 240.0, 2.0**-7, 2.0**-10, 4, infinite=False)),
}


@cache
def _foreign(name: str) -> np.dtype[np.generic]:
    """Return a type of ``ml_dtypes``; importing the package takes about 15 ms, once."""
    import ml_dtypes

    made: np.dtype[np.generic] = np.dtype(getattr(ml_dtypes, name))
    return made


def bfloat16() -> np.dtype[np.generic]:
    """Return NumPy's bfloat16."""
    return _foreign(BFLOAT16)


def dtype_of(dtype: DTypeLike) -> np.dtype[np.generic]:
    """Return the type that a name or a type means.

    Raises:
        TypeError: there is no such type.

    >>> dtype_of("float32").itemsize, dtype_of("bfloat16").itemsize, dtype_of("float8_e4m3fn").itemsize
    (4, 2, 1)
    """
    return _foreign(dtype) if isinstance(dtype, str) and dtype in _FOREIGN else np.dtype(dtype)


def item_bytes(name: str) -> int:
    """Return the bytes of one number of a type; a worker, which handles only bytes, need not load a foreign type for that."""
    return _FOREIGN[name].item_bytes if name in _FOREIGN else np.dtype(name).itemsize


def floating(dtype: np.dtype[np.generic]) -> bool:
    """Tell whether numbers of a type are floating-point.

    >>> floating(np.dtype("f2")), floating(dtype_of("bfloat16")), floating(np.dtype("i4")), floating(np.dtype("V2"))
    (True, True, False, False)
    """
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name in _FOREIGN)


def numeric(dtype: np.dtype[np.generic]) -> bool:
    """Tell whether a type holds real numbers or truth values."""
    return dtype.kind in "fiub" or floating(dtype)


@cache
def limits(dtype: np.dtype[np.generic]) -> Limits:
    """Return the properties of a floating-point type."""
    if dtype.kind == "V":
        return _FOREIGN[dtype.name].limits
    finite = np.finfo(dtype.name)
    return Limits(
        float(finite.eps),
        float(finite.max),
        float(finite.tiny),
        float(finite.smallest_subnormal),
        int(finite.nmant) + 1,
    )


@cache
def roundoff(name: str) -> float:
    """Return a floating-point type's unit roundoff: the largest relative error of rounding a number to the nearest one.

    It is half the distance from 1 to the next number. No foreign type is loaded for it.

    >>> roundoff("float16") == 2.0**-11, roundoff("bfloat16") == 2.0**-8, roundoff("float32") == 2.0**-24
    (True, True, True)
    """
    finite = _FOREIGN[name].limits if name in _FOREIGN else limits(np.dtype(name))
    return finite.eps / 2
