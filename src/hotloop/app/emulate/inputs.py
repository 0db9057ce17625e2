"""Inputs whose end a launch does not read: a mask or a loop that drops the last element, or what is left of the last block.

A sum over too few elements breaks no rule of memory. What shows it is that each row of an input is read up to a place that nothing says:
one element, or one row of a matrix, before its end, or after its last whole block, though the row's length is known from its shape or from the launch's numbers.
It is a remark and no finding: a shift by one element, or an exclusive scan, is meant to leave the last one out.

Another remark is made where more than half of an input is never read, in a part that no number of the launch names: a stride or an offset
may be wrong. Where contents of memory decide what is read there is neither.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.outputs import decided, products, sizes
from hotloop.units import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from hotloop.app.emulate.task import Step, Task
    from hotloop.emulate.launch import Execution

_BLOCK = 8
"""Least elements of a block whose rest may be dropped."""
_FIELDS = 16
"""Most elements of a structure of which a kernel may want a few."""
_PARTS = 4
"""Least rows of a matrix whose last one counts as dropped: of two or three parts side by side a kernel may want the first ones."""


def unread(task: Task, done: Sequence[Execution]) -> list[str]:
    """Return remarks about inputs whose rows are read but for their ends."""
    return [text for step, ran in zip(task.steps, done, strict=True) for text in _of_step(task, step, ran)]


def _of_step(task: Task, step: Step, ran: Execution) -> Iterator[str]:
    for number, octets in sorted(ran.seen.items()):
        name = step.arguments[number]
        array = task.arrays[name]
        if octets.all() or not octets.any() or name not in task.inputs:
            continue
        seen = octets.reshape(-1, array.itemsize).any(axis=1)
        known = {*sizes(task, step), *step.grid}
        lost = dropped(seen, array.shape, known)
        text = _text(name, *lost, int((~seen).sum()), len(seen)) if lost else _little(name, seen, array.shape, known)
        if text and not decided(step, ran, None, loads=True):
            yield f"{step.program.name}: {text}"


def dropped(seen: NDArray[np.bool_], shape: tuple[int, ...], known: Collection[int]) -> tuple[int, int] | None:
    """Return how much of each row is read, and how long a row is, where its end is dropped; None: it is not, or something else is."""
    first, length, row = _rows(seen)
    if first or not row:
        return None
    told, extents = products(known), {prod(shape[axis:]) for axis in range(len(shape))}
    if length in told | extents or row not in told | extents:
        return None
    rest, block = row - length, length & -length
    last = rest == 1 or (rest in extents and row >= _PARTS * rest)
    return (length, row) if last or (block >= _BLOCK and rest < block) else None


def _rows(seen: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Return where the first read part begins, its length and the distance of parts; no distance: they are not alike all over the array."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], seen, [False])).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    lengths, steps = set((ends - begins).tolist()), set(np.diff(begins).tolist()) or {len(seen)}
    alike = len(lengths) == 1 and len(steps) == 1 and len(begins) * max(steps) == len(seen)
    return int(begins[0]), max(lengths), max(steps) if alike else 0


def _little(name: str, seen: NDArray[np.bool_], shape: tuple[int, ...], known: Collection[int]) -> str:
    """Return the remark about an array of which more than half is not read and no number of the launch says so; empty: it is no such one."""
    read, total = int(seen.sum()), len(seen)
    if 2 * read >= total or _named(seen, shape, known):
        return ""
    return f"only {read:,} of {counted(total, 'element')} of {name} are read: are its strides and offsets right?"


def _named(seen: NDArray[np.bool_], shape: tuple[int, ...], known: Collection[int]) -> bool:
    """Tell whether what is read is a part that somebody may have meant: fields of structures, or as much as the launch's numbers say."""
    first, length, row = _rows(seen)
    said = products(known) | {prod(shape[axis:]) for axis in range(len(shape))} | {0, 1}
    return bool(row) and (row <= _FIELDS or {first, length} <= said)


def _text(name: str, length: int, row: int, missing: int, total: int) -> str:
    which = f"element {length}" if row - length == 1 else f"elements {length} to {row - 1}"
    of = name if row == total else f"each {row} of {name}"
    verb = "is" if row - length == 1 else "are"
    return f"{which} of {of} {verb} never read ({missing:,} of {total:,}): is the end of what is computed from dropped?"
