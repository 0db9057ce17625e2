"""Files of the arena that stay mapped and pinned, so that a GPU copies them at the speed of its bus.

From memory that is not pinned a copy runs at a quarter of that speed or less, because the driver copies every piece twice; and
a results file that is written anew each time costs more in new pages than its copy. What lies in these pages is never evidence
by itself: the judging process copies it before it looks.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from hotloop.errors import MachineError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_BYTES = 2**20
"""Smaller arrays are copied as quickly without."""
MOST_BYTES = 2**18
"""Size up to which mapping a file halves the time of filling an array with it: 11 instead of 23 µs for 2 KiB, 30 instead of 66 for 256 (on an EPYC with
Intel's runtime 2026.2); with 768 KiB it saves nothing."""
_MOST_FILES = 2048
"""Files that are mapped at a time: a process may have 65,530 mappings."""


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


class Shown:
    """Small files that stay mapped for reading, by path, the least recently used first: arrays are filled with their content before many a sample.

    Opening and reading such a file takes as long as copying it to the device. Nothing in this process can write to the pages: a kernel on a CPU that
    found them, and put results in the place of poison, would end the worker.
    """

    def __init__(self) -> None:
        self._files: OrderedDict[Path, tuple[tuple[int, int], NDArray[np.uint8]]] = OrderedDict()

    def content(self, path: Path, inode: int, size_bytes: int) -> NDArray[np.uint8]:
        """Return the bytes of a file that its writer does not change: another content is another inode, which is not used again while it is mapped."""
        known = self._files.get(path)
        if known is None or known[0] != (inode, size_bytes):
            known = (inode, size_bytes), np.memmap(path, np.uint8, "r") if size_bytes else np.empty(0, np.uint8)
            self._files[path] = known
            if len(self._files) > _MOST_FILES:
                self._files.popitem(last=False)
        self._files.move_to_end(path)
        return known[1]

    def forget(self, dataset: str) -> None:
        """Unmap the files of a dataset."""
        for path in [path for path in self._files if path.name.startswith(f"{dataset}.")]:
            del self._files[path]


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_ino, status.st_size
