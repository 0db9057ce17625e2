"""Positions that differ from a given one in exactly one parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.search.catalogue import valid_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.search.grid import Grid, Positions


def around_all(grid: Grid, centres: Sequence[Positions]) -> NDArray[np.int32]:
    """Return the valid positions one parameter away from each centre, one after the other, as rows; all are judged together."""
    hubs = np.array(centres, np.int32).reshape(len(centres), len(grid.names))
    columns = np.repeat(np.arange(len(grid.names)), grid.sizes)
    there = np.concatenate([np.arange(size, dtype=np.int32) for size in (0, *grid.sizes)])
    moved = np.repeat(hubs[:, None], len(columns), axis=1)
    moved[:, np.arange(len(columns)), columns] = there
    return valid_rows(grid, moved[hubs[:, columns] != there])


def near_and_far(grid: Grid, centre: Positions) -> tuple[list[Positions], list[Positions]]:
    """Return the valid positions one step of an ordinal parameter or another word away from a centre, then the rest."""
    moved = around_all(grid, [centre])
    if not moved.size:
        return [], []
    here = np.array(centre, np.int32)
    column = np.argmax(moved != here, axis=1)
    steps = np.abs(moved - here).sum(axis=1)  # only one parameter has moved
    near = (steps == 1) | ~np.array(grid.ordinal)[column]
    close, rest = ([tuple(row) for row in moved[chosen].tolist()] for chosen in (near, ~near))
    return close, rest
