"""Datasets in the arena: arrays laid out with canary bands in files that parent and worker both know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import BadShapeError, MachineError
from hotloop.host import memory
from hotloop.model.dtype import item_bytes
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Dataset, Slot
from hotloop.units import size
from hotloop.verify.guards import make_banded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.host.arena import Arena
    from hotloop.model.kernel import Inputs
    from hotloop.model.program import Program

SCRATCH = "scratch:"
"""Prefix of scratch areas among the returned arrays; no argument can have this name."""

_ALIGNED_BYTES = 64
"""Arrays start at multiples of a cache line, which every type is aligned to."""
COPIES = 4
"""Times that all arrays are in memory at once: pristine, on the device, as results there, and as results here."""


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
        reason = error.strerror or "the file system is full"  # NumPy reports a short write without a number
        raise MachineError(f"cannot write the problem's arrays to {arena.path}: {reason}; free space there.") from error
    return Dataset(name, slots)


def remove(arena: Arena, name: str) -> None:
    """Delete a dataset's files, results included."""
    for path in arena.path.glob(f"{name}.*"):
        path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Results:
    """Where a worker saves every array after a run: in one file, because each file costs the reader more than its bytes."""

    file: str
    places: Mapping[str, slice]
    """Banded bytes of each array in the file; scratch areas are named ``scratch:NAME``."""
    total_bytes: int


def results(program: Program, dataset: Dataset, tag: str = "") -> Results:
    """Return where the arrays of a program on a dataset lie after a run; another tag, another run."""
    sizes = [(slot.name, slot.payload_bytes) for slot in dataset.slots]
    sizes += [(SCRATCH + area.name, area.scratch_bytes) for area in program.scratch]
    places, end = dict[str, slice](), 0
    for name, payload_bytes in sizes:
        start = -(-end // _ALIGNED_BYTES) * _ALIGNED_BYTES
        end = start + payload_bytes + 2 * BAND_BYTES
        places[name] = slice(start, end)
    return Results(f"{dataset.name}.{tag}out", places, end)


def read(arena: Arena, saved: Results) -> dict[str, NDArray[np.uint8]]:
    """Return banded arrays that the worker saved. Raises OSError or ValueError when they are missing or cut short."""
    whole = np.fromfile(f"{arena.path}/{saved.file}", np.uint8)
    if whole.size != saved.total_bytes:
        raise ValueError(f"{saved.file} has {whole.size} bytes instead of {saved.total_bytes}")
    return {name: whole[place] for name, place in saved.places.items()}


def _slot(arena: Path, file: str, name: str, value: NDArray[np.generic] | Empty, *, output: bool, poison: int) -> Slot:
    if isinstance(value, Empty):
        make_banded(shape=value.shape, dtype=value.dtype, poison=poison).tofile(arena / file)
        return Slot(name, value.dtype, tuple(value.shape), file, output=True, input=False)
    make_banded(value).tofile(arena / file)
    return Slot(name, value.dtype.name, tuple(value.shape), file, output=output, input=True)


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
