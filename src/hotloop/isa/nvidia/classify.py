"""What a SASS instruction does, from its mnemonic and, where the mnemonic does not tell, its operands.

Names follow the instruction tables of NVIDIA's "CUDA Binary Utilities". The first word says the operation, words after
dots the variant. On a GPU a `BARRIER` joins the waves of a work-group or cluster; what makes one warp wait (scoreboards,
memory order, its own lanes, a phase of an mbarrier) is a `WAIT`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from hotloop.isa.instruction import InstructionKind, MemorySpace, Traits

K = InstructionKind
S = MemorySpace
REGISTER_BITS = 32


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ROOTS: dict[InstructionKind, tuple[str, ...]] = {
    K.FMA: _words("FFMA FFMA32I FFMA2 FHFMA DFMA HFMA2 HFMA2_32I IDP IDP4A FSWZADD"),
    K.MULADD: _words("FADD FADD32I FADD2 FMUL FMUL32I FMUL2 DADD DMUL FHADD HADD2 HADD2_32I HMUL2 HMUL2_32I"),
    K.ARITHMETIC: _words(
        "FMNMX FMNMX3 FSETP FSET FCHK FRND MUFU DSETP DSET DMNMX HSETP2 HSET2 HMNMX2 VHMNMX FSWZ FCMP"
    ),
    K.CONVERSION: _words("F2F F2FP F2I F2IP I2F I2FP I2I I2IP F2F32 F16TOF32"),
    K.INTEGER: _words(
        "IADD IADD3 IADD32I IMAD IMAD32I IMUL IMUL32I IMNMX IABS ISETP ISET LOP LOP3 LOP32I SHF SHL SHR POPC FLO BREV "
        "BMSK SGXT VABSDIFF VABSDIFF4 VADD VIADD VIADDMNMX VIMNMX VIMNMX3 PRMT PLOP3 PSETP PSET P2R R2P QSPC BFE BFI XMAD"
    ),
    K.ADDRESS: _words("LEA ISCADD ISCADD32I LEPC GETLMEMBASE AL2P"),
    K.SCALAR: _words(
        "R2UR S2UR CS2UR VOTEU ELECT BSSY BREAK BMOV LDGDEPBAR PREEXIT USETMAXREG UTCATOMSWS UTMACMDFLUSH CSMTEST BGRPWAIT "
        "SETCTAID SETLMEMBASE RPCMOV MOVSR"
    ),
    K.LOAD: _words("LD LDG LDS LDSM LDTM LDT TEX TLD TLD4 TMML TXD TXQ SULD FOOTPRINT IPA ALD ISBERD PIXLD"),
    K.SCALAR_LOAD: _words("LDC LDCU ULDC"),
    K.STORE: _words("ST STG STS STSM STTM STAS SUST AST ISBEWR UMEMSETS"),
    K.ATOMIC: _words("ATOM ATOMG ATOMS RED REDG REDS REDAS SUATOM SURED SUQUERY"),
    K.COPY: _words("LDGSTS UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG UTCCP CCTL CCTLL CCTLT UTMACCTL"),
    K.STACK: _words("LDL STL"),
    K.BARRIER: _words("BAR UCGABAR_ARV UCGABAR_WAIT SYNCS ARRIVES UTCBAR UTCMBAR"),
    K.WAIT: _words(
        "DEPBAR WARPGROUP WARPGROUPSET BSYNC WARPSYNC ENDCOLLECTIVE MEMBAR ERRBAR CGAERRBAR FENCE NANOSLEEP YIELD ACQBULK "
        "ACQSHMINIT"
    ),
    K.BRANCH: _words("BRA BRX BRXU JMP JMX JMXU BPT BRK CONT"),
    K.CALL: _words("CALL JCAL"),
    K.RETURN: _words("RET EXIT KILL RTT"),
    K.NOP: _words("NOP PMTRIG"),
    K.MOVE: _words("MOV MOV32I SEL FSEL S2R CS2R B2R R2B GETCTAID IMOV"),
    K.SHUFFLE: _words("SHFL VOTE MATCH REDUX CREDUX MOVM"),
}
_KINDS = {root: kind for kind, roots in _ROOTS.items() for root in roots}
_MATRIX = re.compile(r"(?:[HIBDQO]|MX\w*)G?MMA|UTC\w*MMA")
_ENDING = frozenset({"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "RET", "EXIT", "KILL", "RTT"})
_WIDTHS = {"U8": 8, "S8": 8, "U16": 16, "S16": 16, "32": 32, "64": 64, "128": 128, "256": 256, "F64": 64, "F16x2": 32,
           "BF16x2": 32, "F16x4": 64, "BF16x4": 64, "F16x8": 128, "BF16x8": 128, "F32x2": 64, "F32x4": 128}  # fmt: skip
_WIDE = frozenset({"FADD2", "FMUL2", "FFMA2"})
"""Two numbers of 32 bits in a pair of registers."""
_SPACES = {
    "LDG": S.GLOBAL, "STG": S.GLOBAL, "ATOMG": S.GLOBAL, "REDG": S.GLOBAL, "RED": S.GLOBAL, "LD": S.GLOBAL, "ST": S.GLOBAL,
    "ATOM": S.GLOBAL, "TEX": S.GLOBAL, "TLD": S.GLOBAL, "TLD4": S.GLOBAL, "TXD": S.GLOBAL, "TMML": S.GLOBAL, "SULD": S.GLOBAL,
    "SUST": S.GLOBAL, "SUATOM": S.GLOBAL, "SURED": S.GLOBAL, "LDS": S.LOCAL, "STS": S.LOCAL, "LDSM": S.LOCAL, "STSM": S.LOCAL,
    "ATOMS": S.LOCAL, "REDS": S.LOCAL, "STAS": S.LOCAL, "REDAS": S.LOCAL, "UMEMSETS": S.LOCAL, "LDL": S.SCRATCH,
    "STL": S.SCRATCH, "LDC": S.CONSTANT, "LDCU": S.CONSTANT, "ULDC": S.CONSTANT, "LDGSTS": S.GLOBAL, "UBLKCP": S.GLOBAL,
    "UBLKPF": S.GLOBAL, "UBLKRED": S.GLOBAL, "UTMALDG": S.GLOBAL, "UTMAPF": S.GLOBAL, "UTMAREDG": S.GLOBAL, "UTMASTG": S.GLOBAL,
    "UTCCP": S.LOCAL, "CCTL": S.GLOBAL,
}  # fmt: skip
"""Generic accesses (``LD``, ``ST``, ``ATOM``) count as global; tensor memory has no space of its own."""
GROUP_SHAPE = re.compile(r"64x(\d+)x\d+")
_TENSOR_COLUMNS = re.compile(r"x(\d+)")
TENSOR_BITS = 2048
"""Nominal accumulator bits per lane of a ``UTC*MMA`` (``tcgen05.mma`` in PTX), whose shape stands in a descriptor: 64 registers, as of 64x128."""
_LANE_ACCUMULATOR_BITS = {
    "16816": 128,
    "1688": 128,
    "16832": 128,
    "16864": 128,
    "1684": 128,
    "168128": 128,
    "168256": 128,
}
_SMALL_ACCUMULATOR_BITS = 64


def classify(mnemonic: str, operands: str = "", guard: str = "") -> Traits:
    """Return what an instruction does; `guard` is its predicate, empty when it always executes.

    >>> classify("LDG.E.128.CONSTANT", "R8, [R2.64]").memory_bits
    128
    """
    traits = _plain(mnemonic)
    if traits.kind in _REFINED:
        traits = _detailed(mnemonic, operands)
    if guard and not traits.falls_through:
        return replace(traits, falls_through=True)
    return traits


@lru_cache(maxsize=1 << 12)
def _plain(mnemonic: str) -> Traits:
    """Classify by mnemonic alone."""
    root, *words = mnemonic.split(".")
    kind = _kind(root, words)
    reads, writes = _traffic(root, kind)
    width = _memory_bits(root, words, kind)
    return Traits(
        kind=kind,
        bits=_bits(root, words, kind, width),
        reads_memory=reads,
        writes_memory=writes,
        memory_bits=width,
        space=_SPACES.get(root) if reads or writes else None,
        stack=kind is K.STACK,
        falls_through=root not in _ENDING,
    )


def _kind(root: str, words: list[str]) -> InstructionKind:
    if _MATRIX.fullmatch(root):
        return K.MATRIX
    if root == "IMAD" and words[:1] == ["MOV"]:
        return K.MOVE
    if root == "HADD2" and "F32" in words:
        return K.CONVERSION
    if root == "SYNCS" and "PHASECHK" in words:
        return K.WAIT
    if root in ("CCTL", "CCTLL", "CCTLT", "UTMACCTL") and not any(word.startswith("PF") for word in words):
        return K.WAIT  # invalidates or writes back
    kind = _KINDS.get(root)
    if kind is None and root.startswith("U") and len(root) > 2:
        return K.SCALAR
    return kind or K.OTHER


def _traffic(root: str, kind: InstructionKind) -> tuple[bool, bool]:
    """Tell whether it reads and writes memory."""
    if kind is K.STACK:
        return root == "LDL", root == "STL"
    if root in ("TXQ", "PIXLD", "SUQUERY", "IPA"):
        return False, False
    reads = kind in (K.LOAD, K.SCALAR_LOAD, K.ATOMIC, K.COPY)
    prefetches = kind is K.COPY and root not in (
        "LDGSTS",
        "UBLKCP",
        "UBLKRED",
        "UTMALDG",
        "UTMAREDG",
        "UTMASTG",
        "UTCCP",
    )
    return reads, kind in (K.STORE, K.ATOMIC) or (kind is K.COPY and not prefetches)


def _memory_bits(root: str, words: list[str], kind: InstructionKind) -> int:
    """Return the width per lane; 0 for bulk copies, whose size stands in a register or descriptor."""
    if kind is K.COPY and root != "LDGSTS":
        return 0
    if root in ("LDTM", "STTM"):
        return REGISTER_BITS * next((int(m[1]) for m in map(_TENSOR_COLUMNS.fullmatch, words) if m), 1)
    if root in ("LDSM", "STSM"):
        return REGISTER_BITS * int(words[-1] if words[-1:] and words[-1] in ("2", "4") else 1)
    if kind not in (K.LOAD, K.SCALAR_LOAD, K.STORE, K.ATOMIC, K.COPY, K.STACK):
        return 0
    return next((_WIDTHS[word] for word in words if word in _WIDTHS), REGISTER_BITS)


def _bits(root: str, words: list[str], kind: InstructionKind, memory_bits: int) -> int:
    """Return the width of the vector registers that it works on, per lane."""
    if kind is K.MATRIX:
        return _accumulator_bits(root, words)
    if kind in (K.LOAD, K.SCALAR_LOAD, K.STORE, K.ATOMIC, K.STACK):
        return 0 if root in ("ULDC", "LDCU", "UMEMSETS") else max(memory_bits, REGISTER_BITS)
    if kind in (K.SCALAR, K.BARRIER, K.WAIT, K.BRANCH, K.CALL, K.RETURN, K.NOP, K.COPY):
        return 0
    double = root[0] == "D" or root in _WIDE or "64" in words or "F64" in words or "WIDE" in words or root == "CS2R"
    return 2 * REGISTER_BITS if double else REGISTER_BITS


def _accumulator_bits(root: str, words: list[str]) -> int:
    """Return the size of a lane's accumulators: what weighs a matrix instruction against plain ones."""
    if root.startswith("UTC"):
        return TENSOR_BITS
    half = "F16" in words and "F32" not in words
    for word in words:
        if (match := GROUP_SHAPE.fullmatch(word)) is not None:
            return int(match[1]) * 64 // 128 * REGISTER_BITS // (2 if half else 1)
    if root == "DMMA":
        return 128 if words[:1] in (["884"], ["8x8x4"]) else 256
    bits = next(
        (_LANE_ACCUMULATOR_BITS[word] for word in words if word in _LANE_ACCUMULATOR_BITS), _SMALL_ACCUMULATOR_BITS
    )
    return bits // 2 if half else bits


