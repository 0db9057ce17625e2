"""Which branches of a kernel depend on what memory holds: with other contents its waves may go another way and take another time.

Values are followed from loads to conditions along the control flow. What the kernel's own arguments say is no content: a scalar load
through a pointer that nobody loaded reads them. The mask of active lanes counts as far as something else than itself goes into it: a
mask that is put back after a branch says no more than the one that was kept. Which lanes wrote a register is not followed. Whether a
number is none (NaN), infinite or denormal decides nothing here, though compilers test it where loops take maxima.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hotloop.isa.amdgcn.registers import COUNT, EXEC, SCC, SGPR, VCC, access, operands
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.loops import loops, reverse_postorder
from hotloop.predict.governing import governing

SHARE = 0.05
"""Share of what a wave executes below which nobody needs to know what decides about it."""
_LANES = 64
_WORD_BITS, _WORD_BYTES = 32, 4
_LOCAL, _ARRAY = COUNT, COUNT + 1
"""Bits of what local memory and arrays in private memory hold."""
_SPILLS = COUNT + 2
"""First bit of scalar registers that are kept in lanes of vector registers."""
_SLOTS = _SPILLS + (_LANES << 10)
"""First bit of words of private memory at constant places."""
_MASK = 1 << EXEC | 1 << EXEC + 1
_FRAME = frozenset({SGPR + 32, SGPR + 33})
"""Pointers of the stack and of the frame: a kernel's places in private memory are constant beside them."""
_OFFSET = re.compile(r"\boffset:(\d+)")
_SPECIAL = re.compile(r"v_cmpx?_(u|o|class)_f\d+")
_UPWARDS = re.compile(
    r"v_(mad_[ui]64_[ui]32|lshl_add_u64|lshlrev_b64|(add|sub)_nc_u64|mul_u64)|s_(lshl_b64|(add|sub)_nc_u64|mul_u64)"
)
"""Whole numbers of two words, whose lower one no higher word goes into: compilers add a word of which the upper half holds anything."""
_ABREAST = re.compile(r"v_(pk_(add|mul|fma)_f32|mov_b64)")
"""Two words side by side, unless `op_sel` chooses others."""
_LANE = re.compile(r"v_(read|write)lane_b32\w* .*, (\d+)")
_Held = tuple[int, int]
"""Bits of what holds something loaded, and of those among it that hold contents of memory."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What counts as contents of memory."""

    atomics: bool = True
    """What atomics return: a ticket says which of the work-items came, not what somebody stored."""
    loads: bool = True
    """What is loaded from device memory."""
    local: bool = True
    """What local memory holds, if such contents go there; its places are not told apart."""


EVERY = Sources()


def deciding(function: Function, counts: Mapping[int, float], *, unseen: bool = False) -> Instruction | None:
    """Return a branch on contents of memory that decides about more than `SHARE` of what a wave executes; None: there is none.

    Args:
        function: a kernel.
        counts: executions by address, as a mean over waves; what was never executed decides nothing.
        unseen: whether code counts, too, that the executed waves never came to, as the contents that they found are not the real ones.
    """
    graph = blocks(function)
    circles = [loop.blocks for loop in loops(graph)]
    branches = (
        _deciding(graph, circles, index, held, counts, unseen=unseen) for index, held in _settled(graph).items()
    )
    return next(filter(None, branches), None)


def placing(
    function: Function, executed: Collection[int], stores: Collection[int] | None = None, arguments: Sequence[int] = (), *,
    loads: bool = False, addresses: bool = False, sources: Sources = EVERY,
) -> bool:  # fmt: skip
    """Tell whether contents of memory decide where a kernel writes device memory, or whether it does.

    Args:
        function: a kernel.
        executed: addresses of the instructions that were executed; others decide nothing.
        stores: addresses of the stores that it is about; None: all of them.
        arguments: registers in which the kernel's own arguments stand at its beginning.
        loads: ask about what it reads instead.
        addresses: ask only about where, not whether.
        sources: what counts as contents.
    """
    graph = blocks(function)
    touches = _reads if loads else _writes
    asked = {one.address for block in graph for one in block.instructions if touches(one)}
    asked &= asked if stores is None else set(stores)
    deciders = governing(
        graph, [n for n, block in enumerate(graph) if any(i.address in asked for i in block.instructions)]
    )
    for index, held in _settled(graph, (_bits(arguments), 0), sources).items():
        for one in graph[index].instructions:
            if one.address in asked and held[1] & _choosing(one) & (~_MASK if addresses else -1):
                return True
            if not addresses and index in deciders and one.address in executed and held[1] & _asked(one):
                return True
            held = _after(one, held, sources)  # noqa: PLW2901 - the state after each instruction
    return False


