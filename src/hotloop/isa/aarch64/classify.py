"""What instructions of AArch64 do, by their names and operands.

Naming rules are those of the Arm Architecture Reference Manual for A-profile (DDI 0487), part C: ``f`` begins floating-point work,
``v0.4s`` is a vector of Advanced SIMD with its arrangement, ``q0`` to ``b0`` are one element of 128 to 8 bits, ``z0`` and ``p0`` are
registers of SVE. How long those are, the processor decides: they count as 128 bits, the least that each has.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hotloop.isa.instruction import InstructionKind, Traits

K = InstructionKind
LEAST_BITS = 128
"""Length of a vector of SVE on the smallest processor that has any."""
_VECTOR = re.compile(r"\bv\d+(?:\.(\d*)([bhsdq]))?(\[\d+\])?")
_SCALABLE = re.compile(r"\bz\d+\b")
_ELEMENT = re.compile(r"^([qdshb])\d+\b")
_LANE = re.compile(r"\}\s*\[\d+\]")
_NAMES = re.compile(r"\b([vzqdshbxw])(?:\d+|zr)\b")
_RANGE = re.compile(r"\b[vz](\d+)[^-]*-\s*[vz](\d+)")
_NARROW = re.compile(r"(?:ld|st)(?:a|l|ap|la|ll|t|u)*u?r(?:s?([bhw]))")
_WORDS = {"b": 8, "h": 16, "w": 32}
_BITS = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128}

_PATTERNS: tuple[tuple[InstructionKind, str], ...] = (
    (K.MATRIX, r"(?:[su]|us|f|bf)mmla|(?:f|bf|[su]|su|us)mop[as]"),
    (K.FMA, r"f(?:n?m(?:add|sub|la|ls|ad|sb)|cmla|ml[as]l2?|mlal[bt]|mlsl[bt])|bf(?:dot|mlal[bt]|mlsl[bt])|(?:[su]|us|su)dot"),
    (K.MULADD, r"f(?:add|sub|subr|n?mul|mulx|cadd)"),
    (K.CONVERSION, r"fcvt\w*|[su]cvtf|bfcvt\w*|[su](?:xtl|shll|unpk)\w*|(?:[su]q)?xtu?n[2bt]?|sqxtun[2bt]?|fjcvtzs"),
    (K.ARITHMETIC, r"f(?:div|divr|sqrt|max|min|abs|neg|abd|cm|cc?mp|ac|rint|rec|rsq|addp|addv|adda|expa|scale|tmad|tssel|tsmul|logb)\w*"),
    (K.SHUFFLE, r"zip[12]?|uzp[12]?|trn[12]|ext|tb[lx]|rev(?:16|32|64|[bhw])?|dup|ins|splice|compact|last[ab]|clast[ab]|insr|[us]mov"),
    (K.MOVE, r"f?mov\w*|mvni|fcsel|fdup|cpy|fcpy|sel"),
)  # fmt: skip
_WORK = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)
_INTEGERS = re.compile(
    r"add[gs]?|subs?|mul|mneg|m(?:add|sub)|[su]m(?:ull|ulh|addl|subl|negl)|[su]div|ands?|bics?|orr|orn|eor|eon|mvn|negs?|ngcs?|cmp|cmn|tst"
    r"|ccm[pn]|ls[lr]v?|asrv?|rorv?|[su]?bf(?:x|iz|i|xil|m|c)|extr|rev(?:16|32|64)?|rbit|cl[zs]|ctz|cnt|adcs?|sbcs?|[su]xt[bhw]"
    r"|crc32c?[bhwx]|[su]max|[su]min|abs|rmif|setf\d+|axflag|xaflag|cfinv|(?:add|rd)[vp]l|(?:[su]q)?(?:inc|dec|cnt)[bhwdp]|whil\w+"
    r"|ptrues?|pfalse|ptest|pnext|pfirst|brk[abnp]\w*|ctermeq|ctermne|index"
)
_CHOOSES = re.compile(r"cs(?:el|inc|inv|neg|etm?)|c(?:inc|inv|neg)")
_LOADS = re.compile(
    r"ld(?:u?r|ap?u?r|tr|a?pr|lar|raa|rab)?(?:s?[bhw])?|ldn?psw|ldn?p|ld(?:ff|nf|nt)?[1-4][bhwdqsr]*\w*|ldiapp"
)
_STORES = re.compile(r"st(?:u?r|lu?r|tr|llr)[bh]?|stn?p|st(?:nt)?[1-4][bhwdq]?|stilp")
_ATOMICS = re.compile(
    r"(?:ld|st)a?l?x[rp][bh]?|stlx[rp][bh]?|ldax[rp][bh]?|casp?a?l?[bh]?|swpp?a?l?[bh]?|(?:ld|st)(?:add|clr|eor|set|[su]max|[su]min)a?l?[bh]?"
)
_FIXED: dict[str, InstructionKind] = {
    "adr": K.ADDRESS, "adrp": K.ADDRESS, "bl": K.CALL, "blr": K.CALL, "nop": K.NOP, "bti": K.NOP, "hint": K.NOP, "csdb": K.NOP,
    "udf": K.OTHER, "brk": K.OTHER, "hlt": K.OTHER, "dmb": K.BARRIER, "dsb": K.BARRIER, "isb": K.BARRIER, "yield": K.WAIT,
    "wfe": K.WAIT, "wfi": K.WAIT, "wfet": K.WAIT, "sev": K.CONTROL, "sevl": K.CONTROL, "dc": K.CACHE, "ic": K.CACHE,
    "svc": K.OTHER, "mrs": K.OTHER, "msr": K.OTHER,
}  # fmt: skip
_ENDS = frozenset({"b", "br", "udf", "brk", "hlt"})
_BRANCH = re.compile(r"b|br|br[ab]\w*|bc?\.\w+|cb[a-z]+|tbn?z")
_RETURN = re.compile(r"ret(?:a[ab]\w*)?|eret\w*")
_CONTROL = re.compile(r"(?:pac|aut|xpac)\w*")
_PREFETCH = re.compile(r"prfu?m|prf[bhwd]")
_BROADCAST = re.compile(r"ld[1-4]r\w*")


@lru_cache(maxsize=1 << 14)
def classify(mnemonic: str, operands: str, frame: frozenset[str] = frozenset({"sp"})) -> Traits:
    """Return what an instruction does; lower case, `frame` holds the registers that point into the stack frame.

    >>> classify("fmla", "v0.4s, v1.4s, v2.s[1]").bits, classify("ldp", "q0, q1, [x0], #32").memory_bits
    (128, 256)
    """
    flow = _flow(mnemonic)
    if flow is not None:
        return flow
    kind = _memory_kind(mnemonic)
    if kind is not None:
        return _access(mnemonic, operands, kind, frame)
    bits, scalar = _width(operands)
    if bits:
        return Traits(kind=_vector_kind(mnemonic, operands), bits=bits, scalar=scalar)
    return Traits(kind=_general_kind(mnemonic))


def _flow(mnemonic: str) -> Traits | None:
    """Classify branches, calls and what concerns the processor itself; None: others."""
    if _BRANCH.fullmatch(mnemonic):
        return Traits(kind=K.BRANCH, falls_through=mnemonic not in _ENDS and not mnemonic.startswith("br"))
    if _RETURN.fullmatch(mnemonic):
        return Traits(kind=K.RETURN, falls_through=False)
    if mnemonic.startswith("blr"):
        return Traits(kind=K.CALL)
    if mnemonic in _FIXED:
        return Traits(kind=_FIXED[mnemonic], falls_through=mnemonic not in _ENDS)
    if _PREFETCH.fullmatch(mnemonic):
        return Traits(kind=K.CACHE)
    return Traits(kind=K.CONTROL) if _CONTROL.fullmatch(mnemonic) else None


def _memory_kind(mnemonic: str) -> InstructionKind | None:
    if _ATOMICS.fullmatch(mnemonic):
        return K.ATOMIC
    if _LOADS.fullmatch(mnemonic):
        return K.LOAD
    return K.STORE if _STORES.fullmatch(mnemonic) else None


def _width(operands: str) -> tuple[int, bool]:
    """Return the bits that the vector unit works on, and whether they are one element; 0: no vector register takes part."""
    vectors = _VECTOR.findall(operands)
    whole = [int(count or 1) * _BITS[letter] for count, letter, index in vectors if letter and not index]
    if whole:
        return max(whole), False
    if _SCALABLE.search(operands):
        return LEAST_BITS, False
    elements = [found[1] for cell in operands.split(",") if (found := _ELEMENT.match(cell.strip(" {}")))]
    if elements:
        return max(_BITS[letter] for letter in elements), elements[0] != "q"
    return (_BITS[vectors[0][1] or "q"], True) if vectors else (0, False)


def _vector_kind(mnemonic: str, operands: str) -> InstructionKind:
    """Return the kind of an instruction with a vector register and without memory."""
    kind = next((kind for kind, pattern in _WORK if pattern.fullmatch(mnemonic)), K.INTEGER)
    return K.SHUFFLE if kind is K.MOVE and mnemonic == "mov" and "[" in operands else kind


def _general_kind(mnemonic: str) -> InstructionKind:
    """Return the kind of an instruction of the integer unit, or of SVE's predicates."""
    if _INTEGERS.fullmatch(mnemonic):
        return K.INTEGER
    return K.MOVE if mnemonic.startswith("mov") or _CHOOSES.fullmatch(mnemonic) else K.OTHER


