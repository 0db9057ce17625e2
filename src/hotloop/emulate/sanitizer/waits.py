"""Counters: an operation's result arrives when a wait covers it, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.emulate.cohort import PLAIN, Effect, Late, Pending, rewatched
from hotloop.isa.amdgcn.counters import SOURCES, UNORDERED, Counter, Generation, waits

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Deliver, Fetch
    from hotloop.emulate.instruction import Decoded


def issue(
    c: Cohort, ins: Decoded, mask: int, deliver: Deliver | None, arrays: tuple[Array, ...] = (), effect: Effect = PLAIN
) -> None:
    """Count an operation, and keep what it will bring until a wait covers it."""
    needs = tuple((i.stream, c.streams.issue(i.stream)) for i in ins.issues if i.stream not in SOURCES)
    operation = Pending(ins, needs, mask, deliver, arrays, effect)
    if not needs:
        if deliver:
            deliver(c, operation)
            c.arrived(operation)
        return
    if deliver or mask:
        c.pending.append(operation)
        c.watch |= mask


def issue_late(
    c: Cohort, ins: Decoded, deliver: Deliver, fetch: Fetch, offsets: Array, lanes: Array, size: int, effect: Effect, *, local: bool
) -> None:  # fmt: skip
    """Count a load of `size` bytes a lane; it reads at once, or when a wait covers it."""
    if not c.batch.late:
        issue(c, ins, ins.writes, deliver, (*fetch(c, offsets, lanes), lanes), effect)
        return
    late = Late(local, fetch, size)

    def fetched(cohort: Cohort, operation: Pending) -> None:
        if operation.late is not None:
            operation.freeze(cohort)
        deliver(cohort, operation)

    issue(c, ins, ins.writes, fetched, (offsets, lanes), effect)
    if c.pending and c.pending[-1].instruction is ins:
        c.pending[-1].late = late


def overwrite(c: Cohort, offsets: Array, lanes: Array, size: int, *, local: bool) -> None:
    """A wave is going to store: its own loads from there, issued before, read first, as memory keeps their order."""
    waiting = [one for one in c.pending if one.late is not None and one.late.local == local]
    if not waiting or not lanes.any():
        return
    chosen = offsets[lanes]
    low, high = int(chosen.min()), int(chosen.max()) + size
    for one in waiting:
        if one.reaches(low, high):
            one.freeze(c)


def wait_step(ins: Decoded, family: Generation) -> Callable[[Cohort], None] | None:
    """Return the step of a wait; None when the instruction waits for no counter."""
    asked = waits(ins.mnemonic, ins.text, family)
    if not asked:
        return None
    by_counter: dict[Counter, list[Any]] = {}
    for stream, counter in family.counters().items():
        by_counter.setdefault(counter, []).append(stream)
    plan = tuple((stream, most) for counter, most in asked for stream in by_counter.get(counter, ()))

    def step(c: Cohort) -> None:
        streams = c.streams
        for stream, most in plan:
            issued = streams.issued.get(stream, 0)
            if stream in UNORDERED and most:
                continue
            if issued - most > streams.done.get(stream, 0):
                streams.done[stream] = issued - most
        if c.pending:
            settle(c)

    return step


def settle(c: Cohort) -> None:
    """Deliver what is done, in the order of issue."""
    done = c.streams.done
    waiting, arrived = [], 0
    for operation in c.pending:
        for stream, number in operation.needs:
            if done.get(stream, 0) < number:
                waiting.append(operation)
                break
        else:
            if operation.deliver:
                operation.deliver(c, operation)
            c.arrived(operation)
            arrived |= operation.mask
    c.pending = waiting
    if arrived:
        c.watch = rewatched(c, arrived)


def drain(c: Cohort) -> None:
    """Deliver everything: the program ends, or a report was written and execution goes on."""
    for stream, number in c.streams.issued.items():
        c.streams.done[stream] = number
    settle(c)
