"""Which instruction waits for which earlier one, and registers that are used before their scoreboard is waited for.

An instruction of variable latency holds a scoreboard until its results are written (write barrier), and may hold another one
until its operands are read (read barrier). The compiler makes a later instruction wait for them by a bit in its wait mask, or
by ``DEPBAR``. A forward data-flow analysis follows what may be outstanding along all paths. Rules that compiler output
taught, each of which removes alarms on correct code:

- results that are written end the reading of operands too;
- predicates, and uniform registers of vector instructions, are read at issue;
- instructions that go through a queue themselves cannot overtake an earlier one that reads: no wait is needed between them;
- instructions of double precision share one unit and run in order: they read before a later one of them writes;
- loads of one kind come back in order, so the last of a row may hold the scoreboard for all (``LDS``, ``TEX``); its row is
  what stands before it without a branch or label;
- what stands under a predicate and under its opposite runs in no thread together, as long as nothing writes the predicate between;
- ``DEPBAR.LE SBn, m`` leaves the m youngest holders of n outstanding, whichever they are on any path.

Hopper's ``HGMMA`` and its kin write their accumulators, and read operands in registers, until ``WARPGROUP.DEPBAR.LE gsb0, m``
leaves only m groups, each ended by an instruction with ``gsb0``; among themselves they run in order. That is kept as one
more scoreboard, `GROUPS`.

A call uses every register, since compilers leave nothing outstanding there; nothing is outstanding at the entry of a function
and after a call.

Not checked: stall counts of fixed latencies, the order of memory accesses, operands read without a read barrier, tensor memory
of Blackwell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from hotloop.isa.bitset import members
from hotloop.isa.instruction import Instruction, InstructionKind
from hotloop.isa.nvidia.control import BARRIERS
from hotloop.isa.nvidia.registers import effects, opposite, predicate
from hotloop.isa.nvidia.scheduled import Scheduled


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


K = InstructionKind
GROUPS = BARRIERS
"""Number under which groups of ``HGMMA`` stand beside the scoreboards."""
_GROUPED = re.compile(r"[HIQB]GMMA")
_DOUBLE = re.compile(r"D(?:FMA|MUL|ADD|SETP|MNMX)")
"""Instructions of the unit for double precision."""
_ALL = (1 << BARRIERS) - 1
_COUNTED = re.compile(r"SB(\d), (0x[0-9a-f]+)")
_LISTED = re.compile(r"\{([\d,]+)\}")
_QUEUES = {
    **dict.fromkeys(_words("LDS LDSM SHFL ATOMS"), "shared"),
    **dict.fromkeys(_words("TEX TLD TLD4 TXD TMML SULD"), "texture"),
    **dict.fromkeys(_words("MUFU F2F F2I I2F FRND POPC FLO BREV"), "special"),
    **dict.fromkeys(_words("LDG LD LDL ATOM ATOMG S2R"), ""),
}
"""Operations whose results always need a scoreboard: their own, or that of a later one of the same queue (empty: none)."""
_QUEUED = frozenset({K.LOAD, K.STORE, K.ATOMIC, K.STACK, K.COPY, K.SCALAR_LOAD, K.SHUFFLE})


class HazardKind(StrEnum):
    """Ways in which an operation in flight goes wrong, as the end of a sentence about it."""

    READ = "read before written"
    """A result is read while it may still be on its way."""
    WRITE = "written twice"
    """A register is written while an earlier result for it may still be on its way."""
    OVERWRITE = "overwritten before read"
    """A register is written while an earlier instruction may still have to read it."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """A register that two instructions use without the wait between them."""

    kind: HazardKind
    function: str
    register: str
    barrier: int | None
    """Scoreboard that was not waited for; None: the producer holds none."""
    producer: Instruction
    consumer: Instruction

    def __str__(self) -> str:
        """Name both places."""
        missing = "a scoreboard" if self.barrier is None else f"scoreboard {self.barrier}"
        return (
            f"{self.function}: {self.consumer.mnemonic} at {self.consumer.address:#x} uses {self.register} without waiting for "
            f"{missing} of {self.producer.mnemonic} at {self.producer.address:#x} ({self.kind})."
        )


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for something that may be outstanding there."""

    index: int
    """Instruction that waits."""
    barrier: int
    producers: tuple[int, ...]
    """Indices of the instructions whose results it waits for, in address order."""
    readers: tuple[int, ...]
    """Indices of those that may still have to read their operands."""


