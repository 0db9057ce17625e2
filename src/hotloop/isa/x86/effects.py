"""Which registers an x86 instruction reads and writes, by name and operands in Intel's syntax.

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. Parts of a register count as the whole; the flags are one
register. Registers of the stack (``rsp``) are left out, as push and pop change them at no cost. Where a write to a part would keep the
rest (``mov al``), nothing is read: a chain that this leaves out is one that processors with renamed parts do not have.

>>> effects("vfmadd231ps", "ymm0,ymm1,ymmword ptr [rax+32]").reads
('v0', 'v1')
>>> effects("add", "eax,1").writes, effects("pxor", "xmm1,xmm1").reads
(('rax', 'flags'), ())
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

FLAGS = "flags"
_VECTOR = re.compile(r"[xyz]mm(\d+)")
_NUMBERED = re.compile(r"r(\d+)[bwd]?")
_MASK = re.compile(r"k[0-7]")
_NAMED = re.compile(r"[re]?([abcd])[xlh]|[re]?([sd]i|bp)l?")
_WORD = re.compile(r"[a-z][a-z0-9]*")
_SIZES = re.compile(r"\b(?:[xyz]mmword|[dqx]?word|oword|tbyte|byte|ptr|bcst)\b")
_SPLIT = re.compile(r",(?![^\[]*\])")
_BRACES = re.compile(r"\{[^}]*\}")

_NO_WRITE = re.compile(
    r"j\w+|nop|endbr\w+|prefetch\w*|push|v?zero(?:upper|all)|ret|cmp|test|bt|v?u?comis[sdh]|v?ptest|vtestp[sd]|k(?:or)?test\w"
)
_SETS_FLAGS = re.compile(
    r"add|sub|inc|dec|neg|and|or|xor|cmp|test|adc|sbb|bt[crs]?|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|i?mul|v?u?comis[sdh]|v?ptest|vtestp[sd]|k(?:or)?test\w"
    r"|bsf|bsr|[lt]zcnt|popcnt|andn|bls\w+|bextr|bzhi"
)
_NEEDS_FLAGS = re.compile(r"adc|sbb|rc[lr]|cmov\w+|set\w+|j(?!mp)\w+")
_FRESH = re.compile(
    r"mov|movabs|movbe|movz?x|movsxd?|lea|set\w+|pop|popcnt|[lt]zcnt|bsf|bsr|bls\w+|movap[sd]|movup[sd]|movdq[au]|lddqu|mov[dq]|pmov\w+|pshuf(?:d|[lh]w)|mov(?:sh|sl|d)dup|movmskp[sd]"
    r"|cvt(?!si2|ss2sd|sd2ss)\w+|(?:sqrt|rcp|rsqrt)p[sd]|roundp[sd]|pabs[bwd]|pextr[bwdq]|extractps|movnt\w+"
)
"""Instructions of two operands that only write the first one."""
_KEEPS = re.compile(
    r"vfn?m[a-z]+\d{3}\w+|vpdp\w+|vpmadd52\w+|vperm[it]2\w+|vpternlog[dq]|vp?gather\w+|vdpbf16ps|vfixupimm\w+"
)
"""Instructions of the VEX form that read what they write; products and sums with four operands (AMD's FMA4) have no number in their names."""
_CHOOSES = re.compile(r"vp?blendm\w+|vp?cmp\w+|vptestn?m\w+|vfpclass\w+")
"""Instructions whose mask chooses between two operands, or clears bits: nothing of the old result stays."""
_ZEROES = re.compile(r"v?p?xor(?:p[sd]|[dq])?|sub|v?psub[bwdq]|v?pcmpeq[bwdq]|v?pcmpgt[bwdq]")
"""Same registers on both sides: nothing is read."""
_WIDE = re.compile(r"i?mul|i?div")
_EXTENDS = {"cdqe": ("rax", "rax"), "cwde": ("rax", "rax"), "cdq": ("rax", "rdx"), "cqo": ("rax", "rdx")}


class Effects(NamedTuple):
    """What an instruction needs and changes."""

    reads: tuple[str, ...]
    """Registers whose values make the result."""
    address: tuple[str, ...]
    """Registers that make the address of what is loaded or stored."""
    writes: tuple[str, ...]
    loads: str
    """Address that it reads, as it is written; empty: none."""
    stores: str


@lru_cache(maxsize=1 << 13)
def effects(mnemonic: str, operands: str) -> Effects:
    """Return what an instruction reads and writes; lower-case Intel syntax without prefixes."""
    if mnemonic in _EXTENDS:
        source, result = _EXTENDS[mnemonic]
        return Effects((source,), (), (result,), "", "")
    if mnemonic.startswith("j"):
        return Effects((FLAGS,) if mnemonic != "jmp" else (), (), (), "", "")
    cells = [cell.strip() for cell in _SPLIT.split(operands)] if operands else []
    writes = (
        bool(cells) and _NO_WRITE.fullmatch(mnemonic) is None and not (len(cells) == 1 and _WIDE.fullmatch(mnemonic))
    )
    reads, written = _explicit(mnemonic, cells, writes)
    more, beside = _implicit(mnemonic, cells)
    memory = next((number for number, cell in enumerate(cells) if "[" in cell), None)
    lea = mnemonic == "lea" or memory is None
    stores = writes and memory == 0
    address = "" if lea or memory is None else _SIZES.sub("", _BRACES.sub("", cells[memory])).strip()
    kept = not stores or not _fresh(mnemonic, cells)
    where = dict.fromkeys(r for cell in cells if address for r in (_inside(cell) if "[" in cell else ()) if r != "rsp")
    everything = dict.fromkeys(r for r in (*reads, *more) if r != "rsp")
    changed = dict.fromkeys(r for r in (*written, *beside) if r != "rsp")
    return Effects(tuple(everything), tuple(where), tuple(changed), address if kept else "", address if stores else "")


def _explicit(mnemonic: str, cells: list[str], writes: bool) -> tuple[list[str], list[str]]:  # noqa: FBT001 - a flag of the caller's
    first = _BRACES.sub("", cells[0]).strip() if cells else ""
    result = register(first) if writes else ""
    masks = [r for cell in cells for brace in _BRACES.findall(cell) if (r := register(brace[1:-1]))]
    if len(cells) > 1 and _ZEROES.fullmatch(mnemonic) and len({*cells[-2:]}) == 1 and "[" not in cells[-1]:
        return masks, [result] if result else []
    merged = bool(masks) and "{z}" not in cells[0] and _CHOOSES.fullmatch(mnemonic) is None
    own = [result] if result and (merged or not _fresh(mnemonic, cells)) else []
    if mnemonic == "sbb" and len(cells) == 2 and cells[0] == cells[1]:
        return [], [result]
    others = cells[1:] if result else cells
    reads = [r for cell in others if "[" not in cell or mnemonic == "lea" for r in _inside(_BRACES.sub("", cell))]
    return [*own, *reads, *masks], [result] if result else []


def _fresh(mnemonic: str, cells: list[str]) -> bool:
    """Tell whether the first operand is only written."""
    if mnemonic.startswith("v"):
        return _KEEPS.fullmatch(mnemonic) is None
    if mnemonic in ("movss", "movsd"):
        return "[" in "".join(cells)
    if mnemonic in ("imul", "rorx", "andn", "bextr", "bzhi", "shlx", "shrx", "sarx", "pdep", "pext"):
        return len(cells) == 3
    return mnemonic.startswith("k") or _FRESH.fullmatch(mnemonic) is not None


def _implicit(mnemonic: str, cells: list[str]) -> tuple[list[str], list[str]]:
    """Return registers that the name alone tells."""
    reads = [FLAGS] if _NEEDS_FLAGS.fullmatch(mnemonic) else []
    writes = [FLAGS] if _SETS_FLAGS.fullmatch(mnemonic) else []
    if _WIDE.fullmatch(mnemonic) and len(cells) == 1:
        reads += ["rax", "rdx"] if mnemonic.endswith("div") else ["rax"]
        reads += [] if "[" in cells[0] else _inside(cells[0])
        writes += ["rax", "rdx"]
    if mnemonic == "mulx" and len(cells) == 3:
        reads.append("rdx")
        writes.append(register(cells[1]))
    return reads, writes


def _inside(cell: str) -> list[str]:
    """Return the registers of an operand: itself, or those of its address."""
    return [r for word in _WORD.findall(_SIZES.sub("", cell.partition("<")[0])) if (r := register(word))]


@lru_cache(maxsize=1 << 10)
def register(word: str) -> str:
    """Return the whole register that a name is of; empty for other words."""
    if found := _VECTOR.fullmatch(word):
        return f"v{found[1]}"
    if found := _NUMBERED.fullmatch(word):
        return f"r{found[1]}"
    if _MASK.fullmatch(word):
        return word
    if word in ("rsp", "esp"):
        return "rsp"
    found = _NAMED.fullmatch(word)
    if found is None:
        return ""
    return f"r{found[1]}x" if found[1] else f"r{found[2]}"
