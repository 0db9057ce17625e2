"""Bytes of global memory that lanes of a wave, or iterations of its loop, access several times: caches serve all but the first.

Only what the code tells is counted: addresses that grow by a known step from lane to lane, or are the same for all lanes. A loop's
iterations overlap where its pointers move by a known step as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.spread.flow import Flow
from hotloop.isa.spread.value import LANE, Kind, Names, Sum

_BYTE_BITS = 8
_PLAIN = frozenset({InstructionKind.LOAD, InstructionKind.STORE, InstructionKind.BROADCAST})
_Interval = tuple[int, int]


class Spread:
    """The accesses of a hot region, as the lanes of a wave make them."""

    def __init__(self, function: Function, code: Sequence[Instruction]) -> None:
        """Follow a function's code from its beginning; `code` is its hot region."""
        self._asked = [i for i in code if i.traits.space is MemorySpace.GLOBAL and i.kind in _PLAIN]
        self._flow = flow = Flow(function)
        self._names, self._places = flow.names, flow.places(self._asked)
        self._steps, self._replaced = flow.carried(code)
        self._loops = bool(flow.repeated(code))
        self._function = function
        self._addresses = frozenset(i.address for i in function.instructions)
        self._inside = frozenset(i.address for i in code)
        self._reading = frozenset(i.address for i in function.instructions if i.traits.reads_memory)

    def read_again(self, lanes: int, apart: Iterable[Instruction] = ()) -> int:
        """Return the bytes of one iteration that other lanes, other accesses or the iteration before have accessed already.

        Args:
            lanes: of a wave.
            apart: accesses that are left out.
        """
        left_out = {i.address for i in apart}
        groups: dict[tuple[bool, tuple[tuple[int, int], ...]], list[_Interval]] = defaultdict(list)
        for instruction in self._asked:
            place = self._places.get(instruction.address)
            if place is not None and instruction.address not in left_out and self._names.kind(place) is not Kind.APART:
                first = _first(place, self._names)
                span = first.constant, first.constant + instruction.traits.memory_bits // _BYTE_BITS
                groups[instruction.traits.writes_memory, first.terms].append(span)
        return sum(
            sum(end - begin for begin, end in spans) * lanes
            - (0 if self._everywhere(terms) and not writes else self._fresh(terms, spans, lanes))
            for (writes, terms), spans in groups.items()
        )

    def _fresh(self, terms: tuple[tuple[int, int], ...], spans: Sequence[_Interval], lanes: int) -> int:
        return _fresh(self._offsets(terms, lanes), spans, self._step(terms) if self._loops else None)

    def _everywhere(self, terms: tuple[tuple[int, int], ...]) -> bool:
        """Tell whether all groups access the same place, as the points that each item is compared with: the first alone takes them from memory."""
        names, seen, waiting = self._names, set[int](), [name for name, _ in terms]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            made = names.keys[name]
            unknown = made[0] in self._addresses if isinstance(made, tuple) and made else str(made)[:1] != "c"
            if names.kinds[name] is not Kind.SHARED or (unknown and name not in self._steps):
                return False
            waiting += names.parts[name]
        return True

    def _offsets(self, terms: tuple[tuple[int, int], ...], lanes: int) -> list[int]:
        """Return how far each lane's address is from the first one's."""
        return [self._names.grown(Sum(terms), lane) for lane in range(lanes)]

    def looked_up(self) -> tuple[Instruction, ...]:
        """Return the loads whose place each lane has read from memory or found by comparing: elements of a table, of whatever width.

        A place that a lane's own number went into is a part of a row, and one that moves by a known step is the next of a list.
        """
        loads = ((i, self._places.get(i.address)) for i in self._asked if not i.traits.writes_memory)
        return tuple(
            i for i, place in loads if place is not None and self._found(place) and not self._step(place.terms)
        )

    def indexed(self) -> tuple[Instruction, ...]:
        """Return the loads whose place depends on what each lane has read from memory, parts of rows that were looked up among them."""
        loads = ((i, self._places.get(i.address)) for i in self._asked if not i.traits.writes_memory)
        return tuple(i for i, place in loads if place is not None and self._read_by_lane(place))

    def _read_by_lane(self, place: Sum) -> bool:
        """Tell whether something that lanes have read, each for itself, went into an address."""
        names, seen, waiting = self._names, set[int](), [name for name, _ in place.terms]
        while waiting:
            name = waiting.pop()
            if name in seen or names.kinds[name] < Kind.LANE:
                continue
            seen.add(name)
            made = names.keys[name]
            if isinstance(made, tuple) and made and made[0] in self._reading:
                return True
            waiting += (*self._origin(name), *names.parts[name])
        return False

    def strided(self) -> tuple[Instruction, ...]:
        """Return the accesses whose lanes lie apart by a multiple that the launch gives: rows of a lane each, unless it is 1."""
        return tuple(
            i for i in self._asked if (place := self._places.get(i.address)) is not None and self._stretched(place)
        )

    def _stretched(self, place: Sum) -> bool:
        names = self._names
        return any(
            LANE in names.factors[term] and any(names.kinds[factor] is Kind.SHARED for factor in names.factors[term])
            for term, _ in place.terms
        )

    def alone(self) -> bool:
        """Tell whether no other group reads what a group's lanes load: the places depend on every index that the results depend on.

        What all lanes share is left out, as it is little: the vector that a matrix is multiplied with.
        """
        stores = [
            i for i in self._function.instructions if i.traits.space is MemorySpace.GLOBAL and i.traits.writes_memory
        ]
        results = self._flow.places(stores)
        wanted = [self._indices(results.get(i.address)) for i in stores]
        loads = [self._places.get(i.address) for i in self._asked if not i.traits.writes_memory]
        own = [self._indices(place) for place in loads if place is None or self._names.kind(place) > Kind.ROW]
        if not (wanted and own) or None in wanted or None in own:
            return False
        every = frozenset[int]().union(*(indices for indices in wanted if indices is not None))
        return all(indices is not None and indices >= every for indices in own)

    def _indices(self, place: Sum | None) -> frozenset[int] | None:
        """Return which numbers of lanes and groups an address depends on; None where the code does not tell."""
        names = self._names
        factors = {f for name, _ in place.terms for f in names.factors[name]} if place else {LANE}
        if place is None or any(names.kinds[factor] is Kind.APART for factor in factors):
            return None
        return frozenset(factor for factor in factors if names.kinds[factor] is not Kind.SHARED)

    def _found(self, place: Sum) -> bool:
        """Tell whether an address differs among lanes, and only by what was read or chosen."""
        names = self._names
        seen, waiting = set[int](), [name for name, _ in place.terms]
        apart = names.kind(place) is Kind.APART
        while apart and waiting:
            name = waiting.pop()
            if name in seen or names.kinds[name] < Kind.LANE:
                continue
            seen.add(name)
            made = names.keys[name]
            read = (isinstance(made, tuple) and bool(made) and made[0] in self._reading) or self._drawn(name)
            parts = self._origin(name)
            if name == LANE or not (read or parts):
                return False
            waiting += () if read else parts
        return apart

    def _drawn(self, name: int) -> bool:
        """Tell whether a loop makes a value of what it was before other than by a step: a generator's state, of which lanes draw their places."""
        value = self._replaced.get(name)
        if value is None:
            return False
        kept = dict(value.terms).get(name)
        return kept != 1 if kept is not None else self._mixed(value, name)

    def _mixed(self, value: Sum, name: int) -> bool:
        """Tell whether a value depends on another one and is made of it by operations alone: then no branch can have left it as it was."""
        names, seen, waiting = self._names, set[int](), [part for part, _ in value.terms]
        found = False
        while waiting:
            part = waiting.pop()
            if part == name:
                found = True
            elif part not in seen:
                seen.add(part)
                key = names.keys[part]
                if names.kinds[part] > Kind.GROUP and not (isinstance(key, tuple) and isinstance(key[0], str | tuple)):
                    return False
                waiting += names.parts[part]
        return found

    def _origin(self, name: int) -> list[int]:
        """Return what a name is made of: in a loop that replaces it, of that alone, unless the loop keeps or moves what it was before."""
        replaced = [part for part, _ in self._replaced[name].terms] if name in self._replaced else [name]
        kept = self._names.parts[name] if name in replaced or not replaced else ()
        return [*(part for part in replaced if part != name), *kept]

    def _step(self, terms: Iterable[tuple[int, int]]) -> int | None:
        """Return what an address grows by in an iteration; None where the code does not tell."""
        return _step(terms, self._steps, self._names, self._inside)


