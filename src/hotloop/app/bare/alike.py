"""Inputs of the kind that a program had: its own values, or others drawn from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.guards import chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUTS = "inputs"
"""Size of a captured problem that says which inputs are meant."""
ALIKE, EXACT = "alike", "captured"
_BLOCK = 1 << 17
"""Elements that are drawn at a time: what is between stays in a core's caches."""
_SINGLE = 4
_JITTER = 0.1
"""Root mean square of the relative change of a number that is drawn again, so that no result is met twice."""


def alike(
    kept: NDArray[np.generic], length: int, rng: np.random.Generator, shape: tuple[int, ...] = (), lanes: int = 1
) -> NDArray[np.generic]:
    """Return so many elements of the kind of those that were kept; `lanes` of them are one short vector, which stays together.

    Whole numbers that rise (offsets, lengths that add up) stay as they are. Others change their order, whole rows of an array
    of that shape: what occurs once still does, so that places which a program stores to stay apart, and lengths add up to what
    they did. Where fewer were kept, they are drawn from these. Numbers with a point are drawn in runs and changed by a tenth;
    zero, infinities and arrays of one value keep what they mean.
    """
    if kept.size == 0:
        return np.zeros(length, kept.dtype)
    if not floating(kept.dtype):
        rising = kept.size > 2 and bool(np.greater_equal(kept[1:], kept[:-1]).all()) and kept[0] != kept[-1]
        if rising and kept.size >= length:
            return kept[:length].copy()
        if lanes > 1 and kept.size % lanes == 0 == length % lanes and kept.size < length:
            return np.asarray(rng.choice(kept.reshape(-1, lanes), length // lanes).reshape(-1))
        rows = shape or ((kept.size // lanes, lanes) if lanes > 1 else ())
        return np.asarray(_reordered(kept, rows, rng)[:length] if kept.size >= length else rng.choice(kept, length))
    if bool((kept[:_BLOCK] == kept[0]).all()) and bool((kept == kept[0]).all()):
        return np.full(length, kept[0], kept.dtype)
    return _jittered(kept, length, rng, lanes)


def _reordered(kept: NDArray[np.generic], shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.generic]:
    """Return the kept numbers in another order: the rows of an array that has several, each as it was, else one by one."""
    rows = next((extent for extent in shape if extent > 1), 1)
    whole = len(shape) > 1 and prod(shape) == kept.size and rows < kept.size
    return rng.permutation(kept.reshape(rows, -1)).reshape(-1) if whole else rng.permutation(kept)


def _jittered(kept: NDArray[np.generic], length: int, rng: np.random.Generator, lanes: int) -> NDArray[np.generic]:
    """Return runs of the kept numbers from any short vector among them on, each number changed by a tenth."""
    exact: type[np.float32 | np.float64] = np.float64 if kept.dtype.itemsize > _SINGLE else np.float32
    spread = _JITTER * 12**0.5

    def drawn(count: int, stream: np.random.Generator) -> NDArray[np.generic]:
        changed = stream.random(count, exact)
        changed -= exact(0.5)
        changed *= exact(spread)
        changed += exact(1.0)
        with np.errstate(all="ignore"):
            changed *= _run(kept, lanes * int(stream.integers(max(1, kept.size // lanes))), count).astype(exact)
            return np.asarray(changed.astype(kept.dtype))

    return _by_blocks(length, kept.dtype, rng, drawn)


def _run(kept: NDArray[np.generic], start: int, count: int) -> NDArray[np.generic]:
    """Return so many kept numbers from a place on, which go on at the beginning behind the last."""
    if start + count <= kept.size:
        return kept[start : start + count]
    return np.concatenate([kept[start:], np.resize(kept, start + count - kept.size)])


def _by_blocks(
    length: int,
    kind: np.dtype[np.generic],
    rng: np.random.Generator,
    drawn: Callable[[int, np.random.Generator], NDArray[np.generic]],
) -> NDArray[np.generic]:
    """Return numbers that are drawn by blocks, each with a stream of its own, so that cores share the work."""
    made = np.empty(length, kind)
    blocks = list(chunks(length, _BLOCK))

    def fill(block: tuple[int, int], stream: np.random.Generator) -> None:
        made[block[0] : block[1]] = drawn(block[1] - block[0], stream)

    with ThreadPoolExecutor(max(1, min(len(blocks), os.cpu_count() or 1))) as pool:
        list(pool.map(fill, blocks, rng.spawn(len(blocks))))
    return made


def given(
    which: object,
    arrays: Mapping[str, tuple[NDArray[np.generic] | None, int, str]],
    rng: np.random.Generator,
    shapes: Mapping[str, tuple[int, ...]] = {},  # only read
    lanes: Mapping[str, int] = {},  # only read
) -> dict[str, NDArray[np.generic]]:
    """Return arrays by name: the captured ones where `which` asks for them and all of them were kept.

    Args:
        which: `ALIKE` or `EXACT`.
        arrays: by name what was kept of it, its length in elements, and its type; of what was not kept, uniform numbers are drawn.
        rng: where fresh ones come from.
        shapes: of arrays whose rows are known, as they lie in memory.
        lanes: of arrays of short vectors, how many numbers each has.
    """
    contents: dict[str, NDArray[np.generic]] = {}
    for name, (kept, length, dtype) in arrays.items():
        if kept is None:
            contents[name] = _unknown(length, dtype, rng)
        elif which == EXACT and kept.size == length:
            contents[name] = kept.copy()
        else:
            contents[name] = alike(kept, length, rng, shapes.get(name, ()), lanes.get(name, 1))
    return contents


def _unknown(length: int, dtype: str, rng: np.random.Generator) -> NDArray[np.generic]:
    from hotloop.model.dtype import dtype_of

    kind = dtype_of(dtype)
    if not floating(kind):
        return np.zeros(length, kind)  # the only index that is certain to lie within
    return _by_blocks(
        length, kind, rng, lambda count, stream: np.asarray(stream.uniform(-1.0, 1.0, count).astype(kind))
    )