@dataclass(frozen=True, slots=True)
class _Token:
    """Something outstanding; its number is its bit."""

    index: int
    barrier: int | None
    """Scoreboard that holds it; None: none does yet."""
    result: bool
    """False: operands are still to be read."""


class Scoreboards:
    """The analysis of one function."""

    def __init__(self, scheduled: Scheduled) -> None:
        self.scheduled = scheduled
        self._code = scheduled.function.instructions
        self._effects = [effects(instruction) for instruction in self._code]
        for index, more in enumerate(scheduled.descriptors):
            if more:
                self._effects[index] = replace(self._effects[index], reads=self._effects[index].reads | more)
        self._tokens: list[_Token] = []
        self._born = [0] * len(self._code)
        self._dies = [0] * len(self._code)
        self._held = [0] * (BARRIERS + 1)
        self._issue()
        self._ended = [self._ending(index) for index in range(len(self._code))]

    @cached_property
    def hazards(self) -> tuple[Hazard, ...]:
        """Uses without a wait, by consumer; empty for correct code."""
        return tuple(hazard for index in range(len(self._code)) for hazard in self._checked(index))

    @cached_property
    def waits(self) -> tuple[Wait, ...]:
        """Waits for something outstanding, in address order; waits for what is surely done are left out."""
        return tuple(wait for index in range(len(self._code)) for wait in self._waiting(index))

    def _issue(self) -> None:
        """Give every result and operand list under a scoreboard its token."""
        guarded = self._guarded()
        for index, (control, effect) in enumerate(zip(self.scheduled.controls, self._effects, strict=True)):
            read = None
            if control.read_barrier is not None and control.read_barrier < BARRIERS:
                read = self._add(index, control.read_barrier, result=False)
                self._held[control.read_barrier] |= read
            if control.write_barrier is not None and control.write_barrier < BARRIERS:
                self._held[control.write_barrier] |= self._add(index, control.write_barrier, result=True) | (read or 0)
            elif _GROUPED.match(self._code[index].mnemonic):
                for result in (True, False):
                    self._held[GROUPS] |= self._add(index, GROUPS, result=result)
            elif _root(self._code[index]) in _QUEUES and any(name.startswith("R") for name in effect.writes):
                self._follow(index, guarded.get(index))

    def _follow(self, index: int, guard: int | None) -> None:
        """Let a result without a scoreboard wait for the later one of its row that has one."""
        unguarded = self._add(index, None, result=True)
        if guard is None:
            return
        barrier = self.scheduled.controls[guard].write_barrier
        assert barrier is not None
        self._dies[guard] |= unguarded
        bit = 1 << len(self._tokens)
        self._tokens.append(_Token(index, barrier, result=True))
        self._born[guard] |= bit
        self._held[barrier] |= bit

    def _add(self, index: int, barrier: int | None, *, result: bool) -> int:
        bit = 1 << len(self._tokens)
        self._tokens.append(_Token(index, barrier, result))
        self._born[index] |= bit
        return bit

    def _guarded(self) -> dict[int, int]:
        """Return, by load without a scoreboard, the next load of its name that has one, with no branch or label between."""
        entries = {
            target for index, row in enumerate(self.scheduled.successors) for target in row if target != index + 1
        }
        guards: dict[int, int] = {}
        latest: dict[str, int] = {}
        for index in range(len(self._code) - 1, -1, -1):
            queue = _QUEUES.get(_root(self._code[index]), "")
            if self.scheduled.successors[index] != (index + 1,):
                latest.clear()
            if self.scheduled.controls[index].write_barrier is not None:
                latest[queue] = index
            elif queue and queue in latest:
                guards[index] = latest[queue]
            if index in entries:
                latest.clear()
        return guards

    @cached_property
    def _users(self) -> tuple[dict[str, int], dict[str, int]]:
        """Bits of the tokens whose results go to a register, and of those whose operands come from it."""
        writers: dict[str, int] = {}
        readers: dict[str, int] = {}
        for number, token in enumerate(self._tokens):
            effect = self._effects[token.index]
            late = (
                effect.writes if token.result else effect.late(uniform=self._code[token.index].mnemonic.startswith("U"))
            )
            users = writers if token.result else readers
            for register in late:
                users[register] = users.get(register, 0) | 1 << number
        return writers, readers

    @cached_property
    def _before(self) -> list[int]:
        """What may be outstanding before each instruction, ahead of its own waits."""
        calls = [instruction.kind in (K.CALL, K.RETURN) for instruction in self._code]
        every = (1 << len(self._tokens)) - 1
        gone = [every if call else e | d for call, e, d in zip(calls, self._ended, self._dies, strict=True)]
        return _flow(self.scheduled.successors, [every & ~bits for bits in gone], self._born)

    def _ending(self, index: int) -> int:
        """Return the tokens that are surely gone once the instruction has issued."""
        mask, counted = _mask(self._code[index], self.scheduled.controls[index].wait_mask)
        bits = 0
        for barrier in range(BARRIERS + 1) if mask else ():
            if mask >> barrier & 1:
                bits |= self._held[barrier]
        for barrier, left in counted:
            bits |= self._held[barrier] & ~self._youngest(index, barrier, left)
        return bits

    def _youngest(self, index: int, barrier: int, count: int) -> int:
        """Return the tokens that may be among the last `count` holders of a scoreboard before an instruction, on any path."""
        bits = 0
        left: dict[int, int] = {}
        todo = [(before, count) for before in self._predecessors[index]]
        while todo:
            place, count = todo.pop()
            born = self._born[place] & self._held[barrier]
            if born and (barrier != GROUPS or "gsb0" in self._code[place].operands):
                count -= 1
            if count < 0 or left.get(place, -1) >= count:
                continue
            left[place] = count
            bits |= born
            todo += [(before, count) for before in self._predecessors[place]]
        return bits

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self._code]
        for index, row in enumerate(self.scheduled.successors):
            for successor in row:
                before[successor].append(index)
        return before

    def _checked(self, index: int) -> Iterator[Hazard]:
        outstanding = self._before[index] & ~self._ended[index]
        if not outstanding:
            return
        writers, readers = self._users
        mine, instruction = self._effects[index], self._code[index]
        if instruction.kind is K.CALL:
            yield from self._carried(index, outstanding)
        queued = instruction.kind in _QUEUED or self.scheduled.controls[index].write_barrier is not None
        rules = [(HazardKind.READ, mine.reads, writers), (HazardKind.WRITE, mine.writes, writers)]
        if not queued:
            rules.append((HazardKind.OVERWRITE, mine.writes, readers))
        for kind, registers, users in rules:
            for register in sorted(registers):
                bits = self._together(outstanding & users.get(register, 0), index)
                if bits and not self._in_order(bits, instruction, kind):
                    token = self._tokens[bits.bit_length() - 1]
                    name = self.scheduled.function.name
                    yield Hazard(kind, name, register, token.barrier, self._code[token.index], instruction)

    def _together(self, bits: int, index: int) -> int:
        """Return those of some tokens whose instruction may run in the same thread as the one at `index`, by their predicates."""
        guard = opposite(self._code[index])
        if guard is None or not bits:
            return bits
        apart = [
            number
            for number in members(bits)
            if predicate(self._code[self._tokens[number].index]) == guard
            and not self._rewritten(guard[1], self._tokens[number].index, index)
        ]
        return bits & ~sum(1 << number for number in apart)

    def _rewritten(self, name: str, first: int, last: int) -> bool:
        """Tell whether a predicate may be written on a path from one instruction to another one."""
        seen: set[int] = set()
        todo = [*self.scheduled.successors[first]]
        while todo:
            place = todo.pop()
            if place == last or place in seen:
                continue
            if name in self._effects[place].writes:
                return True
            seen.add(place)
            todo += self.scheduled.successors[place]
        return False

    def _carried(self, index: int, outstanding: int) -> Iterator[Hazard]:
        """Yield what a call takes along: the callee may use any register, and compilers leave nothing outstanding."""
        for token in map(self._tokens.__getitem__, members(outstanding)):
            effect = self._effects[token.index]
            uniform = self._code[token.index].mnemonic.startswith("U")
            registers = effect.writes if token.result else effect.late(uniform=uniform)
            kind = HazardKind.READ if token.result else HazardKind.OVERWRITE
            if registers:
                name, code = self.scheduled.function.name, self._code
                yield Hazard(kind, name, min(registers), token.barrier, code[token.index], code[index])

    def _in_order(self, bits: int, instruction: Instruction, kind: HazardKind) -> bool:
        """Tell whether the queue that the producers share with the instruction makes a wait unnecessary."""
        producers = [self._code[self._tokens[number].index] for number in members(bits)]
        if _GROUPED.match(instruction.mnemonic) and all(_GROUPED.match(producer.mnemonic) for producer in producers):
            return True
        if _DOUBLE.match(instruction.mnemonic) and all(_DOUBLE.match(producer.mnemonic) for producer in producers):
            return kind is not HazardKind.READ
        queue = _QUEUES.get(_root(instruction), "")
        in_order = bool(queue) and all(_QUEUES.get(_root(producer)) == queue for producer in producers)
        return in_order and kind is HazardKind.WRITE

    def _waiting(self, index: int) -> Iterator[Wait]:
        mask, counted = _mask(self._code[index], self.scheduled.controls[index].wait_mask)
        ended = self._before[index] & self._ended[index]
        barriers = {barrier for barrier in range(BARRIERS + 1) if mask >> barrier & 1} | {
            barrier for barrier, _ in counted
        }
        for barrier in sorted(barriers) if ended else ():
            tokens = [self._tokens[number] for number in members(ended & self._held[barrier])]
            producers = tuple(sorted({token.index for token in tokens if token.result}))
            readers = tuple(sorted({token.index for token in tokens if not token.result}))
            if producers or readers:
                yield Wait(index, barrier, producers, readers)


