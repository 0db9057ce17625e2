"""Whether two work-items write one element: sizes for which that is so are none that the author of a plain store meant.

Rows that are farther apart than they are long, matrices that are as wide as the other is high: texts rely on such relations of their
sizes and do not say so. Where made-up sizes break them, items overwrite each other and no result is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.shape import RefusedError, shape

_MOST_ITEMS = 1 << 22
"""Work-items that are looked at."""


def collides(function: t.Function, values: Mapping[str, float], extents: tuple[int, ...]) -> bool:
    """Tell whether a store whose place is known makes two of a launch's work-items write one element.

    Args:
        function: the kernel.
        values: its numbers by parameter.
        extents: work-items by dimension.
    """
    try:
        items = {item.name: item for item in shape(function).items}
    except RefusedError:
        return False
    if not 1 < int(np.prod(extents)) <= _MOST_ITEMS or len(items) < len([extent for extent in extents if extent > 1]):
        return False
    meanings = _meanings(function)
    places = np.indices(extents, dtype=np.int64).reshape(len(extents), -1)
    numbers = {name: places[one.dimension] for name, one in items.items() if one.dimension < len(extents)}
    meanings = {name: node for name, node in meanings.items() if name not in numbers}
    for index in _stores(function):
        reached = _evaluated(algebra.polynomial(index, meanings), values, numbers)
        if reached is not None and np.unique(reached).size < reached.size:
            return True
    return False


def _stores(function: t.Function) -> Iterator[t.Node]:
    """Yield the indices of plain stores to arrays."""
    arrays = {argument.name for argument in function.arguments if argument.space == "global"}
    for node in t.walk(*function.body):
        target = node.target if isinstance(node, t.Assign) else None
        if isinstance(target, t.Index) and isinstance(target.base, t.Name) and target.base.text in arrays:
            yield target.index


def _meanings(function: t.Function) -> dict[str, t.Node]:
    """Return the variables that are given one value where they are declared."""
    return {one.name: one.value for _, one in t.set_once(*function.body) if one.value is not None}


def _evaluated(
    index: algebra.Polynomial, values: Mapping[str, float], numbers: Mapping[str, NDArray[np.int64]]
) -> NDArray[np.int64] | None:
    """Return an index for every work-item; None where something else decides, too."""
    total = np.zeros_like(next(iter(numbers.values())))
    for names, times in index.items():
        part: NDArray[np.int64] = np.full_like(total, times)
        for name in names:
            if name in numbers:
                part = part * numbers[name]
            elif name in values:
                part = part * int(values[name])
            else:
                return None
        total = total + part
    return total
