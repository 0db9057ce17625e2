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
from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.isa.amdgcn.registers import EXEC, M0, SCC, SGPR, VCC, access, lds_copy
from hotloop.isa.amdgcn.registers import operands as operands_of
from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import Function, Instruction

_POINTER_BYTES = 8
_WORD_BYTES, _HALF_BYTES = 4, 2
_ENTRY_REGISTERS = 16
"""Scalar registers that a kernel may be given, see LLVM's "User Guide for AMDGPU Backend", initial kernel state."""
_FACTORS = re.compile(
    r"v_(pk_)?(fmac?|fmam?k|fmaak|mac|mad|mul|dot\d+c?|mfma|smfmac|wmma|swmmac)(_mix(lo|hi)?)?_\w*(f16|f32|bf16|f64)"
)
_LOAD = re.compile(r"(s|global|flat|buffer)_(buffer_)?load_\w+")
_LOCAL_READ = re.compile(r"ds_(read|load)(?P<two>_?2(?:addr)?(?P<far>_?st(?:ride)?64)?)?_(?P<width>[bui]\d+)\w*")
_WRITE = re.compile(r"(ds|global|flat|buffer|scratch)_(write|store)\w*")
_OFFSETS = re.compile(r"\boffset(?P<which>[01]?):(?P<value>\d+)")
_SHIFT_LEFT, _SHIFT_RIGHT = re.compile(r"[sv]_lshl(rev)?_b32"), re.compile(r"[sv]_(lshr|ashr)(rev)?_[bi]32")
_AND, _MOVE = re.compile(r"[sv]_and_b32"), re.compile(r"[sv]_mov(k_i32|_b32|_b64)")
_LOW, _HIGH = 0xFFFF, 0xFFFF0000

_ADD, _COMPARE = re.compile(r"(v_add_u32|s_add_[iu]32|v_or_b32|s_or_b32)"), re.compile(r"[sv]_cmpx?_")
_FLAGS = frozenset({VCC, VCC + 1, M0, EXEC, EXEC + 1, SCC})
"""Registers that hold conditions: what depends on them is no weight and no address."""

