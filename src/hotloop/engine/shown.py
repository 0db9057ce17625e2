"""Pages that a worker uses again: small files of the arena that stay mapped for reading, and files for results.

Before many a sample arrays are filled with such a file's content, and opening and reading it takes as long as copying it to the device. Nothing in this
process can write to the pages: a kernel on a CPU that found them, and put results in the place of poison, would end the worker.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 2**18
"""Size up to which mapping a file halves the time of filling an array with it: 11 instead of 23 µs for 2 KiB, 30 instead of 66 for 256 (on an EPYC with
Intel's runtime 2026.2); with 768 KiB it saves nothing."""
_MOST_FILES = 2048
"""Files that are mapped at a time: a process may have 65,530 mappings."""


class Shown:
    """The mapped files of a worker, by path, the least recently used first."""

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


def in_place(path: str, flags: int) -> int:
    """Open a file whose old content is overwritten: pages that it has need not be asked for again, which takes longer than the copy."""
    return os.open(path, flags & ~os.O_TRUNC, 0o600)
