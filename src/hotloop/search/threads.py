"""Keeping linear algebra of small matrices on one thread.

A model of a few hundred results gains nothing from BLAS threads, and loses much: idle threads spin between the many
small calls, which on a busy two-core machine multiplies the CPU time of a proposal by ten.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def _controller() -> Any:  # noqa: ANN401 - threadpoolctl has no types and may be absent
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


def single_threaded() -> AbstractContextManager[object]:
    """Return a context in which numpy's BLAS uses one thread; does nothing where threadpoolctl is not installed."""
    controller = _controller()
    limited: AbstractContextManager[object] = nullcontext() if controller is None else controller.limit(limits=1)
    return limited
