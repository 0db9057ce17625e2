"""Whether every weight that a kernel loads reaches a multiply-add: a static check against silently dropped operands.

The reported MI350X conv3d work lost 45 of 75 weights to a register allocator around ``v_dot2``: the code compiled, ran fast and
was wrong. Such a loss shows in the listing: a register with weights is overwritten before a multiply-add reads it, or fewer
weights than the kernel has are ever multiplied.

Elements are followed by halves of registers from the loads of one kernel argument through moves, shifts, masks, packing and
conversions to the factors of multiply-adds, dot products and matrix instructions; the addend does not count. Where an
instruction's halves are not known, all its sources go to all its results, so a loss can be missed, but what is called lost
is lost on every path. What is stored is not called lost either. Through local memory weights are followed by their addresses,
where the caller names them; through scratch memory they are not, so the expected number is worth giving.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotloop.isa.amdgcn.elements import (
    MOVE,
    NOTHING,
    WORD_BYTES,
    Halves,
    State,
    Values,
    constant_of,
    immediate,
    keeps,
    moved_halves,
    word_places,
)
from hotloop.isa.amdgcn.registers import EXEC, M0, SCC, SGPR, VCC, access, lds_copy
from hotloop.isa.amdgcn.registers import operands as operands_of
from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import Function, Instruction

_POINTER_BYTES = 8
_HALF_BYTES = 2
_ENTRY_REGISTERS = 16
"""Scalar registers that a kernel may be given, see LLVM's "User Guide for AMDGPU Backend", initial kernel state."""
_FACTORS = re.compile(
    r"v_(pk_)?(fmac?|fmam?k|fmaak|mac|mad|mul|dot\d+c?|mfma|smfmac|wmma|swmmac)(_mix(lo|hi)?)?_\w*(f16|f32|bf16|f64)"
)
_LOAD = re.compile(r"(s|global|flat|buffer)_(buffer_)?load_\w+")
_LOCAL_READ = re.compile(r"ds_(read|load)(?P<two>_?2(?:addr)?(?P<far>_?st(?:ride)?64)?)?_(?P<width>[bui]\d+)\w*")
_WRITE = re.compile(r"(ds|global|flat|buffer|scratch)_(write|store)\w*")
_COMPARE = re.compile(r"[sv]_cmpx?_")
_FLAGS = frozenset({VCC, VCC + 1, M0, EXEC, EXEC + 1, SCC})
"""Registers that hold conditions: what depends on them is no weight and no address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Which kernel argument is followed, and how."""

    argument: int
    """Position of the argument, from 0; all arguments before it are pointers."""
    expected: int | None = None
    """Elements that must reach a multiply-add; None: whatever is loaded, as in kernels that loop over taps."""
    local: frozenset[int] = frozenset()
    """Byte addresses in local memory where its 16-bit elements are read from."""
    all_local: bool = False
    """True when local memory holds nothing else."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Elements of one load that no multiply-add reads."""

    load: Instruction
    elements: int

    def __str__(self) -> str:
        """Name the load."""
        place = f"line {self.load.line}" if self.load.line is not None else f"{self.load.address:#x}"
        return f"{self.elements} of {place} {self.load.mnemonic}"


@dataclass(frozen=True, slots=True)
class WeightReport:
    """What became of the weights of one kernel."""

    loads: int
    """Instructions that load them into registers for good, from memory or local memory."""
    loaded: int
    """16-bit elements of the registers that loads fill."""
    reached: int
    """Number of those elements that a multiply-add reads."""
    lost: tuple[Lost, ...]
    expected: int | None

    @property
    def kept(self) -> bool:
        """True when nothing is lost and as many weights as expected are multiplied."""
        return not self.lost and self.reached > 0 and (self.expected is None or self.reached >= self.expected)

    def __str__(self) -> str:
        """Say it in one sentence."""
        if self.kept:
            return f"all {self.reached} weights that are loaded reach a multiply-add"
        if not self.lost and not self.reached:
            return "no load of weights was found"
        if not self.lost:
            return f"only {self.reached} of {self.expected} weights reach a multiply-add"
        dropped = sum(lost.elements for lost in self.lost)
        shown = ", ".join(map(str, self.lost[:3])) + (" ..." if len(self.lost) > 3 else "")
        return f"{dropped} of {self.loaded} weights are loaded and never multiplied: {shown}"


