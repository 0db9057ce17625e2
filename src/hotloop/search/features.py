"""What a model sees of a configuration: numbers in [0, 1] in which similar kernels lie close together.

Three views of a parameter, each with its own weight in the model, because which one matters differs:

* *place*: where the value stands, half by rank and half by logarithm: tile sizes act through ratios, and products of
  sizes become sums;
* *roundness*: the share of a size that is a power of two. Vector widths, memory banks and wave sizes are powers of
  two, so 64 and 128 often have more in common than either has with 96;
* *identity*: equal or not, for enumerations and for integers 0, 1, 2 ... that may be codes of alternatives.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.demand import Sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.model.record import Scalar
    from hotloop.search.grid import Grid

    Table = NDArray[np.float64]

_REACH = 22.0
"""Sum over all features of the weights expected beforehand: with k features two random points are as far apart
whatever k is, so that spaces of many parameters do not look unrelated everywhere."""
_LESS = {"place": 0.0, "roundness": -1.0, "identity": -1.5}
"""Logarithms of the weights relative to *place*, assumed before any data are seen: rarer kinds of features gain weight only through data."""
_SWITCH = -2.0
"""Logarithm by which both settings of a parameter of two values are expected to have more in common than the ends of a range: most
switches of a kernel hardly change its time, and those that do show it."""
_MANY = 0.3
"""Amount that each doubling of the number of values beyond four adds: parameters with many values tend to matter more."""


class Features:
    """Maps positions to feature rows; features of one group share a weight."""

    def __init__(self, grid: Grid) -> None:
        tables: list[tuple[int, Table]] = []
        expected: list[float] = []
        for column, values in enumerate(grid.values):
            for kind, table in _views(values, ordinal=grid.ordinal[column]):
                tables.append((column, table))
                expected.append(_LESS[kind] + _relevance(len(values)))
        self._tables = tables
        widths = [table.shape[1] for _, table in tables]
        self.groups = np.repeat(np.arange(len(tables)), widths)
        """Group of each feature, shape (features,)."""
        self.log_weights = np.array(expected) + math.log(_REACH / max(len(tables), 1))
        """Logarithm of the weight of each group's squared distance expected before any measurement."""
        self.sizes = Sizes(grid)
        """What failures are foreseen from."""

    def of(self, rows: NDArray[np.int32]) -> Table:
        """Return the features of positions, shape (rows, features)."""
        if not self._tables:
            return np.zeros((len(rows), 0))
        return np.concatenate([table[rows[:, column]] for column, table in self._tables], axis=1)


def _relevance(count: int) -> float:
    """Return the logarithm of how much a parameter of so many values is expected to matter, relative to one of four."""
    return _SWITCH if count == 2 else _MANY * math.log2(count / 4)


def _views(values: tuple[Scalar, ...], *, ordinal: bool) -> list[tuple[str, Table]]:
    if len(values) == 1:
        return []
    views: list[tuple[str, Table]] = []
    if ordinal:
        views.append(("place", _place(values)))
        roundness = _roundness(values)
        if np.ptp(roundness) > 0:
            views.append(("roundness", roundness))
    if not ordinal or (len(values) > 2 and values == tuple(range(len(values)))):
        views.append(("identity" if ordinal else "place", np.eye(len(values)) / math.sqrt(2)))
    return views


def _place(values: Sequence[Scalar]) -> Table:
    rank = np.linspace(0.0, 1.0, len(values))
    numbers = [v for v in values if isinstance(v, int | float)]
    if len(numbers) < len(values) or min(numbers) <= 0:
        return rank[:, None]
    logs = np.log(np.array(numbers, float))
    return np.asarray(0.5 * rank + 0.5 * (logs - logs.min()) / np.ptp(logs))[:, None]


def _roundness(values: Sequence[Scalar]) -> Table:
    """Return log2 of the largest power of two that divides a value, over log2 of the value; 1 for powers of two."""
    sizes = [v for v in values if isinstance(v, int) and v > 0]
    if len(sizes) < len(values) or len(values) <= 3:
        return np.ones((len(values), 1))
    return np.array([[math.log2(v & -v) / math.log2(v) if v > 1 else 1.0] for v in sizes])
