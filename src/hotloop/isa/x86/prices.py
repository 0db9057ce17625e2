"""What one instruction of an x86 processor costs: cycles until its result may be used, and what it takes of the core's units."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from hotloop.isa.instruction import MULTIPLY_ADD, InstructionKind, Traits
from hotloop.targets.target import Target

K = InstructionKind
_TARGET = Target("x86-64")
_BITS_128 = 128
_MOVED = frozenset({K.LOAD, K.SCALAR_LOAD, K.BROADCAST, K.STACK, K.STORE})
_DIVIDES = re.compile(r"v?(?:div|sqrt)[ps][sdh]")
_NAMED = (
    ("latency_float_divide", _DIVIDES),
    ("latency_round", re.compile(r"v?(?:round|rndscale|reduce)[ps][sdh]")),
    ("latency_cipher", re.compile(r"v?(?:aes|pclmul|gf2p8|sha)\w+")),
    ("latency_vector_multiply", re.compile(r"v?p(?:mul|madd|sad|dp)\w+")),
)
_CROSSES = re.compile(
    r"v(?:extract|insert|broadcast|perm(?!il))\w+|vp(?:broadcast|ermq|ermd|ermps|ermw|ermb|erm2)\w*|valign[dq]|vpmov[sz]x\w+"
)
_BITS = re.compile(r"popcnt|[lt]zcnt|bs[fr]|pdep|pext|crc32")
_BETWEEN = re.compile(r"v?(?:mov[dq]|movmskp[sd]|pmovmskb|pextr[bwdq]|pinsr[bwdq]|extractps|kmov[bwdq])")
_FREE = re.compile(r"mov|v?mov(?:ap[sd]|up[sd]|dq[au]\d*)")


class Price(NamedTuple):
    """Cycles of one instruction."""

    latency: float
    """Until a dependent instruction may begin, its own load from memory left out."""
    load: float
    """From an address to the data in the nearest cache; 0: it reads no memory."""
    units: tuple[tuple[str, float], ...]
    """Cycles that each unit of the core is taken."""


def fact(name: str) -> float:
    """Return a figure of the data files. Raises KeyError where it is missing."""
    value = _TARGET.rate(name)
    if value is None:
        raise KeyError(name)
    return value


@lru_cache(maxsize=1 << 12)
def price(mnemonic: str, traits: Traits, *, between: bool) -> Price:
    """Return what an instruction costs; `between`: it has registers of both kinds, of integers and of vectors."""
    load = (fact("latency_vector_load" if traits.vector else "latency_load")) if traits.reads_memory else 0.0
    return Price(_latency(mnemonic, traits, between=between), load, tuple(_units(mnemonic, traits)))


def _latency(mnemonic: str, traits: Traits, *, between: bool) -> float:
    if traits.kind is K.GATHER:
        return fact("latency_gather") - fact("latency_vector_load")
    moved = traits.kind in _MOVED and not traits.insert
    if moved and (traits.reads_memory or traits.writes_memory):
        return 0.0
    if not traits.vector and not between:
        return _plain(mnemonic)
    for name, pattern in _NAMED:
        if pattern.fullmatch(mnemonic):
            return fact(name)
    return fact(_by_kind(mnemonic, traits)) if between or not _FREE.fullmatch(mnemonic) else 0.0


def _by_kind(mnemonic: str, traits: Traits) -> str:
    """Return the name of the latency of a vector instruction that none of the patterns names."""
    if traits.kind in MULTIPLY_ADD or traits.kind is K.ARITHMETIC:
        return "latency_float"
    if _BETWEEN.fullmatch(mnemonic):
        return "latency_register_crossing"
    if traits.kind is K.CONVERSION and "cvt" in mnemonic:
        return "latency_convert"
    if traits.kind is K.SHUFFLE:
        return "latency_lanes_crossing" if _CROSSES.fullmatch(mnemonic) and traits.bits > _BITS_128 else "latency_lanes"
    return "latency_vector_integer"


def _plain(mnemonic: str) -> float:
    if mnemonic in ("mul", "imul", "mulx"):
        return fact("latency_integer_multiply")
    if mnemonic in ("div", "idiv"):
        return fact("latency_integer_divide")
    if _BITS.fullmatch(mnemonic):
        return fact("latency_bits")
    return 0.0 if _FREE.fullmatch(mnemonic) else fact("latency_integer")


def _units(mnemonic: str, traits: Traits) -> list[tuple[str, float]]:
    """Return cycles by unit; a vector of 512 bits counts as two where halves of the units take it together."""
    units = [("instructions", 1 / fact("rate_issue"))]
    twice = 2.0 if traits.bits > 2 * _BITS_128 else 1.0
    if traits.reads_memory:
        units.append(("loads", twice / fact("rate_load")))
    if traits.writes_memory:
        units.append(("stores", twice / fact("rate_store")))
    if _DIVIDES.fullmatch(mnemonic):
        units.append(("divisions", fact("cycles_float_divide") * max(1.0, traits.bits / _BITS_128)))
    elif mnemonic in ("div", "idiv"):
        units.append(("divisions", fact("cycles_integer_divide")))
    elif traits.kind in MULTIPLY_ADD or traits.kind in (K.ARITHMETIC, K.CONVERSION):
        units.append(("arithmetic", twice / fact("rate_float")))
    elif traits.kind is K.SHUFFLE:
        units.append(("lane exchanges", twice / fact("rate_lanes")))
    elif traits.kind is K.INTEGER and traits.vector:
        units.append(("vector integers", twice / fact("rate_vector_integer")))
    elif mnemonic in ("mul", "imul", "mulx") or _BITS.fullmatch(mnemonic):
        units.append(("products", 1 / fact("rate_integer_multiply")))
    elif traits.kind is K.GATHER:
        units.append(("loads", 8.0 / fact("rate_load")))
    return units
