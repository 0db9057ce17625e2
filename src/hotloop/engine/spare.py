"""Memory for results that is used again: pages that were touched once cost nothing the second time."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = 4
"""Areas that are kept: while the results of some runs are judged, those of the next may arrive."""
_LEAST_BYTES = 2**24
"""Least bytes of an area that is used again; smaller ones cost little."""
_HELD = 2
"""References to an area that nobody uses, while it is looked at: the list's, and the question's own."""


class Spare:
    """Areas of memory, each handed out again only when no array uses it any more."""

    def __init__(self) -> None:
        self._areas: list[NDArray[np.uint8]] = []
        self._choosing = threading.Lock()

    def room(self, size_bytes: int) -> NDArray[np.uint8]:
        """Return memory of this size; its content is arbitrary.

        Whoever still holds an earlier area, or any view of it, keeps it: an array counts the views of it as references.
        """
        if size_bytes < _LEAST_BYTES:
            return np.empty(size_bytes, np.uint8)
        with self._choosing:  # or two might find the same one free
            for number in range(len(self._areas)):
                if self._areas[number].size >= size_bytes and sys.getrefcount(self._areas[number]) <= _HELD:
                    return self._areas[number][:size_bytes]
            area = np.empty(size_bytes, np.uint8)
            self._areas = [area, *self._areas[: _MOST - 1]]
            return area[:]
