"""Inputs for predictions: drawn, as they may decide where code goes, but quickly: large ones repeat a block of numbers."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

_BLOCK = 1 << 20
"""Numbers after which floating-point draws repeat: a few work-groups are executed, and drawing more takes longer than that."""


class Quiet(np.random.Generator):
    """A generator whose large floating-point draws repeat their first numbers; whole numbers are all drawn."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:  # noqa: ANN401 - as NumPy has it
        """Return normal numbers of a shape."""
        if out is not None:
            out[...] = self.standard_normal(out.shape, dtype)
            return out
        if _small(size):
            return super().standard_normal(size, dtype)
        return np.resize(super().standard_normal(_BLOCK, dtype), size)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:  # noqa: ANN401
        """Return numbers from 0 to 1 of a shape."""
        if out is not None:
            out[...] = self.random(out.shape, dtype)
            return out
        return super().random(size, dtype) if _small(size) else np.resize(super().random(_BLOCK, dtype), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:  # noqa: ANN401
        """Return numbers between two bounds of a shape."""
        if _small(size) or np.ndim(low) or np.ndim(high):
            return super().uniform(low, high, size)
        return np.resize(super().uniform(low, high, _BLOCK), size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:  # noqa: ANN401
        """Return normal numbers of a shape, with their mean and deviation."""
        if _small(size) or np.ndim(loc) or np.ndim(scale):
            return super().normal(loc, scale, size)
        return np.resize(super().normal(loc, scale, _BLOCK), size)


def _small(size: Any) -> bool:  # noqa: ANN401
    return size is None or (prod(size) if isinstance(size, tuple | list) else int(size)) <= _BLOCK
