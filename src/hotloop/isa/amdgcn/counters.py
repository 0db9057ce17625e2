"""The wait counters of each generation: which instructions raise them, which instructions wait for them.

Sources, in our own words: the instruction set documents of Vega, CDNA1-4 and RDNA1-4 (chapters on data dependency
resolution and the encoding of S_WAITCNT), "User Guide for AMDGPU Backend" of LLVM, and the behaviour of LLVM's pass
SIInsertWaitcnts, which is the only public account of gfx1250.

A counter goes up when an operation issues and down when it is done. Operations of one `Stream` finish in the order of
issue, so a wait for N is enough for those with N younger ones in their stream. Streams marked unordered finish in any
order: only a wait for 0 tells anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache

from hotloop.isa.amdgcn.registers import access, lds_copy, returns
from hotloop.isa.instruction import Instruction
from hotloop.targets.target import Target


class Counter(StrEnum):
    """A hardware counter, by the name of its field or of its wait instruction without ``s_wait_``."""

    VM = "vmcnt"
    LGKM = "lgkmcnt"
    EXP = "expcnt"
    VS = "vscnt"
    LOAD = "loadcnt"
    SAMPLE = "samplecnt"
    BVH = "bvhcnt"
    DS = "dscnt"
    KM = "kmcnt"
    STORE = "storecnt"
    X = "xcnt"
    ASYNC = "asynccnt"
    TENSOR = "tensorcnt"


class Stream(Enum):
    """Operations that finish in the order of their issue, or in none."""

    VECTOR = "vector memory"
    """Loads through the vector caches; on gfx9 stores too."""
    STORES = "stores"
    SAMPLES = "image samples"
    BVH = "ray tracing"
    LDS = "local data share"
    SCALAR = "scalar loads"
    MESSAGE = "messages"
    FLAT = "flat memory"
    """gfx9: a flat access may end in either memory, in any order with what is issued beside it."""
    FLAT_LDS = "flat memory, local half"
    EXPORT = "exports"
    PARAMETER = "parameter and direct loads"
    TRANSLATE = "address translation of vector memory"
    TRANSLATE_SCALAR = "address translation of scalar loads"
    ASYNC = "asynchronous copies"
    TENSOR = "tensor copies"

    __hash__ = object.__hash__  # an enumeration's own asks for the name each time, which executed waits do all the time


UNORDERED = frozenset(
    {Stream.SCALAR, Stream.MESSAGE, Stream.FLAT, Stream.FLAT_LDS, Stream.TRANSLATE_SCALAR, Stream.EXPORT}
)
SOURCES = frozenset({Stream.EXPORT, Stream.TRANSLATE, Stream.TRANSLATE_SCALAR})
"""Streams that guard the registers an operation reads: overwriting one needs the wait, reading it does not."""


@dataclass(frozen=True, slots=True)
class Generation:
    """What differs between the families of processors."""

    name: str
    stores_apart: bool
    """Stores have a counter of their own (gfx10 and later); before, loads and stores share one."""
    flat_ordered: bool
    split: bool
    """One wait instruction for each counter (gfx12 and later)."""
    translates: bool = False
    """Sources must stay until the address is translated, because a fault replays the instruction (gfx1250)."""
    vm_bits: tuple[int, int] = (0, 4)
    """Position and width of vmcnt in the immediate of S_WAITCNT; gfx9 and gfx10 have two more bits at 14."""
    exp_bits: tuple[int, int] = (4, 3)
    lgkm_bits: tuple[int, int] = (8, 4)
    vm_high: bool = True
    halves: bool = False
    """A half-word load leaves the register's other half alone, also while it is in flight."""

    def parted(self, code: Iterable[Instruction]) -> bool:
        """Tell whether code uses halves of registers apart (`parts`): on gfx11 and later, where it loads half-words."""
        return self.halves and any("d16" in instruction.mnemonic for instruction in code)

    def counters(self) -> dict[Stream, Counter]:
        """Return the counter of each stream."""
        return _SPLIT if self.split else _APART if self.stores_apart else _TOGETHER


GFX9 = Generation("gfx9", stores_apart=False, flat_ordered=False, split=False)
GFX10 = Generation("gfx10", stores_apart=True, flat_ordered=True, split=False, lgkm_bits=(8, 6))
GFX11 = Generation(
    "gfx11", stores_apart=True, flat_ordered=True, split=False,
    vm_bits=(10, 6), exp_bits=(0, 3), lgkm_bits=(4, 6), vm_high=False, halves=True,
)  # fmt: skip
GFX12 = Generation("gfx12", stores_apart=True, flat_ordered=True, split=True, halves=True)
GFX1250 = Generation("gfx1250", stores_apart=True, flat_ordered=True, split=True, translates=True, halves=True)
_GENERATIONS = {family.name: family for family in (GFX9, GFX10, GFX11, GFX12, GFX1250)}

