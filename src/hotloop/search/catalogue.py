"""All valid configurations of a space, built by a progressive join and kept as independent factors.

Parameters are added one at a time, and each constraint cuts the table as soon as all parameters that it names are
there. Groups of parameters that no constraint connects are joined separately; the space is their product, so counting
and sampling never need the product itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hotloop.model.space import Config
    from hotloop.search.grid import Grid, Rule

ROWS_LIMIT = 2_000_000
"""Largest intermediate table; beyond it a space counts as too large to enumerate."""
_DENSE = 1 << 22
"""Number of combinations up to which a rule's answers are stored in a flat table instead of sorted."""


@dataclass(frozen=True, slots=True)
class Part:
    """The valid combinations of parameters that constrain each other."""

    columns: tuple[int, ...]
    rows: NDArray[np.int32]
    """Positions, shape (combinations, len(columns))."""


class Catalogue:
    """The valid configurations of a space, numbered from 0."""

    def __init__(self, grid: Grid, parts: Sequence[Part]) -> None:
        self.grid = grid
        self.parts = tuple(parts)
        self.count = prod(len(part.rows) for part in self.parts)

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the positions of numbered configurations, shape (len(numbers), parameters)."""
        rows = np.empty((len(numbers), len(self.grid.names)), np.int32)
        for part in self.parts:
            numbers, digit = np.divmod(numbers, len(part.rows))
            rows[:, part.columns] = part.rows[digit]
        return rows

    def table(self) -> NDArray[np.int32]:
        """Return the positions of all configurations, shape (count, parameters)."""
        return self.rows(np.arange(self.count))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int32]:
        """Return positions of `size` configurations drawn uniformly without replacement (all when there are fewer)."""
        if size >= self.count:
            return self.rows(rng.permutation(self.count))
        if self.count <= np.iinfo(np.int64).max:
            return self.rows(rng.choice(self.count, size, replace=False))
        rows = np.empty((size, len(self.grid.names)), np.int32)
        for part in self.parts:  # among 2^63 configurations a repeat is less likely than a broken computer
            rows[:, part.columns] = part.rows[rng.integers(len(part.rows), size=size)]
        return rows

    def __iter__(self) -> Iterator[Config]:
        for row in self.table():
            yield self.grid.decode(row.tolist())

    def __len__(self) -> int:
        return self.count


def catalogue(grid: Grid, rows_limit: int = ROWS_LIMIT) -> Catalogue | None:
    """Return all valid configurations, or None when an intermediate table would exceed `rows_limit` rows."""
    parts = []
    for columns in grid.parts:
        part = _join(grid, columns, rows_limit)
        if part is None:
            return None
        parts.append(part)
    return Catalogue(grid, parts)


def part_of(grid: Grid, columns: tuple[int, ...], rows_limit: int = ROWS_LIMIT) -> Part | None:
    """Return the valid combinations of one group of `Grid.parts`, or None when there are too many to list."""
    return _join(grid, columns, rows_limit)


def _join(grid: Grid, columns: tuple[int, ...], rows_limit: int) -> Part | None:
    rules = [rule for rule in grid.rules if rule.columns[0] in columns]
    table: dict[int, NDArray[np.int32]] = {}
    rows = 1
    for column in _order(grid, columns, rules):
        size = grid.sizes[column]
        if rows * size > rows_limit:
            return None
        table = {c: np.repeat(values, size) for c, values in table.items()}
        table[column] = np.tile(np.arange(size, dtype=np.int32), rows)
        rows *= size
        ready = [rule for rule in rules if column in rule.columns and all(c in table for c in rule.columns)]
        for rule in ready:
            keep = holds(grid, rule, table)
            table = {c: values[keep] for c, values in table.items()}
        rows = len(table[column])
    return Part(columns, np.stack([table[c] for c in columns], axis=1))


def _order(grid: Grid, columns: tuple[int, ...], rules: Sequence[Rule]) -> list[int]:
    """Order parameters so that the constraint that needs the fewest new combinations is complete first."""
    placed: list[int] = []
    waiting = list(rules)
    while waiting:
        cheapest = min(waiting, key=lambda rule: prod(grid.sizes[c] for c in rule.columns if c not in placed))
        placed += [c for c in cheapest.columns if c not in placed]
        waiting = [rule for rule in waiting if not set(rule.columns) <= set(placed)]
    return placed + [c for c in columns if c not in placed]


def holds(grid: Grid, rule: Rule, table: dict[int, NDArray[np.int32]]) -> NDArray[np.bool_]:
    """Ask the rule once for each distinct combination of the values that it reads."""
    sizes = [grid.sizes[c] for c in rule.columns]
    if prod(sizes) > np.iinfo(np.int64).max:
        distinct, inverse = np.unique(np.stack([table[c] for c in rule.columns], axis=1), axis=0, return_inverse=True)
        answers = np.array([rule.admits(tuple(row)) for row in distinct.tolist()], bool)
        return answers[inverse.reshape(-1)]
    keys = np.ravel_multi_index([table[c] for c in rule.columns], sizes)
    if prod(sizes) <= _DENSE:
        return _looked_up(rule, keys, sizes)
    present, inverse = np.unique(keys, return_inverse=True)
    return _ask(rule, present, sizes)[inverse.reshape(-1)]


def distinct(grid: Grid, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows without repetition, in the order of their first occurrence."""
    if prod(grid.sizes) > np.iinfo(np.int64).max:
        return np.array(list(dict.fromkeys(map(tuple, rows.tolist()))), np.int32).reshape(-1, len(grid.sizes))
    _, first = np.unique(np.ravel_multi_index(list(rows.T), grid.sizes), return_index=True)
    return np.asarray(rows[np.sort(first)])


def _looked_up(rule: Rule, keys: NDArray[np.int64], sizes: list[int]) -> NDArray[np.bool_]:
    """Answer from the rule's table, after asking what is not in it yet."""
    answers = rule.answers(prod(sizes))
    answer = answers[keys]
    if (answer < 0).any():
        fresh = np.unique(keys[answer < 0])
        answers[fresh] = _ask(rule, fresh, sizes)
        answer = answers[keys]
    return np.asarray(answer == 1)


def valid_rows(grid: Grid, points: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the rows that meet all rules, in their order."""
    for rule in grid.rules:
        points = points[holds(grid, rule, dict(enumerate(points.T)))]
    return points


def _ask(rule: Rule, keys: NDArray[np.int64], sizes: list[int]) -> NDArray[np.bool_]:
    combinations = np.stack(np.unravel_index(keys, sizes), axis=1).tolist()
    return np.fromiter((rule.admits(tuple(row)) for row in combinations), bool, len(combinations))
