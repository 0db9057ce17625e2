"""What 16-bit elements the registers hold, and how instructions move them between halves of registers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.isa.amdgcn.registers import access
from hotloop.isa.instruction import Instruction

WORD_BYTES = 4
MOVE = re.compile(r"[sv]_mov(k_i32|_b32|_b64)")
_OFFSETS = re.compile(r"\boffset(?P<which>[01]?):(?P<value>\d+)")
_SHIFT_LEFT, _SHIFT_RIGHT = re.compile(r"[sv]_lshl(rev)?_b32"), re.compile(r"[sv]_(lshr|ashr)(rev)?_[bi]32")
_AND = re.compile(r"[sv]_and_b32")
_ADD = re.compile(r"(v_add_u32|s_add_[iu]32|v_or_b32|s_or_b32)")
_LOW, _HIGH = 0xFFFF, 0xFFFF0000

Values = tuple[tuple[int, ...], ...]
"""Registers of every operand."""
Halves = tuple[int, int]
"""Elements in the lower and the upper half of a register, as bits."""
NOTHING: Halves = (0, 0)


@dataclass(slots=True)
class State:
    """What registers hold at one place."""

    halves: dict[int, Halves] = field(default_factory=dict)
    addresses: set[int] = field(default_factory=set)
    """Registers with (a part of) an address of the weights."""
    entry: set[int] = field(default_factory=set)
    """Scalar registers that still hold what the kernel was given."""
    constants: dict[int, int] = field(default_factory=dict)

    def copy(self) -> State:
        """Return a state that changes apart from this one."""
        return State(dict(self.halves), set(self.addresses), set(self.entry), dict(self.constants))

    def join(self, other: State) -> bool:
        """Take in another way to get here; tell whether anything changed."""
        changed = False
        for register, (low, high) in other.halves.items():
            old = self.halves.get(register, NOTHING)
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


def keeps(instruction: Instruction) -> bool:
    """Tell whether an instruction leaves a part of its result as it was."""
    return bool(access(instruction.mnemonic, instruction.operands).keeps)


def _fields(instruction: Instruction) -> list[str]:
    return [part.strip() for part in instruction.operands.split(",")]


def immediate(instruction: Instruction) -> int:
    """Return the constant offset of a scalar load in bytes."""
    last = _fields(instruction)[-1].split()[0]
    return _number(last) or 0


def _number(text: str) -> int | None:
    try:
        return int(text, 0) & 0xFFFFFFFF
    except ValueError:
        return None


def _value(state: State, text: str, registers: tuple[int, ...]) -> int | None:
    """Return the value of an operand where it is known."""
    return state.constants.get(registers[0]) if len(registers) == 1 else _number(text)


def word_places(instruction: Instruction, read: re.Match[str], words: int) -> list[int]:
    """Return the byte offset from the address register of every result word."""
    given = {m["which"]: int(m["value"]) for m in _OFFSETS.finditer(instruction.operands)}
    if not read["two"]:
        return [given.get("", 0) + WORD_BYTES * at for at in range(words)]
    each = words // 2
    step = each * WORD_BYTES * (64 if read["far"] else 1)
    return [given.get(w, 0) * step + WORD_BYTES * at for w in ("0", "1") for at in range(each)]


def _operands(state: State, instruction: Instruction, values: Values) -> Iterator[tuple[int | None, Halves]]:
    """Yield known value and elements of each source operand."""
    for text, registers in zip(_fields(instruction)[1:], values[1:], strict=False):
        halves = state.halves.get(registers[0], NOTHING) if len(registers) == 1 else NOTHING
        yield _value(state, text.split()[0] if text else "", registers), halves


def moved_halves(state: State, instruction: Instruction, values: Values) -> Halves | None:
    """Return what the result's halves hold, for instructions that are known to move halves; None: not one of them."""
    name = instruction.mnemonic.removesuffix("_e32").removesuffix("_e64")
    sources = list(_operands(state, instruction, values))
    if len(values) > 1 and len(values[0]) != 1:
        return None
    if MOVE.fullmatch(name):
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


def constant_of(state: State, instruction: Instruction, values: Values) -> int | None:
    """Return the value of a move or a sum of known ones."""
    if len(values) < 2 or len(values[0]) != 1:
        return None
    constants = [value for value, _ in _operands(state, instruction, values)]
    if MOVE.match(instruction.mnemonic):
        return constants[0]
    if not _ADD.match(instruction.mnemonic) or len(constants) != 2:
        return None
    first, second = constants
    if first is None or second is None:
        return None
    whole = first | second if "_or_" in instruction.mnemonic else first + second
    return whole & 0xFFFFFFFF
