"""Reading a file that a person names: never a pipe that nobody writes to, for which reading would wait without an end."""

from __future__ import annotations

import errno
import stat
import sys
from pathlib import Path

from hotloop.errors import UsageError

_OPENED = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders of what the shell opened for this process, as in ``<(command)``: its pipes have a writer."""


INPUT_BYTES = 512 << 20
"""More than the largest listings that compilers write."""
SOURCE_BYTES = 8 << 20
"""More than any source of kernels that was seen has; larger files would be parsed for minutes."""


def content(path: Path, most_bytes: int | None = None) -> bytes:
    """Return the bytes of a file. Raises OSError as reading does, and for a pipe, a socket, a device or what is too large."""
    about = path.stat()
    if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode) or str(path.parent) in _OPENED):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    if most_bytes is not None and about.st_size > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes >> 20} MiB", str(path))
    return path.read_bytes()


def standard_input(most_bytes: int = INPUT_BYTES) -> bytes:
    """Return what standard input gives. Raises UsageError for more than a program that ends would write, which would fill the memory."""
    given = sys.stdin.buffer.read(most_bytes + 1)
    if len(given) > most_bytes:
        raise UsageError(
            f"standard input gives more than {most_bytes >> 20} MiB, perhaps without an end; name a file instead."
        )
    return given


def text(path: Path, errors: str = "strict", most_bytes: int | None = None) -> str:
    """Return the text of a file in UTF-8, line feeds at the ends of lines, without a byte order mark.

    Raises:
        OSError: as `content`.
        UnicodeDecodeError: it is no such text; never where `errors` is ``replace``.
    """
    return decoded(content(path, most_bytes), errors)


def decoded(data: bytes, errors: str = "strict") -> str:
    r"""Return bytes in UTF-8 as text, line feeds at the ends of lines, without a byte order mark. Raises UnicodeDecodeError.

    >>> decoded(b"\xef\xbb\xbfa\r\nb")
    'a\nb'
    """
    return data.decode("utf-8-sig", errors).replace("\r\n", "\n").replace("\r", "\n")


def why(error: Exception) -> str:
    r"""Return in words why a file was not read: the system's, or that it holds no text.

    >>> why(UnicodeDecodeError("utf-8", b"ab\x80", 2, 3, "invalid start byte"))
    'it is no text in UTF-8: byte 3 is 0x80'
    """
    if isinstance(error, UnicodeDecodeError):
        return f"it is no text in UTF-8: byte {error.start + 1} is {error.object[error.start]:#04x}"
    return str(error.strerror if isinstance(error, OSError) and error.strerror else error)
