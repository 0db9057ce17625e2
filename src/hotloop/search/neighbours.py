"""Configurations that differ from a given one in exactly one parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.catalogue import valid_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hotloop.model.space import Config
    from hotloop.search.grid import Grid, Positions


def neighbours(grid: Grid, config: Config, *, adjacent: bool = False) -> Iterator[Config]:
    """Yield the valid configurations one parameter away.

    Args:
        grid: the space.
        config: the centre; it need not be valid itself.
        adjacent: when true, an ordinal parameter moves only to its next lower and next higher value; enumerations
            always move to any value.
    """
    for positions in around(grid, grid.encode(config), adjacent=adjacent):
        yield grid.decode(positions)


def around(grid: Grid, centre: Positions, *, adjacent: bool = False) -> Iterator[Positions]:
    """Yield the valid positions one parameter away from a centre; see `neighbours`."""
    for column, here in enumerate(centre):
        for there in _moves(grid, column, here, adjacent=adjacent):
            moved = (*centre[:column], there, *centre[column + 1 :])
            if grid.valid(moved):
                yield moved


def around_all(grid: Grid, centres: Sequence[Positions]) -> NDArray[np.int32]:
    """Return what `around` yields for each centre, one after the other, as rows; all are judged together."""
    hubs = np.array(centres, np.int32).reshape(-1, len(grid.names))
    columns = np.repeat(np.arange(len(grid.names)), grid.sizes)
    there = np.concatenate([np.arange(size, dtype=np.int32) for size in grid.sizes])
    moved = np.repeat(hubs[:, None], len(columns), axis=1)
    moved[:, np.arange(len(columns)), columns] = there
    return valid_rows(grid, moved[hubs[:, columns] != there])


def near_and_far(grid: Grid, centre: Positions) -> tuple[list[Positions], list[Positions]]:
    """Return what `around` yields for a centre with `adjacent` moves, then the rest of what it yields without."""
    moved = around_all(grid, [centre])
    here = np.array(centre, np.int32)
    column = np.argmax(moved != here, axis=1)
    steps = np.abs(moved - here).sum(axis=1)  # only one parameter has moved
    near = (steps == 1) | ~np.array(grid.ordinal)[column]
    close, rest = ([tuple(row) for row in moved[chosen].tolist()] for chosen in (near, ~near))
    return close, rest


def _moves(grid: Grid, column: int, here: int, *, adjacent: bool) -> Iterator[int]:
    size = grid.sizes[column]
    if adjacent and grid.ordinal[column]:
        return (there for there in (here - 1, here + 1) if 0 <= there < size)
    return (there for there in range(size) if there != here)
