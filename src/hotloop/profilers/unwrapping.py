"""Files in which a profiler's output is packed or stands among other text: what to read in their place.

Compressed files; mails whose long lines were folded; code blocks, comments and tables in a page; tables of Markdown. Nothing
here knows a tool: a form is worth trying when a format recognises it, and the first one that does is read.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import html
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import groupby, pairwise
from pathlib import Path
from typing import IO, Final

from hotloop.profilers.pasted import bare
from hotloop.profilers.source import Head, named, text_of
from hotloop.profiles.failure import ProfileError

UNPACKED_BYTES: Final = 1 << 30
"""Largest file that is unpacked."""
TEXT_BYTES: Final = 4 << 20
"""Largest page in which tables are looked for."""
_TAR, _USTAR = 257, b"ustar"
"""Where an archive of tar has its name."""
_CHUNK: Final = 1 << 20
_FOLD = re.compile(r"=\r?\n(?:> ?)?(?!>)")
_ESCAPE = re.compile(r"=([0-9A-F]{2})")
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)")
_COMMENT = re.compile(r"[ \t]*(?:#(?!#)|//|--(?!-)|;|%|>[ >]{0,8}) ?|\+(?!\+)")
"""Marks of comments, of quoted mails, and of what a patch adds."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TAGGED = re.compile(r"<(?:!DOCTYPE html|html|pre|code|table)\b", re.IGNORECASE)
_PRE = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_TABLE, _ROW, _CELL = (re.compile(rf"<{tag}\b[^<>]{{0,200}}>", re.IGNORECASE) for tag in ("table", "tr", "t[dh]"))
_TABLE_END = re.compile("</table", re.IGNORECASE)
_NUMBERED = re.compile(r"^[ \t]*([0-9]{1,6})(?:[ \t]*[|:→][ \t]?|\t| {1,2}|$)")
_PREFIXES = (
    re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(?:Z|[+-][0-9:]+)? ?"),
    re.compile(r"^\[[^\]\n]{1,60}\]:? ?"),
    re.compile(r"^[0-9]{1,5}: ?"),
    re.compile(r"^[A-Za-z][\w.-]{0,40} *\| ?"),
)
"""Prefixes that logs put before each line: a time, a process in brackets, a rank, a service."""
_FEWEST = 3
"""Lines below which numbers in front of them may be values."""
_STRINGS = 200
"""Texts within a record of JSON that are looked at."""
_RULE = re.compile(r"^[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*$")
_CELLS: Final = 3
_TABLES: Final = 400
"""Lines of a page that are tried as a table's head."""
_OPERAND: Final = re.compile(
    r"\s*[\"']?(?:[-|]*(?:0x[0-9a-f]+|\d[\d.]*(?:e[+-]?\d+)?|[vsa]\d+|[vsa]\[\S+|%?u?[rp]\d+|off|vcc|exec)\b|[%$\[]|\s*$)",
    re.IGNORECASE,
)
"""How a number or an operand of machine code begins, and what an empty cell is."""


def _zipped(path: Path) -> IO[bytes]:
    archive = zipfile.ZipFile(path)
    files = [item for item in archive.infolist() if not item.is_dir()]
    if len(files) != 1:
        raise ProfileError(f"{named(path)} is an archive of {len(files)} files: unpack it and give the folder.")
    return archive.open(files[0])


_Opened = io.BufferedIOBase | IO[bytes]
_PACKED: Final[tuple[tuple[bytes, Callable[[Path], _Opened]], ...]] = (
    (b"\x1f\x8b", gzip.GzipFile),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"PK\x03\x04", _zipped),
)


def is_packed(head: Head) -> bool:
    """Tell whether a file is compressed in a way that is read."""
    return any(head.raw.startswith(prefix) for prefix, _ in _PACKED)


