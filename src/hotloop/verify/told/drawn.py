"""Which inputs belong together, found by how a file draws them where their values do not show it: a search tree and the points in it.

`inputs` is called some more times on a small problem. Its generator then returns other numbers for one call, or for one element of what a
call returns, and the same numbers for all else. Which arrays change, and where, says four things.

1. An array that changes only together with another one follows from it: neither may be changed alone. Two halves of one large draw are
   made of different elements, so neither follows from the other.
2. If one element of a draw changes several elements of an array, and not in proportion, the array has an order or a relation: a heap, a search
   tree, unit vectors. A running sum changes in proportion, and may be any numbers; so may what the file itself overwrites anywhere
   (`hotloop.verify.told.overwritten`).
3. Integers of one array that one line draws with limits that differ are bounded by something: the nodes before a node, a distance back.
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
from hotloop.verify.told.apart import groups, pieces, tied_by
from hotloop.verify.told.columns import Cut
from hotloop.verify.told.overwritten import Overwritten
from hotloop.verify.told.things import columns, sides, together
from hotloop.verify.told.traced import ELEMENTWISE, LEAST, MANY, Change, Line, Part, Site, Traced, asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem

    Flat = NDArray[np.float64]

_CALLS = 24
"""Most calls that are told apart; beyond, all calls of the lines that draw most often change together."""
_LIMIT_S = 1.0
"""Processor time for a first round of questions; two rounds follow. Of a file that takes longer nothing is said."""
_WAITING = 10.0
"""How many times as long it may take by the clock. A busy machine shall find out as much as an idle one, but a file that waits for a disk is not
asked dozens of times."""
_TURNS = 2
"""Other draws of each call: small integers are often equal by chance."""
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
    """True where integers are bounded by something that is not known. Then offsets and orders stay as they are, too."""
    onesided: frozenset[str] = frozenset()
    """Arrays, and columns of arrays, that have no values of both signs. In a problem where they have one element, its value alone does not show that."""
    columns: Mapping[str, Cut] = field(default_factory=dict)
    """Axis of an array, and which places along it are one thing."""
    twosided: frozenset[str] = frozenset()
    """Those with values of both signs."""


def known(kernel: Kernel, problem: Problem) -> Relations:
    """Return what a kernel's inputs have to do with each other; small problems are asked, for relations do not hang on sizes.

    They are the same ones whatever the problem at hand, so that all cases agree. What the file says of an array itself, by a word of `domain`,
    is left to it.
    """
    every = sorted((*kernel.awkward(kernel.problem), kernel.problem), key=_bytes(kernel), reverse=True)
    every = list(dict.fromkeys(every))
    small = [one for one in every if kernel.work(one).bytes <= _SMALL_BYTES][:_ASKED]
    few = small or [min((*every, problem), key=_bytes(kernel))]
    found = [relations(kernel.inputs, one) for one in few]
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
    try:
        with np.errstate(all="ignore"):
            return _found(inputs, problem)
    except Exception:  # noqa: BLE001 - a file's own function, asked for what it need not bear: then nothing is known
        return Relations()


def _found(inputs: Callable[[Problem, np.random.Generator], Inputs], problem: Problem) -> Relations:
    """Return the relations that show when one call, or one element of it, after the other becomes another one."""
    clock = _Clock()
    first = Traced()
    base = _arrays(asked(inputs, problem, first))
    if not base:
        return Relations()
    clock.check(_LIMIT_S / _CALLS)
    base = _steady(base, _arrays(asked(inputs, problem, Traced(None, first.lines))))
    changes: list[dict[str, NDArray[np.bool_]]] = []
    resized: set[str] = set()
    drawn = [base]
    for site, part in _sites(first):
        seen = [
            _arrays(asked(inputs, problem, Traced(Change(site, turn, part), first.lines))) for turn in range(_TURNS)
        ]
        drawn += seen
        changes.append(_changes(base, seen))
        resized |= {name for one in seen for name in base.keys() & one.keys() if one[name].shape != base[name].shape}
        clock.check(_LIMIT_S)
    cuts = columns(base, together(_sites(first), changes))
    links, ordered = _grown(base, resized, changes)
    bounded = _bounded((inputs, problem, first, base), clock)
    inner = (bounded | links | ordered).union(_inner((inputs, problem, first, base), clock))
    one, both = sides(base, drawn, cuts)
    tied = tied_by(base, changes)
    if tied:
        tied = tied_by(base, _separated((inputs, problem, first, base), clock, changes, tied))
    return Relations(tied, inner, bool(bounded | links), one, cuts, both)


_Asking = tuple[
    "Callable[[Problem, np.random.Generator], Inputs]", "Problem", Traced, "Mapping[str, NDArray[np.generic]]"
]
"""A file's function, the problem, the generator that met its calls first, and what it drew then."""


