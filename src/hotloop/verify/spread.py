"""Work on large arrays in blocks that stay in a core's caches, on all cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hotloop.verify.guards import chunks

T = TypeVar("T")
BLOCK = 1 << 17
"""Elements that are worked on at a time."""
_BYTES = 1 << 22
"""Bytes of which a checksum is taken: many blocks for each core, and little time spent on handing them out."""


def each(size: int, work: Callable[[slice], T], block: int = BLOCK) -> list[T]:
    """Return what `work` returns for consecutive blocks of 0 … size, in their order.

    >>> each(3, lambda block: block.stop - block.start), each(5, lambda block: block.stop, block=2)
    ([3], [2, 4, 5])
    """
    parts = [slice(start, stop) for start, stop in chunks(size, block)]
    if len(parts) < 2:
        return [work(part) for part in parts]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(work, parts))


def checksums(values: NDArray[np.generic]) -> tuple[int, ...]:
    """Return a checksum (CRC-32) of each block of an array's bytes."""
    plain = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    return tuple(each(plain.size, lambda part: crc32(plain[part].data), _BYTES))


def finite(values: NDArray[np.generic]) -> bool:
    """Tell whether an array holds neither NaN nor infinities."""
    flat = values.reshape(-1)
    return all(each(flat.size, lambda part: bool(np.isfinite(flat[part]).all())))


def copied(values: NDArray[np.generic], kind: np.dtype[np.generic]) -> NDArray[np.generic]:
    """Return a copy of another type, of the same shape."""
    made, flat = np.empty(values.shape, kind), values.reshape(-1)
    target = made.reshape(-1)

    def fill(part: slice) -> None:
        target[part] = flat[part]

    each(flat.size, fill)
    return made
