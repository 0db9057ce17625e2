"""Sources of kernels that lie in files of their own."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def read(package: str, file: str) -> str:
    """Return a file beside the modules of a package."""
    return (resources.files(package) / file).read_text(encoding="utf-8")
