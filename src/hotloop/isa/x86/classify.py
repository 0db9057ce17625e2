"""What instructions of x86-64 do, by their names and operands.

Naming rules are those of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: ``v`` marks the
VEX/EVEX form, a final ``ps``/``pd``/``ph`` packed and ``ss``/``sd``/``sh`` one-element floating-point, a leading ``p``
packed integer, ``{1toN}`` (objdump: ``BCST``) an operand that is broadcast from memory.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from hotloop.isa.instruction import InstructionKind, Traits

K = InstructionKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_REGISTER_BITS = {"x": 128, "y": 256, "z": 512, "t": 8192}  # AMX tiles hold 16 rows of 64 bytes
_NUMBERS = re.compile(r"(?<=mm)\d+|\b0x[0-9a-f]+|(?<=[-+])\d+|(?<=[-+] )\d+")
"""Register numbers, displacements and immediates: what tells instructions apart that do the same."""
_REGISTER = re.compile(r"\b([txyz])mm")
_MEMORY = re.compile(r"\[([^\]]*)\]|\b[cdefgs]s:")
_WIDTH = re.compile(r"\b(byte|word|dword|qword|xword|tbyte|xmmword|ymmword|zmmword|oword) (?:ptr|bcst)")
_WIDTH_BITS = {
    "byte": 8, "word": 16, "dword": 32, "qword": 64, "xword": 80, "tbyte": 80,
    "xmmword": 128, "oword": 128, "ymmword": 256, "zmmword": 512,
}  # fmt: skip
_EMBEDDED = re.compile(r"\{1to\d+\}|\bbcst\b")
_WORDS = re.compile(r"[a-z0-9]+")
_NO_DIGITS = str.maketrans("", "", "0123456789")
_STACK = frozenset({"rsp"})
_ELEMENT_BITS = {"ss": 32, "sd": 64, "sh": 16}

_PATTERNS: tuple[tuple[InstructionKind, str], ...] = (
    (K.MATRIX, r"tdp\w+|tcmm\w+"),
    (K.FMA, r"fn?m(add|sub|addsub|subadd)(132|213|231)?[psb][sdhf]\w*|dpbf16ps|pdp[bw]\w+|pmadd52\w+"),
    (K.MULADD, r"(add|sub|mul|addsub)(ps|pd|ss|sd|ph|sh)|(add|sub|mul)\w*bf16"),
    (K.GATHER, r"p?gather\w+"),
    (K.SCATTER, r"p?scatter\w+"),
    (K.BROADCAST, r"p?broadcast\w+|movddup"),
    (K.CONVERSION, r"cvt\w+|pmov[sz]x\w+|pmov(u?s)?(wb|db|qb|dw|qw|qd)"),
    (K.INTEGER, r"(and|andn|or|xor)p[sd]"),
    (K.MOVE, r"mov[au]p[sd]|movs[sdh]|movdq[au]\d*|lddqu|mov[dqw]|movnt\w+|tile(load|store)\w+|p?maskmov\w+|mov[hl]p[sd]|p?(expand|compress)\w+"),
    (K.SHUFFLE, r"(movhl|movlh)ps|movs[hl]dup|(insert|extract|perm|shuf|unpck|blend|align)\w+"),
    (K.SHUFFLE, r"p(insr|extr|erm|shuf|unpck|blend|align|ack|slldq|srldq|movmsk|movm2|mov\w2m)\w*|pmovmskb|movmskp[sd]"),
    (K.ARITHMETIC, r"(div|sqrt|rsqrt|rcp|max|min|cmp|u?comi|round|rndscale|hadd|hsub|dp|scalef|getexp|getmant|reduce|range|fixupimm|fpclass)\w*(ps|pd|ss|sd|ph|sh)"),
    (K.INTEGER, r"p\w+|gf2p8\w+|aes\w+|sha\d+\w+"),
)  # fmt: skip
_MASKS = re.compile(r"k(mov|and|or|xor|xnor|not|add|shift|test|unpck)\w*")
_ELEMENT = re.compile(r"(s[sdh])(2u?si)?$")
_VECTOR = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)

_INTEGERS = _words(
    "add sub inc dec neg not and or xor imul mul div idiv shl shr sar sal rol ror rcl rcr shld shrd cmp test adc sbb bt btc "
    "btr bts bsf bsr lzcnt tzcnt popcnt andn blsr blsi blsmsk bextr bzhi mulx rorx sarx shlx shrx pdep pext cdq cdqe cqo cwde "
    "cwd cbw movsx movsxd movzx bswap adcx adox xadd cmpxchg cmpxchg16b sahf lahf crc32"
)
_MOVES = _words("mov movabs movbe movnti xchg")
_NOPS = _words("nop endbr64 endbr32 int3")
_STACKED = _words("push pop pushf pushfq popf popfq enter leave")
_FIXED = {"lea": K.ADDRESS, "call": K.CALL, "ret": K.RETURN, "pause": K.WAIT}
_FENCES = _words("lfence mfence sfence")
_TRAPS = _words("ud0 ud1 ud2 hlt")
_READ_ONLY = _words("cmp test bt push call jmp mul imul div idiv")
_MOVED_ONLY = _words("mov movabs movbe movnti pop")


def classify(mnemonic: str, operands: str, frame: frozenset[str] = _STACK) -> Traits:
    """Return what an instruction does; lower-case Intel syntax without prefixes, `frame` holds the stack's registers.

    >>> classify("vfmadd231ps", "ymm0, ymm1, ymmword ptr [rax + 32]").reads_memory
    True
    """
    if "[" not in operands and "mm" not in operands and ":" not in operands:
        return _classify(mnemonic, "")
    if "<" in operands:  # the symbol beside an address is a name, whatever its letters look like
        operands = operands.partition("<")[0]
    shape = _shape(operands, frame)
    return _classify(mnemonic, shape) if shape is not None else _classify(mnemonic, _NUMBERS.sub("", operands), frame)


def _shape(operands: str, frame: frozenset[str]) -> str | None:
    """Return operands without what tells instructions apart that do the same: numbers, and which registers make an address.

    None: there are segments, vectors of addresses or several addresses, which take a closer look.

    >>> _shape("ymm1,ymmword ptr [rbx+rax*4+0x20]", frozenset({"rsp"})), _shape("dword ptr [rsp+8],0x5", frozenset({"rsp"}))
    ('ymm,ymmword ptr [rax]', 'dword ptr [rsp]')
    """
    before, _, behind = operands.partition("[")
    address, closed, after = behind.partition("]")
    if ":" in operands or "[" in behind or "mm" in address:
        return None
    vectors = "mm" in operands
    if closed:
        stack = not frame.isdisjoint(_WORDS.findall(address)) if len(frame) > 1 else "rsp" in address
        where = "[rsp]" if stack else "[rax]"
        if not vectors:
            return f"{',' if ',' in before else ''}{before.rpartition(',')[2]}{where}"
        operands = f"{before}{where}{after}"
    elif not vectors:
        return ""
    return operands if "{" in operands else operands.translate(_NO_DIGITS)


@lru_cache(maxsize=1 << 14)
def _classify(mnemonic: str, shape: str, frame: frozenset[str] = _STACK) -> Traits:
    goes = mnemonic == "call" or mnemonic.startswith("j")  # to a symbol, which may be called as a register is
    registers = [] if goes else [_REGISTER_BITS[letter] for letter in _REGISTER.findall(shape)]
    memory = None if mnemonic == "lea" or mnemonic in _NOPS else _MEMORY.search(shape)
    traits = _vector(mnemonic, shape, max(registers), memory) if registers else _general(mnemonic, shape, memory)
    if memory is None or not (traits.reads_memory or traits.writes_memory):
        return traits
    width = _WIDTH.search(shape)
    memory_bits = _WIDTH_BITS[width[1]] if width else 0
    stack = not frame.isdisjoint(_WORDS.findall(memory[1] or ""))
    plain = traits.kind in (K.LOAD, K.SCALAR_LOAD, K.STORE)
    return replace(
        traits,
        kind=K.STACK if stack and plain else traits.kind,
        stack=stack or traits.stack,
        memory_bits=memory_bits,
        bits=memory_bits if traits.insert and memory_bits else traits.bits,
    )


def _vector(mnemonic: str, operands: str, bits: int, memory: re.Match[str] | None) -> Traits:
    """Classify an instruction with a vector register."""
    body = mnemonic.removeprefix("v")
    kind = next((kind for kind, pattern in _VECTOR if pattern.fullmatch(body)), K.OTHER)
    writes = memory is not None and memory.start() < operands.find(",")
    reads = memory is not None and not writes
    element = _element_bits(body, kind)
    embedded = reads and _EMBEDDED.search(operands) is not None
    traits = Traits(
        kind=kind,
        bits=element or bits,
        scalar=element > 0,
        reads_memory=reads,
        writes_memory=writes,
        broadcast=embedded,
    )
    return _moved(traits, body) if memory is not None else _unloaded(traits)


def _element_bits(body: str, kind: InstructionKind) -> int:
    """Return the element size of a one-element instruction, 0 for packed ones."""
    if kind in (K.BROADCAST, K.GATHER, K.SCATTER, K.SHUFFLE, K.MATRIX):
        return 0
    if body in ("movd", "movq", "movw"):
        return {"d": 32, "q": 64, "w": 16}[body[-1]]
    match = None if body.startswith("p") else _ELEMENT.search(body)
    return _ELEMENT_BITS[match[1]] if match else 0


def _moved(traits: Traits, body: str) -> Traits:
    """Refine moves, inserts and broadcasts that touch memory."""
    if traits.kind is K.BROADCAST:
        return replace(traits, broadcast=True)
    if traits.kind is K.SHUFFLE and traits.writes_memory:
        return replace(traits, kind=K.STORE)
    if re.fullmatch(r"insertps|pinsr[bwdq]|mov[hl]p[sd]", body) and traits.reads_memory:
        return replace(traits, kind=K.SCALAR_LOAD, scalar=True, insert=True)
    if re.fullmatch(r"insert[fi]\d+\w*", body):
        return replace(traits, kind=K.LOAD)
    if traits.kind is K.MOVE:
        load = K.SCALAR_LOAD if traits.scalar else K.LOAD
        return replace(traits, kind=K.STORE if traits.writes_memory else load)
    return traits


def _unloaded(traits: Traits) -> Traits:
    """A broadcast from a register is a shuffle."""
    return replace(traits, kind=K.SHUFFLE) if traits.kind is K.BROADCAST else traits


def _general(mnemonic: str, operands: str, memory: re.Match[str] | None) -> Traits:
    """Classify an instruction without vector registers."""
    kind = _general_kind(mnemonic)
    if kind is K.STACK:
        pops = mnemonic.startswith("pop") or mnemonic == "leave"
        return Traits(kind=kind, reads_memory=pops or memory is not None, writes_memory=not pops, stack=True)
    ends = mnemonic == "jmp" or kind is K.RETURN or mnemonic in _TRAPS
    if memory is None or kind in (K.NOP, K.ADDRESS, K.OTHER):
        return Traits(kind=kind, falls_through=not ends)
    first = "," not in operands or memory.start() < operands.find(",")
    writes = first and mnemonic not in _READ_ONLY
    reads = not writes or mnemonic not in _MOVED_ONLY
    if kind is K.MOVE:
        kind = K.LOAD if reads else K.STORE
    return Traits(kind=kind, reads_memory=reads, writes_memory=writes, falls_through=not ends)


def _general_kind(mnemonic: str) -> InstructionKind:
    """Return the kind of a mnemonic of the integer, control or system instructions."""
    if mnemonic in _INTEGERS or mnemonic.startswith("set") or _MASKS.fullmatch(mnemonic):
        return K.INTEGER
    if mnemonic in _MOVES or mnemonic.startswith("cmov"):
        return K.MOVE
    if mnemonic.startswith(("j", "loop")):
        return K.BRANCH
    if mnemonic in _STACKED:
        return K.STACK
    if mnemonic in _NOPS:
        return K.NOP
    return _FIXED.get(mnemonic, K.BARRIER if mnemonic in _FENCES else K.OTHER)
