"""Files of the arena that stay mapped and pinned, so that a GPU copies them at the speed of its bus.

From memory that is not pinned a copy runs at a quarter of that speed or less, because the driver copies every piece twice; and
a results file that is written anew each time costs more in new pages than its copy. What lies in these pages is never evidence
by itself: the judging process copies it before it looks.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from hotloop.errors import MachineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_BYTES = 2**20
"""Smaller arrays are copied as quickly without."""


@runtime_checkable
class Pinning(Protocol):
    """A backend whose device copies pinned memory of the host faster."""

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Pin an array's pages; one that cannot be pinned is left as it is."""

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release pages that were pinned; any others are left as they are."""


@dataclass(frozen=True, slots=True)
class _Mapped:
    """A file that is mapped into memory and pinned for the device."""

    state: tuple[int, int]
    """Inode and size in bytes. Each array gets a new file, and an inode is not used again while it is mapped, so another
    content is another state; the time of writing says nothing, because pinning a page may count as writing to it."""
    array: NDArray[np.uint8]
    backend: Pinning


class Pinned:
    """The mapped files of a worker, by name."""

    def __init__(self, arena: Path) -> None:
        self._arena = arena
        self._files: dict[str, _Mapped] = {}

    def source(self, file: str, backend: Pinning) -> NDArray[np.uint8]:
        """Return the bytes of a file that the judging process wrote."""
        mapped = self._files.get(file)
        if mapped is None or mapped.state != _state(self._arena / file):
            mapped = self._map(file, backend)
        return mapped.array

    def target(self, file: str, size_bytes: int, backend: Pinning) -> NDArray[np.uint8]:
        """Return the first bytes of a file for results, which grows where it is too small.

        Raises:
            MachineError: there is no room.
        """
        mapped = self._files.get(file)
        if mapped is None or mapped.array.size < size_bytes:
            self._drop(file)
            path = self._arena / file
            try:
                with path.open("ab") as kept:
                    os.posix_fallocate(kept.fileno(), 0, size_bytes)  # a hole would end the process when it is written
            except OSError as error:
                raise MachineError(f"cannot keep results in {self._arena}: {error}; free space there.") from error
            mapped = self._map(file, backend)
        return mapped.array[:size_bytes]

    def forget(self, dataset: str) -> None:
        """Unmap the files of a dataset."""
        for file in [name for name in self._files if name.startswith(f"{dataset}.")]:
            self._drop(file)

    def _map(self, file: str, backend: Pinning) -> _Mapped:
        self._drop(file)
        path = self._arena / file
        mapped = _Mapped(_state(path), np.memmap(path, np.uint8, "r+"), backend)
        backend.pin(mapped.array)
        self._files[file] = mapped
        return mapped

    def _drop(self, file: str) -> None:
        if (mapped := self._files.pop(file, None)) is not None:
            mapped.backend.unpin(mapped.array)


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_ino, status.st_size
