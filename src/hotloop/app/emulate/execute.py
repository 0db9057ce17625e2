"""Executing a task under adversaries: memory as late, then as early as waits allow, waves and work-groups in opposite orders."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.hollow import undefined
from hotloop.app.emulate.inputs import unread
from hotloop.app.emulate.launching import launch_of
from hotloop.app.emulate.outputs import unwritten
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.answer import Answer, Count, Told
from hotloop.emulate.launch import Execution, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.native.encode import encoded
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.emulate.sanitizer.flags import polls
from hotloop.emulate.sanitizer.lost import lost
from hotloop.emulate.shadow_global import is_atomic
from hotloop.emulate.trace import Tracer
from hotloop.errors import UsageError
from hotloop.isa.amdgcn.registers import returns
from hotloop.isa.amdgcn.unused import compiled
from hotloop.isa.sourcemap import SourceLine, source_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.native.engine import Native

    Arrays = Mapping[str, NDArray[np.generic]]

_ADDING = re.compile(r"atomic_(pk_)?add_f|atomic_fadd|ds_add_(rtn_)?f|ds_pk_add")
"""Floating-point atomics, whose sums depend on the order of the work-groups on any card."""


_RETURNING = re.compile(r"ds_(\w+_rtn_\w+|append|consume)")
"""Atomics of local memory that tell a wave whether it came first; those of device memory say so by a flag."""


_LOCAL = re.compile(
    r"ds_append|ds_consume|ds_(pk_)?(add|sub|rsub|inc|dec|min|max|and|or|xor|mskor)_(?!tid)|flat_atomic_(?!swap|cmpswap)"
)
"""Atomics of local memory. A wave that goes last finds its own as the last one and may read what others have not done yet: only where it
goes first its read meets them."""


_CUT = "the kernel went on long after the first finding and was not executed to its end: results are incomplete"
_LOADED = Access(Kind.READ, 4)


class Backend(StrEnum):
    """The executor: NumPy, C, or the faster of what is there."""

    FASTEST = "auto"
    """C where a compiler is there and the program has no instruction that only NumPy does."""
    NUMPY = "numpy"
    NATIVE = "native"
    """C, or a sentence why not."""


class Orders(IntEnum):
    """In how many ways a task is executed; each brings the ones before it."""

    ONCE = 1
    OPPOSITE = 2
    EVERY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversary:
    """How thoroughly an execution looks for defects."""

    orders: Orders = Orders.OPPOSITE
    trace: bool = False
    budget: int = 200_000_000
    backend: Backend = Backend.FASTEST
    unused: bool = True
    """Look for results that nothing reads, and for elements of results that nothing writes."""
    first: bool = False
    """Stop at the first finding and raise it as `Met`."""

    @property
    def thorough(self) -> Adversary:
        """Return it with every order, if it has more than one."""
        return replace(self, orders=Orders.EVERY) if self.orders > Orders.ONCE else self

    def further(self, task: Task) -> tuple[Options, ...]:
        """Return how a task is executed after the first time, which has late memory and waves together."""
        more = self.orders == Orders.OPPOSITE and any(
            _LOCAL.match(i.name) for step in task.steps for i in step.program.code
        )
        usual = (
            Options(late=False, order=Order.DESCENDING, backwards=True),
            Options(late=True, order=Order.ASCENDING),
            Options(late=True, order=Order.DESCENDING),
        )[: self.orders - 1 + more]
        ways = (*usual, *_apart(task)) if self.orders > Orders.ONCE else usual
        return tuple(replace(options, budget=self.budget, first=self.first) for options in ways)


def _apart(task: Task) -> Iterator[Options]:
    """Yield executions that leave somebody behind or let somebody end first, which alone show who does not wait for it."""
    if any(_meeting(step) for step in task.steps):
        yield Options(order=Order.STRAGGLING)
        yield Options(waves=1)  # work-groups one after the other
    if any(polls(step.program.code) for step in task.steps):
        yield from (Options(order=Order.FIRST_LAGS), Options(order=Order.LAST_LAGS))


def _meeting(step: Step) -> bool:
    """Tell whether work-groups of a launch may meet in device memory."""
    atomic = (is_atomic(item, _LOADED) or "_atomic_" in item.name for item in step.program.code)
    return step.grid != (1, 1, 1) and any(atomic)


def execute(task: Task, how: Adversary) -> Answer:
    """Execute a task and return what was found.

    Raises:
        EmulateError: it cannot be executed, or not to its end.
    """
    backend = chosen(task, how)
    answer = executed(task, how, backend)
    if backend is not None and (answer.notes or answer.findings):
        # Only NumPy has taken notes of what explains that results differ.
        answer = executed(task, how, None)
    return answer


def executed(task: Task, how: Adversary, backend: Native | None) -> Answer:
    """Execute a task with a back end, None for NumPy; C tells nothing of what explains that results differ.

    Raises:
        EmulateError: it cannot be executed, or not to its end.
        Met: the first finding, where that was asked for.
    """
    began = time.perf_counter()
    tracers = [Tracer(step.program) if how.trace else None for step in task.steps]
    arrays, findings, done = _once(task, Options(budget=how.budget, first=how.first), tracers, backend)
    notes = dict.fromkeys(note for ran in done for note in ran.notes)
    cut = any(ran.cut for ran in done)
    steady = True
    suspects = [_told(step, suspect) for step, ran in zip(task.steps, done, strict=not cut) for suspect in ran.suspects]
    for options in () if cut else (how if not suspects else how.thorough).further(task):
        other, more, again = _once(task, options, [None] * len(task.steps), backend)
        suspects += [
            _told(step, suspect) for step, ran in zip(task.steps, again, strict=False) for suspect in ran.suspects
        ]
        notes |= dict.fromkeys(note for ran in again for note in ran.notes)
        reported = {_key(finding) for finding in findings}
        findings += [one for one in more if _key(one) not in reported]
        if any(finding.finding.trouble is Trouble.NEVER for finding in findings) or any(ran.cut for ran in again):
            break
        moved, why = _moved(task, arrays, other, (done, again))
        steady = steady and not (moved or why)
        notes |= dict.fromkeys(why)
        blamed = [suspect for suspect in suspects if moved or (why and suspect.finding.other_instruction)]
        added = {_key(one): one for one in blamed or moved}
        findings += [one for key, one in added.items() if key not in reported]
    if cut:
        notes[_CUT] = None
    elif how.unused:
        for more, remarks in (_unused(task, done), unwritten(task, done)):
            findings += more
            notes |= dict.fromkeys(remarks)
        notes |= dict.fromkeys(unread(task, done))
        if steady and not any(told.finding.trouble is Trouble.UNINITIALISED for told in findings):
            findings += undefined(task, how.budget, backend)
    counts = [
        count
        for step, ran, tracer in zip(task.steps, done, tracers, strict=not cut)
        if tracer
        for count in _counts(step, ran, tracer)
    ]
    return Answer(
        label=task.label,
        target=task.target,
        findings=tuple(findings),
        notes=tuple(notes),
        executed=sum(ran.executed for ran in done),
        waves=sum(ran.waves for ran in done),
        duration_s=time.perf_counter() - began,
        arrays=arrays,
        counts=tuple(counts),
    )


def _unused(task: Task, done: list[Execution]) -> tuple[list[Told], list[str]]:
    """Return results that nothing reads: findings in a compiler's listing, remarks where somebody may have written it so."""
    found, remarks = list[Told](), list[str]()
    for step, ran in zip(task.steps, done, strict=True):
        dead = lost(step.listing, step.program.name, step.program.code, ran.counts)
        if compiled(step.listing):
            found += [_told(step, one) for one in dead]
        else:
            remarks += [f"line {one.line}: {one.instruction} {one.text}" for one in dead]
    return found, remarks


