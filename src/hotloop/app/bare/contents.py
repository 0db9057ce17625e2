"""What arrays of whole numbers hold: places in other arrays, where rows begin, lists; as named, else as the text uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hotloop.app.bare.cell import Cell
from hotloop.app.bare.wish import Wish, number
from hotloop.errors import UsageError
from hotloop.rewrite import ranges
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts import contents as amounts
from hotloop.rewrite.amounts.intervals import Interval, union
from hotloop.rewrite.amounts.places import Limits, limits
from hotloop.rewrite.amounts.rows import Rows, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.app.bare.call import Call
    from hotloop.model.outcome import Parameter
    from hotloop.rewrite.expand import Read

BELOW, RISING, ORDER = "below:", "rising:", "order:"
"""Beginnings of what a person names for an array's numbers."""
_FACTOR = 1 << 12
"""Largest number that is drawn where sums or products are made: 128 such products fit 32 bits with a sign."""
_LEFT = 64
"""Launches of which a text's reach is asked for each guess."""


@dataclass(frozen=True, slots=True)
class Held:
    """Meaning and range of the integers in an array."""

    low: int
    high: int
    form: str = "any"
    """``any`` between both, ``distinct``, ``rising`` from one to the other, ``after`` (where the rows of `of` end), ``long``
    (how long they are), ``rows`` (begin and length of each), ``back`` (an earlier place of its own), ``ahead`` (a later one, or -1)."""
    of: str = ""


class Source(Protocol):
    """What of a source is asked for."""

    @property
    def read(self) -> Read:
        """Return its kernels."""

    @property
    def wish(self) -> Wish:
        """Return what was named."""

    @property
    def kernels(self) -> tuple[str, ...]:
        """Return the kernels that are launched."""

    @property
    def signatures(self) -> Mapping[str, tuple[Parameter, ...]]:
        """Return the kernels' parameters."""

    def cell(self, kind: str) -> Cell | None:
        """Return what a type is."""

    def buffer(self, kernel: str, name: str) -> str:
        """Return the array that a parameter is."""


def whole(source: Source) -> dict[str, np.dtype[np.generic]]:
    """Return the arrays of whole numbers whose values nobody named."""
    kinds: dict[str, np.dtype[np.generic]] = {}
    for kernel in source.kernels:
        for parameter in source.signatures[kernel]:
            cell = source.cell(parameter.type)
            name = source.buffer(kernel, parameter.name)
            named = source.wish.sizes.get(name, "").startswith(("values:", "null", "bytes:"))
            held = parameter.space in ("global", "constant") and cell is not None and not named
            if held and cell is not None and np.dtype(cell.dtype).kind in "iu":
                kinds[name] = np.dtype(cell.dtype)
    return kinds


def probe(source: Source, calls: tuple[Call, ...]) -> Callable[[Mapping[str, Interval]], dict[str, Interval]]:
    """Return what tells how far launches reach by array, and under a name with a star what they write there."""
    chosen = tuple(_some(call for call in dict.fromkeys(map(_Key, calls)) if min(call.call.extents, default=1) > 0))

    def reached(held: Mapping[str, Interval]) -> dict[str, Interval]:
        spans: dict[str, Interval] = {}
        for key in chosen:
            call = key.call
            if call.kernel not in source.read.known:
                continue
            own = {p.name: source.buffer(call.kernel, p.name) for p in source.signatures[call.kernel]}
            given = {name: held[one] for name, one in own.items() if one in held}
            reach = ranges.reach(source.read.looked(call.kernel), call.values, call.extents, call.group, given)
            for name, last in reach.last.items():
                one, ends = own.get(name, name), (reach.first.get(name, 0.0), last)
                spans[one] = union(spans.get(one, ends), ends)
            for name, ends in reach.stored.items():
                one = f"{own.get(name, name)}*"
                spans[one] = union(spans.get(one, ends), ends)
        return spans

    return reached


@dataclass(frozen=True, slots=True)
class _Key:
    """A launch by what its reach depends on."""

    call: Call

    def __hash__(self) -> int:
        return hash((self.call.kernel, self.call.extents))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.call == other.call