def unpacked(head: Head, folder: Path) -> Path:
    """Return a compressed file as it was before, written to `folder`.

    Raises:
        ProfileError: damaged, too large, or an archive of several files.
    """
    opening = next(opening for prefix, opening in _PACKED if head.raw.startswith(prefix))
    plain = folder / (head.path.name.removesuffix(head.path.suffix) or "unpacked")
    try:
        with closing(opening(head.path)) as packed, plain.open("wb") as file:
            _copy(head.path, packed, file)
        with plain.open("rb") as file:
            if file.read(_TAR + len(_USTAR))[_TAR:] == _USTAR:
                raise ProfileError(f"{named(head.path)} is an archive: unpack it and give the folder.")
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError, ValueError) as error:
        raise ProfileError(
            f"{named(head.path)} cannot be unpacked ({str(error)[:80]}): it is damaged or cut off."
        ) from error
    return plain


def _copy(path: Path, packed: _Opened, file: IO[bytes]) -> None:
    size = 0
    while chunk := packed.read(_CHUNK):
        size += len(chunk)
        if size > UNPACKED_BYTES:
            raise ProfileError(
                f"{named(path)} holds more than {UNPACKED_BYTES >> 30} GiB: unpack it and give the file."
            )
        file.write(chunk)


def texts(head: Head, *, tables: bool = True) -> Iterator[tuple[str, str]]:
    """Yield what a page may hold, the whole first, each with how it was got; without `tables` no part that begins like one."""
    if head.entries or not 0 < head.size_bytes <= TEXT_BYTES or b"\0" in head.raw[:512]:
        return
    page = text_of(head.path)
    if head.pasted:
        page = "".join(bare(page.splitlines(keepends=True), page))
        yield page, "marks of a mail, a comment or a terminal before each line were left out"
    for table in _TABLE.split(page)[1:]:
        yield untagged(table), "a table of HTML was read, the page around it was left out"
    for cleaned, how in _cleaned(page):
        page = cleaned
        yield page, how
    for how, parts in (
        ("texts in JSON", _strings(page, tables=tables)),
        ("code blocks", _blocks(page)),
        ("commented lines", _commented(page)),
        ("a table", _tables(page) if tables else ()),
        ("a table in commented lines", (t for part in _commented(page) for t in _tables(part)) if tables else ()),
    ):
        for part in parts:
            yield part, f"{how} of a page was read, the text around it was left out"


def is_tagged(head: Head) -> bool:
    """Tell whether a page has tags of HTML in it, which a tool's name of a kernel would be read with."""
    return _TAGGED.search(head.text) is not None


