"""What a C source is preprocessed with: folders of included files, and macros."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotloop.errors import UsageError

_MACRO = re.compile(r"[A-Za-z_]\w*(?:\([\w, ]*\))?(?:=.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """Folders and macros as a user gave them.

    >>> Preprocessed(macros=("REAL=float",)).options
    ('-DREAL=float',)
    """

    folders: Sequence[str] = ()
    macros: Sequence[str] = ()
    """``NAME`` or ``NAME=TEXT``."""

    def refuse(self, what: str) -> None:
        """Raise UsageError if anything was given, as `what` is no C source that clang compiles."""
        if self.folders or self.macros:
            raise UsageError(f"{what} has no preprocessor: -I and -D are for .hip, .cpp and .cl files; leave them out.")

    @property
    def options(self) -> tuple[str, ...]:
        """Return them as options of clang, folders as whole paths, as it runs elsewhere. Raises UsageError."""
        return (*(_folder(name) for name in self.folders), *(_macro(text) for text in self.macros))


def _folder(name: str) -> str:
    if not Path(name).is_dir():
        raise UsageError(f"-I {name}: there is no such folder; name the one with the included files.")
    return f"-I{Path(name).resolve()}"


def _macro(text: str) -> str:
    if not _MACRO.fullmatch(text):
        raise UsageError(f"-D {text}: this is no NAME or NAME=TEXT; write e.g. -D REAL=float.")
    return f"-D{text}"
