"""The nearest valid configuration to one that some constraint forbids.

When a technique changes one parameter, others may have to follow: a wider vector may need a wider tile. `repair` finds
the valid configuration with the smallest total number of value steps that keeps what the technique asked for.

The search is best-first over partial decisions. All undecided parameters stand at their original value; while a
constraint is broken, the solution must move one of the undecided parameters that it reads, so only those are branched
on. Every solution is reached by exactly one sequence of decisions, so the first valid assignment taken from the queue
is the nearest, and an empty queue proves that there is none.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hotloop.model.space import Config
    from hotloop.search.catalogue import Part
    from hotloop.search.grid import Grid, Positions, Rule

_PATIENCE = 4_000
"""Number of assignments that are tried before the whole group of parameters is listed instead."""
_SURRENDER = 10 * _PATIENCE
"""Number of assignments that are tried before a group that is too large to list is given up."""


@dataclass(frozen=True, slots=True)
class _Node:
    positions: Positions
    decided: frozenset[int]
    kept: tuple[int, ...]
    """Numbers of rules that are broken whatever the latest move did, for they do not read what it moved."""
    asked: tuple[int, ...]
    """Numbers of rules that the latest move may have mended or broken."""


def repair(grid: Grid, config: Config, fixed_names: Collection[str] = ()) -> Config | None:
    """Return the valid configuration nearest to `config` that keeps the values of `fixed_names`.

    Distance is the sum over parameters of steps between values (1 for any change of an enumeration), then the number
    of changed parameters. A valid configuration comes back unchanged; None means that no valid one exists, or that none
    was found within reach in a group of parameters too large to list.

    Raises:
        KeyError: `config` has a value that is not in the space.
    """
    positions = grid.encode(config)
    fixed = frozenset(column for column, name in enumerate(grid.names) if name in fixed_names)
    for columns in grid.parts:
        mended = _mend(grid, columns, positions, fixed)
        if mended is None:
            return None
        positions = mended
    return grid.decode(positions)


def _mend(grid: Grid, columns: tuple[int, ...], start: Positions, fixed: frozenset[int]) -> Positions | None:
    rules = [rule for rule in grid.rules if rule.columns[0] in columns]
    reading = {c: tuple(n for n, rule in enumerate(rules) if c in rule.columns) for c in columns}
    queue = [(0, 0, 0, _Node(start, fixed, (), tuple(range(len(rules)))))]
    pushed = looked = 0
    while queue:
        distance, changed, _, node = heapq.heappop(queue)
        broken = _broken(rules, node)
        if not broken:
            return node.positions
        looked += 1
        if looked == _PATIENCE:
            part = _listed(grid, columns)
            if part is not None:
                return _nearest(grid, part, start, fixed)
        if looked == _SURRENDER:
            return None
        for column, child in _children(grid, rules, broken, node, reading):
            pushed += 1
            step = grid.distance(column, start[column], child.positions[column])
            heapq.heappush(queue, (distance + step, changed + 1, pushed, child))
    return None


def _broken(rules: list[Rule], node: _Node) -> list[int]:
    """Return the numbers of the broken rules, in order."""
    return sorted((*node.kept, *(n for n in node.asked if not rules[n].holds(node.positions))))


def _children(
    grid: Grid, rules: list[Rule], broken: list[int], node: _Node, reading: Mapping[int, tuple[int, ...]]
) -> Iterator[tuple[int, _Node]]:
    """Yield (moved column, assignment): the first undecided parameter that moves, with those before it staying.

    Those of the broken rule with the fewest undecided parameters: the one that leaves the least choice.
    """
    decided = node.decided
    rule = min((rules[n] for n in broken), key=lambda rule: sum(c not in node.decided for c in rule.columns))
    for column in rule.columns:
        if column in node.decided:
            continue
        decided = decided | {column}
        here, asked = node.positions[column], reading[column]
        kept = tuple(n for n in broken if n not in asked)
        for there in range(grid.sizes[column]):
            if there != here:
                moved = (*node.positions[:column], there, *node.positions[column + 1 :])
                yield column, _Node(moved, decided, kept, asked)


def _listed(grid: Grid, columns: tuple[int, ...]) -> Part | None:
    from hotloop.search.catalogue import part_of  # numpy is needed only here

    return part_of(grid, columns)


def _nearest(grid: Grid, part: Part, start: Positions, fixed: frozenset[int]) -> Positions | None:
    import numpy as np

    centre = np.array([start[c] for c in part.columns])
    steps = np.abs(part.rows - centre)
    nominal = [i for i, c in enumerate(part.columns) if not grid.ordinal[c]]
    steps[:, nominal] = np.minimum(steps[:, nominal], 1)
    kept = [i for i, c in enumerate(part.columns) if c in fixed]
    candidates = np.flatnonzero(~steps[:, kept].any(axis=1))
    if not len(candidates):
        return None
    steps = steps[candidates]
    best = part.rows[candidates[np.lexsort((np.count_nonzero(steps, axis=1), steps.sum(axis=1)))[0]]]
    moved = dict(zip(part.columns, best.tolist(), strict=True))
    return tuple([moved.get(column, here) for column, here in enumerate(start)])
