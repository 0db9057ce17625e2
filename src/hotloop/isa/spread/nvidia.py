"""What instructions of NVIDIA's GPUs compute of addresses."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from hotloop.isa.instruction import Instruction
from hotloop.isa.spread.value import Kind, Names, Registers, Sum

_REGISTER = re.compile(r"([-~]?)(U?R\d+)(?:\.\w+)*$")
_NUMBER = re.compile(r"(-?)0x([0-9a-f]+)$")
_PREDICATE = re.compile(r"!?U?P[T\d]+$")
_GUARD = re.compile(r"@!?(U?P\d+)\s+")
_DECIDED = re.compile(r"U?P\d+$")
_CHOOSING = ("SEL", "FSEL")
_CONSTANT = re.compile(r"(c\[0x[0-9a-f]+\])\[(?:0x([0-9a-f]+)|RZ)\]$")
"""Constant memory at a known place."""
_PLACE = re.compile(r"\[([^\[\]]*)\]$")
_DESCRIPTOR = re.compile(r"c?desc\[[^\]]*\]")
_FROM_ELSEWHERE = ("LD", "ATOM", "RED", "SHFL", "TEX", "TLD", "SULD", "MATCH", "VOTE", "P2R", "B2R", "CALL")
"""Beginnings of operations whose results are not made of their operands alone."""
_AND = 0xC0
"""Truth table of LOP3 for the first and the second operand."""
_SHARED_NUMBERS = ("SR_CTAID", "SR_NCTAID", "SR_NTID", "SR_SMID", "SR_GRID")


def entry(register: str, names: Names) -> Sum:
    """Return what a register holds when a kernel begins."""
    return names.of(register, Kind.SHARED if register.startswith("U") else Kind.APART)


def begun(target: str, names: Names) -> dict[str, Sum]:
    """Return what threads are given in registers: nothing, they ask for their number."""
    del target, names
    return {}


def computed(instruction: Instruction, held: Registers, names: Names) -> Iterator[tuple[str, Sum]]:
    """Yield the register that an instruction writes and what it then holds; nothing where it computes no address."""
    guarded = _GUARD.match(instruction.operands)
    fields = (instruction.operands[guarded.end() :] if guarded else instruction.operands).split(", ")
    if _DECIDED.match(fields[0]):
        yield fields[0], names.made(instruction.mnemonic, *_decided_by(fields[1:], held, names))
        return
    target = _REGISTER.match(fields[0])
    if target is None or len(fields) <= 1:
        return
    given = [text for text in fields[1:] if not _PREDICATE.match(text)]
    root, *words = instruction.mnemonic.split(".")
    if root in ("LDC", "ULDC", "LDCU"):
        yield from _constants(target[2], words, given[0], names)
        return
    if root == "CS2R":
        yield from ((register, Sum()) for register in _pair(target[2], words))
        return
    yield from _picked(instruction, target[2], guarded, given, held, names)


def _picked(
    instruction: Instruction,
    target: str,
    guarded: re.Match[str] | None,
    given: list[str],
    held: Registers,
    names: Names,
) -> Iterator[tuple[str, Sum]]:
    """Yield a result, of which each lane may keep what was there before, or take one of two, by a predicate of its own."""
    root, *words = instruction.mnemonic.split(".")
    selects = root in _CHOOSING and not guarded
    deciding = guarded[1] if guarded else instruction.operands.rpartition(", ")[2].removeprefix("!") if selects else ""
    by_lane = names.kind(held.get(deciding, Sum())) > Kind.GROUP
    pick = names.chosen if by_lane else names.within
    if selects and by_lane:
        one, other = (_value(text, held, names) for text in given[:2])
        yield target, pick(one, other, instruction.address)
        return
    made, before = _result(root.removeprefix("U"), words, given, held, names, instruction.address), held.get(target)
    if made is not None:
        yield target, pick(made, before, instruction.address) if guarded and before else made


def _pair(target: str, words: list[str]) -> tuple[str, ...]:
    """Return the registers that a zero of 64 bits fills, or the one that it does where 32 are asked for."""
    return (target,) if "32" in words else (target, f"R{int(target[1:]) + 1}")


def _decided_by(given: list[str], held: Registers, names: Names) -> Iterator[Sum]:
    """Yield what a comparison compares, or the predicates that are put together."""
    for text in given:
        if not _PREDICATE.match(text):
            yield _value(text, held, names)
        elif (value := held.get(text.removeprefix("!"))) is not None:
            yield value


def _result(root: str, words: list[str], given: list[str], held: Registers, names: Names, place: int) -> Sum | None:
    """Return the low word of a result; None where it is no number of an address."""
    if root in ("S2R", "S2UR"):
        return _number_of(given[0], names)
    if root == "HFMA2":
        return _halves(given)
    values = [_value(text, held, names) for text in given]
    if "X" in words:
        return _part(root, words, values, names)
    if "HI" in words:
        return _part(root, words, values, names) or names.made((root, *words), *values)
    return _arithmetic(root, words, values, names, place)


def _constants(target: str, words: list[str], text: str, names: Names) -> Iterator[tuple[str, Sum]]:
    """Yield what a load from constant memory fills: an argument of the kernel has the same name wherever it is read."""
    place, file = _CONSTANT.match(text), target.rstrip("0123456789")
    if place is None:
        return
    for word in range(next((int(w) // 32 for w in words if w in ("64", "128", "256")), 1)):
        named = f"{place[1]}[{int(place[2] or '0', 16) + 4 * word:#x}]"
        yield f"{file}{int(target[len(file) :]) + word}", names.of(named, Kind.SHARED)


def _arithmetic(root: str, words: list[str], values: list[Sum], names: Names, place: int) -> Sum | None:
    match root, values:
        case "MOV", [value]:
            return value
        case "IADD3" | "IADD" | "VIADD" | "IADD64", [_, *_]:
            return sum(values[1:], values[0])
        case "IMAD", [one, other, *rest]:
            return names.product(one, other) + (rest[0] if rest else Sum())
        case "LEA", [one, other, by, *_] if by.plain is not None:
            return one.times(1 << by.plain) + other
        case "SHF" | "SHL", [one, by, *_] if by.plain is not None and ("L" in words or root == "SHL"):
            return one.times(1 << by.plain)
        case "IMNMX" | "VIMNMX" | "SEL" | "VIMNMX3", [one, other, *_]:
            return names.within(one, other, place)
    if root.startswith(_FROM_ELSEWHERE):
        return None
    return _part(root, words, values, names) or names.made((root, *words), *values)


def _part(root: str, words: list[str], values: list[Sum], names: Names) -> Sum | None:
    """Return some of the bits of a thread's number where an instruction takes those; None elsewhere."""
    if root == "SHF" and "R" in words and "HI" not in words and len(values) == len(("low", "by", "high")):
        return names.joined_down(values[0], values[2], values[1].plain)
    match root, [value.plain for value in values]:
        case "LOP3", [None, int(mask), 0, table] if table == _AND:
            return names.masked(values[0], mask)
        case "SHF", [0, int(by), None] if "R" in words:
            return names.shifted_down(values[2], by)
        case "SHF" | "SHR", [None, int(by), *_] if "R" in words or root == "SHR":
            return names.shifted_down(values[0], by)
        case "SGXT", [None, int(count)] if "U32" in words:
            return names.masked(values[0], (1 << count) - 1)
    return None


