"""AT&T syntax, the default of objdump and of compilers, in Intel's: operands turned round, sizes said beside memory.

Source: *Using as* (GNU Binutils), x86 dependent features, AT&T syntax versus Intel syntax: sources come first, registers have
``%``, constants ``$``, memory is ``displacement(base,index,scale)``, and a letter behind the mnemonic tells its size.

>>> intel("vfmadd231ss", "(%rsi,%rax,4),%xmm1,%xmm0")
('vfmadd231ss', 'xmm0,xmm1,dword ptr [rsi+rax*4]')
>>> intel("addq", "$32,%rax"), intel("movslq", "%edx,%rdx"), intel("jne", "10 <dot+0x10>")
(('add', 'rax,32'), ('movsxd', 'rdx,edx'), ('jne', '10 <dot+0x10>'))
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_REGISTER = re.compile(
    r"%(?:[re]?[abcds][xlhpi]l?|[re](?:[sbi]p|[sd]i)|[sbd][pi]l?|r\d{1,2}[bwd]?|[xyz]mm\d+|k[0-7]|[cdefgs]s|st)\b"
)
_MEMORY = re.compile(
    r"(?:%(?P<segment>[cdefgs]s):)?(?P<offset>[^()%]*)"
    r"(?:\((?:%(?P<base>\w+))?(?:,\s*%(?P<index>\w+)(?:,\s*(?P<scale>[1248]))?)?\))?(?P<embedded>\{1to\d+\})?(?P<mask>(?:\{%?\w+\})*)"
)
_VECTOR = re.compile("%[xyz]?mm")
_SUFFIXES: Final = {"b": "byte", "w": "word", "l": "dword", "q": "qword"}
_SIZED: Final = frozenset(
    [
        "mov",
        "add",
        "sub",
        "inc",
        "dec",
        "neg",
        "not",
        "and",
        "or",
        "xor",
        "imul",
        "mul",
        "div",
        "idiv",
        "shl",
        "shr",
        "sar",
        "sal",
        "rol",
        "ror",
        "rcl",
        "rcr",
        "shld",
        "shrd",
        "cmp",
        "test",
        "adc",
        "sbb",
        "bt",
        "btc",
        "btr",
        "bts",
        "bsf",
        "bsr",
        "lzcnt",
        "tzcnt",
        "popcnt",
        "andn",
        "bextr",
        "bzhi",
        "bswap",
        "xadd",
        "cmpxchg",
        "lea",
        "call",
        "ret",
        "jmp",
        "push",
        "pop",
        "xchg",
        "nop",
        "movabs",
        "movbe",
        "leave",
    ]
)
"""Mnemonics that have a letter for their size behind them."""
_RENAMED: Final = {
    "cltq": "cdqe",
    "cqto": "cqo",
    "cltd": "cdq",
    "cwtl": "cwde",
    "cwtd": "cwd",
    "movslq": "movsxd",
    "movabsq": "movabs",
}
_EXTENDED = re.compile(r"mov(?P<kind>[sz])(?P<source>[bwl])(?P<result>[wlq])")
_CONDITIONAL = re.compile(r"(cmov(?:n?[abglzsopce]e?|n?[lgab]e?))[lqw]")
_WIDEST: Final = (("zmm", "zmmword"), ("ymm", "ymmword"), ("xmm", "xmmword"))
_HALVES: Final = ((re.compile("128|32x4|64x2"), "xmmword"), (re.compile("256|32x8|64x4"), "ymmword"))
_ELEMENTS: Final = (
    ("ss", "dword"),
    ("sd", "qword"),
    ("sh", "word"),
    ("ps", "dword"),
    ("pd", "qword"),
    ("d", "dword"),
    ("q", "qword"),
)
_ONE: Final = ("ss", "sd", "sh")


def written_so(text: str) -> bool:
    """Tell whether a listing is in AT&T syntax."""
    return _REGISTER.search(text) is not None


def intel(mnemonic: str, operands: str) -> tuple[str, str]:
    """Return mnemonic and operands in Intel's syntax; small letters, without prefixes.

    Pieces of operands repeat themselves (registers, addresses) and are remembered; a form that compilers hardly write is taken apart
    by patterns.
    """
    vector = has_vector(operands)
    name, size, jumps = named(mnemonic, vector=vector)
    if jumps and operands[:1] != "*":
        return name, operands
    operands = operands.removeprefix("*")
    turned = None if ":" in operands else _turned(mnemonic, operands, size)
    return name, _taken_apart(mnemonic, operands, size) if turned is None else turned


def has_vector(operands: str) -> bool:
    """Tell whether a vector register is among operands; a symbol may be called so (``summary``)."""
    return "mm" in operands and _VECTOR.search(operands) is not None


@lru_cache(maxsize=1 << 12)
def named(mnemonic: str, *, vector: bool) -> tuple[str, str, bool]:
    """Return a mnemonic as Intel has it, the word for its size, and whether it goes elsewhere; `vector`: it has such a register."""
    name, size = (mnemonic, "") if vector and not mnemonic.startswith(("cvt", "vcvt")) else _sized(mnemonic)
    return name, size, name == "call" or name.startswith("j")


def _turned(mnemonic: str, operands: str, size: str) -> str | None:
    """Return operands in Intel's order, of which at most one is in memory; None: they look otherwise."""
    before, opened, behind = operands.partition("(")
    if not opened:
        return _reversed(operands)
    lead, _, offset = before.rpartition(",")
    sides = around(mnemonic, lead, behind, size)
    if sides is None or "%" in offset or "$" in offset:
        return None
    left, right = sides
    offset = offset.strip()
    plus = "" if not offset or left[-1] == "[" else "+"
    return f"{left}{plus}{offset}{right}".replace("+-", "-")


