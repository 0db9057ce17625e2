"""What hangs together by how a file draws its inputs, although no value shows it: a tree beside its points, a failure table beside its word.

`inputs` is called some more times on a small problem with a generator whose calls are told apart: one call at a time, or one element of
what a call returns, becomes another one. What changes then says four things.

1. An array that changes only together with another one follows from it: neither may be changed alone.
2. An array of which several elements change because of one, and not in proportion, has an order or a relation: a heap, a search tree, unit vectors.
   In proportion they change in a running sum, which may be any numbers.
3. Integers that one line draws with limits that differ are bounded by something: the nodes before a node, a distance back.
4. Columns that hang on different calls are different things: a price and a rate, two nodes and a weight.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.domain import FIXED, STRUCTURE
from hotloop.verify.told.columns import Cut, parted
from hotloop.verify.told.traced import ELEMENTWISE, Change, Line, Site, Traced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem

    Flat = NDArray[np.float64]

_CALLS = 24
"""Most calls that are told apart; of a line that draws more often all calls change together."""
_APART = 6
_LIMIT_S = 1.0
"""Processor time after which nothing more is asked: what was not seen by then is not said."""
_TURNS = 2
"""Other draws of each call: small integers are often equal by chance."""
_COLUMNS = 16
_LEAST = 4
_ROUNDING = 0.02
"""By how much changes in proportion may differ, of the largest: numbers of 16 bits are rounded."""


@dataclass(frozen=True, slots=True)
class Relations:
    """What a file's inputs have to do with each other, by name."""

    tied: frozenset[str] = frozenset()
    """Arrays that follow from others, and those others."""
    inner: frozenset[str] = frozenset()
    """Arrays with a relation among their own elements."""
    bounded: bool = False
    """True where integers are bounded by something, offsets, say: then these, too, stay as they are."""
    onesided: frozenset[str] = frozenset()
    """Arrays, and columns of arrays, without values of both signs: of one that has a single element nobody can see that."""
    columns: Mapping[str, Cut] = field(default_factory=dict)
    """Axis of an array, and which places along it are one thing."""
    twosided: frozenset[str] = frozenset()
    """Those with values of both signs."""


def known(kernel: Kernel, problem: Problem) -> Relations:
    """Return what a kernel's inputs have to do with each other; a small problem is asked, for relations do not hang on sizes.

    What the file says of an array itself, by a word of `domain`, is left to it.
    """
    every = sorted(dict.fromkeys((*kernel.awkward(problem), problem)), key=_bytes(kernel), reverse=True)
    asked = [one for one in every if kernel.work(one).bytes <= _SMALL_BYTES][:_ASKED] or every[-1:]
    found = [relations(kernel.inputs, one) for one in asked]
    tied = frozenset[str]().union(*(one.tied for one in found))
    if any(
        kernel.domain.get(name, STRUCTURE) not in FIXED for name in tied
    ):  # the file knows, and says what may change
        tied = frozenset()
    inner = frozenset[str]().union(*(one.inner for one in found))
    cuts = {name: cut for one in reversed(found) for name, cut in one.columns.items() if name not in tied | inner}
    said = kernel.domain.keys()
    return Relations(
        tied - said,
        inner - said,
        any(one.bounded for one in found),
        frozenset[str]().union(*(one.onesided for one in found))
        - frozenset[str]().union(*(one.twosided for one in found)),
        cuts,
        frozenset(),
    )


def _bytes(kernel: Kernel) -> Callable[[Problem], float]:
    return lambda problem: kernel.work(problem).bytes


_SMALL_BYTES, _ASKED = 2**18, 2
"""Bytes that a problem moves at most of which inputs are drawn some dozens of times, and how many such problems are asked: the largest."""


