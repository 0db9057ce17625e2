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


def read_again(function: Function, code: Sequence[Instruction], lanes: int, apart: Iterable[Instruction] = ()) -> int:
    """Return the bytes of one iteration that other lanes, other accesses or the iteration before have accessed already.

    Args:
        function: whose code is followed from its beginning.
        code: its hot region.
        lanes: of a wave.
        apart: accesses that are left out.
    """
    left_out = {i.address for i in apart}
    asked = [i for i in code if i.traits.space is MemorySpace.GLOBAL and i.kind in _PLAIN and i.address not in left_out]
    flow = Flow(function)
    places, steps = flow.places(asked), flow.steps(code)
    inside = frozenset(i.address for i in code)
    groups: dict[tuple[bool, tuple[tuple[int, int], ...]], list[_Interval]] = defaultdict(list)
    for instruction in asked:
        place = places.get(instruction.address)
        if place is not None and all(flow.names.kinds[name] is not Kind.APART for name, _ in place.terms):
            first = _first(place, flow.names)
            span = first.constant, first.constant + instruction.traits.memory_bits // _BYTE_BITS
            groups[instruction.traits.writes_memory, first.terms].append(span)
    return sum(
        sum(end - begin for begin, end in spans) * lanes
        - _fresh(Sum(terms), spans, lanes, _step(terms, steps, flow.names, inside))
        for (_, terms), spans in groups.items()
    )


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


def _fresh(base: Sum, spans: Sequence[_Interval], lanes: int, step: int | None) -> int:
    """Return the bytes that an iteration is the first to access."""
    touched = _merged(
        (begin + base.lane * lane, end + base.lane * lane) for lane in range(lanes) for begin, end in spans
    )
    if not step:
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
        if part in steps or (isinstance(made, tuple) and made and made[0] in inside):
            return True
        waiting += names.parts[part]
    return False
