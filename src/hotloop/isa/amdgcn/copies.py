"""Copies from memory into the local data share: no register shows whether their data are used too early.

They raise a counter of loads, the wave waits, a barrier tells the others, and only then is the local data share read. Which
copy fills what a read reads is known to addresses alone, in M0 and vector registers, and is not followed here. Four things
can be told without: a read while no copy was ever waited for (COPY); a copy issued again and again that no wait
completes (DRIFT); a copy that is in flight when the kernel ends (LOST); and, only as a doubt, a wait that lets one copy of a
batch pass and not the other (SPLIT).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hotloop.isa.amdgcn import flow
from hotloop.isa.amdgcn.counters import Stream
from hotloop.isa.amdgcn.findings import HazardKind

OUTSIDE = 0
"""Batch of everything that is in no loop."""
_STREAMS = (flow.INDEX[Stream.VECTOR], flow.INDEX[Stream.ASYNC])


def in_flight(
    flight: flow.Flight, copies: Sequence[bool], streams: Sequence[int] = _STREAMS
) -> Iterator[tuple[int, int, int]]:
    """Yield (operation, instance, age) of each copy that may be in flight; `copies` tells which operations are copies."""
    for stream in streams:
        for key, (mark, _) in flight.operations[stream].items():
            operation, instance = divmod(key, flow.INSTANCES)
            if operation >= 0 and copies[operation]:
                yield operation, instance, flight.tops[stream] - mark


def misused(
    flight: flow.Flight, copies: Sequence[bool], *, reads: bool, ends: bool
) -> Iterator[tuple[int, HazardKind]]:
    """Yield what is wrong at a barrier, at a read of the local data share (`reads`) or at the end of the kernel (`ends`)."""
    for operation, instance, _ in in_flight(flight, copies):
        if reads and flight.copies & flow.COPY_DRY:
            yield operation, HazardKind.COPY
        if instance == flow.INSTANCES - 1:
            yield operation, HazardKind.DRIFT
        if ends:
            yield operation, HazardKind.LOST


def split(flight: flow.Flight, copies: Sequence[bool], batches: Sequence[int], stream: int, count: int) -> int | None:
    """Return the oldest copy that a wait for `count` leaves in flight, if one of the same batch must be done by then."""
    if stream not in _STREAMS or count == 0:
        return None
    aged = [entry for entry in in_flight(flight, copies, (stream,)) if batches[entry[0]] != OUTSIDE]
    done = {(batches[operation], instance) for operation, instance, age in aged if age >= count}
    left = (
        (age, operation) for operation, instance, age in aged if age < count and (batches[operation], instance) in done
    )
    return max(left, default=(0, None))[1]


def batches(blocks: Sequence[Sequence[bool]], inside: Collection[int]) -> list[int]:
    """Number the batches of a function: `blocks` tell for each instruction of each block whether it ends one.

    Only blocks `inside` loops have batches: a prologue may well issue two stages in a row and wait for the first.
    """
    batches, number = [], OUTSIDE
    for index, block in enumerate(blocks):
        number += 1
        for ends in block:
            number += ends
            batches.append(number if index in inside else OUTSIDE)
    return batches
