"""Which arrays follow from others by the draws that they hang on, and which are made of other elements of the same draw: a large one that is split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from hotloop.verify.told.traced import ELEMENTWISE, LEAST, Change, Site, Traced

_BLOCKS = 16
"""Pieces into which a draw is cut in each way."""


def pieces(first: Traced, site: Site) -> Iterator[Change]:
    """Yield changes of pieces of a draw: some of a line's calls, blocks of elements, and places along the first and the last axis."""
    calls = [one for one in first.calls if one[0] == site[0]]
    method, form = first.calls.get(site if site[1] >= 0 else (site[0], 0), ("", ()))
    size = prod(form)
    if site[1] < 0:
        step = max(1, -(-len(calls) // (3 * _BLOCKS)), -(-LEAST // max(1, size)))
        yield from (Change(site, 0, calls=range(at, at + step)) for at in range(0, len(calls), step))
    if method not in ELEMENTWISE:
        return
    if size >= LEAST * LEAST and site[1] >= 0:
        step = max(LEAST, -(-size // _BLOCKS))
        yield from (Change(site, 0, places=range(at, at + step)) for at in range(0, size, step))
    whole = size * (len(calls) if site[1] < 0 else 1)
    for axis in dict.fromkeys((0, len(form) - 1)) if form else ():
        if 2 <= form[axis] <= _BLOCKS and whole // form[axis] >= LEAST:
            yield from (Change(site, 0, (axis, place)) for place in range(form[axis]))


def groups(names: Sequence[str], seen: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the names in groups: two of them are apart if some piece changed the one alone, and some piece the other.

    >>> [sorted(group) for group in groups(["a", "b", "c"], [frozenset("a"), frozenset("bc"), frozenset("b")])]
    [['a'], ['b', 'c']]
    """

    def alone(one: str, other: str) -> bool:
        return any(one in piece and other not in piece for piece in seen)

    found: list[frozenset[str]] = []
    for name in names:
        near = [group for group in found if not all(alone(name, one) and alone(one, name) for one in group)]
        found = [group for group in found if group not in near]
        found.append(frozenset((name,)).union(*near))
    return found


def tied_by(base: Iterable[str], changes: Sequence[Mapping[str, object]]) -> frozenset[str]:
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