def _first(place: Sum, names: Names) -> Sum:
    """Return an address as the first group or row of lanes accesses it: the next row of an image is what the group below reads, too."""
    indices = {
        name for term, _ in place.terms for name in names.factors[term] if names.kinds[name] in (Kind.GROUP, Kind.ROW)
    }
    steps = [
        (max(step.terms, key=lambda pair: len(names.factors[pair[0]])), step)
        for name in indices
        if (step := names.per(place, name)).terms
    ]
    for (leading, multiple), step in sorted(steps, key=lambda pair: -len(names.factors[pair[0][0]])):
        held = dict(place.terms).get(leading, 0)
        place -= step.times(held // multiple)
    return place


def _fresh(offsets: Sequence[int], spans: Sequence[_Interval], step: int | None) -> int:
    """Return the bytes that an iteration is the first to access: none where a loop stays in its place.

    So a store counts nothing that a loop repeats, or that runs as it is left, under a predicate: the last one alone reaches the memory.
    """
    touched = _merged((begin + offset, end + offset) for offset in offsets for begin, end in spans)
    if step is None:
        return _size(touched)
    earlier = ((begin - step, end - step) for begin, end in touched)
    return _size(_merged((*touched, *earlier))) - _size(touched)


def _merged(spans: Iterable[_Interval]) -> list[_Interval]:
    merged: list[_Interval] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def _size(spans: Iterable[_Interval]) -> int:
    return sum(end - begin for begin, end in spans)


def _step(
    terms: Iterable[tuple[int, int]], steps: Mapping[int, Sum], names: Names, inside: frozenset[int]
) -> int | None:
    """Return what an address grows by in an iteration; None where the code does not tell."""
    grown = 0
    for name, multiple in terms:
        step = steps[name].plain if name in steps else None if _moves(name, steps, names, inside) else 0
        if step is None:
            return None
        grown += step * multiple
    return grown


def _moves(name: int, steps: Mapping[int, Sum], names: Names, inside: frozenset[int]) -> bool:
    """Tell whether a loop makes a value anew: by an instruction of its own, or of registers that move."""
    key, waiting, seen = names.keys, [name], set[int]()
    while waiting:
        part = waiting.pop()
        if part == LANE or part in seen:
            continue
        seen.add(part)
        made = key[part]
        if part in steps or (made[0] if isinstance(made, tuple) and made else made) in inside:
            return True
        waiting += names.parts[part]
    return False
