"""A file of a program before and after a change, and how it stands on disk."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

_MARK = "\ufeff"
"""Byte order mark, with which some editors begin a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file before and after."""

    path: str
    before: str
    after: str

    @property
    def own_diff(self) -> str:
        """Return the change in the form that `patch` and `git apply` take; empty where nothing changes."""
        name = _named(Path(self.path))
        lines = difflib.unified_diff(rows_of(self.before), rows_of(self.after), f"a/{name}", f"b/{name}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    @property
    def as_before(self) -> bool:
        """Tell whether the file on disk still is the text that was optimized, whatever ends its lines."""
        return plain(self.disk) == plain(self.before)

    @property
    def as_after(self) -> bool:
        """Tell whether the file on disk is the text that won already, and not the one that was optimized."""
        return self.before != self.after and plain(self.disk) == plain(self.after)

    @property
    def own_fitted(self) -> Self:
        """Return the change with the byte order mark and the ends of lines of the file on disk, where it stands."""
        if not self.as_before:
            return self
        disk, before, after = (
            rows_of(text) for text in (self.disk.removeprefix(_MARK), plain(self.before), plain(self.after))
        )
        if len(disk) != len(before):  # lines that end as on an old Macintosh
            return self
        mark = self.disk[: self.disk.startswith(_MARK)]
        end = "\r\n" if 2 * sum(row.endswith("\r\n") for row in disk) > len(disk) else "\n"
        made: list[str] = []
        for tag, first, last, low, high in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            made += disk[first:last] if tag == "equal" else [row.replace("\n", end) for row in after[low:high]]
        return replace(self, before=self.disk, after=mark + "".join(made).removeprefix(_MARK))

    @property
    def disk(self) -> str:
        """Return the file as it is; empty where it cannot be read."""
        try:
            return Path(self.path).read_bytes().decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            return ""

    @property
    def data(self) -> bytes:
        """Return the bytes of the text that won; those that are no UTF-8 were kept."""
        return as_bytes(self.after)


def _named(path: Path) -> str:
    """Return a file's name in a diff: from its repository's root, where `git apply` starts, else from here; its own where it lies elsewhere."""
    root = next((folder for folder in path.parents if (folder / ".git").exists()), Path.cwd())
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def as_bytes(text: str) -> bytes:
    """Return a text as it stands in its file."""
    return text.encode("utf-8", "surrogateescape")


def rows_of(text: str) -> list[str]:
    """Return lines with their line feeds, as `patch` counts them: a form feed ends none."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def plain(text: str) -> str:
    """Return a text without byte order mark, its lines ended by line feeds."""
    return text.removeprefix(_MARK).replace("\r\n", "\n").replace("\r", "\n")
