"""The same OpenCL C program with the files that it includes in its own text: what a look reads and changes is the whole text then."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.verify.remnants.text import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.model.program import Program

_INCLUDED = re.compile(r"^[ \t]*#[ \t]*(?:include|import)[ \t]*[\"<]([^\">\n]+)[\">][^\n]*$", re.MULTILINE)
_FOLDER = re.compile(r"-I\s*(.+)", re.DOTALL)
_MOST_DEEP = 16


def inlined(program: Program) -> Program:
    """Return a program with each included file in the place of the line that names it, as far as the folders of its options have it."""
    folders = _folders(program.options)
    if program.language != "opencl" or not folders or not _INCLUDED.search(text := bare(program.source)):
        return program
    return replace(program, source=_INCLUDED.sub(partial(_file, folders=folders, above=0), text))


def _folders(options: Sequence[str]) -> list[Path]:
    """Return the folders that options name, in their order.

    >>> [str(one) for one in _folders(("-I/a b", "-I", "c", "-DN=4"))]
    ['/a b', 'c']
    """
    spaced = [
        f"{one}{options[place + 1]}" if one == "-I" and place + 1 < len(options) else one
        for place, one in enumerate(options)
    ]
    return [Path(found[1].strip()) for one in spaced if (found := _FOLDER.fullmatch(one))]


def _file(found: re.Match[str], *, folders: Sequence[Path], above: int) -> str:
    path = next((path for folder in folders if (path := folder / found[1]).is_file()), None)
    if path is None or above >= _MOST_DEEP:
        return found[0]
    text = bare(path.read_text(encoding="utf-8", errors="replace"))
    return "\n" + _INCLUDED.sub(partial(_file, folders=folders, above=above + 1), text) + "\n"