Values = tuple[tuple[int, ...], ...]
"""Registers of every operand."""
Halves = tuple[int, int]
"""Elements in the lower and the upper half of a register, as bits."""
_NOTHING: Halves = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Which kernel argument is followed, and how."""

    argument: int
    """Its place among the arguments, from 0; all before it are pointers."""
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
    """16-bit elements of these."""
    reached: int
    """Of them, how many a multiply-add reads."""
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


@dataclass(slots=True)
class _State:
    """What registers hold at one place."""

    halves: dict[int, Halves] = field(default_factory=dict)
    addresses: set[int] = field(default_factory=set)
    """Registers with (a part of) an address of the weights."""
    entry: set[int] = field(default_factory=set)
    """Scalar registers that still hold what the kernel was given."""
    constants: dict[int, int] = field(default_factory=dict)

    def copy(self) -> _State:
        return _State(dict(self.halves), set(self.addresses), set(self.entry), dict(self.constants))

    def join(self, other: _State) -> bool:
        """Take in another way to get here; tell whether anything changed."""
        changed = False
        for register, (low, high) in other.halves.items():
            old = self.halves.get(register, _NOTHING)
            both = (old[0] | low, old[1] | high)
            if both != old:
                self.halves[register], changed = both, True
        if not other.addresses <= self.addresses:
            self.addresses |= other.addresses
            changed = True
        kept = {r: v for r, v in self.constants.items() if other.constants.get(r) == v}
        changed |= len(kept) != len(self.constants) or not self.entry <= other.entry
        self.constants = kept
        self.entry &= other.entry
        return changed


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
        start = _State(entry=set(range(SGPR, SGPR + _ENTRY_REGISTERS)))
        before: dict[int, _State] = {0: start}
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

    def _step(self, state: _State, instruction: Instruction) -> None:
        name = instruction.mnemonic
        values = operands_of(instruction.operands)
        if _FACTORS.match(name):
            for registers in values[1:3]:
                for register in registers:
                    low, high = state.halves.get(register, _NOTHING)
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
                    low, high = state.halves.get(register, _NOTHING)
                    self._staged |= low | high
        else:
            self._compute(state, instruction, values)

    def _load(self, state: _State, instruction: Instruction, values: Values) -> None:
        if lds_copy(instruction.mnemonic, instruction.operands):
            return
        sources = [register for group in values[1:] for register in group]
        base = values[1][0] if len(values) > 1 and values[1] else -1
        if instruction.mnemonic.startswith("s_load") and base in state.entry:
            first = self._weights.argument * _POINTER_BYTES - _immediate(instruction)
            found: list[Halves] = [_NOTHING] * len(values[0])
            self._write(state, values[0], found)
            state.addresses |= {
                r for at, r in enumerate(values[0]) if first <= at * _WORD_BYTES < first + _POINTER_BYTES
            }
        elif any(register in state.addresses for register in sources):
            self._write(state, values[0], self._fresh(instruction, len(values[0])), keeps=_keeps(instruction))
        else:
            self._write(state, values[0], [_NOTHING] * len(values[0]), keeps=_keeps(instruction))

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

    def _local_read(self, state: _State, instruction: Instruction, values: Values, read: re.Match[str]) -> None:
        results = values[0]
        if self._weights.all_local:
            found = self._fresh(instruction, len(results))
        else:
            base = state.constants.get(values[1][0]) if len(values) > 1 and values[1] else None
            places = _places(instruction, read, len(results))
            narrow = read["width"] in ("u16", "i16", "u8", "i8")
            found = [self._local(instruction, base, place, narrow=narrow) for place in places]
        self._write(state, results, found, keeps=_keeps(instruction))

    def _local(self, instruction: Instruction, base: int | None, place: int, *, narrow: bool) -> Halves:
        """Return the elements at a place of local memory, the same for every read of it."""
        if base is None:
            return _NOTHING
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

    def _compute(self, state: _State, instruction: Instruction, values: Values) -> None:
        used = access(instruction.mnemonic, instruction.operands)
        writes = tuple(register for register in used.writes if register not in _FLAGS)
        if not writes:
            return
        if _COMPARE.match(instruction.mnemonic) or _FACTORS.match(
            instruction.mnemonic
        ):  # neither answers nor sums are weights
            self._write(state, writes, [_NOTHING] * len(writes))
            return
        if state.halves.keys().isdisjoint(used.reads) and state.addresses.isdisjoint(used.reads):
            constant = _constant(state, instruction, values)
            self._write(state, writes, [_NOTHING] * len(writes), keeps=bool(used.keeps))
            if constant is not None:
                state.constants[values[0][0]] = constant
            return
        sources = [state.halves.get(register, _NOTHING) for register in used.reads]
        results = _halves(state, instruction, values)
        if results is None:
            everything = 0
            for low, high in sources:
                everything |= low | high
            results = (everything, everything)
        address = any(register in state.addresses for register in used.reads)
        constant = _constant(state, instruction, values)
        pairwise = _MOVE.match(instruction.mnemonic) and len(values) > 1 and len(values[1]) == len(values[0]) > 1
        found = (
            [state.halves.get(register, _NOTHING) for register in values[1]] if pairwise else [results] * len(writes)
        )
        self._write(state, writes, found, keeps=bool(used.keeps))
        if address:
            state.addresses |= set(writes)
        if constant is not None:
            state.constants[values[0][0]] = constant

    @staticmethod
    def _write(state: _State, registers: tuple[int, ...], found: list[Halves], *, keeps: bool = False) -> None:
        for register, (low, high) in zip(registers, found, strict=True):
            old = state.halves.get(register, _NOTHING) if keeps else _NOTHING
            if low or high or old != _NOTHING:
                state.halves[register] = (old[0] | low, old[1] | high)
            else:
                state.halves.pop(register, None)
            state.addresses.discard(register)
            state.entry.discard(register)
            state.constants.pop(register, None)


def _keeps(instruction: Instruction) -> bool:
    return bool(access(instruction.mnemonic, instruction.operands).keeps)


# -- operands ---------------------------------------------------------------------------------------------------------


def _fields(instruction: Instruction) -> list[str]:
    return [part.strip() for part in instruction.operands.split(",")]


def _immediate(instruction: Instruction) -> int:
    """Return the constant offset of a scalar load in bytes."""
    last = _fields(instruction)[-1].split()[0]
    return _number(last) or 0


def _number(text: str) -> int | None:
    try:
        return int(text, 0) & 0xFFFFFFFF
    except ValueError:
        return None


def _value(state: _State, text: str, registers: tuple[int, ...]) -> int | None:
    """Return the value of an operand where it is known."""
    return state.constants.get(registers[0]) if len(registers) == 1 else _number(text)


def _places(instruction: Instruction, read: re.Match[str], words: int) -> list[int]:
    """Return the byte offset from the address register of every result word."""
    given = {m["which"]: int(m["value"]) for m in _OFFSETS.finditer(instruction.operands)}
    if not read["two"]:
        return [given.get("", 0) + _WORD_BYTES * at for at in range(words)]
    each = words // 2
    step = each * _WORD_BYTES * (64 if read["far"] else 1)
    return [given.get(w, 0) * step + _WORD_BYTES * at for w in ("0", "1") for at in range(each)]


def _operands(state: _State, instruction: Instruction, values: Values) -> Iterator[tuple[int | None, Halves]]:
    """Yield known value and elements of each source operand."""
    for text, registers in zip(_fields(instruction)[1:], values[1:], strict=False):
        found = state.halves.get(registers[0], _NOTHING) if len(registers) == 1 else _NOTHING
        yield _value(state, text.split()[0] if text else "", registers), found


def _halves(state: _State, instruction: Instruction, values: Values) -> Halves | None:
    """Return what the result's halves hold, for instructions that are known to move halves; None: not one of them."""
    name = instruction.mnemonic.removesuffix("_e32").removesuffix("_e64")
    sources = list(_operands(state, instruction, values))
    if len(values) > 1 and len(values[0]) != 1:
        return None
    if _MOVE.fullmatch(name):
        return sources[0][1]
    if len(sources) < 2 or "sdwa" in name:
        return None
    first, second = sources[0], sources[1]
    if _SHIFT_LEFT.fullmatch(name) or _SHIFT_RIGHT.fullmatch(name):
        amount, moved = (first[0], second[1]) if "rev" in name else (second[0], first[1])
        if amount != 16:
            return None
        return (0, moved[0]) if _SHIFT_LEFT.fullmatch(name) else (moved[1], 0)
    if _AND.fullmatch(name):
        for (mask, _), (_, kept) in ((first, second), (second, first)):
            if mask in (_LOW, _HIGH):
                return (kept[0], 0) if mask == _LOW else (0, kept[1])
        return None
    return _packed(name, sources)


