"""What instructions of PTX do, by their names.

Names and types are those of NVIDIA's "PTX ISA" document. `BARRIER` and `WAIT` are told apart as in `hotloop.isa.nvidia.classify`.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import lru_cache

from hotloop.isa.instruction import InstructionKind, MemorySpace, Traits
from hotloop.isa.nvidia.classify import TENSOR_BITS

K = InstructionKind
S = MemorySpace
WAVE_SIZE = 32
_TYPE = re.compile(r"(?:[busf]|bf|tf|e\dm)(\d+)(x\d)?.*")
_SHAPE = re.compile(r"m(\d+)n(\d+)k\d+")
_OPEN = ("cp.", "wmma.")
"""Beginnings of the names whose operands tell how much is moved."""
_MNEMONIC = re.compile(r"[a-z]\w*(?:(?:\.|::)\w+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FLOATS = re.compile(r"(?:f|bf|tf)(?:16|32|64)(?:x2)?")
_FIXED: dict[InstructionKind, frozenset[str]] = {
    K.INTEGER: _words(
        "and or xor not cnot shl shr shf lop3 prmt bfe bfi bfind popc clz brev sad mul24 mad24 addc subc madc szext bmsk fns rem "
        "isspacep istypep getctarank vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 "
        "vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4"
    ),
    K.ARITHMETIC: _words("div rcp sqrt rsqrt sin cos lg2 ex2 tanh testp copysign"),
    K.CONVERSION: _words("cvt"),
    K.ADDRESS: _words("cvta mapa"),
    K.MOVE: _words("mov movmatrix selp slct txq suq"),
    K.SHUFFLE: _words("shfl vote match redux activemask"),
    K.FMA: _words("fma dp4a dp2a"),
    K.ATOMIC: _words("atom red sured"),
    K.BRANCH: _words("bra brx"),
    K.CALL: _words("call"),
    K.RETURN: _words("ret exit trap"),
    K.NOP: _words("pmevent brkpt"),
    K.WAIT: _words("membar fence nanosleep"),
    K.SCALAR: _words("setmaxnreg elect createpolicy tensormap clusterlaunchcontrol stacksave stackrestore alloca"),
    K.LOAD: _words("ld ldu ldmatrix tex tld4 suld"),
    K.STORE: _words("st stmatrix sust"),
    K.COPY: _words("prefetch prefetchu discard applypriority"),
    K.BARRIER: _words("bar barrier mbarrier"),
    K.MATRIX: _words("mma"),
}
_KINDS = {root: kind for kind, roots in _FIXED.items() for root in roots}
_TYPED = _words("add sub mul mad min max abs neg set setp")
"""Operations on numbers of either kind; the type decides."""
_MULADD = _words("add sub mul")
_PHRASES: tuple[tuple[str, InstructionKind], ...] = (
    ("bar.warp", K.WAIT),
    ("barrier.warp", K.WAIT),
    ("mbarrier.try_wait", K.WAIT),
    ("mbarrier.test_wait", K.WAIT),
    ("cp.async.bulk.commit_group", K.SCALAR),
    ("cp.async.commit_group", K.SCALAR),
    ("cp.async.bulk.wait_group", K.WAIT),
    ("cp.async.wait_", K.WAIT),
    ("cp.async.mbarrier", K.BARRIER),
    ("cp.", K.COPY),
    ("wgmma.mma_async", K.MATRIX),
    ("wgmma.commit_group", K.SCALAR),
    ("wgmma.", K.WAIT),
    ("wmma.load", K.LOAD),
    ("wmma.store", K.STORE),
    ("wmma.", K.MATRIX),
    ("tcgen05.mma", K.MATRIX),
    ("tcgen05.ld", K.LOAD),
    ("tcgen05.st", K.STORE),
    ("tcgen05.cp", K.COPY),
    ("tcgen05.commit", K.BARRIER),
    ("tcgen05.wait", K.WAIT),
    ("tcgen05.fence", K.WAIT),
    ("tcgen05.", K.SCALAR),
    ("griddepcontrol.wait", K.WAIT),
    ("griddepcontrol.", K.SCALAR),
    ("multimem.ld", K.LOAD),
    ("multimem.st", K.STORE),
    ("multimem.", K.ATOMIC),
)
"""Beginnings that say more than the first word, the longer before the shorter."""


def classify(mnemonic: str, operands: str = "", guard: str = "") -> Traits:
    """Return what an instruction does; `guard` is its predicate without ``@``, empty when it always executes.

    >>> classify("ld.global.v4.b32").memory_bits
    128
    """
    told = _told(mnemonic, operands) if operands and mnemonic.startswith(_OPEN) else 0
    return _classify(mnemonic, told, guarded=bool(guard))


@lru_cache(maxsize=1 << 12)
def named(mnemonic: str) -> tuple[str, Traits, Traits] | None:
    """Return an instruction's name, what it does, and what it does with a predicate; None: it is no name, or the operands tell more."""
    if mnemonic.startswith(_OPEN) or not _MNEMONIC.fullmatch(mnemonic):
        return None
    return sys.intern(mnemonic), classify(mnemonic), classify(mnemonic, guard="p")


