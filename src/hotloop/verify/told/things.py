"""Which columns of an array are different things, by which calls draw them, and which arrays and columns have values of both signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.told.columns import Cut, fitting, parted
from hotloop.verify.told.traced import LEAST, MANY, Part, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COLUMNS = 16


def sides(
    base: Mapping[str, NDArray[np.generic]], drawn: Sequence[Mapping[str, NDArray[np.generic]]], cuts: Mapping[str, Cut]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return arrays that have values of one sign in all that was drawn, and those that have both: of few values one draw does not tell."""
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for one in drawn:
        if base.keys() <= one.keys():
            for name, value in parted({name: one[name] for name in base}, fitting(cuts, one)).items():
                if isinstance(value, np.ndarray) and not np.isnan(value).all():
                    low[name] = min(low.get(name, np.inf), float(np.nanmin(value)))
                    high[name] = max(high.get(name, -np.inf), float(np.nanmax(value)))
    both = frozenset(name for name in low if low[name] < 0 < high[name])
    return frozenset(low.keys() - both), both


def together(
    sites: Sequence[tuple[Site, Part | None]], changes: Sequence[Mapping[str, NDArray[np.bool_]]]
) -> list[dict[str, NDArray[np.bool_]]]:
    """Return what each call, or line that draws often, changes as a whole: rows that one draws are the same thing."""
    count = Counter(line for line, _ in {site for site, _ in sites})
    calls: dict[object, dict[str, NDArray[np.bool_]]] = {}
    for (site, _), changed in zip(sites, changes, strict=True):
        seen = calls.setdefault(site if count[site[0]] <= MANY else site[0], {})
        for name, where in changed.items():
            seen[name] = seen[name] | where if name in seen else where
    return list(calls.values())


def columns(
    base: Mapping[str, NDArray[np.generic]], changes: Sequence[Mapping[str, NDArray[np.bool_]]]
) -> dict[str, Cut]:
    """Return arrays whose columns, or rows, hang on different calls and have values of different ranges."""
    found: dict[str, Cut] = {}
    for name, value in base.items():
        for axis in dict.fromkeys((value.ndim - 1, 0)) if value.ndim > 1 else ():
            if not 2 <= value.shape[axis] <= _COLUMNS or value.size // value.shape[axis] < LEAST:
                continue
            rest = tuple(other for other in range(value.ndim) if other != axis)
            marks = [changed[name].any(axis=rest).tolist() for changed in changes if name in changed]
            groups: dict[tuple[bool, ...], list[int]] = {}
            for place, mark in enumerate(zip(*marks, strict=True)):
                groups.setdefault(mark, []).append(place)
            if len(groups) > 1 and _unlike([np.take(value, places, axis) for places in groups.values()]):
                found[name] = (axis, tuple(map(tuple, groups.values())))
                break
    return found


def _unlike(parts: list[NDArray[np.generic]]) -> bool:
    """Tell whether some part spans less than half of what all span."""
    spans = [float(np.ptp(part.astype(np.float64))) for part in parts]
    whole = float(np.ptp(np.concatenate([part.reshape(-1) for part in parts]).astype(np.float64)))
    return min(spans) < whole / 2
