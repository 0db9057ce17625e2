"""What a source that does not build leans on, and what to name for it: a header's folder, a macro, a text that comes before, a version."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

_UNKNOWN = re.compile(r"(?:unknown type name|undeclared identifier|undeclared) '(\w+)'")
_HEADER = re.compile(r"'([^']+)' file not found")


def hint(problem: str, path: Path) -> str:
    """Return what to name where a text leans on something that its host program adds."""
    if match := _HEADER.search(problem):
        name = match.group(1)
        header = next((file for file in _below(path.resolve().parent) if file.name == Path(name).name), None)
        folder = "FOLDER" if header is None else str(header).removesuffix(name).rstrip("/") or "/"
        return f"; name the folder of {name}: --build-option -I{folder}"
    if "changes address space of pointer" in problem:
        return "; pointers without an address space are OpenCL C 2.0: --build-option -cl-std=CL2.0"
    if match := _UNKNOWN.search(problem):
        name = match.group(1)
        if part := _joined(path, name):
            return f"; the text makes {name} of {part}, which nothing defines: give it, e.g. --size {part}=4"
        beside = _beside(path, name)
        where = f"the text of {beside.name}, which has it," if beside else "the source that has it"
        return f"; if its host program defines {name}, give it: --build-option -D{name}=..., or put {where} in front"
    return ""


def _joined(path: Path, name: str) -> str:
    """Return the macro without a value that a text joins with another word, as float ## WIDTH; empty where a name stands in the text itself."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    words = set(re.findall(r"\w+", text))
    if name in words or "##" not in text:
        return ""
    undefined = words - set(re.findall(r"#\s*define\s+(\w+)", text))
    parts = [word for word in undefined if name.endswith(word) and name.removesuffix(word) in words]
    return max(parts, key=len, default="")


def _below(folder: Path) -> Iterator[Path]:
    """Yield the first files below a folder, by name; not all, for a source may lie in a home folder or in ``/``."""
    files = (
        Path(root) / name for root, folders, names in os.walk(folder) if not folders.sort() for name in sorted(names)
    )
    return islice(files, _MOST_FILES)


def _beside(path: Path, name: str) -> Path | None:
    """Return the other source in a source's folder that defines a name; None where none does, or several do."""
    defined = re.compile(
        rf"#\s*define\s+{name}\b|\b(?:struct|enum|union)\s+{name}\s*\{{|\}}\s*{name}\s*;|\btypedef\b[^;{{}}]*\b{name}\s*;|^[\w\s*]+\b{name}\s*\([^;{{]*\)\s*\{{",
        re.MULTILINE,
    )
    others = (
        file
        for file in sorted(path.resolve().parent.glob("*"))
        if file.suffix in _SOURCES and file.name != path.name and file.is_file() and os.access(file, os.R_OK)
    )
    defining = [file for file in others if defined.search(file.read_text(encoding="utf-8", errors="replace"))]
    return defining[0] if len(defining) == 1 else None


_SOURCES = (".cl", ".h", ".clh", ".hcl")
_MOST_FILES = 10_000