def chosen(task: Task, how: Adversary) -> Native | None:
    """Return the back end; None: NumPy.

    Raises:
        UsageError: C was asked for and cannot do it; the sentence says why.
        MissingExtraError: C was asked for and there is no compiler.
    """
    if how.backend is Backend.NUMPY:
        return None
    if how.backend is Backend.FASTEST:
        return executor.native()
    if how.trace:
        raise UsageError("a trace is written by the NumPy back end; leave --backend native or --trace out.")
    for step in task.steps:
        if refused := encoded(step.program).refused:
            raise UsageError(f"{refused} is not in the native back end; leave --backend native out.")
    return executor.built(executor.folder())


def _once(
    task: Task, options: Options, tracers: list[Tracer | None], backend: Native | None
) -> tuple[Arrays, list[Told], list[Execution]]:
    arrays, findings, done = dict(task.arrays), list[Told](), list[Execution]()
    fresh = frozenset(task.fresh)
    for step, tracer in zip(task.steps, tracers, strict=True):
        launch, names = launch_of(step, arrays, fresh, task.inputs)
        ran = run(step.program, launch, options, tracer, backend=backend)
        arrays |= {name: value for name, value in zip(names, ran.arrays, strict=True) if name}
        fresh -= set(names)
        findings += [_told(step, finding) for finding in ran.findings]
        done.append(ran)
        if ran.cut:
            break
    return arrays, findings, done


