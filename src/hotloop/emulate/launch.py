"""Starting a kernel: arguments laid out, work-groups in batches."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hotloop.emulate.cohort import Cohort
from hotloop.emulate.descriptor import Argument
from hotloop.emulate.errors import EmulateError, EnoughError, Exhausted, StandstillError
from hotloop.emulate.hazards import untouched
from hotloop.emulate.machine import Batch, Options, Order
from hotloop.emulate.memory import Blank, Buffer, Memory
from hotloop.emulate.sanitizer.findings import Finding, Findings
from hotloop.emulate.shadow_global import GlobalShadow
from hotloop.emulate.start import started, vector_rows
from hotloop.emulate.units.values import ABSENT_APERTURE, HOST_APERTURE, PRIVATE_APERTURE
from hotloop.model.dtype import floating
from hotloop.units import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.program import Program
    from hotloop.emulate.sanitizer.watching import Observer


_MOST_TOGETHER = 1 << 13
"""Waves that are executed at once when those of fewer wait for others."""
_MOST_ITEMS = (1 << 32) - 1
"""HSA Platform System Architecture specification, kernel dispatch packet: a grid's size along an axis has 32 bits."""
_PACKET_BYTES = 64
_BLOCK_BYTES = 64


@dataclass(frozen=True, slots=True)
class Inside:
    """An argument that points into an array: a view of it, as the caller's allocator gave it out."""

    array: Any
    offset_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What a kernel is started with."""

    arguments: Sequence[Any]
    """Arrays for buffers, numbers for values, None for null pointers, in the order of the kernel's own arguments.

    One array given twice is one buffer.
    """
    grid: tuple[int, int, int]
    """Work-groups."""
    workgroup: tuple[int, int, int]
    """Work-items of a work-group."""
    dynamic_lds_bytes: int = 0
    """Local memory that the launch adds."""
    fresh: frozenset[int] = frozenset()
    """Arguments whose arrays hold nothing yet: reading them before writing is reported."""
    inputs: frozenset[int] = frozenset()
    """Arguments of which is kept what was read."""
    names: Sequence[str] = ()
    """Names of the arguments, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Results and findings of an execution."""

    arrays: tuple[Any, ...]
    """The arguments, buffers as they are afterwards."""
    findings: tuple[Finding, ...]
    counts: Array
    """Executions of each instruction of the program, summed over waves."""
    waves: int
    """Waves of the whole grid."""
    executed: int
    """Wave instructions."""
    buffers: Mapping[str, Buffer] = field(default_factory=dict)
    suspects: tuple[Finding, ...] = ()
    """Findings that are mistakes only if the results depend on the order of waves."""
    notes: tuple[str, ...] = ()
    """Remarks about things that are no mistakes."""
    shadow: GlobalShadow | None = field(default=None, repr=False)
    """Record of which wave wrote which byte; None: it was not kept."""
    written: Mapping[int, Array] = field(default_factory=dict, repr=False)
    """Of the launch's fresh arguments: which bytes were written; empty where no record was kept."""
    seen: Mapping[int, Array] = field(default_factory=dict, repr=False)
    """Of the launch's `inputs`: which bytes were read; empty where no record was kept."""
    cut: bool = False
    """It was not executed to its end, because a mistake had been found long before."""


class Backend(Protocol):
    """Another way to execute a launch."""

    def run(self, program: Program, launch: Launch, options: Options, groups: Array | None) -> Execution | None:
        """Return what came of it; None: it cannot, or there is something to be told."""


