"""Foresees failures: larger tiles, groups and unrolling need more registers and memory, until a device or a compiler refuses.

A product of sizes that may not pass a limit is a sum of logarithms that may not, so a logistic regression on logarithms of sizes learns such limits
from a few failures. It expects beforehand that failures grow with every size; results turn that around where it is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.model.record import Scalar
    from hotloop.search.grid import Grid

    Table = NDArray[np.float64]

_SLOPE = 1.0
"""What the log odds of failing are expected to gain with each standard deviation of a size's logarithm."""
_SLOPE_SPREAD = 1.0
_LEVEL, _LEVEL_SPREAD = -2.0, 1.5
"""Log odds of failing that a configuration of middling sizes is expected to have: one in eight fails."""
_STEPS = 8
_ENOUGH = 1e-4
"""Gain of a Newton step, in log probability, at which a fit ends."""


class Sizes:
    """What of a configuration decides whether it needs more than there is: standardised logarithms of sizes, settings otherwise."""

    def __init__(self, grid: Grid) -> None:
        views = [
            (column, *_view(values, ordinal=grid.ordinal[column]))
            for column, values in enumerate(grid.values)
            if len(values) > 1
        ]
        self._tables = [(column, table) for column, table, _ in views]
        slopes = [np.full(table.shape[1], slope) for _, table, slope in views]
        self.expected = np.concatenate([[_LEVEL], *slopes])
        """Level and slopes that are expected before any result."""
        self.spread = np.array([_LEVEL_SPREAD] + [_SLOPE_SPREAD] * (len(self.expected) - 1))

    def of(self, rows: NDArray[np.int32]) -> Table:
        """Return a one and the sizes of positions, shape (rows, 1 + sizes)."""
        return np.concatenate([np.ones((len(rows), 1)), *(table[rows[:, column]] for column, table in self._tables)], 1)


def _view(values: Sequence[Scalar], *, ordinal: bool) -> tuple[Table, float]:
    """Return a parameter's values as columns of numbers, and the slope that is expected of them."""
    if not ordinal:
        return np.eye(len(values)) - 1.0 / len(values), 0.0
    numbers = [value for value in values if isinstance(value, int | float) and value > 0]
    if len(numbers) < len(values):
        return _standard(np.arange(float(len(values)))), 0.0
    return _standard(np.log(np.array(numbers, float))), _SLOPE if len(values) > 2 else 0.0


def _standard(column: Table) -> Table:
    return np.asarray((column - column.mean()) / column.std())[:, None]


class Demand:
    """Chance that each of some configurations works, by what failed so far."""

    def __init__(self, sizes: Sizes, rows: NDArray[np.int32]) -> None:
        self._sizes, self._points = sizes, sizes.of(rows)
        self._tried: list[Table] = []
        self._failed: list[bool] = []
        self._chance: Table | None = None

    def learn(self, rows: NDArray[np.int32], works: Sequence[bool]) -> None:
        """Take results into account."""
        self._tried.append(self._sizes.of(rows))
        self._failed += [not worked for worked in works]
        self._chance = None

    def log_chance(self) -> Table | None:
        """Return logarithms of the chances; None until something failed."""
        if self._chance is None and any(self._failed):
            self._tried = [np.concatenate(self._tried)]
            learnt = fitted(self._sizes, self._tried[0], np.array(self._failed, float))
            self._chance = np.asarray(-np.logaddexp(0.0, self._points @ learnt))
        return self._chance


def fitted(sizes: Sizes, tried: Table, failed: Table) -> Table:
    """Return level and slopes of highest posterior density, by Newton's method with halved steps.

    Rasmussen and Williams, *Gaussian Processes for Machine Learning* (2006), section 3.1: linear models for classification.
    """
    precision = 1.0 / sizes.spread**2
    here, loss = sizes.expected, _loss(sizes, tried, failed, sizes.expected)
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(tried @ here, -30.0, 30.0)))
        slope = tried.T @ (chance - failed) + (here - sizes.expected) * precision
        curve = (tried * (chance * (1.0 - chance))[:, None]).T @ tried + np.diag(precision)
        step = np.linalg.solve(curve, slope)
        while (new := _loss(sizes, tried, failed, here - step)) > loss and np.abs(step).max() > _ENOUGH:
            step = 0.5 * step
        if loss - new < _ENOUGH:
            break
        here, loss = here - step, new
    return here


def _loss(sizes: Sizes, tried: Table, failed: Table, weights: Table) -> float:
    odds = tried @ weights
    off = (weights - sizes.expected) / sizes.spread
    return float(np.logaddexp(0.0, odds).sum() - failed @ odds + 0.5 * off @ off)