def _key(located: Told) -> tuple[str, int | None, int | None, str]:
    return located.kernel, located.finding.line, located.finding.other_line, located.finding.trouble


def _told(step: Step, finding: Finding) -> Told:
    return Told(
        kernel=step.program.name,
        finding=finding,
        source=_source(step.listing, finding.line),
        other_source=_source(step.listing, finding.other_line),
    )


def _source(listing: str, line: int | None) -> SourceLine | None:
    return next(iter(source_lines(listing, [line])), None) if line is not None else None


def _moved(
    task: Task, arrays: Arrays, other: Arrays, ran: tuple[list[Execution], list[Execution]]
) -> tuple[list[Told], list[str]]:
    """Return what came out differently in a further execution than in the first: as findings where no atomic that either executed explains it."""
    moved = [name for name, value in arrays.items() if value.tobytes() != other[name].tobytes()]
    if not moved:
        return [], []
    code = [item for done in ran for step, one in zip(task.steps, done, strict=False) for item in _met(step, one)]
    if any(_ADDING.search(item.name) for item in code):
        return [], [
            f"{', '.join(moved)} depends on the order of work-groups: floating-point atomics add in another order"
        ]
    if any(_RETURNING.match(item.name) or returns(item.mnemonic, item.text) for item in code):
        return [], [f"{', '.join(moved)} depends on the order of work-groups: atomics tell them who came first"]
    return [_differing(task, name, arrays[name], other[name], ran[1]) for name in moved], []


def _met(step: Step, done: Execution) -> list[Decoded]:
    """Return the instructions of a program that were executed: those of a branch that nobody took explain nothing."""
    return [item for item, count in zip(step.program.code, done.counts.tolist(), strict=True) if count]


def _differing(
    task: Task, name: str, value: NDArray[np.generic], other: NDArray[np.generic], done: list[Execution]
) -> Told:
    """Return the finding about an array, at the instruction that wrote its first differing element last."""
    pairs = (np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in (value, other))
    octets = np.not_equal(*pairs)
    place = int(octets.argmax())
    each = value.dtype.itemsize
    text = f"element {place // each} of {name} depends on the order of waves, work-groups and memory ({int(octets.sum())} bytes differ)"
    for step, ran in zip(reversed(task.steps), reversed(done), strict=True):
        writer = ran.shadow.writer(name, place) if ran.shadow is not None else None
        if writer is not None:
            return _told(step, _order(text, writer))
    return _told(task.steps[-1], _order(text, None))


def _order(text: str, writer: Decoded | None) -> Finding:
    return Finding(
        trouble=Trouble.ORDER,
        text=text,
        address=writer.address if writer else 0,
        line=writer.line if writer else None,
        instruction=f"{writer.mnemonic} {writer.text}".rstrip() if writer else "",
    )


def _counts(step: Step, ran: Execution, tracer: Tracer) -> list[Count]:
    rows = []
    for item, executions in zip(step.program.code, ran.counts.tolist(), strict=True):
        seen = tracer.rows.get(item.index)
        row = Count(
            kernel=step.program.name, line=item.line, instruction=f"{item.mnemonic} {item.text}".rstrip(), executions=executions
        )  # fmt: skip
        if seen:
            row = replace(
                row, accesses=seen.accesses, cache_lines=seen.lines, bank_cycles=seen.cycles, bank_ideal=seen.ideal, bank_looked=seen.looked_at
            )  # fmt: skip
        rows.append(row)
    return rows
