"""Which registers a SASS instruction reads and writes.

Registers are named ``R12``, ``UR4``, ``P0``, ``UP1``; zero registers and true predicates are none. How many registers an
operand names follows from the mnemonic: widths of memory accesses, matrix fragments (CUDA's PTX ISA, fragments of ``mma``
and ``wgmma``), 64-bit arithmetic. A predicated instruction counts like one that always executes. Convergence barriers
(``B0``), special registers, and memory are left out, as are uniform registers that listings for Ampere do not
show (see `hotloop.isa.nvidia.scheduled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hotloop.isa.instruction import Instruction, InstructionKind
from hotloop.isa.nvidia.classify import GROUP_SHAPE, classify


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


K = InstructionKind
_REGISTER = re.compile(r"(?<![\w.])(?P<file>UR|UP|R|P)(?P<number>\d+)(?P<suffix>(?:\.\w+)*)")
_GUARD = re.compile(r"@!?(U?P\d+)")
_PREDICATE = re.compile(r"U?P[T\d]+")
_PLAIN = re.compile(r"U?[RP](?:\d+|Z|T)(?:\.\w+)*")
_PREDICATES = 7
_ALL_PREDICATES = ("PR", "UPR")
"""Operands that are all predicates of a file together, of which a mask chooses some."""

_NO_RESULT = _words(
    "RED REDG REDS REDAS CALL RET BRA BRX BRXU JMP JMX EXIT BSSY BSYNC BAR WARPSYNC NANOSLEEP CCTL CCTLL LDGSTS UBLKCP UBLKPF "
    "UBLKRED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UTCBAR UTCCP DEPBAR ARRIVES USETMAXREG BREAK BPT PMTRIG UVIRTCOUNT KILL "
    "YIELD UTCSHIFT STAS ENDCOLLECTIVE CGAERRBAR ERRBAR MEMBAR FENCE"
)
_TWO_PREDICATES = _words("ISETP FSETP DSETP HSETP2 UISETP UFSETP PLOP3 UPLOP3 PSETP")
_ONE_PREDICATE = _words("FCHK VOTE VOTEU SYNCS ATOMS PLOP")
_PREDICATE_AFTER = _words(
    "IADD3 UIADD3 LEA ULEA IMAD UIMAD IADD VIADD UIADD IADD32I VOTE VOTEU FLO UFLO IABS LOP3 ULOP3 SHF USHF VIMNMX MUFU"
)
"""Operations whose second operand may be a predicate that they write (carry, or what held)."""
_WIDE_WORDS = frozenset({"64", "S64", "U64"})
_PAIRED = _words("DFMA DADD DMUL DSETP DMNMX FADD2 FMUL2 FFMA2 DSET")
_FRAGMENTS: dict[str, tuple[int, int, int]] = {
    # shape: registers of A, B, and of a 32-bit accumulator
    "16816": (4, 2, 4), "1688": (2, 1, 4), "16832": (4, 2, 4), "16864": (4, 2, 4), "8816": (1, 1, 2), "8832": (1, 1, 2),
    "1684": (2, 1, 4), "884": (2, 2, 4), "168128": (2, 1, 4), "168256": (4, 2, 4), "88128": (1, 1, 2),
}  # fmt: skip
_HALVED = {"16816": (2, 1, 4), "16832": (2, 1, 4)}
"""Shapes that depend on the type: ``IMMA.16816.S8``, ``IMMA.16832.S4`` hold half of what 16-bit elements do."""
_DOUBLE_FRAGMENTS = {
    "884": (2, 2, 4), "8x8x4": (2, 2, 4), "16x8x4": (4, 2, 8), "1684": (4, 2, 8), "16x8x8": (8, 4, 8), "1688": (8, 4, 8),
    "16x8x16": (16, 8, 8), "16816": (16, 8, 8),
}  # fmt: skip
_TENSOR_COPIES = {"UTMALDG": 2, "UTMASTG": 1, "UTMAREDG": 1, "UTMAPF": 0}
"""Registers before the coordinates in the first operand: shared address and barrier, shared address."""
_ACCUMULATOR = 3
_DIMENSIONS = re.compile(r"([1-5])D")
_UNIFORM_PAIRS = _words(
    "LDG STG LD ST ATOMG ATOM RED REDG QSPC CCTL UTMALDG UTMASTG UTMAREDG UTMAPF UBLKCP UBLKRED UTMACCTL"
)
_DESCRIPTOR_REGISTERS = 4
"""Uniform registers that the descriptors of A and B take in a matrix product of a warp group."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Registers that one instruction reads and writes."""

    writes: frozenset[str]
    reads: frozenset[str]

    def late(self, *, uniform: bool) -> frozenset[str]:
        """The registers that may be read after the instruction was issued: vector registers, and uniform registers of uniform instructions."""
        files = ("R", "UR") if uniform else ("R",)
        return frozenset(register for register in self.reads if register.startswith(files))


