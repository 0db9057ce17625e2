"""Python files that are programs of their own: nothing of them is run in order to find a kernel.

A kernel file imports hotloop, or the compiler of a language for GPUs; one that imports neither, and no module that lies beside it
and may do so, defines no kernel whatever it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hotloop.compilers import reading

_MAKERS: Final = frozenset({"hotloop", "triton", "flydsl"})
"""Packages whose decorators make kernels."""


def is_program(path: Path) -> bool:
    """Tell whether a Python file can define no kernel; False for one that cannot be read or parsed, and where any import may."""
    try:
        tree = ast.parse(reading.text(path, "replace"))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    return not any(name in _MAKERS or _beside(path.parent, name) for name in _imported(tree))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the packages that are imported anywhere; an empty name for one beside the file, by dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "" if node.level else (node.module or "").partition(".")[0]


def _beside(folder: Path, name: str) -> bool:
    return not name or (folder / f"{name}.py").exists() or (folder / name).is_dir()