def _packed(name: str, sources: list[tuple[int | None, Halves]]) -> Halves | None:
    """Return the halves of instructions that put two halves together."""
    (_, first), (_, second) = sources[0], sources[1]
    if pack := re.fullmatch(r"s_pack_([lh])([lh])_b32_b16", name):
        return first["lh".index(pack[1])], second["lh".index(pack[2])]
    if name.startswith("v_cvt_pk_bf16_f32"):
        return first[0] | first[1], second[0] | second[1]
    if len(sources) < 3:
        return None
    amount, third = sources[2]
    if name == "v_alignbit_b32" and amount == 16:
        return second[1], first[0]
    if name == "v_lshl_or_b32" and sources[1][0] == 16:
        return third[0], first[0] | third[1]
    if name == "v_and_or_b32" and sources[1][0] in (_LOW, _HIGH):
        kept = (first[0], 0) if sources[1][0] == _LOW else (0, first[1])
        return kept[0] | third[0], kept[1] | third[1]
    return None


def _constant(state: _State, instruction: Instruction, values: Values) -> int | None:
    """Return the value of a move or a sum of known ones."""
    if len(values) < 2 or len(values[0]) != 1:
        return None
    known = [value for value, _ in _operands(state, instruction, values)]
    if _MOVE.match(instruction.mnemonic):
        return known[0]
    if not _ADD.match(instruction.mnemonic) or len(known) != 2:
        return None
    first, second = known
    if first is None or second is None:
        return None
    whole = first | second if "_or_" in instruction.mnemonic else first + second
    return whole & 0xFFFFFFFF