def effects(instruction: Instruction) -> Effects:
    """Return the registers that an instruction of the SASS dialect reads and writes, its predicate included.

    >>> from hotloop.isa.dialects.sass import DIALECT
    >>> (function,) = DIALECT.parse("LDG.E.64 R4, [R2.64+0x8] ;")
    >>> sorted(effects(function.instructions[0]).writes)
    ['R4', 'R5']
    """
    return _effects(instruction.mnemonic, instruction.operands)


def predicate(instruction: Instruction) -> tuple[bool, str] | None:
    """Return whether an instruction's predicate is negated, and the predicate's name; None where it always runs.

    >>> from hotloop.isa.dialects.sass import DIALECT
    >>> (function,) = DIALECT.parse("@!P0 LDG.E R4, [R2.64+0x8] ;")
    >>> predicate(function.instructions[0])
    (True, 'P0')
    """
    match = _GUARD.match(instruction.operands)
    return (instruction.operands.startswith("@!"), match[1]) if match else None


def opposite(instruction: Instruction) -> tuple[bool, str] | None:
    """Return the predicate under which an instruction surely does not run, in the form of `predicate`."""
    own = predicate(instruction)
    return (not own[0], own[1]) if own else None


@lru_cache(maxsize=1 << 14)
def _effects(mnemonic: str, text: str) -> Effects:
    reads: set[str] = set()
    if (guard := _GUARD.match(text)) is not None:
        reads.add(guard[1])
        text = text[guard.end() :].lstrip()
    operands = _split(text.partition("`")[0])
    results = _results(mnemonic, operands)
    writes: set[str] = set()
    for position, operand in enumerate(operands):
        width = _width(mnemonic, operands, position, results)
        place = writes if position < results else reads
        place.update(
            _masked(operand, operands[-1]) if operand in _ALL_PREDICATES else _named(operand, width, mnemonic, position)
        )
    return Effects(frozenset(writes - {"R255", "UR255"}), frozenset(reads))


def _masked(name: str, mask: str) -> Iterator[str]:
    """Yield the predicates that ``R2P PR, R0, mask``, ``P2R R0, PR, RZ, mask`` and the same of uniform ones touch."""
    chosen = int(mask, 16) if mask.startswith("0x") else -1
    return (f"{name.removesuffix('R')}{number}" for number in range(_PREDICATES) if chosen >> number & 1)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets; ``RET R20 0x0`` and the like keep one operand."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _results(mnemonic: str, operands: list[str]) -> int:
    """Return how many of the leading operands are written."""
    root, *words = mnemonic.split(".")
    if not operands or root in _NO_RESULT or not (_PLAIN.fullmatch(operands[0]) or operands[0] in _ALL_PREDICATES):
        return 0
    if classify(mnemonic).kind is K.STORE or root in ("STL", "STTM"):
        return 0
    if root == "B2R" and len(operands) > 1:
        return 2
    if root in _TWO_PREDICATES:
        return 2
    if root in ("TEX", "TLD", "TLD4", "TXD", "TMML", "TXQ"):
        return 2  # RZ or the upper half stands first
    first_predicate = _PREDICATE.fullmatch(operands[0]) is not None
    if first_predicate:
        if root == "IMNMX":
            return 3  # 64 bits wide, with two predicates in front
        return 1 if root in _ONE_PREDICATE else 2
    if root == "LDG" and "256" in words:
        return 2
    return 1 + _carries(root, operands)


