"""PTX, NVIDIA's virtual instruction set, as nvcc, clang and Triton write it.

Names and types are those of NVIDIA's "PTX ISA" document. PTX has no addresses: instructions get 4 times their number within the function.
A predicate stands before the operands, as in ``@%p1 $L__BB0_2``. Registers are virtual, so nothing here tells how many
the machine needs. `BARRIER` and `WAIT` are told apart as in `hotloop.isa.nvidia.classify`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace, Traits
from hotloop.isa.nvidia.classify import TENSOR_BITS
from hotloop.isa.resources import KernelResources

K = InstructionKind
S = MemorySpace
WAVE_SIZE = 32
_STEP = 4
"""Distance that the schema assumes between instructions that have no addresses."""

_HEAD = re.compile(r"\.(?P<kind>entry|func)\s*(?:\.noreturn\s*)?(?:\([^()]*\)\s*)?(?P<name>[\w$%]+)")
_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STATEMENT = re.compile(
    r"(?P<open>\{)(?!\s*[%\w-]+\s*[,}])|(?P<close>\})|(?P<label>[$\w%]+)\s*:(?!:)"
    r"|(?P<directive>\.(?:loc|file|line)\b[^\n]*)|(?P<text>[^\s;{}][^;]*);"
)
_INSTRUCTION = re.compile(
    r"(?:@(?P<guard>!?%?[\w$]+)\s+)?(?P<mnemonic>[a-z][\w]*(?:(?:\.|::)[\w]+)*)\s*(?P<operands>.*)", re.DOTALL
)
_THREADS = re.compile(r"\.(?:maxntid|reqntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
_ARRAY = re.compile(
    r"\.(?P<space>shared|local)\s+(?:\.align\s+\d+\s+)?\.(?:v\d\s+\.)?(?P<type>[bsuf]\d+)\s+[\w$]+"
    r"(?P<sizes>(?:\[\d*\])*)"
)
_LINE = 200
"""Characters before a declaration among which its ``.extern`` stands."""
_TYPE = re.compile(r"(?:[busf]|bf|tf|e\dm)(\d+)(x\d)?.*")
_SHAPE = re.compile(r"m(\d+)n(\d+)k\d+")


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


class Ptx:
    """NVIDIA's virtual assembly."""

    name = "ptx"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a PTX module that have a body."""
        return tuple(_functions(listing))

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Return a function of a module given as the bytes of its text. Raises ValueError: it has none of that name."""
        for function in self.parse(code.decode(errors="replace")):
            if function.name == name:
                return function
        raise ValueError(f"the PTX module ({len(code)} bytes at {address:#x}) has no function {name!r} with a body")


DIALECT = Ptx()


_Draft = tuple[str, str, Traits, int, tuple[int, ...]]
"""Mnemonic, operands, meaning, line, and for branches the braces around it."""