def weight_flow(function: Function, weights: Weights) -> WeightReport:
    """Return which of the loaded weights reach a multiply-add."""
    return _Follower(function, weights).report()


class _Follower:
    """Follows the weights of one function to a fixpoint."""

    def __init__(self, function: Function, weights: Weights) -> None:
        self._function, self._weights = function, weights
        self._bits: dict[object, int] = {}
        self._owner: dict[int, Instruction] = {}
        self._reached = self._staged = 0

    def report(self) -> WeightReport:
        self._run()
        owned: dict[int, tuple[Instruction, int]] = {}
        for bit, load in self._owner.items():
            if not self._staged >> bit & 1:
                _, mask = owned.get(load.address, (load, 0))
                owned[load.address] = (load, mask | 1 << bit)
        lost = [Lost(load, n) for load, mask in owned.values() if (n := (mask & ~self._reached).bit_count())]
        loaded = sum(mask.bit_count() for _, mask in owned.values())
        reached = loaded - sum(entry.elements for entry in lost)
        return WeightReport(len(owned), loaded, reached, tuple(lost), self._weights.expected)

    def _run(self) -> None:
        graph = blocks(self._function)
        if not graph:
            return
        start = State(entry=set(range(SGPR, SGPR + _ENTRY_REGISTERS)))
        before: dict[int, State] = {0: start}
        pending = {0}
        while pending:  # in address order: what leads to a block mostly stands before it
            index = min(pending)
            pending.discard(index)
            state = before[index].copy()
            for instruction in graph[index].instructions:
                self._step(state, instruction)
            for after in graph[index].successors:
                if after not in before:
                    before[after] = state.copy()
                    pending.add(after)
                elif before[after].join(state):
                    pending.add(after)

    # -- one instruction ----------------------------------------------------------------------------------------------

    def _step(self, state: State, instruction: Instruction) -> None:
        name = instruction.mnemonic
        values = operands_of(instruction.operands)
        if _FACTORS.match(name):
            for registers in values[1:3]:
                for register in registers:
                    low, high = state.halves.get(register, NOTHING)
                    self._reached |= low | high
        if _LOAD.fullmatch(name):
            self._load(state, instruction, values)
        elif (read := _LOCAL_READ.fullmatch(name)) is not None:
            self._local_read(state, instruction, values, read)
        elif _WRITE.fullmatch(
            name
        ):  # what leaves the registers is not called lost: spills, and the way to local memory
            for registers in values:
                for register in registers:
                    low, high = state.halves.get(register, NOTHING)
                    self._staged |= low | high
        else:
            self._compute(state, instruction, values)

    def _load(self, state: State, instruction: Instruction, values: Values) -> None:
        if lds_copy(instruction.mnemonic, instruction.operands):
            return
        sources = [register for group in values[1:] for register in group]
        base = values[1][0] if len(values) > 1 and values[1] else -1
        if instruction.mnemonic.startswith("s_load") and base in state.entry:
            first = self._weights.argument * _POINTER_BYTES - immediate(instruction)
            halves: list[Halves] = [NOTHING] * len(values[0])
            self._write(state, values[0], halves)
            state.addresses |= {
                r for at, r in enumerate(values[0]) if first <= at * WORD_BYTES < first + _POINTER_BYTES
            }
        elif any(register in state.addresses for register in sources):
            self._write(state, values[0], self._fresh(instruction, len(values[0])), keeps=keeps(instruction))
        else:
            self._write(state, values[0], [NOTHING] * len(values[0]), keeps=keeps(instruction))

    def _fresh(self, instruction: Instruction, words: int) -> list[Halves]:
        """Return new elements for the results of a load; a narrow one has one of them."""
        name = instruction.mnemonic
        if re.search(r"_(ushort|sshort|short|u16|i16|ubyte|sbyte|u8|i8)", name):
            bit = 1 << self._bit((instruction.address, 0), instruction)
            return [(0, bit) if "d16_hi" in name else (bit, 0)]
        return [
            (
                1 << self._bit((instruction.address, 2 * at), instruction),
                1 << self._bit((instruction.address, 2 * at + 1), instruction),
            )
            for at in range(words)
        ]

    def _local_read(self, state: State, instruction: Instruction, values: Values, read: re.Match[str]) -> None:
        results = values[0]
        if self._weights.all_local:
            halves = self._fresh(instruction, len(results))
        else:
            base = state.constants.get(values[1][0]) if len(values) > 1 and values[1] else None
            places = word_places(instruction, read, len(results))
            narrow = read["width"] in ("u16", "i16", "u8", "i8")
            halves = [self._local(instruction, base, place, narrow=narrow) for place in places]
        self._write(state, results, halves, keeps=keeps(instruction))

    def _local(self, instruction: Instruction, base: int | None, place: int, *, narrow: bool) -> Halves:
        """Return the elements at a place of local memory, the same for every read of it."""
        if base is None:
            return NOTHING
        low, high = (
            1 << self._bit(("local", at), instruction) if at in self._weights.local else 0
            for at in (base + place, base + place + _HALF_BYTES)
        )
        if narrow:
            return (0, low) if "d16_hi" in instruction.mnemonic else (low, 0)
        return low, high

    def _bit(self, key: object, load: Instruction) -> int:
        bit = self._bits.setdefault(key, len(self._bits))
        self._owner.setdefault(bit, load)
        return bit

    def _compute(self, state: State, instruction: Instruction, values: Values) -> None:
        used = access(instruction.mnemonic, instruction.operands)
        writes = tuple(register for register in used.writes if register not in _FLAGS)
        if not writes:
            return
        if _COMPARE.match(instruction.mnemonic) or _FACTORS.match(
            instruction.mnemonic
        ):  # neither answers nor sums are weights
            self._write(state, writes, [NOTHING] * len(writes))
            return
        if state.halves.keys().isdisjoint(used.reads) and state.addresses.isdisjoint(used.reads):
            constant = constant_of(state, instruction, values)
            self._write(state, writes, [NOTHING] * len(writes), keeps=bool(used.keeps))
            if constant is not None:
                state.constants[values[0][0]] = constant
            return
        sources = [state.halves.get(register, NOTHING) for register in used.reads]
        results = moved_halves(state, instruction, values)
        if results is None:
            everything = 0
            for low, high in sources:
                everything |= low | high
            results = (everything, everything)
        address = any(register in state.addresses for register in used.reads)
        constant = constant_of(state, instruction, values)
        pairwise = MOVE.match(instruction.mnemonic) and len(values) > 1 and len(values[1]) == len(values[0]) > 1
        halves = (
            [state.halves.get(register, NOTHING) for register in values[1]] if pairwise else [results] * len(writes)
        )
        self._write(state, writes, halves, keeps=bool(used.keeps))
        if address:
            state.addresses |= set(writes)
        if constant is not None:
            state.constants[values[0][0]] = constant

    @staticmethod
    def _write(state: State, registers: tuple[int, ...], halves: list[Halves], *, keeps: bool = False) -> None:
        for register, (low, high) in zip(registers, halves, strict=True):
            old = state.halves.get(register, NOTHING) if keeps else NOTHING
            if low or high or old != NOTHING:
                state.halves[register] = (old[0] | low, old[1] | high)
            else:
                state.halves.pop(register, None)
            state.addresses.discard(register)
            state.entry.discard(register)
            state.constants.pop(register, None)