def _told(mnemonic: str, operands: str) -> int:
    """Return what operands tell beyond the name: the bytes that a copy moves, or the registers of a fragment; 0: nothing."""
    if mnemonic.startswith("wmma"):
        return max(1, operands.partition("}")[0].count(",") + 1)
    size = operands.split(",")[2].strip() if operands.count(",") > 1 else ""
    return int(size) if size.isdigit() else 0


@lru_cache(maxsize=1 << 14)
def _classify(mnemonic: str, told: int, *, guarded: bool) -> Traits:
    words = tuple(word for word in re.split(r"\.|::", mnemonic) if word)
    kind = _kind(mnemonic, words)
    space = _space(words, kind)
    bits = _bits(words, kind, told)
    reads = kind in (K.LOAD, K.SCALAR_LOAD, K.ATOMIC, K.COPY)
    writes = kind in (K.STORE, K.ATOMIC) or (kind is K.COPY and words[0] == "cp" and "prefetch" not in words)
    if kind is K.MATRIX and words[0] == "wgmma":
        reads, space = True, S.LOCAL
    ends = words[0] in ("ret", "exit", "trap", "brx") or (words[0] == "bra" and not guarded)
    traits = Traits(
        kind=kind,
        bits=bits if kind not in (K.COPY, K.SCALAR, K.BARRIER, K.WAIT, K.BRANCH, K.CALL, K.RETURN, K.NOP) else 0,
        reads_memory=reads,
        writes_memory=writes,
        memory_bits=bits if (reads or writes) and kind is not K.MATRIX else 0,
        space=space if reads or writes else None,
        falls_through=not ends or guarded,
    )
    if space is S.SCRATCH and kind in (K.LOAD, K.STORE):
        return replace(traits, kind=K.STACK, stack=True)
    return traits


def _kind(mnemonic: str, words: tuple[str, ...]) -> InstructionKind:
    phrase = next((kind for start, kind in _PHRASES if mnemonic.startswith(start)), None)
    if phrase is not None:
        return phrase
    root = words[0]
    if root in _TYPED:
        if not any(_FLOATS.fullmatch(word) for word in words):
            return K.INTEGER
        return K.MULADD if root in _MULADD else K.FMA if root == "mad" else K.ARITHMETIC
    if root in ("div", "rem") and not any(_FLOATS.fullmatch(word) for word in words):
        return K.INTEGER
    if root in ("ld", "ldu") and "param" in words:
        return K.SCALAR_LOAD
    if root == "st" and "param" in words:
        return K.MOVE
    if root == "ld" and "const" in words:
        return K.SCALAR_LOAD
    return _KINDS.get(root, K.OTHER)


def _space(words: tuple[str, ...], kind: InstructionKind) -> MemorySpace | None:
    """Return the memory; generic addresses count as global, a copy as what it leaves or enters."""
    if kind is K.COPY or "global" in words:
        return S.GLOBAL
    if "shared" in words or words[0] in ("ldmatrix", "stmatrix"):
        return S.LOCAL
    if "local" in words:
        return S.SCRATCH
    if kind is K.SCALAR_LOAD:
        return S.CONSTANT
    return None if words[0] == "tcgen05" else S.GLOBAL


def _bits(words: tuple[str, ...], kind: InstructionKind, told: int) -> int:
    """Return the width per lane: of the data moved, of the accumulators, or of the registers worked on."""
    if kind is K.MATRIX:
        return _accumulator_bits(words)
    if kind is K.COPY:
        return 8 * told if words[:2] == ("cp", "async") else 0
    if words[0] in ("ldmatrix", "stmatrix", "tcgen05"):
        return 32 * next((int(word[1:]) for word in words if re.fullmatch(r"x\d+", word)), 1)
    if words[0] == "wmma":
        return 32 * max(1, told)
    vector = next((int(word[1:]) for word in words if re.fullmatch(r"v[248]", word)), 1)
    types = [_type_bits(word) for word in words[1:] if _TYPE.fullmatch(word)]
    wide = 2 if "wide" in words else 1
    return vector * wide * (types[0] if types else 32)


def _type_bits(word: str) -> int:
    match = _TYPE.fullmatch(word)
    assert match is not None
    if word.startswith("tf"):
        return 32
    if word.startswith("e"):
        return 8 * int((match[2] or "x1")[1:])
    return int(match[1]) * int((match[2] or "x1")[1:])


def _accumulator_bits(words: tuple[str, ...]) -> int:
    shape = next((m for m in map(_SHAPE.fullmatch, words) if m), None)
    if shape is None:
        return TENSOR_BITS
    types = [_type_bits(word) for word in words if _TYPE.fullmatch(word)]
    lanes = 128 if words[0] == "wgmma" else WAVE_SIZE
    return int(shape[1]) * int(shape[2]) * (types[0] if types else 32) // lanes
