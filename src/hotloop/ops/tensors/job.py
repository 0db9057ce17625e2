"""A CUDA C++ kernel and its launch geometry, as data; needs no PyTorch and no CUDA."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Job:
    """One kernel, ready to be compiled, loaded and launched."""

    source: str
    name: str
    """File name for the compiler's messages."""
    options: tuple[str, ...]
    entry: str
    grid: tuple[int, int, int]
    threads: int
    shared_bytes: int = 0
    """Dynamic shared memory."""
