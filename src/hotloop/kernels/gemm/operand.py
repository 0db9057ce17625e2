"""NumPy arrays as stored matrices: which memory to bind, which way it lies, and when a copy cannot be avoided."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hotloop.errors import BadArrayError

Matrix: TypeAlias = np.ndarray[Any, Any]
"""Any array; two dimensions once `matrix` has seen it."""
DTYPES = {np.dtype(name): name for name in ("float16", "float32", "float64")}
CACHE_LINE = 64
PAGE = 4096
_SMALL = 16 * PAGE


class Stored(NamedTuple):
    """A matrix as it lies in memory."""

    memory: Matrix
    """C-contiguous array over exactly the bytes from the first to the last element."""
    flipped: bool
    """True when memory rows are the matrix's columns (column-major)."""
    ld: int
    """Elements from one memory row to the next; 0 when rows follow each other without a gap."""


def matrix(name: str, value: object) -> Matrix:
    """Return an argument as a two-dimensional array of a type that kernels have. Raises BadArrayError."""
    array = value if type(value) is np.ndarray else _converted(name, value)
    if array.ndim != 2:
        raise BadArrayError(f"{name} has {array.ndim} dimensions, and a matrix has 2; its shape is {array.shape}.")
    if array.dtype not in DTYPES:
        raise BadArrayError(f"{name} has dtype {array.dtype}; use one of {', '.join(DTYPES.values())}.")
    return array


def _converted(name: str, value: object) -> Matrix:
    if isinstance(value, np.ma.MaskedArray):
        raise BadArrayError(f"{name} is a masked array, whose mask would be lost; fill it first with filled().")
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:
        raise BadArrayError(f"{name} is no array: {error}.") from None


def stored(array: Matrix) -> Stored | None:
    """Return how a two-dimensional array lies in memory; None when no leading dimension describes it.

    Tight or gapped rows or columns with unit inner stride are described; broadcast, reversed and stepped views and
    elements off their natural alignment are not.
    """
    flags = array.flags
    if not flags.aligned:
        return None
    if flags.c_contiguous:
        return Stored(array, flipped=False, ld=0)
    if flags.f_contiguous:
        return Stored(array.T, flipped=True, ld=0)
    if _gapped(array):
        return Stored(_span(array), flipped=False, ld=array.strides[0] // array.itemsize)
    if _gapped(array.T):
        return Stored(_span(array.T), flipped=True, ld=array.strides[1] // array.itemsize)
    return None


def readable(array: Matrix) -> Stored:
    """Return how an array lies in memory, or how its copy does when it lies in no usable way."""
    return stored(array) or Stored(np.array(array, order="C", copy=True), flipped=False, ld=0)


def tight(array: Matrix) -> Stored:
    """Return an array, or its copy, as a matrix without gaps."""
    form = stored(array)
    return form if form and not form.ld else Stored(np.array(array, order="C", copy=True), flipped=False, ld=0)


def empty(rows: int, columns: int, dtype: np.dtype[Any]) -> Matrix:
    """Return an uninitialised C-order matrix on a cache-line boundary, large ones on a page boundary.

    Vectors that are stored across two cache lines cost twice, and NumPy's own arrays begin 16 bytes after a boundary.
    """
    size = rows * columns * dtype.itemsize
    boundary = CACHE_LINE if size < _SMALL else PAGE
    raw = np.empty(size + boundary, np.uint8)
    first = -raw.__array_interface__["data"][0] % boundary  # a tenth of the cost of raw.ctypes
    return np.ndarray((rows, columns), dtype, raw, first)


def _gapped(array: Matrix) -> bool:
    """Tell whether an array's rows are contiguous and lie a whole positive number of elements apart, not overlapping."""
    (rows, columns), (step, inner), size = array.shape, array.strides, array.itemsize
    unit = inner == size or columns == 1
    return bool(rows and columns and unit and step % size == 0 and step >= columns * size)


def _span(array: Matrix) -> Matrix:
    """Return the memory under a gapped array, gaps between its rows included."""
    rows, columns = array.shape
    elements = (rows - 1) * (array.strides[0] // array.itemsize) + columns
    return np.lib.stride_tricks.as_strided(array, (elements,), (array.itemsize,), writeable=array.flags.writeable)
