"""Datasets in the arena: arrays laid out with canary bands in files that parent and worker both know."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import BadShapeError, MachineError
from hotloop.host import blocks, memory
from hotloop.model.dtype import item_bytes
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Dataset, Slot
from hotloop.units import size
from hotloop.verify.guards import input_band, make_banded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.spare import Spare
    from hotloop.host.arena import Arena
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program, Scratch

SCRATCH = "scratch:"
"""Prefix of the names of scratch areas among returned arrays; no argument can have such a name."""

_ALIGNED_BYTES = 64
"""Arrays start at multiples of this, a cache line, which is enough for every data type."""
COPIES = 4
"""Number of copies of all arrays in memory at once: original, on the device, results of the worker, results of the parent."""


def write(arena: Arena, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
    """Write all arrays of `inputs` to the arena and return where they lie; scalars are left out.

    Raises:
        BadShapeError: the arrays do not fit in the arena's file system.
        MachineError: they cannot be written, for instance because others filled it meanwhile.
    """
    arrays = {key: value for key, value in inputs.items() if isinstance(value, np.ndarray | Empty)}
    _check_room(arena, arrays)
    try:
        slots = tuple(
            _slot(arena.path, f"{name}.{index}.in", key, value, output=key in outputs, poison=poison)
            for index, (key, value) in enumerate(arrays.items())
        )
    except OSError as error:
        reason = error.strerror or "the file system is full"  # NumPy reports a short write without an error number
        files = error.errno in (errno.EMFILE, errno.ENFILE)
        remedy = "allow more open files (ulimit -n)" if files else "free space there"
        raise MachineError(f"cannot write the problem's arrays to {arena.path}: {reason}; {remedy}.") from error
    return Dataset(name, slots)


def remove(arena: Arena, name: str) -> None:
    """Delete a dataset's files, results included."""
    for path in arena.path.glob(f"{name}.*"):
        path.unlink(missing_ok=True)


RUNS = "runs.out"
"""File in which a worker saves the results of all runs of a request in sequence; one file is faster to read than many."""


LANDED = ("landed0.out", "landed1.out")
"""Files that stay mapped in a worker, for the results of a large single run on a GPU each; only their beginning counts."""


_MAPPED_BYTES = 2**22
"""Size from which a file is mapped instead of read."""


def content(path: Path) -> NDArray[np.uint8]:
    """Return the bytes of a file that nobody changes, without a copy where it is large. Raises OSError."""
    if path.stat().st_size < _MAPPED_BYTES:
        return np.fromfile(path, np.uint8)
    return np.memmap(path, np.uint8, "r")


def timed_file(dataset: Dataset, index: int) -> str:
    """Return the file in which a worker saves the arrays that a contender left in a dataset after timing."""
    return f"{dataset.name}.t{index}.out"


@dataclass(frozen=True, slots=True)
class Results:
    """Position of every array in the saved bytes of one run."""

    places: Mapping[str, slice]
    """Slice of each array with its bands; of scratch areas (``scratch:NAME``) only the bands, since their content is no result."""
    total_bytes: int
    """Size of one run's results, a multiple of the alignment so that the next run's arrays are aligned."""


def results(program: Program, dataset: Dataset) -> Results:
    """Return the layout of the results that a program leaves on a dataset."""
    return _results(dataset, program.scratch)


