"""One file format of a profiler, as a plug-in offers it.

Each tool is a folder in `hotloop.profilers.formats` whose ``__init__`` has ``FORMATS``, a tuple of `Format`; adding a tool is
adding a folder. Recognition sees the beginning of the file only and must be cheap: the module that reads is imported when
a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from hotloop.profilers.source import Head
from hotloop.profilers.tables.csvtext import normal
from hotloop.profiles.profile import Profile

FORMATS = "hotloop.profilers.formats"
"""Package whose folders are the tools."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The function that reads a format, named so that its module is imported only when a file is read."""

    module: str
    """Module within `hotloop.profilers`: ``formats.perf.stat``."""
    function: str = "read"
    tool: str = ""
    """Tool to read for, where one function reads the files of several."""

    def load(self) -> Callable[..., Any]:
        """Import and return the function."""
        function: Callable[..., Any] = getattr(import_module(f"hotloop.profilers.{self.module}"), self.function)
        return function

    def __call__(self, path: Path) -> Profile:
        """Return what a file or folder says. Raises ProfileError."""
        profile: Profile = self.load()(path, self.tool) if self.tool else self.load()(path)
        return profile


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be told by its content and read."""

    name: str
    """Unique: ``rocprofv3 counters CSV``."""
    recognise: Callable[[Head], bool]
    """True when a file that begins so is of this format."""
    read: Callable[[Path], Profile]
    """Raises ProfileError."""
    general: bool = False
    """Whether it is of no one tool: such a format is asked last."""


def has_text(*patterns: re.Pattern[str]) -> Callable[[Head], bool]:
    """Return a recogniser of texts in which one of these stands."""
    return lambda head: any(pattern.search(head.text) is not None for pattern in patterns)


def has_columns(*names: str) -> Callable[[Head], bool]:
    """Return a recogniser of tables that have all these columns, in any order and spelled in any case."""
    wanted = frozenset(normal(name) for name in names)

    def recognise(head: Head) -> bool:
        return wanted <= {normal(column) for column in head.header}

    return recognise
