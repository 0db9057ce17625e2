"""What each instruction of AMD GPUs does.

Naming rules are those of LLVM's assembler for gfx908, 90a, 942, 950, gfx10, gfx11, gfx12 and gfx1250 ("User Guide for
AMDGPU Backend" and the instruction set documents it links): the prefix names the unit (``s_`` scalar, ``v_`` vector,
``ds_`` local data share, ``global_``, ``buffer_``, ``flat_``, ``scratch_`` memory), suffixes the types. Rules, not lists
of instructions: an instruction that a later compiler adds falls to the kind of its prefix.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from hotloop.isa.amdgcn.registers import ENCODING
from hotloop.isa.instruction import InstructionKind, MemorySpace, Traits

K = InstructionKind
UNDECODED = ".long"
"""Text that llvm-objdump writes for a word that it cannot decode: an instruction newer than the tool, or data."""
_UNITS = frozenset(
    {"s", "v", "ds", "buffer", "tbuffer", "global", "flat", "scratch", "image", "lds", "tensor", "cluster"}
)
_EXPORTS = frozenset({"exp", "export"})


def known(mnemonic: str) -> bool:
    """Tell whether a word can be an instruction of this family, by its prefix."""
    unit, underscore, _ = mnemonic.partition("_")
    return (unit in _UNITS and bool(underscore)) or mnemonic in _EXPORTS


@lru_cache(maxsize=1 << 14)
def classify(mnemonic: str, operands: str = "") -> Traits:
    """Return what an instruction does; `operands` matter for ``lds`` loads, ``v_dual_`` pairs and returns.

    Equal arguments give the same object; leave out operands that do not matter (`operands_matter`) to share more.

    >>> classify("v_mfma_f32_32x32x8_f16").macs
    8192
    >>> classify("buffer_load_dwordx4", "v1, s[0:3], 0 offen lds").kind
    <InstructionKind.COPY: 'copy'>
    """
    if mnemonic == UNDECODED:
        return Traits(kind=K.OTHER)
    body = ENCODING.sub("", mnemonic)
    if body.startswith("v_"):
        return _dual(body, operands) if body.startswith("v_dual_") else _vector(body, mnemonic, operands)
    if body.startswith("s_"):
        return _scalar(body, operands)
    return _memory(body, operands)


def operands_matter(mnemonic: str, operands: str) -> bool:
    """Tell whether operands change what `classify` returns."""
    alone = ("s_set", "v_alignbit_b32", "v_bfi_b32")
    return mnemonic.startswith(alone) or "::" in operands or operands.endswith("lds") or " lds " in operands


@lru_cache(maxsize=1 << 10)
def spilled(traits: Traits) -> Traits:
    """Return the traits of a buffer access that the compiler's remark calls a spill: it goes to scratch memory."""
    return replace(traits, kind=K.STACK, space=MemorySpace.SCRATCH, stack=True)


# -- scalar unit ------------------------------------------------------------------------------------------------------

_SEQUENCER = (
    r"s_(nop|delay_alu|clause|setprio\w*|sleep\w*|sethalt|setkill|setvskip|sendmsg\w*|trap|ttracedata\w*|incperflevel"
    r"|decperflevel|setreg\w*|getreg\w*|round_mode|denorm_mode|set_vgpr_\w+|set_gpr_idx_\w+|version|wakeup\w*"
    r"|monitor_sleep|alloc_vgpr|memtime|memrealtime|singleuse_vdst|set_inst_prefetch_distance|get_shader_cycles_u64"
    r"|set_valu_coexec_mode|barrier_\w+)"
)
_SCALAR: tuple[tuple[InstructionKind, str], ...] = (
    (K.CONTROL, r"s_wait_alu|s_waitcnt_depctr"),  # hazards between the units' own registers, no memory
    (K.WAIT, r"s_wait\w*"),
    (K.BARRIER, r"s_barrier|s_barrier_wait"),  # the other half of a split barrier, s_barrier_signal, only announces
    (K.RETURN, r"s_endpgm\w*|s_rfe\w*"),
    (K.CALL, r"s_swappc_b64|s_swap_pc_i64|s_call_(b64|i64)"),
    (K.BRANCH, r"s_branch|s_cbranch_\w+|s_setpc_b64|s_set_pc_i64|s_add_pc_i64|s_subvector_loop_\w+"),
    (K.NOP, r"s_code_end"),
    (K.CACHE, r"s_(dcache|icache|gl1)_\w+|s_(buffer_)?prefetch_\w+|s_inst_prefetch|s_atc_probe\w*"),
    (K.ATOMIC, r"s_(buffer_)?atomic_\w+"),
    (K.SCALAR_LOAD, r"s_(buffer_|scratch_)?load_\w+"),
    (K.STORE, r"s_(buffer_|scratch_)?store_\w+"),
    (K.CONTROL, _SEQUENCER),
)
_SCALAR_RULES = tuple((kind, re.compile(pattern)) for kind, pattern in _SCALAR)
_RETURN_REGISTERS = "s[30:31]"
"""Registers in which LLVM's calling convention keeps the return address."""
_JUMPS = frozenset({"s_branch", "s_setpc_b64", "s_set_pc_i64", "s_add_pc_i64"})