def run(
    program: Program,
    launch: Launch,
    options: Options | None = None,
    observer: Observer | None = None,
    groups: Array | None = None,
    backend: Backend | None = None,
) -> Execution:
    """Execute a kernel over its grid.

    Args:
        program: the kernel.
        launch: arguments and sizes.
        options: how memory and waves behave, and what is watched.
        observer: is told of every memory access.
        groups: only these work-groups, rows of (x, y, z); None: the whole grid.
        backend: executes it where it can, finds nothing, and nobody observes; None: it is executed in NumPy.

    Raises:
        EmulateError: arguments that do not fit, no memory, a trap, or a kernel that cannot go on.
        Exhausted: the instruction budget is spent.
    """
    chosen = options or Options()
    _check(program, launch)
    if groups is None and math.prod(launch.grid) * per_group(program, launch) > chosen.budget:
        raise Exhausted(chosen.budget, program.code[program.entry].where())  # each wave has an instruction at least
    if backend is not None and observer is None:
        done = backend.run(program, launch, chosen, groups)
        if done is not None:
            return done
    numbers = grid_of(launch) if groups is None else groups
    try:
        return _executed(program, launch, chosen, observer, numbers)
    except StandstillError:  # they may wait for work-groups that start later
        together = replace(chosen, waves=len(numbers) * per_group(program, launch))
        return _executed(program, launch, together, observer, numbers)