def _some(keys: Iterable[_Key]) -> Iterator[_Key]:
    """Yield launches, of many the first, the last and some between."""
    listed = list(keys)
    step = max(1, -(-len(listed) // _LEFT))
    yield from listed[:-1:step]
    yield from listed[-1:]


def inferred(source: Source, calls: tuple[Call, ...], lengths: Mapping[str, int]) -> tuple[dict[str, Held], set[str]]:
    """Return what arrays hold as the text uses them, and those of which that is not to be seen."""
    kinds = {name: _ends(kind) for name, kind in whole(source).items()}
    if not kinds:
        return {}, set()
    rows = _joined(source)
    reached = probe(source, calls)
    limited = limits(reached, lengths, kinds, frozenset(rows.counts | {how for _, how in rows.counted}))
    negative = any(_negative(source.read.looked(k)) for k in source.kernels if k in source.read.known)
    held = {name: _held(name, ends, limited, lengths, negative=negative) for name, ends in limited.found.items()}
    _rows(held, rows, lengths)
    return held, limited.open


def meant(
    source: Source,
    calls: tuple[Call, ...],
    lengths: Mapping[str, int],
    sizes: Mapping[str, float],
    *,
    shown: bool,
    wide: bool,
) -> tuple[dict[str, Held], set[str]]:
    """Return what arrays hold as named or as the text uses them, and those of which that is not to be seen. Raises UsageError.

    `shown`: the text says something, as nothing else does. `wide`: arrays that a text only computes with hold any number, of which sums and products fit 32 bits.
    """
    limited, open_ = inferred(source, calls, lengths) if shown else ({}, set())
    loose = _loose(source) if shown and wide else {}
    return {**loose, **limited, **told(source, sizes)}, open_


def _loose(source: Source) -> dict[str, Held]:
    """Return arrays of whole numbers whose elements move no access and no loop of any kernel."""
    kinds, computed = whole(source), dict[str, bool]()
    for kernel in source.kernels:
        found = amounts.free(source.read.looked(kernel)) if kernel in source.read.known else {}
        for parameter in source.signatures[kernel]:
            if (name := source.buffer(kernel, parameter.name)) not in kinds:
                continue
            if parameter.name not in found and len(source.kernels) > 1:
                return {}  # what one kernel writes there may come from any array
            if parameter.name not in found:
                kinds.pop(name)
            else:
                computed[name] = computed.get(name, False) or found[parameter.name]
    return {name: Held(*_widest(kinds[name], computed=own)) for name, own in computed.items() if name in kinds}


def _widest(kind: np.dtype[np.generic], *, computed: bool) -> tuple[int, int]:
    limit, most = np.iinfo(kind.name), _FACTOR if computed else 2**62
    return max(int(limit.min), -most), min(int(limit.max), most)


def _ends(kind: np.dtype[np.generic]) -> tuple[int, int]:
    limit = np.iinfo(kind.name)
    return max(int(limit.min), -(2**31)), min(int(limit.max), 2**31 - 1)


def _joined(source: Source) -> Rows:
    """Return what arrays are for the loops of all kernels."""
    total = Rows()
    for kernel in source.kernels:
        if kernel not in source.read.known:
            continue
        own = rows(source.read.looked(kernel))
        total.rising |= {source.buffer(kernel, one) for one in own.rising}
        total.counts |= {source.buffer(kernel, count) for count in own.counts}
        total.pairs |= {(source.buffer(kernel, a), source.buffer(kernel, b)) for a, b in own.pairs}
        total.counted |= {(source.buffer(kernel, a), source.buffer(kernel, b)) for a, b in own.counted}
    return total


def _held(name: str, ends: tuple[int, int], limited: Limits, lengths: Mapping[str, int], *, negative: bool) -> Held:
    low, high = ends
    if name in limited.uses[name]:  # a list or a tree: it must come to an end
        return Held(low, high, "ahead" if negative else "back")
    stores = any(use.endswith("*") for use in limited.uses[name])
    if stores and lengths.get(name, 0) <= high - low + 1:
        return Held(low, high, "distinct")
    return Held(low, high)


def _rows(held: dict[str, Held], rows: Rows, lengths: Mapping[str, int]) -> None:
    """Take over which arrays belong together."""
    for array in rows.rising & set(held):
        held[array] = replace(held[array], form="rising")
    for first, last in rows.pairs:
        if last in held and lengths.get(first) == lengths.get(last):  # where a row begins no access goes beyond its end
            held[first] = Held(held[last].low, held[last].high, "rising")
            held[last] = replace(held[last], form="after", of=first)
    for first, how in rows.counted:
        if first == how and first in held:
            held[first] = replace(held[first], form="rows", high=lengths_of(held[first]))
        elif first in held and how in held and lengths.get(first) == lengths.get(how):
            held[first] = replace(held[first], form="rising")
            held[how] = replace(held[how], form="long", of=first, high=held[first].high)


def lengths_of(held: Held) -> int:
    """Return where the last row may end where a row's begin and length may both be as large as the array says."""
    return held.low + 2 * (held.high - held.low)


def _negative(function: t.Function) -> bool:
    """Tell whether a kernel asks whether something is below zero."""
    for node in t.walk(*function.body):
        if isinstance(node, t.Binary) and node.op in ("==", "!=", "<", ">", "<=", ">="):
            if any(isinstance(side, t.Unary) and side.op == "-" for side in (node.left, node.right)):
                return True
            if node.op in (">=", "<") and node.right == t.Number("0"):
                return True
    return False


# --- numbers ------------------------------------------------------------------------------------------------------------


def named(text: str | None, sizes: Mapping[str, float], option: str) -> tuple[Held, int | None] | None:
    """Return what a person named for an array's numbers, and its length where that is named; None of other texts.

    >>> named("below:2*n:nnz", {"n": 4, "nnz": 30}, "--size column")
    (Held(low=0, high=7, form='any', of=''), 30)

    Raises:
        UsageError: the text is not understood.
    """
    for begin, form in ((BELOW, "any"), (RISING, "rising"), (ORDER, "distinct")):
        if text is not None and text.startswith(begin):
            parts = [int(number(part, sizes, option)) for part in text.removeprefix(begin).split(":")]
            if not 1 <= len(parts) <= 2 - (form == "distinct") or min(parts) < 1:
                raise UsageError(
                    f"{option}={text} is not understood; write below:BOUND:LENGTH, rising:LAST:LENGTH or order:LENGTH."
                )
            length = parts[-1] if form == "distinct" or len(parts) == 2 else None
            return Held(0, parts[0] - (form != "rising"), form), length
    return None


def told(source: Source, sizes: Mapping[str, float]) -> dict[str, Held]:
    """Return what a person named, by array. Raises UsageError."""
    rows = ((name, named(text, sizes, f"--size {name}")) for name, text in source.wish.sizes.items())
    return {name: limits[0] for name, limits in rows if limits is not None}


def drawn(
    held: Held, length: int, dtype: str, rng: np.random.Generator, given: Mapping[str, NDArray[np.generic]]
) -> NDArray[np.generic]:
    """Return an array of its kind; `given` are those that were drawn before it."""
    return np.asarray(_numbers(held, length, rng, given)).astype(dtype)


def _numbers(
    held: Held, length: int, rng: np.random.Generator, given: Mapping[str, NDArray[np.generic]]
) -> NDArray[np.generic]:
    places: NDArray[np.int64] = np.arange(length)
    match held.form:
        case "distinct" if length <= held.high - held.low + 1:
            return held.low + rng.permutation(held.high - held.low + 1)[:length]
        case "rising":
            return _rising(held, length, rng)
        case "after":
            return np.append(given[held.of][1:], held.high)
        case "long":
            starts = given[held.of].astype(np.int64)
            return np.minimum(np.diff(np.append(starts, starts[-1:])), held.high)
        case "rows":
            begins = _rising(held, length // 2 + 1, rng)
            return np.stack([begins[:-1], np.diff(begins)], axis=1).reshape(-1)
        case "back":
            return np.minimum((rng.random(length) * places).astype(np.int64), held.high)
        case "ahead":
            later = places + 1 + (rng.random(length) * (length - 1 - places)).astype(np.int64)
            return np.where((places < length // 2) & (later <= held.high), later, -1)
    return rng.integers(held.low, held.high + 1, length)


def _rising(held: Held, length: int, rng: np.random.Generator) -> NDArray[np.int64]:
    inner = np.sort(rng.integers(held.low, held.high + 1, max(length - 2, 0)))
    return np.concatenate([[held.low], inner, [held.high]])[:length]
