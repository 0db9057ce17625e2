"""The rewrites of CUDA C++ and HIP C++: those of OpenCL C that make sense on a GPU, and its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from hotloop import registry
from hotloop.model.record import Scalar
from hotloop.rewrite import catalogue
from hotloop.rewrite.form import Posed, Rewrite

METHODS = "hotloop.rewrite.gpu.methods"
"""Package whose modules are the rewrites that OpenCL C on a CPU has no use for."""
_SHARED = ("outputs-per-item", "register-accumulator", "single-constants", "small-powers")
_BLOCKS = ("2x1x1", "4x1x1", "1x2x1", "1x4x1", "2x2x1", "4x4x1")
"""Blocks of results of one thread: without vectors, with which these languages do not calculate."""


@lru_cache(maxsize=1)
def rewrites() -> tuple[Rewrite, ...]:
    """Return every rewrite in the order in which they are applied."""
    own = (cast("Rewrite", one) for one in registry.load_all(METHODS, "REWRITE"))
    shared = (rewrite for rewrite in catalogue.rewrites() if rewrite.name in _SHARED)
    return tuple(sorted((*own, *shared), key=lambda one: (one.order, one.name)))


def values(rewrite: Rewrite) -> tuple[int | str, ...]:
    """Return what a rewrite can be asked for on a GPU, but for off."""
    return _BLOCKS if rewrite.name == "outputs-per-item" else rewrite.values[1:]


def rewritten(posed: Posed, wanted: Mapping[str, Scalar]) -> Posed:
    """Return a kernel with the rewrites that are asked for by name. Raises RefusedError."""
    return catalogue.rewritten(posed, wanted, rewrites())
