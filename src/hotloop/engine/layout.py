"""Datasets in the arena: arrays laid out with canary bands in files that parent and worker both know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import BadShapeError
from hotloop.host import arena as arenas
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Dataset, Slot
from hotloop.verify.guards import make_banded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs


def write(arena: Path, name: str, inputs: Inputs, outputs: Sequence[str], poison: int = 0) -> Dataset:
    """Write all arrays of `inputs` to the arena and return where they lie; scalars are left out.

    Raises:
        BadShapeError: the arrays do not fit in the arena's file system.
    """
    arrays = {key: value for key, value in inputs.items() if isinstance(value, np.ndarray | Empty)}
    _check_room(arena, arrays)
    slots = tuple(
        _slot(arena, f"{name}.{index}.in", key, value, output=key in outputs, poison=poison)
        for index, (key, value) in enumerate(arrays.items())
    )
    return Dataset(name, slots)


def remove(arena: Path, name: str) -> None:
    """Delete a dataset's files, results included."""
    for path in arena.glob(f"{name}.*"):
        path.unlink(missing_ok=True)


def read(arena: Path, files: Mapping[str, str]) -> dict[str, NDArray[np.uint8]]:
    """Return banded arrays that the worker saved."""
    return {name: np.fromfile(arena / Path(file).name, np.uint8) for name, file in files.items()}


def _slot(arena: Path, file: str, name: str, value: NDArray[np.generic] | Empty, *, output: bool, poison: int) -> Slot:
    if isinstance(value, Empty):
        make_banded(shape=value.shape, dtype=value.dtype, poison=poison).tofile(arena / file)
        return Slot(name, value.dtype, tuple(value.shape), file, output=True, input=False)
    make_banded(value).tofile(arena / file)
    return Slot(name, value.dtype.name, tuple(value.shape), file, output=output, input=True)


def _check_room(arena: Path, arrays: Mapping[str, NDArray[np.generic] | Empty]) -> None:
    needed = sum(_size_bytes(value) + 2 * BAND_BYTES for value in arrays.values())
    free = arenas.free_bytes(arena)
    if 2 * needed > free:
        raise BadShapeError(
            f"the problem's arrays take {needed / 2**30:.1f} GiB and their results as much, but {arena} has only "
            f"{free / 2**30:.1f} GiB free; choose a smaller shape or set TMPDIR to a larger file system."
        )


def _size_bytes(value: NDArray[np.generic] | Empty) -> int:
    if isinstance(value, Empty):
        return int(np.prod(value.shape, dtype=np.int64)) * np.dtype(value.dtype).itemsize
    return int(value.nbytes)