@lru_cache(maxsize=32)
def relations(inputs: Callable[[Problem, np.random.Generator], Inputs], problem: Problem) -> Relations:
    """Return what the inputs of a small problem have to do with each other, as far as some draws show it.

    >>> drawn = lambda p, rng: dict(x=(x := rng.random(99)), least=np.minimum.accumulate(x), y=rng.random(99), n=99)
    >>> sorted(relations(drawn, None).tied)
    ['least', 'x']
    """
    begun_s = time.thread_time()
    try:
        first = Traced()
        base = _arrays(inputs(problem, first))
        if not base or time.thread_time() - begun_s > _LIMIT_S / _CALLS:
            return Relations()
        changes: list[dict[str, NDArray[np.bool_]]] = []
        resized: set[str] = set()
        for site, part in _sites(first):
            seen = [_arrays(inputs(problem, Traced(Change(site, turn, part)))) for turn in range(_TURNS)]
            changes.append(_changes(base, seen))
            resized |= {
                name for one in seen for name in base.keys() & one.keys() if one[name].shape != base[name].shape
            }
            if time.thread_time() - begun_s > _LIMIT_S:
                return Relations()
        cuts = _columns(base, _together(_sites(first), changes))
        bounded = _bounded(inputs, problem, first, base) | _grown(
            {name: base[name] for name in base if name in resized}, changes
        )
        inner = bounded.union(_inner(inputs, problem, first, base, begun_s + 2 * _LIMIT_S))
        sides = _sides(parted(base, cuts))
        return Relations(_tied(base, changes), inner, bool(bounded), sides[0], cuts, sides[1])
    except Exception:  # noqa: BLE001 - a file's own function, asked for what it need not bear: then nothing is known
        return Relations()


def _arrays(inputs: Inputs) -> dict[str, NDArray[np.generic]]:
    return {
        name: value
        for name, value in inputs.items()
        if isinstance(value, np.ndarray) and value.size >= _LEAST and value.dtype.kind in "fiu"
    }


def _sites(first: Traced) -> list[tuple[Site, int | None]]:
    """Return the calls, and parts of calls that make several arrays at once, that are changed one at a time; none where there are too many."""
    lines: dict[Line, list[Site]] = {}
    for site in first.calls:
        lines.setdefault(site[:2], []).append(site)
    sites: list[tuple[Site, int | None]] = []
    for line, calls in lines.items():
        for site in calls if len(calls) <= _APART else [(*line, -1)]:
            method, form = first.calls.get(site, ("", ()))
            several = method in ELEMENTWISE and len(form) > 1 and form[0] <= _APART
            sites += [(site, part) for part in (range(form[0]) if several else (None,))]
    return sites if len(sites) <= _CALLS else []


def _changes(
    base: Mapping[str, NDArray[np.generic]], seen: list[dict[str, NDArray[np.generic]]]
) -> dict[str, NDArray[np.bool_]]:
    """Return by name which elements a call changes; arrays whose form changes, too, are left out: their content says nothing."""
    found: dict[str, NDArray[np.bool_]] = {}
    for name, value in base.items():
        others = [one[name] for one in seen if name in one and one[name].shape == value.shape]
        if len(others) == len(seen):
            changed = np.any([other != value for other in others], axis=0)
            if changed.any():
                found[name] = changed
    return found


