"""Reading a file that a person names: never a pipe that nobody writes to, for which reading would wait without an end."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

_OPENED = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders of what the shell opened for this process, as in ``<(command)``: its pipes have a writer."""


def content(path: Path) -> bytes:
    """Return the bytes of a file. Raises OSError as reading does, and for a pipe, a socket or a device."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or str(path.parent) in _OPENED):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return path.read_bytes()


def text(path: Path, errors: str = "strict") -> str:
    """Return the text of a file in UTF-8, line feeds at the ends of lines, without a byte order mark.

    Raises:
        OSError: as `content`.
        UnicodeDecodeError: it is no such text; never where `errors` is ``replace``.
    """
    return content(path).decode("utf-8-sig", errors).replace("\r\n", "\n").replace("\r", "\n")