def _number_of(text: str, names: Names) -> Sum:
    """Return what a special register tells of a lane."""
    if text in ("SR_TID.X", "SR_LANEID"):
        return Sum(((0, 1),))
    kind = Kind.ROW if text.startswith("SR_TID") else Kind.GROUP if text.startswith("SR_CTAID") else Kind.SHARED
    return names.of(text, kind if text.startswith(("SR_TID", *_SHARED_NUMBERS)) else Kind.APART)


def _halves(given: list[str]) -> Sum | None:
    """Return the number whose halves ``HFMA2.MMA R2, -RZ, RZ, 0, 2.384185791015625e-07`` writes as small floating-point numbers."""
    if len(given) != 4 or "RZ" not in given[0] or "RZ" not in given[1]:
        return None
    try:
        return Sum((), struct.unpack("<i", struct.pack("<ee", float(given[3]), float(given[2])))[0])
    except (ValueError, OverflowError):
        return None


def _value(text: str, held: Registers, names: Names) -> Sum:
    text = text.strip()
    if register := _REGISTER.match(text):
        value = held.get(register[2]) or entry(register[2], names)
        return value.times(-1) if register[1] == "-" else names.made("~", value) if register[1] else value
    if number := _NUMBER.match(text):
        return Sum((), int(number[2], 16)).times(-1 if number[1] else 1)
    if text.lstrip("-").startswith(("RZ", "URZ")):
        return Sum()
    shared = text.lstrip("-").startswith(("c[", "cx["))
    named = names.of(text.lstrip("-"), Kind.SHARED if shared else Kind.APART)
    return named.times(-1) if shared and text.startswith("-") else named


def address(instruction: Instruction, held: Registers, names: Names) -> Sum | None:
    """Return the address of a lane's access to global memory; None where it cannot be told."""
    if not instruction.mnemonic.startswith(("LDG", "STG", "LD.", "ST.")):
        return None
    text = _DESCRIPTOR.sub("", instruction.operands)
    place = next((m for part in text.split(", ") if (m := _PLACE.search(part))), None)
    if place is None:
        return None
    return sum((_value(part, held, names) for part in place[1].split("+")), Sum())