_C, _S = Counter, Stream
_TOGETHER = {
    _S.VECTOR: _C.VM, _S.STORES: _C.VM, _S.SAMPLES: _C.VM, _S.BVH: _C.VM, _S.FLAT: _C.VM,
    _S.LDS: _C.LGKM, _S.SCALAR: _C.LGKM, _S.MESSAGE: _C.LGKM, _S.FLAT_LDS: _C.LGKM,
    _S.EXPORT: _C.EXP, _S.PARAMETER: _C.EXP,
}  # fmt: skip
_APART = {**_TOGETHER, _S.STORES: _C.VS}
_SPLIT = {
    _S.VECTOR: _C.LOAD, _S.STORES: _C.STORE, _S.SAMPLES: _C.SAMPLE, _S.BVH: _C.BVH, _S.LDS: _C.DS,
    _S.SCALAR: _C.KM, _S.MESSAGE: _C.KM, _S.EXPORT: _C.EXP, _S.PARAMETER: _C.EXP,
    _S.TRANSLATE: _C.X, _S.TRANSLATE_SCALAR: _C.X, _S.ASYNC: _C.ASYNC, _S.TENSOR: _C.TENSOR,
}  # fmt: skip


def generation(target: str) -> Generation | None:
    """Return the generation of a processor such as ``gfx942``; None for one that has no counters modelled here.

    >>> generation("gfx1100").name
    'gfx11'
    """
    named = Target.of(target)
    return _GENERATIONS.get(named.generation) if named.version else None


@dataclass(frozen=True, slots=True)
class Issue:
    """One step of one counter by one instruction."""

    stream: Stream
    holds: tuple[int, ...]
    """Registers that must not be touched before it is done: results, or sources in the streams of `SOURCES`."""


# -- what an instruction waits for ------------------------------------------------------------------------------------

_FIELD = re.compile(r"\b(vmcnt|lgkmcnt|expcnt|vscnt)(?:_sat)?\((\d+)\)")
_SEPARATE = re.compile(r"s_waitcnt_(vmcnt|lgkmcnt|expcnt|vscnt)")
_SPLIT_WAITS = {f"s_wait_{c.value}": (c,) for c in Counter}
_PAIRED = {"s_wait_loadcnt_dscnt": (Counter.LOAD, Counter.DS), "s_wait_storecnt_dscnt": (Counter.STORE, Counter.DS)}
_MERGED_MASK, _MERGED_SHIFT = 0x3F, 8


@lru_cache(maxsize=1 << 12)
def waits(mnemonic: str, operands: str, family: Generation) -> tuple[tuple[Counter, int], ...]:
    """Return the counters that a wait instruction names, with the largest count it lets pass; empty: no such wait.

    >>> waits("s_waitcnt", "0x0f70", GFX9)
    ((<Counter.VM: 'vmcnt'>, 0),)
    """
    if mnemonic == "s_waitcnt":
        named = tuple((Counter(field), int(count)) for field, count in _FIELD.findall(operands))
        return named if named or not (number := _number(operands)) else _decode(number[0], family)
    if mnemonic == "s_wait_idle":
        return tuple((counter, 0) for counter in dict.fromkeys(family.counters().values()))
    separate = _SEPARATE.fullmatch(mnemonic)
    last = _number(operands.rpartition(",")[2])
    if not last:
        return ()
    if separate:
        return ((Counter(separate[1]), last[0]),) if operands.strip().startswith("null") else ()
    if mnemonic in _PAIRED:
        first, second = _PAIRED[mnemonic]
        return ((first, last[0] >> _MERGED_SHIFT & _MERGED_MASK), (second, last[0] & _MERGED_MASK))
    return tuple((counter, last[0]) for counter in _SPLIT_WAITS.get(mnemonic, ()))


def _number(text: str) -> tuple[int, ...]:
    """Return the number in a field, or nothing."""
    text = text.strip()
    return (int(text, 0),) if re.fullmatch(r"0x[0-9a-fA-F]+|\d+", text) else ()


def _decode(immediate: int, family: Generation) -> tuple[tuple[Counter, int], ...]:
    """Take a numeric immediate of S_WAITCNT apart; fields at their maximum do not wait."""
    counters = []
    fields = ((Counter.VM, family.vm_bits), (Counter.EXP, family.exp_bits), (Counter.LGKM, family.lgkm_bits))
    for counter, (shift, width) in fields:
        count, largest = immediate >> shift & (1 << width) - 1, (1 << width) - 1
        if counter is Counter.VM and family.vm_high:
            count, largest = count | (immediate >> 14 & 3) << 4, 63
        if count < largest:
            counters.append((counter, count))
    return tuple(counters)


# -- what an instruction raises ---------------------------------------------------------------------------------------

_CACHE = re.compile(r"(buffer|global|flat)_(wbinvl1\w*|invl2|inv|gl\d_inv)|\w*prefetch\w*")
_SCALAR_READ = re.compile(
    r"s_(buffer_|scratch_)?load_\w+|s_mem(real)?time|s_atc_probe\w*|s_(buffer_)?atomic_\w+|s_(buffer_|scratch_)?store_\w+"
)
_MESSAGE = re.compile(r"s_sendmsg(halt)?|s_sendmsg_rtn_\w+|s_get_barrier_state\w*")
_VECTOR_MEMORY = ("global_", "buffer_", "tbuffer_", "scratch_", "flat_", "image_", "cluster_load")
_SAMPLES = re.compile(r"image_(sample|gather4|msaa)\w*")
_RAYS = re.compile(r"image_bvh\w*")