@lru_cache(maxsize=1 << 13)
def around(mnemonic: str, lead: str, behind: str, size: str) -> tuple[str, str] | None:
    """Return what stands before and behind the number in an address, in Intel's order; None: the operands look otherwise.

    Args:
        mnemonic: in AT&T's syntax.
        lead: the operands before the one in memory.
        behind: what follows its opening parenthesis.
        size: the word for the letter behind the mnemonic.
    """
    inside, closed, after = behind.partition(")")
    rest, address = after.lstrip(), _address(inside)
    if not closed or address is None or "(" in rest or rest[:1] not in {"", ","}:
        return None
    sources, results = _reversed(lead) if lead else "", _reversed(rest[1:]) if rest else ""
    if sources is None or results is None:
        return None
    width = _width(mnemonic, f"{lead}({behind}", size, f"{lead}{rest}")
    left = f"{width} ptr [{address}" if width else f"[{address}"
    return f"{results},{left}" if rest else left, f"],{sources}" if lead else "]"


def _reversed(operands: str) -> str | None:
    """Return registers and constants in the opposite order; None: others are among them."""
    one, comma, others = operands.partition(",")
    if not comma:
        return plain(one)
    cells = [*filter(None, map(plain, operands.split(",") if "," in others else (one, others)))]
    return ",".join(cells[::-1]) if len(cells) == operands.count(",") + 1 else None


@lru_cache(maxsize=1 << 12)
def plain(cell: str) -> str | None:
    """Return a register or a constant as Intel writes it; None: it is neither."""
    cell = cell.strip()
    if cell[:1] == "$":
        return cell[1:]
    return cell.replace("%", "") if cell[:1] == "%" and "(" not in cell and ")" not in cell else None


@lru_cache(maxsize=1 << 12)
def _address(inside: str) -> str | None:
    """Return what stands in the parentheses of an address as Intel writes it; None: it is none."""
    memory = _MEMORY.fullmatch(f"({inside})")
    if memory is None or memory["embedded"] or memory["mask"]:
        return None
    index = f"{memory['index']}*{memory['scale'] or 1}" if memory["index"] else None
    return "+".join(filter(None, (memory["base"], index)))


def _taken_apart(mnemonic: str, operands: str, size: str) -> str:
    """Return operands in Intel's order, whatever they look like."""
    cells = _split(operands)
    width = _width(mnemonic, operands, size, re.sub(r"\([^)]*\)", "", operands))
    return ",".join(_operand(cell, width, mnemonic) for cell in reversed(cells))


