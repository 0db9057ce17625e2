"""Files of a dataset in the arena, as parent and worker both know them: where each array lies in what a run leaves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.host import blocks
from hotloop.ports import BAND_BYTES, Dataset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.spare import Spare
    from hotloop.host.arena import Arena
    from hotloop.model.program import Program, Scratch

SCRATCH = "scratch:"
"""Prefix of the names of scratch areas among returned arrays; no argument can have such a name."""

_ALIGNED_BYTES = 64
"""Arrays start at multiples of this, a cache line, which is enough for every data type."""

RUNS = "runs.out"
"""File in which a worker saves the results of all runs of a request in sequence; one file is faster to read than many."""

LANDED = ("landed0.out", "landed1.out")
"""Files that stay mapped in a worker, for the results of a large single run on a GPU each; only their beginning counts."""

MAPPED_BYTES = 2**22
"""Size from which a file is mapped instead of read."""


def remove(arena: Arena, name: str) -> None:
    """Delete a dataset's files, results included."""
    for path in arena.path.glob(f"{name}.*"):
        path.unlink(missing_ok=True)


def content(path: Path) -> NDArray[np.uint8]:
    """Return the bytes of a file that nobody changes, without a copy where it is large. Raises OSError."""
    if path.stat().st_size < MAPPED_BYTES:
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
    stops = list(accumulate(layout.total_bytes for layout in saved))
    size_bytes = (stops or [0])[-1]
    landed = np.empty(size_bytes, np.uint8) if spare is None else spare.room(size_bytes)
    with open(f"{arena.path}/{file}", "rb", buffering=0) as kept:  # noqa: PTH123 - through a Path it takes half as long again to open
        found_bytes = os.fstat(kept.fileno()).st_size
        if found_bytes < landed.size or (found_bytes > landed.size and file not in LANDED):
            raise ValueError(f"{file} has {found_bytes} bytes instead of {landed.size}")
        blocks.over(landed.size, lambda start, stop: _copied(kept.fileno(), file, landed[start:stop], start))
    if seen is not None and words(landed, seen[0]) != seen[1]:
        raise ValueError(f"{file} was changed after its run had ended")
    runs = [landed[stop - layout.total_bytes : stop] for stop, layout in zip(stops, saved, strict=True)]
    return [
        {name: run[place] for name, place in layout.places.items()} for run, layout in zip(runs, saved, strict=True)
    ]


def _copied(handle: int, file: str, part: NDArray[np.uint8], at: int) -> None:
    """Read the bytes of a file from a place on. Raises ValueError where it ends early."""
    read_bytes = 0
    while read_bytes < part.size:  # one read returns at most 2 GiB
        if not (more_bytes := os.preadv(handle, [part.data[read_bytes:]], at + read_bytes)):
            raise ValueError(f"{file} ended after {at + read_bytes} bytes")
        read_bytes += more_bytes


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


def in_place(path: str, flags: int) -> int:
    """Open a file whose old content is overwritten: pages that it has need not be asked for again, which takes longer than the copy."""
    return os.open(path, flags & ~os.O_TRUNC, 0o600)