def untagged(table: str) -> str:
    r"""Return the rows of an HTML table as CSV; rows and cells need no end, as in HTML.

    >>> untagged("<tr><th>Name</th><th>Calls</th></tr>\n<tr><td>f(int,&nbsp;int)<td>1</table><tr><td>else")
    'Name,Calls\n"f(int, int)",1\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in _ROW.split(_TABLE_END.split(table, 1)[0])[1:]:
        writer.writerow([" ".join(html.unescape(_TAG.sub("", cell)).split()) for cell in _CELL.split(row)[1:]])
    return out.getvalue()


def _cleaned(page: str) -> Iterator[tuple[str, str]]:
    """Yield a page without what programs put between its characters or before its lines, each step on the one before."""
    if "\x1b[" in page:
        page = _COLOUR.sub("", page)
        yield page, "a terminal's colours were left out"
    if len(_FOLD.findall(page)) > 1:
        page = unfolded(page)
        yield page, "folded lines of a mail were put together"
    if _TAGGED.search(page):
        page = html.unescape(_TAG.sub("", "\n".join(_PRE.findall(page)) or page))
        yield page, "tags of HTML were left out"
    if _is_numbered(page):
        page = "".join(_NUMBERED.sub("", row, count=1) for row in page.splitlines(keepends=True))
        yield page, "numbers of lines were left out"
    if (prefix := _prefixed(page)) is not None:
        page = "".join(prefix.sub("", row, count=1) for row in page.splitlines(keepends=True))
        yield page, "what a log puts before each line was left out"


def _prefixed(page: str) -> re.Pattern[str] | None:
    """Return what each line of a log begins with, None where they differ."""
    rows = [row for row in page.splitlines() if row.strip()]
    fits = (prefix for prefix in _PREFIXES if len(rows) >= _FEWEST and all(map(prefix.match, rows)))
    return next(fits, None)


def _is_numbered(page: str) -> bool:
    """Tell whether each line begins with its number."""
    matches = [_NUMBERED.match(row) for row in page.splitlines() if row.strip()]
    numbers = [int(match[1]) for match in matches if match is not None]
    return _FEWEST <= len(numbers) == len(matches) and all(b == a + 1 for a, b in pairwise(numbers))


def _strings(page: str, *, tables: bool) -> Iterator[str]:
    """Yield the texts of several lines in JSON, or in lines of JSON, as logs of programs keep what a tool printed."""
    if page.lstrip()[:1] not in {"{", "["}:
        return
    try:
        values = [json.loads(page)]
    except (ValueError, RecursionError):
        values = [value for row in page.splitlines() if (value := _value(row)) is not None]
    seen = 0
    while values and seen < _STRINGS:
        value = values.pop(0)
        if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
            value = "".join(value)  # notebooks keep an output as a list of its lines
        if isinstance(value, str) and value.count("\n") >= _FEWEST:
            seen += 1
            yield value
            yield from _tables(value) if tables else ()
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _value(row: str) -> object:
    try:
        return json.loads(row)
    except (ValueError, RecursionError):
        return None


def unfolded(page: str) -> str:
    r"""Return a mail's text without the soft line breaks of quoted-printable.

    >>> unfolded('> {"metric-value"=\n : "0.79"}\n')
    '> {"metric-value" : "0.79"}\n'
    """
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), _FOLD.sub("", page))


def _blocks(page: str) -> Iterator[str]:
    """Yield the code blocks of Markdown."""
    inside: list[str] | None = None
    for line in page.splitlines(keepends=True):
        if _FENCE.match(line):
            if inside:
                yield "".join(inside)
                yield from _commented("".join(inside))
            inside = [] if inside is None else None
        elif inside is not None:
            inside.append(line)


def _commented(page: str) -> Iterator[str]:
    """Yield runs of lines behind one mark of a comment, without it; empty lines do not end a run."""
    rows = [(match[0].strip() if (match := _COMMENT.match(row)) else "", row) for row in page.splitlines(keepends=True)]
    marked = [(mark, row) for mark, row in rows if mark or row.strip()]
    for mark, run in groupby(marked, key=lambda pair: pair[0]):
        if mark:
            yield "".join(_COMMENT.sub("", row, count=1) for _, row in run)


def _tables(page: str) -> Iterator[str]:
    """Yield the rows from each line on that may be a table's head, to the next empty one; Markdown's as CSV."""
    rows = page.splitlines(keepends=True)
    tried = 0
    for place, row in enumerate(rows):
        piped = place + 1 < len(rows) and _RULE.match(rows[place + 1]) is not None
        if tried == _TABLES or not (piped or _is_head(row)):
            continue
        tried += 1
        length = next((n for n, later in enumerate(rows[place:]) if not later.strip()), len(rows) - place)
        run = rows[place : place + length]
        yield separated(run) if piped else "".join(run)


def _is_head(row: str) -> bool:
    """Tell whether a row may name columns: most of its cells are neither numbers nor operands, as those of machine code are.

    >>> _is_head("Name,Calls,TotalDurationNs"), _is_head("v_add_f32 v1, v2, v3"), _is_head("copy,12,0.5")
    (True, False, False)
    """
    cells = row.split(max(",;\t", key=row.count))
    return len(cells) >= _CELLS and sum(map(bool, map(_OPERAND.match, cells))) <= len(cells) / 2


def separated(run: list[str]) -> str:
    r"""Return a table of Markdown as CSV.

    >>> separated(["| Name | Calls |\n", "|---|--:|\n", "| `f(int, int)` | 1 |\n"])
    'Name,Calls\n"f(int, int)",1\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in run:
        if row.strip().startswith("|") and not _RULE.match(row):
            writer.writerow([cell.strip().strip("`*") for cell in row.strip().strip("|").split("|")])
    return out.getvalue()