class _Clock:
    """How long a file has been asked: its processor time, or a part of the time that goes by, as it may wait for a disk."""

    def __init__(self) -> None:
        self._begun_s = time.thread_time(), time.monotonic()

    def over(self, limit_s: float) -> bool:
        """Tell whether it was longer than a limit."""
        working_s, waiting_s = time.thread_time() - self._begun_s[0], time.monotonic() - self._begun_s[1]
        return max(working_s, waiting_s / _WAITING) > limit_s

    def check(self, limit_s: float) -> None:
        """Raise TimeoutError after a limit."""
        if self.over(limit_s):
            raise TimeoutError


def _steady(
    base: Mapping[str, NDArray[np.generic]], again: Mapping[str, NDArray[np.generic]]
) -> dict[str, NDArray[np.generic]]:
    """Return the arrays that are the same where nothing was changed; all others hang on something else than the generator."""
    return {name: value for name, value in base.items() if name in again and not _differ(value, again[name]).any()}


def _differ(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Tell where two arrays differ, everywhere if their forms do; NaN is equal to itself."""
    if one.shape != other.shape:
        return np.ones(max(1, one.size), bool)
    return np.asarray((one != other) & ~((one != one) & (other != other)))  # only NaN differs from itself


def _arrays(inputs: Inputs) -> dict[str, NDArray[np.generic]]:
    return {
        name: value
        for name, value in inputs.items()
        if isinstance(value, np.ndarray) and value.size >= LEAST and value.dtype.kind in "fiu"
    }


def _sites(first: Traced) -> list[tuple[Site, Part | None]]:
    """Return the calls, and parts of calls that make several arrays at once, that are changed one at a time; none where there are too many.

    Where there are too many, all calls of a line change together, beginning with the line that draws most often.
    """
    lines: dict[Line, list[Site]] = {}
    for site in first.calls:
        lines.setdefault(site[0], []).append(site)
    lines = {line: calls for line, calls in lines.items() if len(calls) > MANY or not any(map(first.seeds, calls))}
    while sum(map(len, lines.values())) > _CALLS:
        line = max(lines, key=lambda one: len(lines[one]))
        if len(lines[line]) == 1:
            return []
        lines[line] = [(line, -1)]
    sites: list[tuple[Site, Part | None]] = []
    for site in (site for calls in lines.values() for site in calls):
        method, form = first.calls.get(site, ("", ()))
        several = method in ELEMENTWISE and len(form) > 1 and form[0] <= MANY
        sites += [(site, (0, place)) for place in range(form[0])] if several else [(site, None)]
    return sites if len(sites) <= 2 * _CALLS else []


def _changes(
    base: Mapping[str, NDArray[np.generic]], seen: list[dict[str, NDArray[np.generic]]]
) -> dict[str, NDArray[np.bool_]]:
    """Return by name which elements a call changes; arrays whose form changes, too, are left out: their content says nothing."""
    found: dict[str, NDArray[np.bool_]] = {}
    for name, value in base.items():
        others = [one[name] for one in seen if name in one and one[name].shape == value.shape]
        if len(others) == len(seen):
            changed = np.any([_differ(other, value) for other in others], axis=0)
            if changed.any():
                found[name] = changed
    return found


def _separated(
    asking: _Asking,
    clock: _Clock,
    changes: Sequence[Mapping[str, NDArray[np.bool_]]],
    tied: frozenset[str],
) -> list[Mapping[str, object]]:
    """Return the same changes, where a call that several arrays hang on is one for each of them that other elements of it make.

    One large draw that is split, or a loop that draws array after array, makes arrays that have nothing to do with each other.
    """
    inputs, problem, first, base = asking
    found: list[Mapping[str, object]] = []
    for (site, _), changed in zip(_sites(first), changes, strict=True):
        names = sorted(changed.keys() & tied)
        if len(names) < 2:
            found.append(changed)
            continue
        seen: list[frozenset[str]] = []
        for change in pieces(first, site):
            clock.check(3 * _LIMIT_S)
            made = _arrays(asked(inputs, problem, Traced(change, first.lines)))
            seen.append(frozenset(name for name in names if name in made and _differ(base[name], made[name]).any()))
        rest = dict.fromkeys(changed.keys() - tied, True)
        found += [{**dict.fromkeys(group, True), **rest} for group in groups(names, seen)]
    return found


def _grown(
    base: Mapping[str, NDArray[np.generic]], resized: set[str], changes: Sequence[Mapping[str, object]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return arrays of integers that no call changes but with their size: links of a tree that grows by chance, and columns of sparse matrices.

    Beside links stand what a node is: where a leaf has none, it has a mark elsewhere. Numbers that only rise are offsets, which have none beside them.
    """
    kept = {name for changed in changes for name in changed}
    whole = {name: base[name] for name in base if name in resized and base[name].dtype.kind in "iu"}
    grown = {name for name in whole if name not in kept}
    ordered = frozenset(name for name in grown if _offset(base[name], base))
    links = grown - ordered
    forms = {whole[name].shape for name in links if (np.diff(whole[name].astype(np.float64)) < 0).any()}
    return frozenset(links | {name for name, value in whole.items() if value.shape in forms}), ordered


def _offset(value: NDArray[np.generic], base: Mapping[str, NDArray[np.generic]]) -> bool:
    """Tell whether another array says where each row of this one begins: then these are columns of a sparse matrix, and no links."""
    return any(
        one.ndim == 1
        and one.dtype.kind in "iu"
        and one[0] == 0
        and one[-1] == len(value)
        and (one[:-1] <= one[1:]).all()  # type: ignore[operator]
        for one in base.values()
    )


def _bounded(asking: _Asking, clock: _Clock) -> frozenset[str]:
    """Return arrays of integers that hang on calls of one line with limits that differ, whatever becomes of their size.

    Arrays each of which has limits of its own, indices of tables of several sizes, are not bounded: a helper or a loop draws them.
    """
    inputs, problem, first, base = asking
    met: dict[tuple[str, Line], set[object]] = {}
    for site in _limited(first):
        clock.check(2 * _LIMIT_S)
        made = _arrays(asked(inputs, problem, Traced(Change(site, 0), first.lines)))
        for name, value in base.items():
            if value.dtype.kind in "iu" and _differ(value, made.get(name, value)).any():
                met.setdefault((name, site[0]), set()).update(first.limits[site])
    return frozenset(name for (name, _), limits in met.items() if len(limits) > 1)


def _limited(first: Traced) -> Iterator[Site]:
    """Yield some calls of each line that draws integers below limits that differ: first, last and between."""
    lines: dict[Line, list[Site]] = {}
    for site in first.limits:
        lines.setdefault(site[0], []).append(site)
    for calls in lines.values():
        if len({limit for site in calls for limit in first.limits[site]}) > 1:
            count = min(len(calls), MANY)
            yield from (calls[at * (len(calls) - 1) // max(1, count - 1)] for at in range(count))


def _inner(asking: _Asking, clock: _Clock) -> Iterator[str]:
    """Yield arrays of which several elements change, not in proportion, because one element of a call does: of half of what is drawn at least.

    Of a row that is cleared by chance, too, several elements change; what is drawn for it elsewhere changes only one.
    """
    inputs, problem, first, base = asking
    weight: dict[str, float] = {}
    over = Overwritten()
    for site, place, drawn in _places(first):
        if clock.over(3 * _LIMIT_S):
            return
        seen: list[tuple[float, dict[str, NDArray[np.generic]]]] = []
        for turn in range(_TURNS):
            rng = Traced(Change(site, turn, places=range(place, place + 1)), first.lines)
            made = _arrays(asked(inputs, problem, rng))
            seen.append((rng.moved, made))
        for name, value in base.items():
            others = [
                (moved, _less(one[name], value))
                for moved, one in seen
                if moved and name in one and one[name].shape == value.shape
            ]
            if len(others) == _TURNS and any(change.any() for _, change in others):
                over.note(name, site[0], value, [change for _, change in others])
                weight[name] = weight.get(name, 0.0) + (1 if _bent(others) else -1) * drawn
    yield from (name for name, rest in weight.items() if rest >= 0 and not over.anywhere(name))


def _places(first: Traced) -> Iterator[tuple[Site, int, float]]:
    """Yield four elements of each call, or of one amid each line that draws often, with the number of elements that they stand for."""
    lines: dict[Line, list[Site]] = {}
    for site, (method, form) in first.calls.items():
        if method in ELEMENTWISE and 0 not in form:
            lines.setdefault(site[0], []).append(site)
    for calls in lines.values():
        many = len(calls) > MANY
        whole = float(sum(np.prod(first.calls[site][1]) for site in calls))
        for site in calls[len(calls) // 2 :][:1] if many else calls:
            if many or not first.seeds(site):
                size = int(np.prod(first.calls[site][1]))
                places = sorted({size // 2, size // 3, size // 5, 7 * size // 8})
                yield from ((site, place, whole if many else float(size)) for place in places)


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