def _writes(one: Instruction) -> bool:
    return one.traits.writes_memory and one.traits.space is MemorySpace.GLOBAL


def _reads(one: Instruction) -> bool:
    return one.traits.reads_memory and one.traits.space in (MemorySpace.GLOBAL, MemorySpace.CONSTANT)


def _asked(one: Instruction) -> int:
    """Return the registers that a conditional branch looks at; none of other instructions."""
    conditional = one.kind is InstructionKind.BRANCH and one.traits.falls_through
    return _bits(access(one.mnemonic, one.operands).reads) if conditional else 0


def _choosing(one: Instruction) -> int:
    """Return the registers that decide where an access goes, and in which lanes."""
    named = operands(one.operands)
    data = _data(one, len(named))
    return 1 << EXEC | _bits(
        [register for place, registers in enumerate(named) if place not in data for register in registers]
    )


def _data(one: Instruction, count: int) -> Collection[int]:
    """Return which of an access's operands hold what is moved: the first, or what stands behind the address, and what an atomic returns."""
    if not one.traits.writes_memory or not one.mnemonic.startswith(("global_", "flat_")):
        return (0,)
    behind = count - (1 if one.mnemonic.startswith("flat_") else 2)
    return (*range(behind - 1), behind)


def _settled(graph: Sequence[Block], first: _Held = (0, 0), counted: Sources = EVERY) -> dict[int, _Held]:
    """Return what is held at the beginning of each block that is reached; `first`: at the kernel's own.

    Of the blocks that wait the first in the order of the code goes first, so that few are passed often.
    """
    place = {block: at for at, block in enumerate(reverse_postorder(graph))}
    states: dict[int, _Held] = {0: first}
    waiting = [(0, 0)] if graph else []
    while waiting:
        _, index = heapq.heappop(waiting)
        loaded, content = _passed(graph[index].instructions, states[index], counted)
        for after in graph[index].successors:
            old = states.get(after)
            new = (loaded | old[0], content | old[1]) if old else (loaded, content)
            if new != old:
                states[after] = new
                if (place[after], after) not in waiting:
                    heapq.heappush(waiting, (place[after], after))
    return states


def _passed(code: Sequence[Instruction], held: _Held, counted: Sources = EVERY) -> _Held:
    for instruction in code:
        held = _after(instruction, held, counted)
    return held


def _after(one: Instruction, held: _Held, counted: Sources = EVERY) -> _Held:
    if "::" in one.operands:
        return _dual(one, held)
    touched, space = access(one.mnemonic, one.operands), one.traits.space
    sources, written = _bits(touched.reads), _bits(touched.writes)
    if space is MemorySpace.SCRATCH:
        return _private(one, held, sources & ~_MASK, written)
    if space is MemorySpace.LOCAL:
        sources |= (one.traits.reads_memory and counted.local) << _LOCAL
        written |= one.traits.writes_memory << _LOCAL
    elif one.traits.reads_memory:
        content = one.kind is not InstructionKind.SCALAR_LOAD or sources & held[0]
        content = content and (counted.atomics if "_atomic_" in one.mnemonic else counted.loads)
        return held[0] | written, held[1] | written if content else held[1] & ~written
    elif lane := _LANE.match(f"{one.mnemonic} {one.operands}"):
        sources, written = _spilled(one, lane, written)
    elif "saveexec" in one.mnemonic:
        saved = written & ~_MASK & ~(1 << SCC)
        held, written = _moved(held, _MASK, saved), written & ~saved
    if one.mnemonic.startswith(("v_", "ds_")) or written & _MASK:
        sources = 0 if _SPECIAL.match(one.mnemonic) else sources & ~_MASK
    made = _moved(held, sources, written, _bits(touched.keeps) | 1 << _LOCAL)
    if _UPWARDS.match(one.mnemonic):
        return _apart(one, held, made, sources, (0,))
    if _ABREAST.match(one.mnemonic) and "op_sel" not in one.operands:
        return _apart(one, held, made, sources, (0, 1))
    return made


def _apart(one: Instruction, held: _Held, made: _Held, sources: int, words: Sequence[int]) -> _Held:
    """Return what is held after an instruction on pairs of words; of each of the `words` only the same one of its sources decides."""
    target, *given = operands(one.operands)
    loaded, content = made
    for word in words[: len(target)]:
        own = sources & _bits([registers[min(word, len(registers) - 1)] for registers in given if registers])
        written = 1 << target[word]
        loaded = loaded & ~written | (written if held[0] & own else 0)
        content = content & ~written | (written if held[1] & own else 0)
    return loaded, content


