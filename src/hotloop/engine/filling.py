"""Arrays that repeat one word are filled on the device: poison need not cross the bus before every sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from hotloop.engine.pinned import LEAST_BYTES
from hotloop.ports import BAND_BYTES, Buffer

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD = np.dtype("<u4")
_MOST_KNOWN = 4096


@runtime_checkable
class Fillable(Protocol):
    """A buffer whose payload the device can fill."""

    def fill(self, banded: NDArray[np.uint8], word: int) -> None:
        """Copy the bands, and fill the payload between them with a word of four bytes."""


class Filling:
    """Knows which files of arrays hold nothing but one word between their bands."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], int | None] = {}
        """By the file's path, inode and size: one that is mapped does not change, see `hotloop.engine.pinned`."""

    def write(self, buffer: Buffer, banded: NDArray[np.uint8], file: Path) -> None:
        """Bring a buffer to a file's content, which `banded` is."""
        word = self._word(banded, file) if isinstance(buffer, Fillable) and banded.nbytes >= LEAST_BYTES else None
        if word is None:
            buffer.write(banded)
        else:
            assert isinstance(buffer, Fillable)
            buffer.fill(banded, word)

    def forget(self, dataset: str) -> None:
        """Forget the files of a dataset: others may have their names, and even their inodes, later."""
        self._known = {
            key: word for key, word in self._known.items() if not Path(key[0]).name.startswith(f"{dataset}.")
        }

    def _word(self, banded: NDArray[np.uint8], file: Path) -> int | None:
        status = file.stat()
        key = (str(file), status.st_ino, status.st_size)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = repeated(banded)
        return self._known[key]


def repeated(banded: NDArray[np.uint8]) -> int | None:
    """Return the word of four bytes of which a banded array's payload consists; None where it is not one.

    >>> import numpy as np
    >>> repeated(np.concatenate([np.zeros(BAND_BYTES, np.uint8), np.full(8, 7, np.uint8), np.zeros(BAND_BYTES, np.uint8)]))
    117901063
    """
    payload = banded[BAND_BYTES:-BAND_BYTES]
    if not payload.size or payload.size % WORD.itemsize:
        return None
    words = payload.view(WORD)
    return int(words[0]) if bool((words == words[0]).all()) else None