@lru_cache(maxsize=1 << 16)
def issues(mnemonic: str, operands: str, family: Generation) -> tuple[Issue, ...]:
    """Return which counters an instruction raises and which registers that guards.

    >>> [i.stream.value for i in issues("ds_read_b32", "v1, v2", GFX9)]
    ['local data share']
    """
    if mnemonic.startswith("s_"):
        return _scalar(mnemonic, operands, family)
    if mnemonic.startswith("v_"):
        return ()
    if mnemonic.startswith(("ds_", "lds_")):
        return _local(mnemonic, operands)
    if mnemonic.startswith("exp"):
        return (Issue(Stream.EXPORT, access(mnemonic, operands).reads),)
    if mnemonic.startswith("tensor_"):
        return (Issue(Stream.TENSOR, ()),)
    return _vector(mnemonic, operands, family) if mnemonic.startswith(_VECTOR_MEMORY) else ()


def _scalar(mnemonic: str, operands: str, family: Generation) -> tuple[Issue, ...]:
    if _SCALAR_READ.fullmatch(mnemonic):
        used = access(mnemonic, operands)
        main = Issue(Stream.SCALAR, used.writes)
        return (main, Issue(Stream.TRANSLATE_SCALAR, used.reads)) if family.translates else (main,)
    if _MESSAGE.fullmatch(mnemonic):
        return (Issue(Stream.MESSAGE, access(mnemonic, operands).writes),)
    return ()


def _local(mnemonic: str, operands: str) -> tuple[Issue, ...]:
    if "nop" in mnemonic:
        return ()
    parameter = "param_load" in mnemonic or "direct_load" in mnemonic
    return (Issue(Stream.PARAMETER if parameter else Stream.LDS, access(mnemonic, operands).writes),)


def _vector(mnemonic: str, operands: str, family: Generation) -> tuple[Issue, ...]:
    if _CACHE.fullmatch(mnemonic):
        return (Issue(Stream.VECTOR, ()),) if family.split and mnemonic == "global_inv" else ()
    used = access(mnemonic, operands)
    own: tuple[Issue, ...]
    if "async" in mnemonic:
        own = (Issue(Stream.ASYNC, ()),)
    elif mnemonic.startswith("flat_"):
        own = _flat(mnemonic, operands, family, used.writes)
    else:
        own = (Issue(_stream(mnemonic, operands, family), used.writes),)
    if family.translates and "_wb" not in mnemonic:
        return (*own, Issue(Stream.TRANSLATE, tuple(r for r in used.reads if r not in _MODES)))
    return own


_MODES = frozenset(access("s_mov_b64", "exec, m0").reads + access("s_mov_b64", "exec, m0").writes)
"""EXEC and M0 are saved with the instruction, they may change while it is in flight."""


def _stream(mnemonic: str, operands: str, family: Generation) -> Stream:
    if not family.stores_apart:
        return Stream.VECTOR
    if lds_copy(mnemonic, operands):
        return Stream.VECTOR
    if "_store" in mnemonic or "_wb" in mnemonic or ("atomic" in mnemonic and not returns(mnemonic, operands)):
        return Stream.STORES
    if family.split and _SAMPLES.match(mnemonic):
        return Stream.SAMPLES
    return Stream.BVH if family.split and _RAYS.match(mnemonic) else Stream.VECTOR


def _flat(mnemonic: str, operands: str, family: Generation, writes: tuple[int, ...]) -> tuple[Issue, ...]:
    """Return both counters of an access whose memory is known only when it runs."""
    if not family.flat_ordered:
        return (Issue(Stream.FLAT, writes), Issue(Stream.FLAT_LDS, writes))
    return (Issue(_stream(mnemonic, operands, family), writes), Issue(Stream.LDS, writes))


def kind_of_load(mnemonic: str) -> str:
    """Return the unit that gives the data back: results of different units may overtake each other in the registers."""
    return "sample" if _SAMPLES.match(mnemonic) else "ray" if _RAYS.match(mnemonic) else "memory"


# -- what it does to the local data share -----------------------------------------------------------------------------

_LDS_READS = re.compile(r"ds_(read|load)\w*")
_LDS_KEEPS = re.compile(r"ds_(read|load|\w*permute|swizzle|nop|gws|bvh|param|direct|ordered)\w*|lds_\w+")


def reads_lds(mnemonic: str) -> bool:
    """Tell whether data in the local data share are read into registers."""
    return _LDS_READS.fullmatch(mnemonic) is not None


def writes_lds(mnemonic: str) -> bool:
    """Tell whether an instruction of the wave itself changes the local data share (copies from memory not counted)."""
    return mnemonic.startswith("ds_") and _LDS_KEEPS.fullmatch(mnemonic) is None
