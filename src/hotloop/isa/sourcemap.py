"""Which source lines the instructions of a loop come from, as far as a listing's debug lines tell.

LLVM writes ``.loc FILE LINE COLUMN`` with ``.file NUMBER "DIRECTORY" "NAME"`` before; nvdisasm writes ``//## File "NAME", line LINE``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_MARK = re.compile(
    r'^\s*\.loc\s+(?P<file>\d+)\s+(?P<line>\d+)|^\s*//##\s*File\s+"(?P<name>[^"]+)",\s*line\s+(?P<number>\d+)',
    re.MULTILINE,
)
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source line and the instructions that a loop has of it."""

    file: str
    line: int
    instructions: int


def source_lines(listing: str, lines: Iterable[int | None]) -> tuple[SourceLine, ...]:
    """Return the source lines of the instructions at some lines of a listing, most instructions first; empty: no debug lines."""
    counts = Counter(place for _, place in _placed(listing, lines))
    return tuple(SourceLine(file, line, n) for (file, line), n in counts.most_common() if line)


def places(listing: str, lines: Iterable[int | None]) -> dict[int, str]:
    """Return the source, ``file:line`` without folders, of the instructions at some lines of a listing; empty: no debug lines."""
    return {line: f"{file.rpartition('/')[2]}:{number}" for line, (file, number) in _placed(listing, lines) if number}


def _placed(listing: str, lines: Iterable[int | None]) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield each line that has a source, with that."""
    starts, sources = _marks(listing)
    for line in lines:
        place = bisect_right(starts, line) if line is not None else 0
        if place and line is not None:
            yield line, sources[place - 1]


@lru_cache(maxsize=8)  # each finding in a listing asks for its own lines
def _marks(listing: str) -> tuple[list[int], list[tuple[str, int]]]:
    """Return the lines of the debug marks, and the source that each names."""
    files = {int(m[1]): _path(m[2], m[3] or "") for m in _FILE.finditer(listing)}
    starts, sources = [], []
    seen = number = 0
    for match in _MARK.finditer(listing):
        number += listing.count("\n", seen, match.start())
        seen = match.start()
        starts.append(number + 1)
        named = match["name"] or files.get(int(match["file"] or 0), f"file {match['file']}")
        sources.append((named, int(match["line"] or match["number"])))
    return starts, sources


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if name and not name.startswith("/") else name or folder
