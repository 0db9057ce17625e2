"""Datasets written to the arena: arrays with canary bands in files. Only the parent process writes them."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.engine.layout import save
from hotloop.errors import BadShapeError, MachineError
from hotloop.host import blocks, memory
from hotloop.model.dtype import item_bytes
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Dataset, Slot
from hotloop.units import size
from hotloop.verify.guards import input_band, make_banded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.host.arena import Arena
    from hotloop.model.kernel import Inputs

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
