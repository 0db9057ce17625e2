"""Keeping linear algebra of small matrices on one thread.

A model of a few hundred results gains nothing from BLAS threads, and loses much: idle threads spin between the many
small calls, which on a busy two-core machine multiplies the CPU time of a proposal by ten.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_ENTERED: list[None] = []
"""Holds one entry while a context is open, so that nested ones need not ask the libraries again, which took 0.14 ms of CPU time in each proposal."""


@lru_cache(maxsize=1)
def _controller() -> Any:  # noqa: ANN401 - threadpoolctl has no types and may be absent
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let numpy's BLAS use one thread in this block; without effect where threadpoolctl is not installed, or inside another one."""
    controller = None if _ENTERED else _controller()
    if controller is None:
        yield
        return
    with controller.limit(limits=1):
        _ENTERED.append(None)
        try:
            yield
        finally:
            _ENTERED.pop()
