"""Guards around a run: canary bands, unchanged inputs, repeatable results, and refusal of impossible speeds.

A *banded* array is the whole device buffer as bytes: canary, payload, canary. The front band is a page, so the payload
keeps its alignment; the back band begins at the very next byte, so that an overrun by one element is detected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.dtype import dtype_of
from hotloop.ports import BAND_BYTES
from hotloop.verify import poison as poisons

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_WORD = np.dtype(np.uint64)
_CHUNK = 1 << 20  # bytes compared at once: small enough for the caches, large enough to hide Python's overhead


PHASES = 13
_FIRST = 0x7F91
"""First word of the first phase: a signalling NaN as bfloat16."""
_INPUTS, _SCRATCH, _OUTPUTS = 11, 11, 12  # phases below 11 are for inputs, one for each content


NUMBERS = (0x7A50, 0xFA50)
"""First words of bands of large numbers, positive and negative in every float and integer type, which `max` and `min` do not
ignore as they ignore NaN."""


@cache
def canary_of(number: int, phase: int) -> NDArray[np.uint8]:
    """Return the bytes of a band of large numbers that differ from place to place; `number` is one of `NUMBERS`."""
    words = (number + (np.arange(BAND_BYTES // 2) + phase) % PHASES).astype("<u2")
    band = words.view(np.uint8)
    band.flags.writeable = False
    return band


@cache
def canary(phase: int = 0) -> NDArray[np.uint8]:
    """Return the bytes of one band: 16-bit words that differ from place to place, and from phase to phase.

    They are NaN as float16, bfloat16, float32 and float64 alike, so a kernel that *reads* out of bounds and uses what it
    finds spoils its result. Every other float32, the first included, every float64, and the first two of four bfloat16
    are signalling NaN: arithmetic on one sets the quiet bit (IEEE 754, 6.2.3), so ``y[n] += x`` beyond the end shows too, although NaN stays NaN. Arrays
    have different phases, so a copy from beyond one array to beyond another shows as well. Of 8-bit floats every second
    byte is NaN, so two elements in a row show.
    """
    count = np.arange(BAND_BYTES // 8) + phase
    words = np.empty((count.size, 4), "<u2")  # two float32, or one float64, little end first
    words[:, 0] = _FIRST + count % PHASES
    words[:, 1] = 0x7FA1 + count % PHASES
    words[:, 2] = 0x7FF1 + (count + 5) % PHASES
    words[:, 3] = 0x7FF1 + count % 7
    band = words.reshape(-1).view(np.uint8)
    band.flags.writeable = False
    return band


@cache
def _canaries() -> dict[bytes, bytes]:
    """Return the bands of all phases by their first word, in which they differ."""
    every = [canary(phase) for phase in range(PHASES)]
    every += [canary_of(number, phase) for number in NUMBERS for phase in range(PHASES)]
    return {band[:2].tobytes(): band.tobytes() for band in every}


def banded_bytes(payload_bytes: int) -> int:
    """Return the size of the buffer for a payload."""
    return payload_bytes + 2 * BAND_BYTES


def make_banded(
    payload: NDArray[np.generic] | None = None,
    *,
    shape: Sequence[int] = (),
    dtype: DTypeLike = np.float32,
    poison: int = 0,
) -> NDArray[np.uint8]:
    """Return a banded copy of an input (C order), or a poisoned banded output of `shape` and `dtype`."""
    if payload is not None:
        banded = np.empty(banded_bytes(payload.nbytes), np.uint8)
        banded[:BAND_BYTES] = banded[-BAND_BYTES:] = input_band(payload, poison)
        payload_view(banded, payload.dtype, payload.shape)[...] = payload
        return banded
    banded = _bands(prod(shape) * dtype_of(dtype).itemsize, _OUTPUTS, poison)
    poisons.fill(_inside(banded), dtype, poison)
    return banded


def input_band(payload: NDArray[np.generic], poison: int = 0) -> NDArray[np.uint8]:
    """Return the bytes before and behind an input: arrays of different content get, mostly, different ones."""
    return _band(sum(payload.flat[:16].tobytes()) % _INPUTS, poison)


def make_scratch(scratch_bytes: int, poison: int = 0, *, zeroed: bool = False) -> NDArray[np.uint8]:
    """Return a banded scratch area: poisoned for every float type, or zero where the program counts on that."""
    banded = _bands(scratch_bytes, _SCRATCH)
    if zeroed:
        _inside(banded)[:] = 0
    else:
        poisons.fill_scratch(_inside(banded), poison)
    return banded


def payload_view(banded: NDArray[np.uint8], dtype: DTypeLike, shape: Sequence[int]) -> NDArray[np.generic]:
    """Return the payload as an array that shares the banded bytes.

    Raises:
        ValueError: the buffer has another size than such a payload needs.
    """
    kind = dtype_of(dtype)
    if banded.size != banded_bytes(prod(shape) * kind.itemsize):
        raise ValueError(f"{banded.size} banded bytes do not hold {kind.name}{list(shape)}")
    return np.asarray(_inside(banded).view(kind).reshape(tuple(shape)))


def overrun(banded: NDArray[np.uint8]) -> str | None:
    """Return which canary was overwritten and where, e.g. ``canary after {} overwritten at +64 B``; None if both are intact.

    The offset counts from the payload: +0 is the first byte behind it, −1 the last byte before it.
    """
    front, back = banded[:BAND_BYTES], banded[-BAND_BYTES:]
    ends = front.tobytes(), back.tobytes()
    if ends[0] == ends[1] == _canaries().get(ends[0][:2]):  # intact, the usual case
        return None
    due = _due(front, back)
    damage = np.flatnonzero(back != due)
    if damage.size:
        return f"canary after {{}} overwritten at +{damage[0]} B"
    damage = np.flatnonzero(front != due)
    return f"canary before {{}} overwritten at −{BAND_BYTES - damage[-1]} B" if damage.size else None


def _due(front: NDArray[np.uint8], back: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the original content of two bands: the pattern that agrees with most bytes if some were overwritten."""
    bands = [np.frombuffer(band, np.uint8) for band in _canaries().values()]
    return min(bands, key=lambda band: np.count_nonzero(front != band) + np.count_nonzero(back != band))


