"""What a source that does not build leans on, and what to name for it: a header's folder, a macro, a text that comes before, a version."""

from __future__ import annotations

import re
from pathlib import Path

_UNKNOWN = re.compile(r"(?:unknown type name|undeclared identifier|undeclared) '(\w+)'")
_HEADER = re.compile(r"'([^']+)' file not found")


def hint(problem: str, path: Path) -> str:
    """Return what to name where a text leans on something that its host program adds."""
    if match := _HEADER.search(problem):
        name = match.group(1)
        found = next(iter(sorted(path.resolve().parent.rglob(Path(name).name))), None)
        folder = "FOLDER" if found is None else str(found).removesuffix(name).rstrip("/") or "/"
        return f"; name the folder of {name}: --build-option -I{folder}"
    if "changes address space of pointer" in problem:
        return "; pointers without an address space are OpenCL C 2.0: --build-option -cl-std=CL2.0"
    if match := _UNKNOWN.search(problem):
        name = match.group(1)
        beside = _beside(path, name)
        where = f"the text of {beside.name}, which has it," if beside else "the source that has it"
        return f"; if its host program defines {name}, give it: --build-option -D{name}=..., or put {where} in front"
    return ""


def _beside(path: Path, name: str) -> Path | None:
    """Return the other source in a source's folder that defines a name; None where none does, or several do."""
    defined = re.compile(
        rf"#\s*define\s+{name}\b|\b(?:struct|enum|union)\s+{name}\s*\{{|\}}\s*{name}\s*;|\btypedef\b[^;{{}}]*\b{name}\s*;|^[\w\s*]+\b{name}\s*\([^;{{]*\)\s*\{{",
        re.MULTILINE,
    )
    others = (
        one for one in sorted(path.resolve().parent.glob("*")) if one.suffix in _SOURCES and one.name != path.name
    )
    found = [one for one in others if defined.search(one.read_text(encoding="utf-8", errors="replace"))]
    return found[0] if len(found) == 1 else None


_SOURCES = (".cl", ".h", ".clh", ".hcl")
