"""One file format of a profiler, as a plug-in offers it.

Each tool is a package in `hotloop.profilers` whose ``__init__`` has ``FORMATS``, a tuple of `Format`; adding a tool is
adding a package. Recognition sees the beginning of the file only and must be cheap: a reader imports what it needs when
it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be told by its content and read."""

    name: str
    """Unique: ``rocprofv3 counters CSV``."""
    recognise: Callable[[Head], bool]
    """True when a file that begins so is of this format."""
    read: Callable[[Path], Profile]
    """Raises ProfileError."""


def has_columns(*names: str) -> Callable[[Head], bool]:
    """Return a recogniser of tables that have all these columns, in any order and spelled in any case."""
    wanted = frozenset(_normal(name) for name in names)

    def recognise(head: Head) -> bool:
        return wanted <= {_normal(column) for column in head.header}

    return recognise


def _normal(column: str) -> str:
    return column.strip().strip('"').lower().replace("-", "_").replace(" ", "_")