_REFINED = frozenset({K.FMA, K.MULADD, K.INTEGER, K.MATRIX, K.BRANCH, K.CALL})


@lru_cache(maxsize=1 << 14)
def _detailed(mnemonic: str, operands: str) -> Traits:
    """Refine what the operands decide."""
    traits = _plain(mnemonic)
    root, *words = mnemonic.split(".")
    parts = [part.strip() for part in operands.split(",")]
    if root == "HFMA2" and [part.lstrip("-") for part in parts[1:3]] == ["RZ", "RZ"]:
        return replace(traits, kind=K.MOVE)  # materialises a constant on the half-precision pipe
    if root == "IMAD" and "WIDE" in words and not parts[-1].startswith(("RZ", "URZ")):
        return replace(traits, kind=K.ADDRESS)
    if traits.kind is K.MATRIX and "gdesc[" in operands:
        return replace(traits, reads_memory=True, space=S.LOCAL)
    if traits.kind is K.CALL and operands.startswith("`(.L"):
        return replace(traits, kind=K.BRANCH, falls_through=False)  # ptxas writes some far branches to labels so
    if root == "BRA" and (len(parts) > 1 or not {"DIV", "CONV", "ANY"}.isdisjoint(words)):
        return replace(traits, falls_through=True)  # a condition is the first operand, or convergence is asked for
    return traits
