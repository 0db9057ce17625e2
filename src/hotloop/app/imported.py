"""What a kernel file's answers rest on: its own text and that of the user's modules that it imports, directly or through others.

Installed packages and the standard library are left out: they are the environment's, and are thousands of files.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from hotloop.model.record import digest


def fingerprint(path: Path) -> str:
    """Return a digest of a kernel file and of all modules of the user's that it imports; the file has been loaded."""
    texts = {str(path): path.read_bytes()}
    waiting = [(path, "")]
    while waiting:
        file, package = waiting.pop()
        for name in _named(texts[str(file)], package):
            location = _file(name)
            if location is not None and str(location) not in texts and _own(location):
                texts[str(location)] = location.read_bytes()
                waiting.append((location, name if location.stem == "__init__" else name.rpartition(".")[0]))
    first, *others = texts
    return digest(
        texts[first] if not others else [hashlib.sha256(texts[name]).hexdigest() for name in (first, *sorted(others))]
    )


def _named(text: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source names in import statements, wherever they stand."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):  # a module that was not loaded, and cannot be
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name for alias in node.names for name in _parents(alias.name))
        elif isinstance(node, ast.ImportFrom):
            try:
                base = importlib.util.resolve_name("." * node.level + (node.module or ""), package or None)
            except ImportError:  # relative beyond its package: fails when it is reached, if ever
                continue
            yield from _parents(base)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _parents(name: str) -> Iterator[str]:
    """Yield a module's name and those of the packages it is in: their __init__ runs, too."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _file(name: str) -> Path | None:
    """Return where a module's source stands; one that was not loaded yet is looked for, without loading anything."""
    if name in sys.modules:
        file = getattr(sys.modules[name], "__file__", None)
    elif "." in name:
        return None  # looking for it would run its package
    else:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return None
        file = spec.origin if spec and spec.has_location else None
    path = Path(file) if file else None
    return path if path and path.suffix == ".py" and path.is_file() else None


def _own(file: Path) -> bool:
    """Tell whether a file is neither installed nor ours."""
    at = file.resolve()
    if {"site-packages", "dist-packages"} & set(at.parts):
        return False
    standard = {Path(sysconfig.get_path(kind)).resolve() for kind in ("stdlib", "platstdlib")}
    return not any(folder in at.parents for folder in {*standard, Path(__file__).resolve().parent.parent})