@dataclass(slots=True)
class _Body:
    """One function while it is read; a label is known within the braces around it."""

    drafts: list[_Draft] = field(default_factory=list)
    labels: dict[tuple[int, str], int] = field(default_factory=dict)
    scopes: list[int] = field(default_factory=lambda: [0])
    opened: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A function with a body and where it stands."""

    head: re.Match[str]
    begin: int
    """Position of the opening brace."""
    end: int
    body: _Body


def _functions(listing: str) -> Iterator[Function]:
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), listing)
    match = _TARGET.search(text)
    target = match[1] if match else ""
    bodies, arrays = list(_bodies(text)), _arrays(text)
    shared = _module_shared(arrays, bodies)
    for body in bodies:
        name, numbered = body.head["name"], _numbered(body.body)
        kernel = None
        if body.head["kind"] == "entry":
            own = [array for array in arrays if body.begin < array.place < body.end and not array.extern]
            kernel = _resources(name, target, text[body.head.end() : body.begin], own, shared)
        yield Function(name, numbered, None, target, kernel, addressed=False)


def _bodies(text: str) -> Iterator[_Found]:
    place, line, counted = 0, 1, 0
    while (head := _HEAD.search(text, place)) is not None:
        begin, semicolon = text.find("{", head.end()), text.find(";", head.end())
        place = head.end()
        if begin < 0 or 0 <= semicolon < begin:
            continue  # only declared
        line += text.count("\n", counted, begin)
        counted = begin
        body, place = _body(text, begin, line)
        yield _Found(head, begin, place, body)


def _body(text: str, begin: int, line: int) -> tuple[_Body, int]:
    """Read from an opening brace to the one that closes it; return the position after it."""
    body, depth, seen = _Body(), 0, begin
    for match in _STATEMENT.finditer(text, begin):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if match["open"]:
            depth += 1
            body.opened += 1
            body.scopes.append(body.opened)
        elif match["close"]:
            depth -= 1
            if depth <= 0:
                return body, match.end()
            body.scopes.pop()
        elif match["label"]:
            body.labels[body.scopes[-1], match["label"]] = len(body.drafts)
        elif match["text"] and not match["text"].startswith("."):
            _add(body, match["text"], line)
    return body, len(text)


def _add(body: _Body, text: str, line: int) -> None:
    match = _INSTRUCTION.fullmatch(text.strip())
    if match is None:
        return
    guard, name, rest = match.groups()
    mnemonic, operands = sys.intern(name), " ".join(rest.split())
    traits = classify(mnemonic, operands, guard or "")
    shown = f"@{guard} {operands}".strip() if guard else operands
    scopes = tuple(body.scopes) if traits.kind is K.BRANCH else ()
    body.drafts.append((mnemonic, shown, traits, line, scopes))


def _numbered(body: _Body) -> tuple[Instruction, ...]:
    """Give instructions their number as address, and branches the number of their label."""
    code = []
    for number, (mnemonic, operands, traits, line, scopes) in enumerate(body.drafts):
        target = _aim(body, operands, scopes) if scopes else None
        code.append(tuple.__new__(Instruction, (_STEP * number, mnemonic, operands, traits, target, line)))
    return tuple(code)


def _aim(body: _Body, operands: str, scopes: Sequence[int]) -> int | None:
    """Return where a branch goes: to the label of the innermost braces that have it."""
    name = operands.rpartition(" ")[2]
    labels = (body.labels.get((scope, name)) for scope in reversed(scopes))
    place = next((place for place in labels if place is not None and place < len(body.drafts)), None)
    return None if place is None else _STEP * place


class _Array(NamedTuple):
    """An array of shared or local memory and where it is declared."""

    place: int
    space: str
    size_bytes: int
    extern: bool
    """True when the launch tells its size."""


def _arrays(text: str) -> list[_Array]:
    """Return the declared arrays; ``.extern`` is looked for behind, as a pattern that may begin with it takes ten times as long."""
    return [
        _Array(row.start(), row["space"], _array_bytes(row), text.endswith(".extern", 0, row.start() - _gap(text, row)))
        for row in _ARRAY.finditer(text)
    ]


def _gap(text: str, row: re.Match[str]) -> int:
    """Return the white space before a declaration."""
    before = text[max(0, row.start() - _LINE) : row.start()]
    return len(before) - len(before.rstrip())


def _module_shared(arrays: Sequence[_Array], found: Sequence[_Found]) -> tuple[int, bool]:
    """Return the static shared bytes declared outside functions, and whether the launch adds some."""
    rows = [row for row in arrays if row.space == "shared"]
    outside = [row for row in rows if not any(body.begin < row.place < body.end for body in found)]
    return sum(row.size_bytes for row in outside if not row.extern), any(row.extern for row in rows)


def _array_bytes(row: re.Match[str]) -> int:
    count = 1
    for size in re.findall(r"\[(\d*)\]", row["sizes"]):
        count *= int(size or 0)
    return count * int(row["type"][1:]) // 8


def _resources(name: str, target: str, head: str, own: Sequence[_Array], shared: tuple[int, bool]) -> KernelResources:
    """Return what directives say; module-wide shared arrays count for every kernel."""
    threads = _THREADS.search(head)
    static = sum(row.size_bytes for row in own if row.space == "shared")
    return KernelResources(
        name=name,
        target=target,
        scratch_bytes=sum(row.size_bytes for row in own if row.space == "local"),
        lds_bytes=shared[0] + static,
        dynamic_lds=shared[1],
        workgroup_max=_product(threads) if threads else None,
        wave_size=WAVE_SIZE,
    )


def _product(match: re.Match[str]) -> int:
    product = 1
    for number in match.groups():
        product *= int(number or 1)
    return product


@lru_cache(maxsize=1 << 14)
def classify(mnemonic: str, operands: str = "", guard: str = "") -> Traits:
    """Return what an instruction does; `guard` is its predicate without ``@``, empty when it always executes.

    >>> classify("ld.global.v4.b32").memory_bits
    128
    """
    words = tuple(word for word in re.split(r"\.|::", mnemonic) if word)
    kind = _kind(mnemonic, words)
    space = _space(words, kind)
    bits = _bits(words, kind, operands)
    reads = kind in (K.LOAD, K.SCALAR_LOAD, K.ATOMIC, K.COPY)
    writes = kind in (K.STORE, K.ATOMIC) or (kind is K.COPY and words[0] == "cp" and "prefetch" not in words)
    if kind is K.MATRIX and words[0] == "wgmma":
        reads, space = True, S.LOCAL
    ends = words[0] in ("ret", "exit", "trap", "brx") or (words[0] == "bra" and not guard)
    traits = Traits(
        kind=kind,
        bits=bits if kind not in (K.COPY, K.SCALAR, K.BARRIER, K.WAIT, K.BRANCH, K.CALL, K.RETURN, K.NOP) else 0,
        reads_memory=reads,
        writes_memory=writes,
        memory_bits=bits if (reads or writes) and kind is not K.MATRIX else 0,
        space=space if reads or writes else None,
        falls_through=not ends or bool(guard),
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


def _bits(words: tuple[str, ...], kind: InstructionKind, operands: str) -> int:
    """Return the width per lane: of the data moved, of the accumulators, or of the registers worked on."""
    if kind is K.MATRIX:
        return _accumulator_bits(words)
    if kind is K.COPY:
        size = operands.split(",")[2].strip() if words[:2] == ("cp", "async") and operands.count(",") > 1 else ""
        return 8 * int(size) if size.isdigit() else 0
    if words[0] in ("ldmatrix", "stmatrix", "tcgen05"):
        return 32 * next((int(word[1:]) for word in words if re.fullmatch(r"x\d+", word)), 1)
    if words[0] == "wmma":
        return 32 * max(1, operands.partition("}")[0].count(",") + 1)
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
