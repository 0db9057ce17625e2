"""Opening a file that somebody else wrote: regular files only, any text encoding, lines of bounded length."""

from __future__ import annotations

import codecs
import csv
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotloop.profilers.pasted import bare, is_pasted
from hotloop.profiles.failure import ProfileError, printable

HEAD_BYTES = 1 << 17
"""Bytes that are read to recognise a format; the widest known header line has 70 kB."""
LINE_CHARS = 1 << 23
"""Longest line of text that is read; a longer one is no profile."""

ReadLine = Callable[[int], str]

_LENIENT = "hotloop-latin"


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are not UTF-8 as Latin-1: kernel names come from sources in any encoding."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_LENIENT, _as_latin)


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, or the names in a folder."""

    path: Path
    size_bytes: int
    raw: bytes = b""
    text: str = ""
    entries: tuple[str, ...] = ()
    """Names of the regular files in a folder; empty for a file."""
    pasted: bool = False
    """Whether the file has marks, a prompt or an indentation around what a tool wrote; `text` and `lines` are without them."""

    @property
    def header(self) -> tuple[str, ...]:
        """Column names if the text is a table with a header line, else the cells of its first line."""
        try:
            return tuple(next(csv.reader([self._first], delimiter=self.delimiter), []))
        except csv.Error:
            return ()

    @property
    def delimiter(self) -> str:
        """What parts the cells of the first line."""
        return delimiter_of(self._first)

    @property
    def _first(self) -> str:
        return next((line for line in self.text.splitlines() if line.strip()), "")


def delimiter_of(line: str) -> str:
    r"""Return what parts the cells of a table's first line: a spreadsheet writes semicolons or tabs in some countries.

    >>> delimiter_of("Index;KernelName;gpu-id"), delimiter_of('"Name","f(a;b;c)"'), delimiter_of("a\tb, c\td")
    (';', ',', '\t')
    """
    bare_line = re.sub(r'"[^"]*"', "", line)
    most = max(";\t", key=bare_line.count)
    return most if bare_line.count(most) > bare_line.count(",") else ","


def look(path: Path) -> Head:
    """Return the beginning of a file or the contents of a folder.

    Raises:
        ProfileError: missing, not readable, empty, or neither a regular file nor a folder.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return Head(path, 0, entries=tuple(sorted(p.name for p in path.iterdir() if p.is_file())))
        check_regular(path, status.st_mode)
        with path.open("rb") as file:
            raw = file.read(HEAD_BYTES)
    except (OSError, ValueError) as error:
        raise ProfileError(f"{named(path)} cannot be read ({_reason(error)}): check the path.") from error
    if not raw:
        raise ProfileError(f"{named(path)} is empty: the profiler wrote nothing, look at its messages.")
    return head_of(path, raw, status.st_size)


def head_of(path: Path, raw: bytes, size_bytes: int = 0) -> Head:
    """Return the beginning of a file that begins so."""
    text = _decoded(raw)
    size = size_bytes or len(raw)
    if is_pasted(text):
        return Head(path, size, raw, "".join(bare(text.splitlines(keepends=True), text)), pasted=True)
    return Head(path, size, raw, text)


def check_regular(path: Path, mode: int) -> None:
    """Raise ProfileError unless a file is a regular one: a pipe or a device would block or never end."""
    if not stat.S_ISREG(mode):
        raise ProfileError(f"{named(path)} is not a regular file: give a file that a profiler wrote.")


def encoding_of(raw: bytes) -> str:
    """Return the text encoding that a file's first bytes show."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = raw[:512]
    if len(sample) > 8 and sample.count(0) > len(sample) // 3:
        return "utf-16-le" if sample[1::2].count(0) > sample[0::2].count(0) else "utf-16-be"
    return "utf-8-sig"


def _decoded(raw: bytes) -> str:
    encoding = encoding_of(raw)
    return codecs.getincrementaldecoder(encoding)(_errors(encoding)).decode(raw)


def _errors(encoding: str) -> str:
    return _LENIENT if encoding == "utf-8-sig" else "replace"


@contextmanager
def lines(path: Path) -> Iterator[Iterator[str]]:
    """Open a text file of any encoding for reading line by line, line ends included.

    Raises:
        ProfileError: not readable, or a line longer than `LINE_CHARS`.
    """
    raw = look(path).raw
    encoding = encoding_of(raw)
    try:
        with path.open(encoding=encoding, errors=_errors(encoding), newline="") as file:
            rows = _bounded(path, file.readline)
            beginning = _decoded(raw)
            yield bare(rows, beginning) if is_pasted(beginning) else rows
    except OSError as error:
        raise ProfileError(f"{named(path)} cannot be read ({_reason(error)}).") from error


def text_of(path: Path) -> str:
    """Return the text of a file that is small. Raises ProfileError."""
    try:
        return _decoded(path.read_bytes())
    except OSError as error:
        raise ProfileError(f"{named(path)} cannot be read ({_reason(error)}).") from error


def _bounded(path: Path, readline: ReadLine) -> Iterator[str]:
    number = 0
    while line := readline(LINE_CHARS):
        number += 1
        if len(line) >= LINE_CHARS:
            raise ProfileError(
                f"{named(path)}, line {number} has more than {LINE_CHARS >> 20} Mi characters: no profile."
            )
        yield line


def named(path: Path) -> str:
    """Return a path for a message."""
    return printable(str(path))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).partition("\n")[0]