@lru_cache(maxsize=256)
def _results(dataset: Dataset, scratch: tuple[Scratch, ...]) -> Results:
    sizes = [(slot.name, slot.payload_bytes) for slot in dataset.slots]
    sizes += [(SCRATCH + area.name, 0) for area in scratch]
    places, end = dict[str, slice](), 0
    for name, payload_bytes in sizes:
        stop = end + payload_bytes + 2 * BAND_BYTES
        places[name] = slice(end, stop)
        end = -(-stop // _ALIGNED_BYTES) * _ALIGNED_BYTES
    return Results(places, end)


Seen = tuple[int, str]
"""Seed and digest of some words of results, see `words`."""
_SEEN_WORDS = 1024
"""If one word in a hundred is another one, so many miss all of them once in 30,000 times."""


def words(landed: NDArray[np.uint8], seed: int) -> str:
    """Return a digest of words at places that a seed draws: it takes microseconds, and whoever changes results later changes it."""
    every = landed[: landed.size // 8 * 8].view(np.uint64)
    places = np.random.default_rng(seed).integers(0, every.size, _SEEN_WORDS)
    return hashlib.blake2b(every[places].tobytes(), digest_size=16).hexdigest()


def read(
    arena: Arena, file: str, saved: Sequence[Results], spare: Spare | None = None, seen: Seen | None = None
) -> list[dict[str, NDArray[np.uint8]]]:
    """Return the banded arrays of runs in the order in which the worker saved them in a file, in memory of `spare`.

    Raises OSError or ValueError when some are missing or cut short, when there are more, or when they are not what was `seen` of them.
    """
    stops = list(accumulate(array.total_bytes for array in saved))
    size_bytes = (stops or [0])[-1]
    landed = np.empty(size_bytes, np.uint8) if spare is None else spare.room(size_bytes)
    with open(f"{arena.path}/{file}", "rb", buffering=0) as kept:  # noqa: PTH123 - through a Path it takes half as long again to open
        found_bytes = os.fstat(kept.fileno()).st_size
        if found_bytes < landed.size or (found_bytes > landed.size and file not in LANDED):
            raise ValueError(f"{file} has {found_bytes} bytes instead of {landed.size}")
        blocks.over(landed.size, lambda start, stop: _copied(kept.fileno(), file, landed[start:stop], start))
    if seen is not None and words(landed, seen[0]) != seen[1]:
        raise ValueError(f"{file} was changed after its run had ended")
    runs = [landed[stop - array.total_bytes : stop] for stop, array in zip(stops, saved, strict=True)]
    return [{name: run[place] for name, place in array.places.items()} for run, array in zip(runs, saved, strict=True)]


def _copied(handle: int, file: str, part: NDArray[np.uint8], at: int) -> None:
    """Read the bytes of a file from a place on. Raises ValueError where it ends early."""
    read_bytes = 0
    while read_bytes < part.size:  # one read returns at most 2 GiB
        if not (more_bytes := os.preadv(handle, [part.data[read_bytes:]], at + read_bytes)):
            raise ValueError(f"{file} ended after {at + read_bytes} bytes")
        read_bytes += more_bytes


def _slot(arena: Path, file: str, name: str, value: NDArray[np.generic] | Empty, *, output: bool, poison: int) -> Slot:
    if isinstance(value, Empty):
        save(arena / file, make_banded(shape=value.shape, dtype=value.dtype, poison=poison))
        return Slot(name, value.dtype, tuple(value.shape), file, output=True, input=False)
    if value.nbytes < blocks.STEP:
        save(arena / file, make_banded(value, poison=poison))
    else:
        band, payload = input_band(value, poison), np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        save(arena / file, band, payload, band)
    return Slot(name, value.dtype.name, tuple(value.shape), file, output=output, input=True)


def save(path: Path, *pieces: NDArray[np.uint8]) -> None:
    """Write pieces one after the other to a new file, large ones on several cores. Raises OSError."""
    path.unlink(missing_ok=True)  # a worker may have mapped the one before: its pages must not change
    with path.open("wb", buffering=0) as file:
        begin = 0
        for piece in pieces:
            blocks.over(piece.size, partial(_put, file.fileno(), piece, begin))
            begin += piece.size


def _put(handle: int, piece: NDArray[np.uint8], begin: int, start: int, stop: int) -> None:
    while start < stop:  # one write takes at most 2 GiB
        start += os.pwrite(handle, piece.data[start:stop], begin + start)


def _check_room(arena: Arena, arrays: Mapping[str, NDArray[np.generic] | Empty]) -> None:
    needed = sum(_size_bytes(value) + 2 * BAND_BYTES for value in arrays.values())
    if 2 * needed > arena.free_bytes:
        raise BadShapeError(
            f"the problem's arrays take {size(needed)} and their results as much, but {arena.path} has only "
            f"{size(arena.free_bytes)} free; choose a smaller shape or set TMPDIR to a larger file system."
        )
    available = memory.available_bytes()
    if available is not None and COPIES * needed > available:
        raise BadShapeError(
            f"the problem's arrays take {size(needed)}, {COPIES} times over to run and check them, but only "
            f"{size(available)} of memory are free; choose a smaller shape."
        )


def _size_bytes(value: NDArray[np.generic] | Empty) -> int:
    if isinstance(value, Empty):
        return int(np.prod(value.shape, dtype=np.int64)) * item_bytes(value.dtype)
    return int(value.nbytes)