def _width(mnemonic: str, operands: str, size: str, beside: str) -> str:
    """Return the word for what an instruction reads of memory, or writes to it; `beside` is what stands beside its address."""
    if has_vector(operands):
        return _vector_width(mnemonic, next((word for register, word in _WIDEST if register in operands), ""))
    return size or _register_width(beside) or _alone(named(mnemonic, vector=False)[0])


def _alone(mnemonic: str) -> str:
    """Return the size of what an instruction reads or writes in memory that has neither a letter nor a register to tell it."""
    return "byte" if mnemonic.startswith("set") else "qword" if mnemonic == "call" or mnemonic.startswith("j") else ""


def _sized(mnemonic: str) -> tuple[str, str]:
    """Return a mnemonic without the letter of its size, and the word for that."""
    if mnemonic in _RENAMED:
        return _RENAMED[mnemonic], {"movslq": "dword"}.get(mnemonic, "")
    if extended := _EXTENDED.fullmatch(mnemonic):
        return f"mov{extended['kind']}x", _SUFFIXES[extended["source"]]
    if conditional := _CONDITIONAL.fullmatch(mnemonic):
        return conditional[1], _SUFFIXES[mnemonic[-1]]
    bare = mnemonic[:-1]
    return (
        (bare, _SUFFIXES[mnemonic[-1]])
        if mnemonic not in _SIZED and bare in _SIZED and mnemonic[-1] in _SUFFIXES
        else (mnemonic, "")
    )


def _split(operands: str) -> list[str]:
    return [cell.strip() for cell in re.split(r",(?![^(]*\))", operands) if cell.strip()]


def _operand(cell: str, width: str, mnemonic: str) -> str:
    if cell.startswith("$"):
        return cell[1:]
    if cell.startswith("%") and "(" not in cell and ":" not in cell:
        return cell.replace("%", "")
    memory = _MEMORY.fullmatch(cell)
    if memory is None:
        return cell.replace("%", "")
    parts = [
        memory["base"],
        f"{memory['index']}*{memory['scale'] or 1}" if memory["index"] else None,
        memory["offset"].strip() or None,
    ]
    address = "+".join(filter(None, parts)).replace("+-", "-")
    segment = f"{memory['segment']}:" if memory["segment"] else ""
    word = f"{_element(mnemonic)} bcst" if memory["embedded"] else f"{width} ptr" if width else ""
    return f"{word} {segment}[{address}]{memory['embedded'] or ''}{memory['mask'].replace('%', '')}".strip()


@lru_cache(maxsize=1 << 12)
def _vector_width(mnemonic: str, widest: str) -> str:
    """Return the word for what a vector instruction reads of memory, or writes to it; `widest`: the word for its widest register."""
    body = mnemonic.removeprefix("v")
    if re.fullmatch(r"mov[hl]p[sd]|movddup|pinsrq|pextrq", body):
        return "qword"
    if match := re.fullmatch(r"p(?:insr|extr)([bwd])", body):
        return {"b": "byte", "w": "word", "d": "dword"}[match[1]]
    if (
        (body.endswith(_ONE) and not body.startswith("p"))
        or ("broadcast" in body and body.endswith(tuple(name for name, _ in _ELEMENTS)))
        or body in {"movd", "movq"}
    ):
        return _element(body)
    if body.startswith(("extract", "insert", "broadcast")):
        return next((word for pattern, word in _HALVES if pattern.search(body)), _element(body))
    return widest


def _element(mnemonic: str) -> str:
    return next((word for ending, word in _ELEMENTS if mnemonic.endswith(ending)), "dword")


_SIZES: Final = (
    (re.compile(r"%(?:e[a-z]{2}|r\d+d)\b"), "dword"),
    (re.compile(r"%(?:r[a-z]{2}|r\d+)\b"), "qword"),
    (re.compile(r"%(?:[abcd]x|[sd]i|[sb]p|r\d+w)\b"), "word"),
    (re.compile(r"%(?:[abcd][lh]|(?:[sd]i|[sb]p)l|r\d+b)\b"), "byte"),
)


@lru_cache(maxsize=1 << 12)
def _register_width(beside: str) -> str:
    """Return the word for the size of the register beside memory, of an instruction that has no letter for it."""
    return next((word for pattern, word in _SIZES if pattern.search(beside)), "")
