"""What registers hold at every access of global memory, over all paths through a function.

Blocks are walked through in order until nothing changes. Where paths meet with numbers that differ by what all lanes share, as a
pointer that a loop moves on, the number is its step from lane to lane and a name for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import ModuleType

from hotloop.isa.amdgcn.registers import AGPR, COUNT, SGPR
from hotloop.isa.amdgcn.registers import access as amd_access
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace, Traits
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.spread import amd, nvidia
from hotloop.isa.spread.value import Kind, Names, Sum
from hotloop.targets.target import Target

_ROUNDS = 6
"""Passes over the function after which what still changes is given up; each loop's nesting may need one."""
State = dict[str, Sum]
_NOTHING = Traits(kind=InstructionKind.OTHER)


@dataclass(slots=True)
class Flow:
    """What is known so far."""

    function: Function
    names: Names = field(default_factory=Names)
    graph: tuple[Block, ...] = ()
    leaving: list[State | None] = field(default_factory=list)
    entering: list[State] = field(default_factory=list)
    _rules: ModuleType = amd

    def __post_init__(self) -> None:
        """Walk until nothing changes."""
        self._rules = nvidia if Target.of(self.function.target).nvidia else amd
        self.graph = blocks(self.function)
        self.leaving = [None] * len(self.graph)
        self.entering = [{} for _ in self.graph]
        before = _before(self.graph)
        for _ in range(_ROUNDS):
            changed = [self._walked(n, before[n]) for n in range(len(self.graph))]
            if not any(changed):
                break

    def _walked(self, number: int, before: Sequence[int]) -> bool:
        """Walk through a block; tell whether what it leaves has changed."""
        known = [state for b in before if (state := self.leaving[b]) is not None]
        if number == 0:
            known.append(self._rules.begun(self.function.target, self.names))
        if not known:
            return False  # entered from further down: nothing is known of what comes in yet
        entering = self._met(number, known)
        if self.leaving[number] is not None and entering == self.entering[number]:
            return False
        held = dict(entering)
        for instruction in self.graph[number].instructions:
            self._step(instruction, held)
        self.entering[number], self.leaving[number] = entering, held
        return True

    def _met(self, number: int, states: Sequence[State]) -> State:
        """Return what registers hold where paths meet."""
        if len(states) == 1:
            return states[0]
        met: State = {}
        first, *rest = states
        entry, names = self._rules.entry, self.names
        for register in set[str]().union(*states):
            value = first.get(register) or entry(register, names)
            for state in rest:
                other = state.get(register) or entry(register, names)
                if other is not value:
                    value = names.either(value, other, (number, register))
            met[register] = value
        return met

    def _step(self, instruction: Instruction, held: State) -> None:
        """Go through one instruction."""
        made = dict(self._rules.computed(instruction, held, self.names))
        for register in _written(instruction.mnemonic, instruction.operands, self.function.target):
            if register not in made:
                shared = register.startswith(("s", "U"))
                held[register] = self.names.of((instruction.address, register), Kind.SHARED if shared else Kind.APART)
        held.update(made)

    def carried(self, code: Sequence[Instruction]) -> tuple[dict[int, Sum], dict[int, Sum]]:
        """Return what a loop does with the names that it gives its moving registers: by what they grow, and what replaces them.

        The latter are those that an iteration takes from elsewhere, as the next place of a list.
        """
        grown, replaced = dict[int, Sum](), dict[int, Sum]()
        for header, last in self.repeated(code)[:1]:
            for register, value in (self.leaving[last] or {}).items():
                if (name := self.names.known((header, register))) is not None:
                    grown[name] = value - self.entering[header][register]
                if (name := self.names.known(((header, register), "apart"))) is not None:
                    replaced[name] = value
        return grown, replaced

    def repeated(self, code: Sequence[Instruction]) -> list[tuple[int, int]]:
        """Return the blocks at which a loop's iterations begin, each with one that goes back there; none of straight-line code."""
        inside = {i.address for i in code}
        mine = [n for n, block in enumerate(self.graph) if block.instructions[0].address in inside]
        before = _before(self.graph)
        headers = [n for n in mine if not set(mine).issuperset(before[n])] or mine[:1]
        return [(n, b) for n in headers for b in before[n] if b in mine]

    def places(self, code: Sequence[Instruction]) -> dict[int, Sum]:
        """Return the address of each access of global memory in `code`, by that of the instruction."""
        wanted, found = {i.address for i in code if i.traits.space is MemorySpace.GLOBAL}, {}
        for number, block in enumerate(self.graph):
            if wanted.isdisjoint(i.address for i in block.instructions):
                continue
            held = dict(self.entering[number])
            for instruction in block.instructions:
                if instruction.address in wanted and (at := self._rules.address(instruction, held, self.names)):
                    found[instruction.address] = at
                self._step(instruction, held)
        return found


def _before(graph: Sequence[Block]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in graph]
    for number, block in enumerate(graph):
        for successor in block.successors:
            before[successor].append(number)
    return before


@cache
def _amd_name(register: int) -> str:
    return f"v{register}" if register < AGPR else f"a{register - AGPR}" if register < SGPR else f"s{register - SGPR}"


@lru_cache(maxsize=1 << 16)
def _written(mnemonic: str, operands: str, target: str) -> tuple[str, ...]:
    """Return the names of the registers that an instruction writes; equal instructions share one answer."""
    if Target.of(target).nvidia:
        return tuple(r for r in effects(Instruction(0, mnemonic, operands, _NOTHING)).writes if "R" in r)
    return tuple(_amd_name(r) for r in amd_access(mnemonic, operands).writes if r < COUNT)
