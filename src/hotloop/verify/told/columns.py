"""Arrays whose columns are different things, taken apart so that each is changed by itself: a price does not become a rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs

Cut = tuple[int, tuple[tuple[int, ...], ...]]
"""Axis of an array, and which places along it are one thing."""


def fitting(cuts: Mapping[str, Cut], inputs: Inputs) -> dict[str, Cut]:
    """Return the cuts of arrays that have as many columns in another problem: their number is no size of a problem.

    >>> fitting(dict(x=(1, ((0,), (1,))), y=(0, ((0,), (1,)))), dict(x=np.zeros((9, 2)), y=np.zeros((9, 2))))
    {'x': (1, ((0,), (1,)))}
    """
    return {
        name: (axis, groups)
        for name, (axis, groups) in cuts.items()
        if np.shape(inputs[name])[axis : axis + 1] == (sum(map(len, groups)),)
    }


def parted(inputs: Inputs, cuts: Mapping[str, Cut]) -> Inputs:
    """Return inputs with an array for each thing in the place of those that hold several.

    >>> sorted(parted(dict(x=np.arange(6).reshape(3, 2)), dict(x=(1, ((0,), (1,))))).items())
    [('x[0]', array([0, 2, 4])), ('x[1]', array([1, 3, 5]))]
    """
    made = {name: value for name, value in inputs.items() if name not in cuts}
    for name, (axis, groups) in cuts.items():
        value = inputs[name]
        for index, places in enumerate(groups):
            made[f"{name}[{index}]"] = np.take(value, places if len(places) > 1 else places[0], axis)  # type: ignore[arg-type]
    return made


def whole(parts: Inputs, inputs: Inputs, cuts: Mapping[str, Cut]) -> Inputs:
    """Return the same with the arrays as they were, of what their parts have become.

    >>> cuts = dict(x=(1, ((0,), (1,))))
    >>> whole(parted(inputs := dict(x=np.arange(6).reshape(3, 2)), cuts), inputs, cuts)["x"].tolist()
    [[0, 1], [2, 3], [4, 5]]
    """
    made = {name: parts.get(name, value) for name, value in inputs.items()}
    for name, (axis, groups) in cuts.items():
        value = np.array(inputs[name])
        for index, places in enumerate(groups):
            value[(slice(None),) * axis + ((places if len(places) > 1 else places[0]),)] = parts[f"{name}[{index}]"]
        made[name] = value
    return made


def shared(words: Mapping[str, str], cuts: Mapping[str, Cut]) -> dict[str, str]:
    """Return what a file says of its inputs, said of each part of them, too."""
    said = {
        f"{name}[{index}]": words[name]
        for name, (_, groups) in cuts.items()
        if name in words
        for index in range(len(groups))
    }
    return {**words, **said}
