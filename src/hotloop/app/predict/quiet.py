"""Inputs of which only sizes and whole numbers matter: a prediction never looks at floating-point contents."""

from __future__ import annotations

from typing import Any

import numpy as np


class Quiet(np.random.Generator):
    """A generator whose floating-point draws are zeros; whole numbers, which may decide where code goes, are drawn."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:  # noqa: ANN401 - as NumPy has it
        """Return zeros of a shape."""
        return _zeros(size, dtype, out)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:  # noqa: ANN401
        """Return zeros of a shape."""
        return _zeros(size, dtype, out)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:  # noqa: ANN401
        """Return zeros of a shape."""
        return super().uniform(low, high) if size is None else np.zeros(size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:  # noqa: ANN401
        """Return zeros of a shape."""
        return super().normal(loc, scale) if size is None else np.zeros(size)


def _zeros(size: Any, dtype: Any, out: Any) -> Any:  # noqa: ANN401
    if out is not None:
        out[...] = 0
        return out
    return np.zeros(() if size is None else size, dtype)[()]