def _dual(one: Instruction, held: _Held) -> _Held:
    """Return what is held after two instructions in one: each reads before either writes."""
    first, _, rest = one.operands.partition("::")
    word, _, second = rest.strip().partition(" ")
    made = list[_Held]()
    every = 0
    for mnemonic, text in ((one.mnemonic, first), (word, second)):
        touched = access(mnemonic.replace("v_dual_", "v_", 1), text.strip())
        chosen = 1 << VCC if "cndmask" in mnemonic else 0  # not named with two sources
        sources, written = (_bits(touched.reads) | chosen) & ~_MASK, _bits(touched.writes)
        every |= written
        made.append((written if held[0] & sources else 0, written if held[1] & sources else 0))
    loaded, content = (known & ~every | one | two for known, one, two in zip(held, *made, strict=True))
    return loaded, content


def _moved(held: _Held, sources: int, written: int, kept: int = 0) -> _Held:
    """Return what holds something loaded after an instruction: what it writes does if one of its sources does, else no longer."""
    one, two = (known | written if known & sources else known & ~(written & ~kept) for known in held)
    return one, two


def _spilled(one: Instruction, lane: re.Match[str], written: int) -> tuple[int, int]:
    """Return source and destination of a scalar register that goes to a lane of a vector register or comes back."""
    into, source, *_ = operands(one.operands)
    place = int(lane[2]) % _LANES + _SPILLS
    if lane[1] == "write":
        return _bits(source), 1 << place + into[0] * _LANES
    return _bits(source) | 1 << place + source[0] * _LANES, written


def _private(one: Instruction, held: _Held, sources: int, written: int) -> _Held:
    """Return what is held after an access of private memory: words at constant places are told apart."""
    offset = _OFFSET.search(one.operands)
    words = max(1, one.traits.memory_bits // _WORD_BITS)
    first = int(offset[1]) // _WORD_BYTES if offset else 0
    place = ((1 << words) - 1) << _SLOTS + first if _constant(one) else 1 << _ARRAY
    if one.traits.writes_memory:
        return _moved(held, sources, place, 1 << _ARRAY)
    return _moved(held, sources | place | 1 << _ARRAY, written)


def _constant(one: Instruction) -> bool:
    """Tell whether a place in private memory is the same each time."""
    data, *address = operands(one.operands)
    if one.mnemonic.startswith("buffer_"):  # data, address, descriptor, offset
        address = [*address[:1], *address[2:]]
    elif one.traits.writes_memory:  # address, data, offset
        address = [data, *address[1:]]
    return all(set(registers) <= _FRAME for registers in address)


def _bits(registers: Sequence[int]) -> int:
    made = 0
    for register in registers:
        made |= 1 << register
    return made


def _deciding(
    graph: Sequence[Block],
    circles: Sequence[frozenset[int]],
    index: int,
    held: _Held,
    counts: Mapping[int, float],
    *,
    unseen: bool,
) -> Instruction | None:
    """Return the branch at a block's end if contents decide it, and much."""
    *before, last = graph[index].instructions
    if last.kind is not InstructionKind.BRANCH or not last.traits.falls_through:
        return None
    if not _bits(access(last.mnemonic, last.operands).reads) & _passed(before, held)[1]:
        return None
    decided = max(_looped(graph, circles, index, counts), _skipped(graph, last, counts, unseen=unseen))
    return last if decided > SHARE * sum(counts.values()) else None


def _looped(
    graph: Sequence[Block], circles: Sequence[frozenset[int]], index: int, counts: Mapping[int, float]
) -> float:
    """Return the instructions of a wave in the loop that a branch may leave."""
    after = graph[index].successors
    left = [body for body in circles if index in body and not body.issuperset(after)]
    return max(
        (sum(counts.get(i.address, 0.0) for n in body for i in graph[n].instructions) for body in left), default=0.0
    )


def _skipped(graph: Sequence[Block], branch: Instruction, counts: Mapping[int, float], *, unseen: bool) -> float:
    """Return the instructions of a wave that a branch may skip."""
    least = counts.get(branch.address, 0.0) if unseen else 0.0
    after = (i for block in graph for i in block.instructions if branch.address < i.address < (branch.target or 0))
    return sum(max(least, counts.get(i.address, 0.0)) for i in after)