def first_change(before: NDArray[np.generic], after: NDArray[np.generic]) -> tuple[int, ...] | None:
    """Return the index of the first element whose bits differ (NaN payloads and signs of zero count), or None."""
    if before.size == 0 or (before.nbytes <= _CHUNK and before.tobytes() == after.tobytes()):
        return None
    old, new = _bytes(before), _bytes(after)
    for start, stop in chunks(old.size, _CHUNK):
        if not _same(old[start:stop], new[start:stop]):
            where = start + int(np.argmax(old[start:stop] != new[start:stop]))
            return tuple(int(i) for i in np.unravel_index(where // before.dtype.itemsize, before.shape))
    return None


def _same(old: NDArray[np.uint8], new: NDArray[np.uint8]) -> bool:
    """Compare two pieces of memory; by words where they can be, which reads each byte once."""
    if old.size % _WORD.itemsize:
        return old.tobytes() == new.tobytes()
    return bool((old.view(_WORD) == new.view(_WORD)).all())


def chunks(size: int, step: int) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of consecutive pieces that cover 0 … size."""
    for start in range(0, size, step):
        yield start, min(start + step, size)


def _bands(payload_bytes: int, phase: int, poison: int = 0) -> NDArray[np.uint8]:
    banded = np.empty(banded_bytes(payload_bytes), np.uint8)
    banded[:BAND_BYTES] = banded[-BAND_BYTES:] = _band(phase, poison)
    return banded


def _band(phase: int, poison: int) -> NDArray[np.uint8]:
    kind = poison % poisons.ALL - poisons.PATTERNS
    return canary(phase) if kind < 0 else canary_of(NUMBERS[kind], phase)


def _inside(banded: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return banded[BAND_BYTES : banded.size - BAND_BYTES]


def _bytes(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)
