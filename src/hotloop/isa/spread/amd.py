"""What instructions of AMD GPUs compute of addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hotloop.isa.amdgcn.registers import ENCODING
from hotloop.isa.amdgcn.rows import halves
from hotloop.isa.instruction import Instruction
from hotloop.isa.spread.value import LANE, Kind, Names, Registers, Sum
from hotloop.targets.target import Target

_REGISTER = re.compile(r"(v|s|a|ttmp)(?:(\d+)|\[(\d+):(\d+)\])$")
_NUMBER = re.compile(r"-?(?:0x[0-9a-f]+|\d+)$")
_OFFSET = re.compile(r"\boffset:(-?(?:0x[0-9a-f]+|\d+))")
_ITEM_BITS: Final = 10
_ITEM_MASK: Final = 0x3FF
_WORD_BITS: Final = 32
_ZERO: Final = Sum()
_FAMILIES = {
    **dict.fromkeys(("v_mov_b32", "s_mov_b32", "s_mov_b64", "v_mov_b64", "v_readfirstlane_b32", "s_movk_i32"), "move"),
    **dict.fromkeys(("v_add_u32", "v_add_nc_u32", "v_add_co_u32", "v_add_i32", "v_add3_u32", "s_add_i32", "s_add_u32", "v_or_b32",
                     "v_or3_b32", "s_or_b32", "s_add_co_u32", "s_add_co_i32", "s_add_u64", "s_add_nc_u64", "v_add_nc_u64", "v_add_u64"), "add"),
    **dict.fromkeys(("v_sub_u32", "v_sub_nc_u32", "v_sub_co_u32", "s_sub_i32", "s_sub_u32", "s_sub_co_i32", "s_sub_co_u32"), "subtract"),
    **dict.fromkeys(("v_subrev_u32", "v_subrev_nc_u32", "v_subrev_co_u32"), "subtract from"),
    **dict.fromkeys(("v_lshlrev_b32", "v_lshlrev_b64"), "shift by"),
    **dict.fromkeys(("s_lshl_b32", "s_lshl_b64", "v_lshl_add_u32", "v_lshl_or_b32", "v_lshl_add_u64"), "shift"),
    "v_add_lshl_u32": "add and shift",
    **{f"s_lshl{by}_add_u32": f"shift {by}" for by in range(1, 5)},
    **dict.fromkeys(("v_mul_lo_u32", "v_mul_u32_u24", "v_mul_i32_i24", "s_mul_i32", "s_mul_u64", "v_mad_u32_u24", "v_mad_i32_i24",
                     "v_mad_u64_u32", "v_mad_i64_i32", "v_mad_co_u64_u32", "v_mad_nc_u64_u32"), "multiply"),
    **dict.fromkeys(("v_max_i32", "v_min_i32", "v_max_u32", "v_min_u32", "v_cndmask_b32", "v_med3_i32"), "bound"),
}  # fmt: skip
"""Operation on the low words of operands, by mnemonic without its encoding; bits that are combined by `or` do not overlap in an address."""
_APART = "work-items' numbers in registers of their own"
"""The feature of targets whose work-items find their numbers of further dimensions apart."""
_TWO_RESULTS = re.compile(r"v_\w+_co_|v_mad_[ui]64")
_ITEMS = {("v_and_b32", _ITEM_MASK, None), ("v_bfe_u32", 0, _ITEM_BITS)}
_ROWS = {("v_bfe_u32", _ITEM_BITS, _ITEM_BITS), ("v_bfe_u32", 2 * _ITEM_BITS, _ITEM_BITS)}
"""Ways to take a work-item's number in the first dimension, and in the others, out of the register that holds all three."""


def entry(register: str, names: Names) -> Sum:
    """Return what a register holds when a kernel begins."""
    return names.of(register, Kind.APART if register.startswith(("v", "a")) else Kind.GROUP)


def begun(target: str, names: Names) -> dict[str, Sum]:
    """Return what work-items are given: their number; older processors have those of other dimensions in registers of their own."""
    apart = ("v1", "v2") if Target.of(target).has(_APART) else ()
    return {"v0": Sum(((LANE, 1),)), **{register: names.of(register, Kind.ROW) for register in apart}}


def computed(instruction: Instruction, held: Registers, names: Names) -> Iterator[tuple[str, Sum]]:
    """Yield the registers that an instruction writes and what they then hold; nothing where it computes no address."""
    for part in halves((instruction,)):
        yield from _computed(part, held, names)


def _computed(instruction: Instruction, held: Registers, names: Names) -> Iterator[tuple[str, Sum]]:
    name = ENCODING.sub("", instruction.mnemonic)
    fields = instruction.operands.split(", ")
    target = first(fields[0])
    if target is None or len(fields) <= 1:
        return
    if name.startswith("s_load_"):
        yield from _loaded(fields, held, names)
        return
    given = fields[2:] if _TWO_RESULTS.match(name) and fields[1].startswith(("vcc", "s", "null")) else fields[1:]
    values = tuple(_value(text, held, names) for text in given)
    taken = _taken(name, values, names) or _part(name, values, names)
    if taken is not None:
        yield target, taken
        return
    plain = "_dpp" not in instruction.mnemonic and "sdwa" not in instruction.mnemonic
    made = _result(_FAMILIES.get(name, ""), list(values), names, instruction.address) if plain else None
    if made is not None:
        yield target, made
    elif name.startswith(("v_", "s_")) and all(map(_followed, given)):
        words = [word for text in given for word in _words(text, held, names)]
        yield target, _shifted_right(name, words, names) or names.made(name, *words)