def _access(mnemonic: str, operands: str, kind: InstructionKind, frame: frozenset[str]) -> Traits:
    """Classify loads, stores and atomic updates."""
    before, bracket, behind = operands.rpartition("[")
    where = behind.partition("]")[0] if bracket else ""
    if not bracket:  # a place beside the code
        before = operands.partition(",")[0]
    part = _LANE.search(before) is not None
    filled = before.partition("}")[0]
    bits, scalar = _width(filled)
    stack = where.partition(",")[0].strip() in frame
    broadcast = _BROADCAST.fullmatch(mnemonic) is not None
    reads = kind is not K.STORE
    return Traits(
        kind=_refined(kind, where, stack=stack, scalar=scalar or part, broadcast=broadcast),
        bits=bits, scalar=scalar or part, reads_memory=reads, writes_memory=kind is not K.LOAD, stack=stack, broadcast=broadcast,
        memory_bits=_element(filled) if broadcast else _moved(mnemonic, filled, bits), insert=part and reads,
    )  # fmt: skip


def _refined(kind: InstructionKind, where: str, *, stack: bool, scalar: bool, broadcast: bool) -> InstructionKind:
    """Return the kind of an access by its address and by what it fills."""
    if kind is K.ATOMIC:
        return kind
    if _SCALABLE.search(where):
        return K.GATHER if kind is K.LOAD else K.SCATTER
    if stack:
        return K.STACK
    if kind is K.STORE:
        return kind
    return K.BROADCAST if broadcast else K.SCALAR_LOAD if scalar else kind


def _element(filled: str) -> int:
    """Return the size of one element of a list of vectors."""
    found = re.search(r"\.\d*([bhsdq])", filled)
    return _BITS[found[1]] if found else 0


def _moved(mnemonic: str, filled: str, bits: int) -> int:
    """Return the bits that an access moves to or from the registers before its address."""
    names = _NAMES.findall(filled)
    several = len(names) or 1
    if listed := _RANGE.search(filled):
        several = (int(listed[2]) - int(listed[1])) % 32 + 1
    if bits:
        return bits * (several if mnemonic[2:3] in "pn1234" else 1)
    if narrow := _NARROW.fullmatch(mnemonic):
        return _WORDS[narrow[1]]
    words = 32 if mnemonic.endswith("psw") or (names and names[-1] == "w") else 64
    return words * (several if "p" in mnemonic[2:4] else 1)
