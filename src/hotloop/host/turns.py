"""Turns at a GPU: whoever times has it alone, so that runs at the same time do not disturb one another's times."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Mapping
from functools import cache
from typing import Self

from hotloop.model.record import digest

VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
"""Variables that say which of several equal GPUs a process sees."""


def visible(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return those of the variables that are set, with their values."""
    return tuple((name, environment[name]) for name in VISIBLE if name in environment)


class Turn:
    """A turn at a GPU, waited for and held for a block: alone, or beside others who do not time either.

    Turns are taken by a lock of a file, which the system releases however a process ends. Users who cannot open one
    another's files take no turns.
    """

    def __init__(self, device_name: str, environment: Mapping[str, str], *, alone: bool) -> None:
        name = _file(device_name, tuple(environment.get(name, "") for name in VISIBLE))
        self._path = f"{tempfile.gettempdir()}/{name}"
        self._how = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        self._file: int | None = None

    def __enter__(self) -> Self:
        try:
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError:
            return self
        fcntl.flock(self._file, self._how)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


@cache
def _file(device_name: str, visible: tuple[str, ...]) -> str:
    """Return the name of the file whose lock is the turn at a GPU; a search takes two turns for each configuration."""
    return f"hotloop-{digest([device_name, list(visible)])}.lock"