def _shifted_right(name: str, words: list[Sum], names: Names) -> Sum | None:
    """Return the low word of a pair shifted right: an index in the high word, above zeros, comes down multiplied and with its sign."""
    match name, words:
        case ("v_ashrrev_i64" | "v_lshrrev_b64", [by, low, high]) | ("s_ashr_i64" | "s_lshr_b64", [low, high, by]):
            return names.joined_down(low, high, by.plain)
    return None


def _loaded(fields: list[str], held: Registers, names: Names) -> Iterator[tuple[str, Sum]]:
    """Yield what a scalar load fills: an argument of the kernel has the same name wherever it is read."""
    match = _REGISTER.match(fields[0])
    if match is None or len(fields) <= 2 or not _NUMBER.match(fields[2].split()[0]):
        return
    begin = _value(fields[1], held, names) + Sum((), int(fields[2].split()[0], 0))
    low = int(match[2] or match[3])
    for register in range(low, int(match[4] or low) + 1):
        yield f"s{register}", names.of(("loaded", begin + Sum((), 4 * (register - low))), Kind.SHARED, begin)


def _result(family: str, given: list[Sum], names: Names, place: int) -> Sum | None:
    match family, given:
        case "move", [value]:
            return value
        case "add", [_, *_]:
            return sum(given[1:], given[0])
        case ("subtract", [one, other]) | ("subtract from", [other, one]):
            return one - other
        case ("shift by", [by, value]) | ("shift", [value, by]):
            return _shifted(value, by)
        case "shift", [value, by, more]:
            return _shifted(value, by, more)
        case "add and shift", [one, other, by]:
            return _shifted(one + other, by)
        case "multiply", [one, other, *more]:
            return sum(more, names.product(one, other))
        case "bound", [one, other, *_]:
            return names.within(one, other, place)
        case _, [value, more] if family.startswith("shift "):
            return value.times(1 << int(family[-1])) + more
    return None


def _shifted(value: Sum, by: Sum, more: Sum = _ZERO) -> Sum | None:
    return value.times(1 << by.plain) + more if by.plain is not None and 0 <= by.plain < _WORD_BITS else None


def _taken(name: str, values: tuple[Sum, ...], names: Names) -> Sum | None:
    """Return the number of a work-item in one dimension where an instruction takes that; None elsewhere."""
    item = next((v for v in values if v.terms == ((0, 1),) and not v.constant), None)
    if item is None:
        return None
    rest = [v.plain for v in values if v is not item]
    asked = (name, rest[0] if rest else None, rest[1] if len(rest) > 1 else None)
    if asked in _ITEMS:
        return item
    return names.of(asked, Kind.ROW) if asked in _ROWS else None


def _part(name: str, values: tuple[Sum, ...], names: Names) -> Sum | None:
    """Return some of the bits of a lane's number where an instruction takes those; None elsewhere."""
    match name, values:
        case "v_and_b32" | "v_and_or_b32", (one, other, *more):
            mask, value = (one, other) if other.plain is None else (other, one)
            left = None if mask.plain is None else names.masked(value, mask.plain)
            if more and left is None:
                left = names.made("v_and_b32", one, other)
            return None if left is None else sum(more, left)
        case "v_lshrrev_b32", (by, value) if by.plain is not None:
            return names.shifted_down(value, by.plain)
        case "v_bfe_u32", (value, low, count) if low.plain is not None and count.plain is not None:
            down = names.shifted_down(value, low.plain)
            return None if down is None else names.masked(down, (1 << count.plain) - 1)
    return None


@lru_cache(maxsize=1 << 14)
def _followed(text: str) -> bool:
    return _REGISTER.match(text) is not None or _NUMBER.match(text) is not None


@lru_cache(maxsize=1 << 14)
def first(text: str) -> str | None:
    """Return the first register of an operand."""
    match = _REGISTER.match(text.strip())
    return f"{match[1]}{match[2] or match[3]}" if match else None


def _value(text: str, held: Registers, names: Names) -> Sum:
    register = first(text)
    if register is not None:
        return held.get(register) or entry(register, names)
    return Sum((), int(text, 0)) if _NUMBER.match(text) else names.of(text, Kind.APART)


def _words(text: str, held: Registers, names: Names) -> Iterator[Sum]:
    """Yield what all registers of an operand hold, the lowest first."""
    for name in _several(text):
        yield held.get(name) or entry(name, names)
    if not _several(text):
        yield _value(text, held, names)


@lru_cache(maxsize=1 << 14)
def _several(text: str) -> tuple[str, ...]:
    """Return the registers of an operand that is written as a range; none of another."""
    match = _REGISTER.match(text.strip())
    if match is None or match[2]:
        return ()
    return tuple(f"{match[1]}{register}" for register in range(int(match[3]), int(match[4]) + 1))


def address(instruction: Instruction, held: Registers, names: Names) -> Sum | None:
    """Return the address of a lane's access to global memory; None where it cannot be told."""
    fields = instruction.operands.split(", ")
    offset = int(match[1], 0) if (match := _OFFSET.search(instruction.operands)) else 0
    words = [text.split()[0] for text in fields if text.split()]
    registers = [word for word in words if first(word)]
    buffer = instruction.mnemonic.startswith("buffer_")
    store = "_store" in instruction.mnemonic
    bases = registers[1:] if buffer or not store else [word for n, word in enumerate(registers) if n != 1]
    if buffer and "offen" not in instruction.operands:
        bases = [word for word in bases if not word.startswith("v")]
    if not bases or "atomic" in instruction.mnemonic:
        return None
    return sum((_value(word, held, names) for word in bases), Sum((), offset))