def _tied(base: Mapping[str, NDArray[np.generic]], changes: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """Return arrays that are too many for the calls that change them: some follow from the others.

    Points and what is sorted out of them hang on one call; a picture and the same with noise hang on two, and may be any two pictures. Each
    array is given a call of its own as long as there are any; where there is none, all that compete for these calls are tied.
    """
    calls = {frozenset(changed) for changed in changes}
    given: dict[frozenset[str], str] = {}
    tied: set[str] = set()
    for name in base:
        met: set[frozenset[str]] = set()
        if any(name in call for call in calls) and not _given(name, calls, given, met):
            tied |= {name, *(given[call] for call in met)}
    return frozenset(tied)


def _given(name: str, calls: set[frozenset[str]], given: dict[frozenset[str], str], met: set[frozenset[str]]) -> bool:
    """Give an array a call of its own, others another one if need be; tell whether that is possible."""
    for call in calls:
        if name in call and call not in met:
            met.add(call)
            if call not in given or _given(given[call], calls, given, met):
                given[call] = name
                return True
    return False


def _grown(base: Mapping[str, NDArray[np.generic]], changes: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """Return arrays of integers that no call changes but with their size, links of a tree that grows by chance, and those beside them.

    Beside links stand what a node is: where a leaf has none, it has a mark elsewhere. Numbers that only rise are offsets, which have none beside them.
    """
    kept = {name for changed in changes for name in changed}
    whole = {name: value for name, value in base.items() if value.dtype.kind in "iu"}
    grown = {name for name in whole if name not in kept}
    forms = {whole[name].shape for name in grown if (np.diff(whole[name].astype(np.float64)) < 0).any()}
    return frozenset(grown | {name for name, value in whole.items() if value.shape in forms})


def _sides(inputs: Inputs) -> tuple[frozenset[str], frozenset[str]]:
    """Return arrays that have values of one sign, and those that have both."""
    arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
    one = frozenset(name for name, value in arrays.items() if value.min() >= 0 or value.max() <= 0)
    return one, frozenset(arrays.keys() - one)


def _bounded(
    inputs: Callable[[Problem, np.random.Generator], Inputs],
    problem: Problem,
    first: Traced,
    base: Mapping[str, NDArray[np.generic]],
) -> frozenset[str]:
    """Return arrays of integers that hang on a line whose limits differ from call to call, whatever becomes of their size."""
    found: set[str] = set()
    for line, limits in first.limits.items():
        if len(limits) > 1:
            made = _arrays(inputs(problem, Traced(Change((*line, -1), 0))))
            found |= {
                name
                for name, value in base.items()
                if value.dtype.kind in "iu" and not np.array_equal(value, made.get(name, value))
            }
    return frozenset(found)


def _inner(
    inputs: Callable[[Problem, np.random.Generator], Inputs],
    problem: Problem,
    first: Traced,
    base: Mapping[str, NDArray[np.generic]],
    end_s: float,
) -> Iterator[str]:
    """Yield arrays of which several elements change, not in proportion, because one element of a call does: of half of what is drawn at least.

    Of a row that is cleared by chance, too, several elements change; what is drawn for it elsewhere changes only one.
    """
    weight: dict[str, float] = {}
    for site, place in _places(first):
        if time.thread_time() > end_s:
            return
        drawn = float(np.prod(first.calls[site][1]))
        seen: list[tuple[float, dict[str, NDArray[np.generic]]]] = []
        for turn in range(_TURNS):
            made = _arrays(inputs(problem, rng := Traced(Change(site, turn, place=place))))
            seen.append((rng.moved, made))
        for name, value in base.items():
            others = [
                (moved, _less(one[name], value))
                for moved, one in seen
                if moved and name in one and one[name].shape == value.shape
            ]
            if len(others) == _TURNS and any(change.any() for _, change in others):
                weight[name] = weight.get(name, 0.0) + (1 if _bent(others) else -1) * drawn
    yield from (name for name, rest in weight.items() if rest >= 0)


def _places(first: Traced) -> Iterator[tuple[Site, int]]:
    """Yield four elements of each call, or amid one of each line that draws often."""
    lines: dict[Line, list[Site]] = {}
    for site, (method, form) in first.calls.items():
        if method in ELEMENTWISE and 0 not in form:
            lines.setdefault(site[:2], []).append(site)
    for calls in lines.values():
        for site in calls if len(calls) <= _APART else calls[len(calls) // 2 :][:1]:
            size = int(np.prod(first.calls[site][1]))
            yield from ((site, place) for place in sorted({size // 2, size // 3, size // 5, 7 * size // 8}))


def _less(one: NDArray[np.generic], other: NDArray[np.generic]) -> Flat:
    return one.astype(np.float64).reshape(-1) - other.astype(np.float64).reshape(-1)


def _bent(changes: list[tuple[float, Flat]]) -> bool:
    """Tell whether several elements change, and not in proportion to what was changed.

    >>> _bent([(1.0, np.array([0.0, 2.0, 2.0])), (0.5, np.array([0.0, 1.0, 1.0]))]), _bent([(1.0, np.array([0.0, 2, 2])), (2.0, np.array([3.0, 1, 2]))])
    (False, True)
    """
    support = np.any([change != 0 for _, change in changes], axis=0)
    if np.count_nonzero(support) < 2:
        return False
    slopes = [change[support] / moved for moved, change in changes]
    most = max(float(np.abs(slope).max()) for slope in slopes)
    return any(bool((np.abs(one - other) > _ROUNDING * most).any()) for one, other in combinations(slopes, 2))


def _together(
    sites: Sequence[tuple[Site, int | None]], changes: Sequence[Mapping[str, NDArray[np.bool_]]]
) -> list[dict[str, NDArray[np.bool_]]]:
    """Return what each call changes as a whole: rows that one call draws are the same thing."""
    calls: dict[Site, dict[str, NDArray[np.bool_]]] = {}
    for (site, _), changed in zip(sites, changes, strict=True):
        seen = calls.setdefault(site, {})
        for name, where in changed.items():
            seen[name] = seen[name] | where if name in seen else where
    return list(calls.values())


def _columns(
    base: Mapping[str, NDArray[np.generic]], changes: Sequence[Mapping[str, NDArray[np.bool_]]]
) -> dict[str, Cut]:
    """Return arrays whose columns, or rows, hang on different calls and have values of different ranges."""
    found: dict[str, Cut] = {}
    for name, value in base.items():
        for axis in dict.fromkeys((value.ndim - 1, 0)) if value.ndim > 1 else ():
            if not 2 <= value.shape[axis] <= _COLUMNS or value.size // value.shape[axis] < _LEAST:
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
