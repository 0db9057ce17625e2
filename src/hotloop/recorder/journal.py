"""The recorder's file: one line of JSON for each thing that was seen, written at once, so that a crash loses the last counts only.

Every process has a file of its own, named by its number; values of arguments lie beside it, one file for each array.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import FileIO
from itertools import count
from typing import Any

from hotloop.recorder.clocked import Took

_SAMPLE_BYTES = 1 << 18
"""Bytes that are kept of an array whose values do not fit into the journal any more."""
_SMALL_BYTES, _RESERVED = 1 << 20, 16
"""Arrays up to this size, offsets and indices among them, have that part of the room to themselves: without them others mean nothing."""


class Journal:
    """Where the recorder of this process writes. Thread safe; a forked child begins a file of its own."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.folder = str(given["folder"])
        self.after_s = float(given["after_s"])
        self.values = bool(given["values"])
        self.uncached = bool(given.get("uncached"))
        """True where the program compiles what it would find compiled without a recorder."""
        self._limit = int(given["max_bytes"])
        self._began_s = time.monotonic()
        self.lock = threading.RLock()
        self._file: FileIO | None = None
        self._process = -1
        self._own = ""
        self._count = 0

    @property
    def open(self) -> bool:
        """Tell whether launches are recorded by now."""
        return time.monotonic() - self._began_s >= self.after_s

    def write(self, kind: str, **fields: object) -> None:
        """Add one line."""
        with self.lock:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._begin()
            assert self._file is not None
            self._file.write(json.dumps({"kind": kind, **fields}).encode() + b"\n")

    def _begin(self) -> None:
        """Open a file of this process's own: a program that another one replaced (`os.execv`) has its number, and so may a later process."""
        for again in count():
            self._own = f"{self._process}-{again}" if again else str(self._process)
            with suppress(FileExistsError):
                path = f"{self.folder}/seen-{self._own}.jsonl"
                self._file = open(path, "xb", buffering=0)  # noqa: PTH123, SIM115 - it stays open
                return

    def spent(self, took: Took) -> None:
        """Tell of time that the program would not need without a recorder."""
        with suppress(OSError):
            self.write("spent", host_ns=took.wall_ns, host_busy_ns=took.busy_ns)

    def end(self) -> None:
        """Say that the process ended by itself; where nothing more can be written, `hotloop capture` tells that this line is missing."""
        with suppress(OSError):
            self.write("ended")

    def keep(self, size: int, read: Callable[[int], bytes]) -> tuple[str, bool]:
        """Write the bytes of an array, all of them if they still fit, else a beginning; return the file's name, and which.

        Args:
            size: bytes of the whole array.
            read: gives so many of its first bytes.
        """
        if not self.values:
            return "", False
        with self.lock:
            used = self._used()
            room = self._limit - (0 if size <= _SMALL_BYTES else self._limit // _RESERVED)
            fits = used + size <= room
            taken = size if fits else max(0, min(size, _SAMPLE_BYTES, room - used))
            if taken <= 0:
                return "", False
            self._count += 1
            name = f"values/{self._own or os.getpid()}-{self._count}.bin"
            content = read(taken)
            with open(f"{self.folder}/{name}", "xb") as file:  # noqa: PTH123
                file.write(content)
        return name, fits

    def _used(self) -> int:
        """Return the bytes of values that all processes have written."""
        with os.scandir(f"{self.folder}/values") as entries:
            return sum(entry.stat().st_size for entry in entries)