def _scalar(body: str, operands: str) -> Traits:
    """Classify an instruction of the scalar unit or the sequencer."""
    kind = next((kind for kind, rule in _SCALAR_RULES if rule.fullmatch(body)), K.SCALAR)
    if kind in (K.SCALAR_LOAD, K.STORE, K.ATOMIC):
        return Traits(
            kind=kind,
            reads_memory=kind is not K.STORE,
            writes_memory=kind is not K.SCALAR_LOAD,
            memory_bits=_memory_bits(body),
            space=MemorySpace.SCRATCH if "scratch" in body else MemorySpace.CONSTANT,
        )
    if kind is K.BRANCH and body in ("s_setpc_b64", "s_set_pc_i64") and operands.strip() == _RETURN_REGISTERS:
        kind = K.RETURN
    return Traits(kind=kind, falls_through=kind is not K.RETURN and body not in _JUMPS)


# -- vector unit ------------------------------------------------------------------------------------------------------

_FLOAT = r"(f16|f32|f64|bf16)"
_VECTOR: tuple[tuple[InstructionKind, str], ...] = (
    (K.MOVE, r"v_(mfma|wmma)_ld_\w+"),
    (K.MATRIX, r"v_(mfma|smfmac|wmma|swmmac)_\w+"),
    (K.CONTROL, r"v_nop|v_pipeflush|v_clrexcp"),
    (K.OTHER, r"v_illegal"),
    (K.INTEGER, r"v_mad_legacy_[iu]16"),
    (K.FMA, r"v_(pk_)?(fma|fmac|fmaak|fmamk|mac|madak|madmk|mad)_(legacy_|dx9_zero_)?" + _FLOAT),
    (K.FMA, r"v_(fma|mad)_mix\w+|v_dot\w+|v_interp_p[12]\w*"),
    (K.MULADD, r"v_(pk_)?(add|sub|subrev|mul|mul_legacy|mul_dx9_zero)_" + _FLOAT),
    (K.CONVERSION, r"v_(cvt|pack|sat_pk|perm_pk)\w+|v_(perm|bfi|alignbit|alignbyte)_b32|v_ashr_pk_\w+"),
    (K.SHUFFLE, r"v_(readlane|writelane|permlane)\w*"),
    (K.MOVE, r"v_(pk_)?mov_\w+|v_accvgpr_\w+|v_swap\w+|v_cndmask\w+|v_movrel\w+|v_readfirstlane\w*"),
    (K.ARITHMETIC, r"v_(s_)?(exp|log|rcp|rsq|sqrt|sin|cos|tanh)_\w+"),
    (K.ARITHMETIC, r"v_(div|frexp|ldexp|fract|floor|ceil|trunc|rndne|trig|cube\w\w|mullit|interp)_\w+"),
    (K.ARITHMETIC, r"v_cmps?x?_\w+_" + _FLOAT),
    (K.ARITHMETIC, r"v_(pk_)?(min|max|med|minmax|maxmin|minimum|maximum|minimummaximum|maximumminimum)3?_(num_|legacy_)?" + _FLOAT),
    (K.ADDRESS, r"v_(pk_)?(lshl_add|add_lshl|mad_(co_|nc_)?[iu]64|(add|sub|subrev)_co|addc|subb|subbrev|(add|sub)_nc_u64|xad)_?\w*"),
)  # fmt: skip
"""First match wins; what matches nothing is integer or bitwise work."""
_VECTOR_RULES = tuple((kind, re.compile(pattern)) for kind, pattern in _VECTOR)
_BITWISE = re.compile(r"^v_alignbit_b32 v\d+, (v\d+), \1,|^v_bfi_b32 v\d+, v\d+, v\d+, v\d+$")
"""A rotation, and a choice bit by bit by another value of the lane: steps of a hash, no numbers in another form."""
_TYPE_BITS = re.compile(r"_(?:bf|[fiub])(\d+)")
_TRANSCENDENTAL = re.compile(r"v_(s_|dual_)?(exp|log|rcp|rsq|sqrt|sin|cos|tanh)_\w+")


