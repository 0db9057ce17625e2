"""Other permutations and other trees than those that chance draws: one long cycle, everything in place, all rows alike, a single branch.

Such arrays show a relation, so that every other kind of input leaves them as they are; and a random permutation has no long row of
equal wishes, a random tree no depth beyond some logarithms. A kernel that follows so many links and no more would pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.verify.domain import grows, permutes
from hotloop.verify.ways import bits, of_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Array = NDArray[Any]

_LEAST, _LONGEST = 5, 256
"""Least length of a permutation or tree, and the longest cycle or branch that is made: who follows each link alone takes its square."""
_FOLLOWED = 2**20
"""Longest permutation whose links are followed one by one."""
_COVERING = 0.25
"""Part of a type's range from which on integers are words, which are no places in other arrays."""


def reordered(inputs: Inputs, again: Inputs, words: Mapping[str, str], rng: np.random.Generator) -> Inputs | None:
    """Return inputs whose permutations and trees are others; None where there are none, or where they may belong to other inputs.

    Args:
        inputs: as drawn.
        again: the same problem, drawn from another seed: what is equal in both is a table.
        words: what the file says, by input.
        rng: where chance comes from.
    """
    arrays = {k: v for k, v in inputs.items() if isinstance(v, np.ndarray) and v.ndim and v.size > 1}
    places = {name: v for name, v in arrays.items() if v.dtype.kind in "iu" and not _wide(v)}
    drawn = {name for name in places if not _same(places[name], again.get(name))}
    perms = {name for name in drawn if permutes(places[name])}
    trees = {name for name in drawn - perms if grows(places[name])}
    maps = {name: found for name in drawn if (found := bits(places[name])) is not None and found.any}
    known = perms | trees | maps.keys()
    if not known or len(known) < len(places) or any(words.get(name, "") for name in known):
        return None
    if _belongs({name: places[name] for name in perms}, arrays):
        return None
    made = {name: _perms(places[name], again[name], rng) for name in perms}
    made |= {name: of_bits(places[name], found, rng) for name, found in maps.items()}
    return {**inputs, **made, **{name: _branch(places[name], rng) for name in trees}}


def _same(value: Array, other: object) -> bool:
    return isinstance(other, np.ndarray) and other.shape == value.shape and other.tobytes() == value.tobytes()


def _wide(value: Array) -> bool:
    limits = np.iinfo(value.dtype)
    return value.dtype.itemsize >= 2 and int(value.max()) - int(value.min()) >= _COVERING * (
        int(limits.max) - int(limits.min)
    )


def _belongs(perms: Mapping[str, Array], arrays: Mapping[str, Array]) -> bool:
    """Tell whether a permutation puts another array in order, or is another one's inverse or its own."""
    flat = {name: value for name, value in perms.items() if value.ndim == 1}
    for perm in flat.values():
        keys = (other for other in arrays.values() if other.dtype.kind in "fiu" and other.shape[:1] == perm.shape)
        if any(_sorts(perm, other) for other in keys):
            return True
    return any(bool((np.take_along_axis(one, other.astype(np.int64), -1) == np.arange(one.shape[-1])).all())
               for one, other in [*permutations(perms.values(), 2), *((p, p) for p in perms.values())] if one.shape == other.shape)  # fmt: skip


def _sorts(perm: Array, other: Array) -> bool:
    if other is perm or other.ndim != 1:
        return False
    steps = np.diff(other[perm.astype(np.int64)].astype(np.float64))
    return bool((steps >= 0).all() or (steps <= 0).all())


def _perms(value: Array, again: object, rng: np.random.Generator) -> Array:
    """Return other permutations: one cycle, in place, reversed, pairs; in half of the cases all rows alike."""
    rows, length = value.reshape(-1, value.shape[-1]), value.shape[-1]
    if all(_one_cycle(row) for row in (*rows[:2], *_rows(again)[:2])):
        cycle = np.arange(length)
        return np.broadcast_to((cycle + rng.choice((1, length - 1))) % length, value.shape).astype(value.dtype)
    others = [other for other in (_rows(again),) if other.shape[-1] == length]
    forms = _forms(length, np.concatenate([rows, *others]))
    chosen = np.full(len(rows), rng.integers(len(forms))) if rng.integers(2) else rng.integers(0, len(forms), len(rows))
    return np.stack(forms)[chosen].reshape(value.shape).astype(value.dtype)


def _rows(value: object) -> Array:
    return value.reshape(-1, value.shape[-1]) if isinstance(value, np.ndarray) else np.zeros((0, 1))


def _one_cycle(row: Array) -> bool:
    """Tell whether a permutation is a single cycle, as a list of links is; a very long one counts as such, for following it takes seconds."""
    if len(row) > _FOLLOWED:
        return True
    links, at, steps = row.tolist(), 0, 0
    while steps == 0 or (at and steps < len(links)):
        at, steps = int(links[int(at)]), steps + 1
    return at == 0 and steps == len(links)


def _forms(length: int, drawn: Array) -> list[NDArray[np.int64]]:
    """Return permutations that a file may mean: with no number in its own place, or none far from it, if none is drawn so."""
    places = np.arange(length)
    first = places - places % _LONGEST
    size = np.minimum(_LONGEST, length - first)
    ring = first + (places - first + 1) % size
    pairs = np.minimum(places ^ 1, length - 1) if length % 2 == 0 else np.where(places < length - 1, places ^ 1, places)
    if length >= _FAR and int(np.abs(drawn.astype(np.int64) - places).max()) < length // 4:
        return [places]  # of windows nobody knows how wide they are
    if (drawn == places).any():
        return [ring, ring, places, places[::-1], pairs]
    return [form for form in (ring, ring, places[::-1], pairs) if (form != places).all()] or [np.roll(places, 1)]


_FAR = 64
"""Length from which on permutations that chance draws move some number by a quarter of it."""


def _branch(value: Array, rng: np.random.Generator) -> Array:
    """Return one long branch, from which all later nodes go off: below each node no more than were drawn below one, if these are few."""
    length, below = int(min(value.size, _LONGEST)), int(np.bincount(value[1:].astype(np.int64)).max())
    rest = np.arange(value.size - length) // max(1, below - 1)
    if below > _FEW:
        rest = rng.integers(0, length, value.size - length)
    return np.concatenate([[0], np.arange(length - 1), rest]).astype(value.dtype)


_FEW = 4
"""Most nodes below one that a file may have meant."""
