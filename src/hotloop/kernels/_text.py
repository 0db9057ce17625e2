"""Sources of kernels that lie in files of their own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources

ELEMENTS = {"float32": 0, "bfloat16": 1, "float16": 2}
"""The macro ELEM of ``_elements.cuh`` for each type of elements in memory."""


@cache
def read(package: str, file: str) -> str:
    """Return a file beside the modules of a package."""
    return (resources.files(package) / file).read_text(encoding="utf-8")


def cxx(parts: Iterable[str]) -> str:
    """Return texts of CUDA C++ and HIP C++ as one, behind what each of them needs."""
    return "\n".join((read("hotloop.kernels", "_gpu.cuh"), *parts))