def _vector(body: str, mnemonic: str, operands: str = "") -> Traits:
    """Classify an instruction of the vector unit."""
    kind = next((kind for kind, rule in _VECTOR_RULES if rule.fullmatch(body)), K.INTEGER)
    if kind is K.CONVERSION and _BITWISE.search(f"{body} {operands}"):
        kind = K.INTEGER
    if kind is K.MATRIX:
        return _matrix(body)
    if kind is K.MOVE and "_dpp" in mnemonic and "mov" in body:
        kind = K.SHUFFLE
    bits = 0 if kind in (K.CONTROL, K.OTHER) else _vector_bits(body, kind)
    return Traits(kind=kind, bits=bits, transcendental=_TRANSCENDENTAL.fullmatch(body) is not None)


def _vector_bits(body: str, kind: InstructionKind) -> int:
    """Return the bits of one lane that the instruction works on."""
    if kind in (K.CONVERSION, K.SHUFFLE) or body.startswith(("v_dot", "v_fma_mix", "v_mad_mix")):
        return 32
    match = _TYPE_BITS.search(body)
    bits = int(match[1]) if match else 32
    return bits * 2 if body.startswith("v_pk_") and "mov" not in body else bits


def _dual(body: str, operands: str) -> Traits:
    """Classify a pair that issues together by its half with more to do."""
    first = _vector("v_" + body.removeprefix("v_dual_"), "")
    _, _, rest = operands.partition("::")
    word = rest.split(None, 1)[0] if rest.strip() else "v_dual_nop"
    second = _vector("v_" + ENCODING.sub("", word).removeprefix("v_dual_"), "")
    chosen = min(first, second, key=lambda traits: _PRECEDENCE.get(traits.kind, len(_PRECEDENCE)))
    bits = first.bits + second.bits if first.kind is second.kind else chosen.bits
    other = second if chosen is first else first
    slow = first.transcendental or second.transcendental
    return Traits(kind=chosen.kind, bits=bits, transcendental=slow, paired=other.kind)


_PRECEDENCE = {
    K.FMA: 0,
    K.MULADD: 1,
    K.ARITHMETIC: 2,
    K.CONVERSION: 3,
    K.ADDRESS: 4,
    K.INTEGER: 5,
    K.SHUFFLE: 6,
    K.MOVE: 7,
}
"""Rank of kinds: a dual instruction has the kind of that half whose rank here is lower."""

# -- matrix unit ------------------------------------------------------------------------------------------------------

_MATRIX = re.compile(
    r"v_(?P<name>mfma|smfmac|wmma|swmmac)_(?:ld_)?(?:scale\d*_)?(?P<out>[a-z]+\d+)(?:f32)?_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)"
    r"(?:_(?P<blocks>\d+)b)?(?P<rest>\w*)"
)
_OUT_BITS = {"f64": 64, "f16": 16, "bf16": 16}
_LEGACY_ELEMENTS = {"f32": 1, "f16": 4, "bf16": 2, "bf16_1k": 4, "i8": 4, "f64": 1}
"""Elements of A that one lane holds, by the type in gfx908's and gfx90a's names, which do not tell the blocks."""