def _root(instruction: Instruction) -> str:
    return instruction.mnemonic.partition(".")[0]


def _mask(instruction: Instruction, wait_mask: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the scoreboards that are free once an instruction has issued, and those with how many may be left."""
    if instruction.mnemonic.startswith("WARPGROUP.DEPBAR"):
        left = int(instruction.operands.rpartition(", ")[2], 16)
        return (wait_mask, [(GROUPS, left)]) if left else (wait_mask | 1 << GROUPS, [])
    if not instruction.mnemonic.startswith("DEPBAR"):
        return wait_mask, []
    counted = [(int(barrier), int(left, 16)) for barrier, left in _COUNTED.findall(instruction.operands)]
    wait_mask |= sum(1 << barrier for barrier, left in counted if not left and not wait_mask >> barrier & 1)
    for listed in _LISTED.findall(instruction.operands):
        for barrier in listed.split(","):
            wait_mask |= 1 << int(barrier)
    return wait_mask & _ALL, [(barrier, left) for barrier, left in counted if left and barrier < BARRIERS]


def _flow(successors: tuple[tuple[int, ...], ...], keep: list[int], add: list[int]) -> list[int]:
    """Return the union over all paths of what is added and not taken away before each instruction."""
    before = [0] * len(successors)
    seen = [False] * len(successors)
    todo = [0] if successors else []
    while todo:
        index = todo.pop()
        seen[index] = True
        after = before[index] & keep[index] | add[index]
        for successor in successors[index]:
            if after & ~before[successor] or not seen[successor]:
                before[successor] |= after
                todo.append(successor)
    return before
