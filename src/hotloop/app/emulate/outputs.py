"""Results that a launch left unwritten: a mask that drops a tail, a stride that leaves gaps, a store that is lost.

No rule of memory is broken where an element of a result is never written; it stays what it was. Who says that an array holds nothing
yet says that it is a result, so an element without a store is a mistake. It is none, and only a remark, where

- the launch's own numbers say that no more was meant: what is written ends, and begins anew, where products of its sizes say;
- contents of memory decide what is written, as in a selection or a scatter, and not just whether: where an execution with any of several
  other contents writes nothing there either, they are no reason (`hotloop.app.emulate.otherwise`), nor where every store of the program
  goes to other arrays, at places that contents do not choose, nor where nothing at all is written and only what atomics return decides:
  the work-group that comes last should have written it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.otherwise import never, nowhere
from hotloop.emulate.answer import Told
from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.emulate.start import argument_registers
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.sourcemap import source_lines
from hotloop.predict.contents import EVERY, Sources, placing
from hotloop.units import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from hotloop.app.emulate.task import Step, Task
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.launch import Execution

_IDLE = "the kernel stores nothing to device memory, so it has no effect"
_EFFECT = re.compile(
    r"(global|t?buffer|flat|image|tensor)_(store|atomic)|s_(store|buffer_store|atomic|call|swappc|setpc|swap_pc|set_pc)"
)
_WHATEVER = ", nor with other contents of the inputs"
_FACTORS = 3
"""Most sizes of which the length of what is written may be a product: a batch, rows and columns."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """Elements of an array that nobody wrote."""

    name: str
    missing: NDArray[np.bool_]
    """Of each element, flat."""
    shape: tuple[int, ...]

    @property
    def runs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First elements and lengths of what was written without a gap."""
        edges = np.diff(np.concatenate(([True], self.missing, [True])).astype(np.int8))
        begins = np.flatnonzero(edges == -1)
        return begins, np.flatnonzero(edges == 1) - begins


def unwritten(task: Task, done: Sequence[Execution]) -> tuple[list[Told], list[str]]:
    """Return findings about results that were not written whole, and remarks about those that need not be."""
    found, remarks = list[Told](), list[str]()
    for step, ran in zip(task.steps, done, strict=True):
        # of a case with a reference one launch of several may have nothing to do, as where a constant rules out its only store
        if (task.outputs or task.inputs) and not any(map(_stores, step.program.code)):
            found.append(Told(kernel=step.program.name, finding=_finding(_IDLE, None)))
            continue
        for gap in _gaps(task, step, ran):
            why = _meant(gap, sizes(task, step), step.grid)
            if not why and (why := decided(step, ran, gap)) and (rest := _never(task, step, ran, gap)):
                found.append(_told(step, ran, rest, "" if gap.missing.all() else _WHATEVER))
            elif why:
                remarks.append(f"{_text(gap)}: {why}")
            else:
                found.append(_told(step, ran, gap))
    return found, remarks


def _gaps(task: Task, step: Step, ran: Execution) -> Iterator[_Gap]:
    for number, octets in sorted(ran.written.items()):
        name = step.arguments[number]
        if name not in task.outputs or octets.all():
            continue
        array = task.arrays[name]
        missing = ~octets.reshape(-1, array.itemsize).all(axis=1)
        yield _Gap(name, missing, array.shape)


def sizes(task: Task, step: Step) -> frozenset[int]:
    """Return the whole numbers that the launch was given, one each."""
    given = (int(value) for value in step.arguments if isinstance(value, np.integer))
    return frozenset(value for value in (*given, *task.sizes) if value > 1)


def _meant(gap: _Gap, sizes: Collection[int], grid: Collection[int]) -> str:
    """Return why the written part is as long as it was meant to be; empty: nothing says so.

    Rows are as long as one of the launch's sizes and padded to a length that is no multiple of it; or the array, of which no shape is
    known, is larger than the sizes, the grid and their products say, and its beginning is written, which one of them says. Sizes that
    are powers of two divide each other, so halves of an array that fits are no sign of anything. An array of one element more than a size
    fits, too: it holds where rows begin and where the last one ends.
    """
    begins, lengths = gap.runs
    if not len(begins) or begins[0] or len(set(lengths.tolist())) > 1:
        return ""
    length, total = int(lengths[0]), len(gap.missing)
    if len(gap.shape) == 1 and length == total - 1:
        return ""
    steps = set(np.diff(begins).tolist()) or {total}
    told = products(sizes)
    known = told | {prod(gap.shape[axis:]) for axis in range(len(gap.shape))}
    padded = length in sizes and len(steps) == 1 and steps <= known and bool(max(steps) % length)
    fits = total in products({*sizes, *grid}) or len(gap.shape) > 1
    larger = len(begins) == 1 and length in told and not fits
    if padded or larger:
        return f"the launch's own numbers end what is written after {counted(length, 'element')}"
    return ""