def _matrix(body: str) -> Traits:
    """Classify a matrix instruction; loads of scales have no shape."""
    match = _MATRIX.fullmatch(body)
    if match is None:
        return Traits(kind=K.MATRIX, bits=32)
    m, n, k = int(match["m"]), int(match["n"]), int(match["k"])
    blocks = int(match["blocks"]) if match["blocks"] else _legacy_blocks(m, k, match["rest"])
    lanes = 64 if match["name"] in ("mfma", "smfmac") else 32
    out_bits = _OUT_BITS.get(match["out"], 32)
    return Traits(kind=K.MATRIX, bits=m * n * blocks * out_bits // lanes, macs=m * n * k * blocks)


def _legacy_blocks(m: int, k: int, rest: str) -> int:
    """Return the number of independent products in one instruction of an older name such as ``32x32x1f32``."""
    elements = _LEGACY_ELEMENTS.get(rest, 0)
    return max(1, elements * 64 // (m * k)) if m * k else 1


# -- memory -----------------------------------------------------------------------------------------------------------

_BITS = re.compile(
    r"_(?:bf|[buif])(\d+)|_(dword)(?:x(\d+))?|_([us]?byte|[us]?short)|format_(?:d16_)?(?:hi_)?(xyzw|xyz|xy|x)(?!\w)"
)
_TO_LDS = re.compile(r"\blds\b")
_CACHES = re.compile(
    r"(buffer|global|flat)_(gl[012]_inv|inv\w*|wb\w*|wbinv\w*|wbl2\w*|wbinvl1\w*|\w*prefetch\w*)|cluster_prefetch\w*|buffer_gl\w+"
)
_COPIES = re.compile(r"tensor_\w+|\w+_lds_\w+|\w+_(to|from)_lds\w*|(global|buffer|cluster)_(load|store)_async\w+")
_LDS_SHUFFLES = re.compile(r"ds_(bpermute|permute|swizzle)\w*")
_LDS_LOADS = re.compile(r"ds_(read|load|bvh|ordered|param|direct)\w*|lds_(param|direct)_load")
_LDS_STORES = re.compile(r"ds_(write|store)(?!xchg)\w*")
_SPACES = {
    "ds": MemorySpace.LOCAL, "lds": MemorySpace.LOCAL, "scratch": MemorySpace.SCRATCH,
}  # fmt: skip


def _memory(body: str, operands: str) -> Traits:
    """Classify memory instructions of the vector unit and the local data share."""
    space = _SPACES.get(body.partition("_")[0], MemorySpace.GLOBAL)
    kind = _memory_kind(body, operands, space)
    if kind is K.OTHER or kind in (K.CACHE, K.SHUFFLE, K.BARRIER, K.CONTROL):
        return Traits(kind=kind, bits=32 if kind is K.SHUFFLE else 0)
    bits = _memory_bits(body)
    return Traits(
        kind=kind,
        bits=0 if kind is K.COPY else bits,
        reads_memory=(kind is not K.STORE and "store" not in body) or kind is K.COPY,
        writes_memory=kind in (K.STORE, K.ATOMIC, K.COPY) or "store" in body,
        memory_bits=bits,
        space=space,
        stack=kind is K.STACK,
    )


def _memory_kind(body: str, operands: str, space: MemorySpace) -> InstructionKind:
    """Return the kind of a memory instruction."""
    if space is MemorySpace.SCRATCH:
        return K.STACK
    if space is MemorySpace.LOCAL:
        return _local_kind(body)
    if _CACHES.fullmatch(body):
        return K.CACHE
    if _COPIES.fullmatch(body) or ("_load_" in body and _TO_LDS.search(operands)):
        return K.COPY
    if "_atomic_" in body or body.startswith("image_atomic"):
        return K.ATOMIC
    if body.startswith(("exp", "export")) or "_store" in body:
        return K.STORE
    return K.LOAD if known(body) else K.OTHER


def _local_kind(body: str) -> InstructionKind:
    if _LDS_SHUFFLES.fullmatch(body):
        return K.SHUFFLE
    if body.startswith("ds_gws_") or "barrier" in body:
        return K.BARRIER
    if body == "ds_nop":
        return K.CONTROL
    if _LDS_LOADS.fullmatch(body):
        return K.LOAD
    return K.STORE if _LDS_STORES.fullmatch(body) else K.ATOMIC


def _memory_bits(body: str) -> int:
    """Return how many bits of memory one lane (for scalar loads: the wave) touches; 0: not in the name."""
    match = _BITS.search(body)
    if match is None:
        return _unsized_bits(body)
    width, dword, count, small, parts = match.groups()
    if parts:
        return len(parts) * (16 if "d16" in body else 32)
    if dword:
        return 32 * int(count or 1)
    bits = int(width) if width else 8 if small.endswith("byte") else 16
    pairs = re.search(r"(read|write|wrxchg)2|_2addr", body)
    return bits * (2 if pairs or "_pk_" in body else 1)


def _unsized_bits(body: str) -> int:
    """Return the width of atomics named without a type: 32 bits, or 64 with ``_x2``."""
    if "atomic" not in body:
        return 0
    return 64 if "_x2" in body else 32