def _carries(root: str, operands: list[str]) -> int:
    """Count the predicates written after the first operand."""
    if root not in _PREDICATE_AFTER:
        return 0
    limit = 2 if root in ("IADD3", "UIADD3") else 1
    count = 0
    while count < limit and len(operands) > count + 1 and _PREDICATE.fullmatch(operands[count + 1]):
        count += 1
    return count


def _named(operand: str, width: int, mnemonic: str, position: int) -> Iterator[str]:
    """Yield the registers in one operand; `width` is for a plain one."""
    bracketed = "[" in operand
    for match in _REGISTER.finditer(operand):
        number, suffix = int(match["number"]), match["suffix"]
        count = _address_width(operand, match, mnemonic, position) if bracketed else width
        if match["file"].endswith("P") or suffix.endswith(".F32"):
            count = 1  # the latter: one number, used for both halves of a pair
        elif match["file"] == "UR" and not bracketed and mnemonic.startswith(("TEX", "TLD")):
            count = 2  # handle of texture and sampler
        elif ".64" in suffix and not bracketed:
            count = max(count, 2)
        upper = (
            bracketed and position > 1 and count == _DESCRIPTOR_REGISTERS
        )  # A stands in registers before: only B has a descriptor
        for offset in range(count // 2 if upper else 0, count):
            yield f"{match['file']}{number + offset}"


def _address_width(operand: str, match: re.Match[str], mnemonic: str, position: int) -> int:
    """Return how many registers hold an address or descriptor that stands in brackets."""
    before = operand[: match.start()]
    if match["file"] == "UR":
        return _uniform_address_width(before, mnemonic, position)
    if ".U32" in match["suffix"] or ".X" in match["suffix"]:
        return 1
    if ".64" in match["suffix"]:
        return 2
    root = mnemonic.partition(".")[0]
    if root in ("SULD", "SUST"):
        return int(next((word[0] for word in mnemonic.split(".") if _DIMENSIONS.fullmatch(word)), "1"))
    wide = ".E" in mnemonic and root in (
        "LD",
        "LDG",
        "ST",
        "STG",
        "ATOM",
        "ATOMG",
        "RED",
        "REDG",
        "CCTL",
        "QSPC",
        "LDGSTS",
    )
    if root == "LDGSTS":
        wide = "]" in before  # the first bracket is the shared address
    return 2 if wide else 1


def _uniform_address_width(before: str, mnemonic: str, position: int) -> int:
    """Return how many uniform registers hold an address or descriptor; `before` is the operand up to the register."""
    root, *words = mnemonic.split(".")
    if before.endswith("gdesc["):
        return _DESCRIPTOR_REGISTERS if root.endswith("GMMA") else 2
    if before.endswith(("desc[", "cx[")):
        return 1 if before.endswith("idesc[") else 2
    if position == 0 and root in _TENSOR_COPIES and (match := _DIMENSIONS.fullmatch(words[0])):
        return _TENSOR_COPIES[root] + int(match[1])
    if root in ("UBLKCP", "UBLKRED") and words[position : position + 1] == ["S"]:
        return 2 if position == 0 else 1  # shared address, with the barrier's where it is written
    if "tmem[" in before:
        return 2 if position > _ACCUMULATOR else 1  # block scales of both operands
    return 2 if root in _UNIFORM_PAIRS else 1


def _width(mnemonic: str, operands: list[str], position: int, results: int) -> int:
    """Return how many registers a plain operand names."""
    root, *words = mnemonic.split(".")
    traits = classify(mnemonic)
    if traits.kind is K.MATRIX:
        return _fragment(root, words, position)
    if root in ("TEX", "TLD", "TLD4", "TXD", "SULD", "SUST"):
        return _texture(root, operands, position, results, modern="SCR" not in words)
    if traits.memory_bits and (traits.reads_memory or traits.writes_memory):
        return _data_width(root, words, traits.memory_bits, position, results)
    if root in ("F2F", "I2F", "F2I", "FRND", "I2I"):
        return _converted(root, words, position)
    if root in _PAIRED or (root in ("CS2R", "CS2UR") and "32" not in words):
        return 2
    if root in ("IMAD", "UIMAD") and ("WIDE" in words or "HI" in words):
        return _wide_product(operands, position, hi="HI" in words)
    if root in ("RET", "BRX", "JMX", "LEPC") or (root == "CALL" and position == 0):
        return 2
    if root == "SYNCS" and ("EXCH" in words or "A1T0" in words):
        return 2
    return 1 if _WIDE_WORDS.isdisjoint(words) or root in ("SHF", "USHF") else 2


def _data_width(root: str, words: list[str], bits: int, position: int, results: int) -> int:
    """Return the registers of what a memory access moves."""
    count = max(1, bits // 32)
    if root == "LDG" and "256" in words and position < results:
        return 4
    return count


def _converted(root: str, words: list[str], position: int) -> int:
    types = [word for word in words if re.fullmatch(r"[FSUB]F?\d+", word)]
    wide = [word for word in types if word.endswith("64")]
    if root == "FRND":
        return 2 if wide else 1
    if root == "F2F":
        return 2 if types[position : position + 1] == ["F64"] else 1
    if root == "I2F":
        return 2 if ("F64" in types if position == 0 else bool({"S64", "U64"} & set(types))) else 1
    if root == "F2I":
        return 2 if ({"S64", "U64"} & set(types) if position == 0 else "F64" in types) else 1
    return 2 if wide else 1


def _wide_product(operands: list[str], position: int, *, hi: bool) -> int:
    last = max((place for place, operand in enumerate(operands) if not re.match(r"!?U?P", operand)), default=0)
    if position == last:
        return 2
    return 2 if position == 0 and not hi else 1


def _texture(root: str, operands: list[str], position: int, results: int, *, modern: bool) -> int:
    """Return the registers of a texture operand: two results that share a mask, coordinates, the rest.

    Before Hopper (`modern` false, ``.SCR``) the third coordinate stands with the level.
    """
    dimensions = int(next((operand[0] for operand in operands if re.fullmatch(r"[123]D", operand)), "2"))
    if root in ("SULD", "SUST"):
        return 1
    if position < results:
        chosen = int(operands[-1], 16).bit_count() if operands[-1].startswith("0x") else 4
        return min(chosen, 2) if position == results - 1 or operands[0] == "RZ" else max(chosen - 2, 0)
    if position == results:
        return dimensions if modern else min(dimensions, 2)
    return 2 if position == results + 1 and dimensions == 3 and not modern else 1  # z and level


def _fragment(root: str, words: list[str], position: int) -> int:
    """Return the registers of a matrix operand: result, A, B, accumulator in this order."""
    half = "F16" in words and "F32" not in words
    for word in words:
        if (match := GROUP_SHAPE.fullmatch(word)) is not None:
            accumulator = int(match[1]) // 2 // (2 if half else 1)
            return 4 if position == 1 else accumulator
    a, b, c = _shape(root, words)
    if half and root in ("HMMA", "QMMA"):
        c //= 2
    return (c, a, b, c)[position] if position < 4 else 1  # then metadata, scales, predicates


def _shape(root: str, words: list[str]) -> tuple[int, int, int]:
    if root == "DMMA":
        return next((_DOUBLE_FRAGMENTS[word] for word in words if word in _DOUBLE_FRAGMENTS), (2, 2, 4))
    shape = next((word for word in words if word in _FRAGMENTS), "16816")
    if shape == "1688" and "TF32" in words:
        return 4, 2, 4
    if (root == "IMMA" and shape == "16816") or (shape == "16832" and not {"S4", "U4"}.isdisjoint(words)):
        return _HALVED[shape]
    return _FRAGMENTS[shape]