def per_group(program: Program, launch: Launch) -> int:
    """Return the waves of a work-group."""
    return -(-int(np.prod(launch.workgroup)) // program.layout.lanes)


def _executed(
    program: Program, launch: Launch, chosen: Options, observer: Observer | None, numbers: Array
) -> Execution:
    """Execute work-groups in batches; those of a batch that stands still are the last ones."""
    memory, buffers, kernarg = placed(program, launch)
    findings = Findings(first=chosen.first)
    fresh = frozenset(buffers[n].name for n in launch.fresh if n in buffers)
    inputs = frozenset(buffers[n].name for n in launch.inputs if n in buffers)
    shadow = GlobalShadow(memory, program, fresh, inputs) if chosen.races else None
    ordered = numbers[::-1] if chosen.backwards else numbers
    slots = per_group(program, launch)
    counts = np.zeros(len(program.code), np.int64)
    each, cut = max(1, chosen.waves // slots), False
    lds = program.descriptor.lds_bytes + launch.dynamic_lds_bytes
    with np.errstate(all="ignore"):
        for begin in range(0, len(ordered), each):
            part = ordered[begin : begin + each]
            batch = Batch(program, memory, part, slots, lds, chosen, findings, counts, shadow, observer)
            batch.steps = int(counts.sum())
            if shadow is not None:
                shadow.begin(batch, begin)
            try:
                batch.run(_cohorts(batch, program, launch, kernarg, chosen.order))
            except EnoughError:
                cut = True
                break
            except StandstillError:
                if len(part) < len(ordered) and len(ordered) * slots <= _MOST_TOGETHER:
                    raise
                break
    return Execution(
        arrays=tuple(back(memory, buffers.get(n), value) for n, value in enumerate(launch.arguments)),
        findings=findings.all(),
        counts=counts,
        waves=len(numbers) * slots,
        executed=int(counts.sum()),
        buffers={buffer.name: buffer for buffer in buffers.values()},
        suspects=tuple(findings.suspects.values()),
        notes=tuple(findings.notes.values()),
        shadow=shadow,
        written={n: shadow.written(buffers[n].name) for n in launch.fresh if n in buffers} if shadow else {},
        seen={n: shadow.seen[buffers[n].name] for n in launch.inputs if n in buffers} if shadow else {},
        cut=cut,
    )


def visible(program: Program) -> tuple[Argument, ...]:
    """Return the arguments that the caller gives."""
    return tuple(argument for argument in program.descriptor.arguments if not argument.hidden)


def _check(program: Program, launch: Launch) -> None:
    wanted, given = len(visible(program)), len(launch.arguments)
    if given > wanted:
        raise EmulateError(f"{program.name} takes {counted(wanted, 'argument')}, {given} were given.")
    for number, argument in enumerate(visible(program)):
        if number >= given and not argument.pointer:
            raise EmulateError(
                f"argument {number} of {program.name} ({argument.name or argument.kind}) is missing; {given} were given."
            )
    if min(launch.grid) < 1:
        raise EmulateError(
            f"a grid of {'x'.join(map(str, launch.grid))} work-groups cannot be launched; each number must be 1 or more."
        )
    size = math.prod(launch.workgroup) if min(launch.workgroup) > 0 else 0
    most = program.descriptor.workgroup_max
    if not 0 < size <= 1024:
        raise EmulateError(f"a work-group of {size} work-items cannot be launched; it may have 1 to 1024.")
    if most is not None and size > most:
        raise EmulateError(f"{program.name} was compiled for work-groups of at most {most} work-items, not {size}.")
    limit = program.target.local_bytes or 1 << 16
    lds = program.descriptor.lds_bytes + launch.dynamic_lds_bytes
    if lds > limit:
        raise EmulateError(
            f"{program.name} needs {lds} bytes of local memory; {program.target.name} has {limit} for a work-group."
        )


def grid_of(launch: Launch) -> Array:
    """Return the numbers of all work-groups in the order in which they are started, x first."""
    x, y, z = launch.grid
    number = np.arange(x * y * z)
    return np.stack((number % x, number // x % y, number // (x * y)), axis=1)


# -- memory -----------------------------------------------------------------------------------------------------------


def placed(program: Program, launch: Launch) -> tuple[Memory, dict[int, Buffer], int]:
    """Return memory with all buffers, those by argument, and the address of the argument block."""
    whole = [value.array if isinstance(value, Inside) else value for value in launch.arguments]
    given = {n: value for n, value in enumerate(whole) if isinstance(value, np.ndarray | Blank)}
    first = {id(value): n for n, value in reversed(given.items())}
    arrays = {n: value for n, value in given.items() if first[id(value)] == n}
    # Compilers load arguments in wider pieces than they have: the block is as long as a runtime makes it.
    block = -(-program.descriptor.kernarg_bytes // _BLOCK_BYTES) * _BLOCK_BYTES + _BLOCK_BYTES
    try:
        fixed = [len(item.data) for item in program.constants]
        memory = Memory(Memory.needed([*fixed, *(a.nbytes for a in arrays.values()), block, _PACKET_BYTES]))
    except MemoryError as error:
        raise EmulateError(
            "the kernel's buffers do not fit into this machine's memory; give a smaller problem."
        ) from error
    for item in program.constants:
        constant = memory.place(item.name, len(item.data), granule=item.unit, writable=item.writable)
        memory.view(constant)[:] = np.frombuffer(item.data, np.uint8)
    buffers = {}
    for number, array in arrays.items():
        name = (
            launch.names[number]
            if number < len(launch.names)
            else visible(program)[number].name or f"argument {number}"
        )
        written = visible(program)[number].writable
        kind = array.dtype if isinstance(array, np.ndarray) and floating(array.dtype) else None
        made = memory.place(
            name, array.nbytes, granule=array.itemsize, narrow=program.narrow, writable=written, floats=kind
        )
        if isinstance(array, np.ndarray):
            memory.view(made)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffers[number] = made
    buffers |= {n: buffers[first[id(value)]] for n, value in given.items()}
    kernarg = memory.place("the argument block", block, granule=1, writable=False)  # compilers read it as they like
    memory.view(kernarg)[: program.descriptor.kernarg_bytes] = np.frombuffer(_block(program, launch, buffers), np.uint8)
    packet = memory.place("the dispatch packet", _PACKET_BYTES, granule=1, writable=False)
    memory.view(packet)[:] = np.frombuffer(_packet(launch, kernarg.address), np.uint8)
    return memory, buffers, kernarg.address


def _block(program: Program, launch: Launch, buffers: Mapping[int, Buffer]) -> bytes:
    block = bytearray(program.descriptor.kernarg_bytes)
    given = iter(range(len(visible(program))))
    for argument in program.descriptor.arguments:
        if argument.hidden:
            data = _hidden(argument.kind, launch, argument.size)
        else:
            number = next(given)
            missing = number >= len(
                launch.arguments
            )  # harmless where the kernel never goes there, as Triton's scratch buffers
            value = ABSENT_APERTURE << 32 if missing else launch.arguments[number]
            data = _bytes(argument, value, buffers.get(number), program.name)
        block[argument.offset : argument.offset + argument.size] = data
    return bytes(block)


def _bytes(argument: Argument, value: Any, buffer: Buffer | None, kernel: str) -> bytes:  # noqa: ANN401
    if buffer is not None:
        if argument.size != 8:
            raise EmulateError(
                f"{argument.name or 'an argument'} of {kernel} is no buffer but a value of {argument.size} bytes."
            )
        return struct.pack("<Q", buffer.address + (value.offset_bytes if isinstance(value, Inside) else 0))
    if value is None:
        return bytes(argument.size)
    if isinstance(value, np.generic):
        data = value.tobytes()
    elif isinstance(value, float):
        data = struct.pack({2: "<e", 4: "<f", 8: "<d"}.get(argument.size, "<f"), value)
    else:
        data = (int(value) & (1 << 8 * argument.size) - 1).to_bytes(argument.size, "little")
    if len(data) > argument.size:
        raise EmulateError(
            f"{argument.name or 'an argument'} of {kernel} has {argument.size} bytes, the value {len(data)}."
        )
    return data.ljust(argument.size, b"\0")


def _hidden(kind: str, launch: Launch, size: int) -> bytes:
    """Return what a runtime would put into a hidden argument."""
    grid = [g * w for g, w in zip(launch.grid, launch.workgroup, strict=True)]
    axes = {"x": 0, "y": 1, "z": 2}
    name, _, axis = kind.removeprefix("hidden_").rpartition("_")
    values = {"block_count": launch.grid, "group_size": launch.workgroup, "global_size": grid}
    number = 0
    if name in values and axis in axes:
        number = values[name][axes[axis]]
    elif kind == "hidden_grid_dims":
        number = 3 if launch.grid[2] * launch.workgroup[2] > 1 else 2 if launch.grid[1] * launch.workgroup[1] > 1 else 1
    elif kind == "hidden_dynamic_lds_size":
        number = launch.dynamic_lds_bytes
    elif kind in ("hidden_private_base", "hidden_shared_base"):
        number = {"hidden_private_base": PRIVATE_APERTURE, "hidden_shared_base": 0x10000}[kind]
    elif kind in ("hidden_hostcall_buffer", "hidden_printf_buffer"):
        number = HOST_APERTURE << 32
    if number >> 8 * size:
        raise EmulateError(f"the argument {kind} of the kernel has {size} bytes, which do not hold {number}.")
    return number.to_bytes(size, "little")


def _packet(launch: Launch, kernarg: int) -> bytes:
    """Return an AQL dispatch packet as far as kernels read it: sizes of work-group and grid, argument block."""
    grid = [g * w for g, w in zip(launch.grid, launch.workgroup, strict=True)]
    if max(grid) > _MOST_ITEMS:
        axis = grid.index(max(grid))
        raise EmulateError(
            f"{launch.grid[axis]} work-groups of {launch.workgroup[axis]} work-items along {'xyz'[axis]} cannot be launched; "
            f"a dispatch holds {_MOST_ITEMS} work-items along an axis."
        )
    head = struct.pack(
        "<HH3HHIIIIIQQQQ", 0, 3, *launch.workgroup, 0, *grid, 0, launch.dynamic_lds_bytes, 0, kernarg, 0, 0
    )
    return head[:_PACKET_BYTES].ljust(_PACKET_BYTES, b"\0")


def back(memory: Memory, buffer: Buffer | None, value: Any) -> Any:  # noqa: ANN401
    """Return an argument as it is afterwards: a view of the launch's memory, which nobody else has."""
    if buffer is None or isinstance(value, Blank):
        return value
    if isinstance(value, Inside):
        return replace(value, array=back(memory, buffer, value.array))
    return memory.view(buffer).view(value.dtype).reshape(value.shape)


def _cohorts(batch: Batch, program: Program, launch: Launch, kernarg: int, order: Order) -> list[Cohort]:
    waves = np.arange(len(batch.group_of))
    registers, rows = started(batch, program, launch.workgroup, kernarg)
    registers.refresh()
    whole = Cohort(batch, registers, waves, program.entry)
    untouched(whole, vector_rows(program), rows)
    if order is Order.TOGETHER:
        return [whole]
    slot = waves % batch.waves_per_group
    turn = slot if order is Order.ASCENDING else -slot if order is Order.DESCENDING else batch.behind
    return [whole.part(np.flatnonzero(turn == one)) for one in np.unique(turn)]