def products(sizes: Collection[int]) -> set[int]:
    """Return the products of up to three of some sizes."""
    return {prod(some) for count in range(1, _FACTORS + 1) for some in combinations(sorted(sizes), count)}


def decided(step: Step, ran: Execution, gap: _Gap | None, *, loads: bool = False) -> str:
    """Return that contents of memory decide what is written to an array; empty: they do not. With `loads`: what is read at all."""
    return "contents of memory decide what is written" if _placed(step, ran, gap, loads=loads) else ""


def _placed(
    step: Step,
    ran: Execution,
    gap: _Gap | None,
    *,
    loads: bool = False,
    addresses: bool = False,
    sources: Sources = EVERY,
) -> bool:
    """Tell whether contents of memory decide what is written to an array; with `addresses`: where, not whether."""
    program = step.program
    function = next((one for one in DIALECT.parse(step.listing) if one.name == program.name), None)
    executed = {item.address for item, count in zip(program.code, ran.counts.tolist(), strict=True) if count}
    stores = (ran.shadow.writers(gap.name) if gap and ran.shadow is not None else None) or None
    registers = argument_registers(program)
    return function is not None and placing(
        function, executed, stores, registers, loads=loads, addresses=addresses, sources=sources
    )


def _never(task: Task, step: Step, ran: Execution, gap: _Gap) -> _Gap | None:
    """Return what of a gap stays whatever the inputs hold; None: nothing, or not known."""
    scattered = _placed(step, ran, gap, addresses=True)
    if gap.missing.all():  # contents that choose places may choose between arrays, too
        ticket = _nobody_last(task, step, ran, gap)
        return gap if ticket or (not scattered and _stored_elsewhere(step, ran)) else None
    missing = never(task, step, ran, gap.name, gap.missing, known=sizes(task, step), scattered=scattered)
    return None if missing is None else replace(gap, missing=missing)


def _nobody_last(task: Task, step: Step, ran: Execution, gap: _Gap) -> bool:
    """Tell whether who comes last, or first, is to write a result that nobody has written: atomics decide, and nothing else.

    A ticket often goes to the other waves through local memory, where contents go, too, and whose places are not told apart: then the
    result must stay as it is with other contents.
    """
    if not _placed(step, ran, gap, sources=Sources(atomics=False)):
        return True
    through = not _placed(step, ran, gap, sources=Sources(atomics=False, local=False))
    ticket = through and _placed(step, ran, gap, sources=Sources(loads=False))
    return ticket and nowhere(task, step, ran, gap.name)


def _stored_elsewhere(step: Step, ran: Execution) -> bool:
    """Tell whether every store of the program has stored something: to other arrays than one that holds nothing still."""
    storing = {item.address for item in step.program.code if _stores(item)}
    return ran.shadow is not None and bool(storing) and storing <= ran.shadow.storing


def _text(gap: _Gap) -> str:
    total = int(gap.missing.sum())
    if total == len(gap.missing):
        return f"nothing is written to {gap.name}, which holds nothing yet ({counted(total, 'element')})"
    first = int(gap.missing.argmax())
    last = first + int(np.append(~gap.missing[first:], True).argmax()) - 1
    which = f"element {first}" if first == last else f"elements {first} to {last}"
    verb = "is" if total == 1 else "are"
    more = "" if total == last - first + 1 else ", and more,"
    return f"{which}{more} of {gap.name} {verb} never written ({total:,} of {len(gap.missing):,})"


def _told(step: Step, ran: Execution, gap: _Gap, more: str = "") -> Told:
    """Return the finding, at the instruction that wrote the element before the first gap, or behind it."""
    writer = _writer(step, ran, gap)
    told = Told(kernel=step.program.name, finding=_finding(_text(gap) + more, writer))
    place = next(iter(source_lines(step.listing, [writer.line])), None) if writer else None
    return replace(told, source=place)


def _finding(text: str, writer: Decoded | None) -> Finding:
    return Finding(
        trouble=Trouble.UNWRITTEN,
        text=text,
        address=writer.address if writer else 0,
        line=writer.line if writer else None,
        instruction=f"{writer.mnemonic} {writer.text}".rstrip() if writer else "",
    )


def _stores(item: Decoded) -> bool:
    """Tell whether an instruction may change device memory, or calls what may."""
    return bool(_EFFECT.match(item.name))


def _writer(step: Step, ran: Execution, gap: _Gap) -> Decoded | None:
    """Return the instruction that wrote the neighbour of the first gap; None: nothing was written, or no record says."""
    there = np.flatnonzero(~gap.missing)
    if ran.shadow is None or not len(there):
        return None
    before = there[there < gap.missing.argmax()]
    element = int(before[-1] if len(before) else there[0])
    each = ran.arrays[step.arguments.index(gap.name)].itemsize
    return ran.shadow.writer(gap.name, element * each)
