"""Integer coordinates for configurations, and constraint checks that never ask the same question twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.space import Config

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.model.record import Scalar
    from hotloop.model.space import Constraint, Space

Positions = tuple[int, ...]
"""The position of each parameter's value, in the order of the space's parameters."""


class Rule:
    """A constraint over positions; its answers are remembered when it names the parameters that it reads."""

    __slots__ = ("_answers", "_constraint", "_grid", "_known", "columns")

    def __init__(self, grid: Grid, constraint: Constraint) -> None:
        self._grid = grid
        self._constraint = constraint
        self._known: dict[Positions, bool] | None = {} if constraint.names else None
        self._answers: NDArray[np.int8] | None = None
        named = (grid.names.index(name) for name in constraint.names)
        self.columns = tuple(sorted(set(named))) or tuple(range(len(grid.names)))
        """Which parameters the constraint reads, as columns of a position tuple."""

    def holds(self, positions: Sequence[int]) -> bool:
        """Tell whether a full position tuple meets the constraint."""
        return self.admits(tuple([positions[column] for column in self.columns]))

    def admits(self, named: Positions) -> bool:
        """Tell whether positions of the read parameters alone, in the order of `columns`, meet the constraint."""
        if self._known is None:
            return self._ask(named)
        answer = self._known.get(named)
        if answer is None:
            answer = self._known[named] = self._ask(named)
        return answer

    def answers(self, combinations: int) -> NDArray[np.int8]:
        """Return a table for the answer to each combination of the read parameters: 1, 0, or -1 where it was not asked.

        A constraint that does not name what it reads gets a new table each time, for its answers are not remembered.
        """
        if self._answers is None or self._known is None:
            self._answers = np.full(combinations, -1, np.int8)
        return self._answers

    def _ask(self, named: Positions) -> bool:
        names, values = self._grid.names, self._grid.values
        pairs = zip(self.columns, named, strict=True)
        return bool(self._constraint.holds(Config({names[c]: values[c][p] for c, p in pairs})))


class Grid:
    """A space seen as a grid of integer positions, with its constraints as rules.

    Equal values of a parameter are one value. A constraint that names its parameters is shown only those, so it must
    name every parameter that it reads.
    """

    __slots__ = ("_position", "names", "ordinal", "parts", "rules", "sizes", "space", "values")

    def __init__(self, space: Space) -> None:
        self.space = space
        self.names = tuple(p.name for p in space.parameters)
        self.values: tuple[tuple[Scalar, ...], ...] = tuple(tuple(dict.fromkeys(p.values)) for p in space.parameters)
        self.sizes = tuple(len(values) for values in self.values)
        self.ordinal = tuple(p.ordinal for p in space.parameters)
        self._position = tuple({value: i for i, value in enumerate(values)} for values in self.values)
        self.rules = tuple(Rule(self, constraint) for constraint in space.constraints)
        self.parts = _independent(len(self.names), self.rules)
        """Groups of columns that no rule connects; a configuration is valid when each group is."""

    def encode(self, config: Config) -> Positions:
        """Return the positions of a configuration; KeyError when a name or value is not in the space."""
        given = dict(config.items())
        return tuple([positions[given[name]] for name, positions in zip(self.names, self._position, strict=True)])

    def decode(self, positions: Sequence[int]) -> Config:
        """Return the configuration at some positions."""
        return Config({n: v[p] for n, v, p in zip(self.names, self.values, positions, strict=True)})

    def valid(self, positions: Sequence[int]) -> bool:
        """Tell whether positions meet all constraints."""
        return all(rule.holds(positions) for rule in self.rules)

    def distance(self, column: int, here: int, there: int) -> int:
        """Return how far apart two positions of a parameter are: steps when ordinal, otherwise 1 for any change."""
        return abs(here - there) if self.ordinal[column] else int(here != there)


def _independent(width: int, rules: Sequence[Rule]) -> tuple[tuple[int, ...], ...]:
    group = list(range(width))
    for rule in rules:
        joined = {group[column] for column in rule.columns}
        group = [min(joined) if label in joined else label for label in group]
    return tuple(tuple(c for c in range(width) if group[c] == label) for label in sorted(set(group)))
