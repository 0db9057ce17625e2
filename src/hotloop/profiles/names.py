"""Kernel names made comparable: tools write one kernel as symbol, as C++ signature, shortened, and with suffixes.

>>> parsed("vecCopy(double*, int) [clone .kd]").base, parsed('"vecCopy.kd"').base, parsed("_Z7vecCopyPdi").base
('vecCopy', 'vecCopy', 'vecCopy')
>>> same("reference_gemm", "_Z14reference_gemmILi4EEvPKhi.kd"), same("reference_gemm", "other")
(True, False)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SUFFIX = re.compile(r"(?:\s*\[clone [^\]]*\]|\s*\(\.kd\)|\.kd)$")
_OPEN, _CLOSE = "(<{[", ")>}]"
_ANONYMOUS = "(anonymous namespace)"
_LENGTH = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class KernelName:
    """One spelling of a kernel's name, taken apart."""

    full: str
    """Name without quotes and the suffixes of code objects and clones."""
    base: str
    """Qualified function name: no return type, template arguments or parameters."""
    signature: bool
    """True when `full` tells instances and overloads apart."""


@lru_cache(maxsize=4096)
def parsed(name: str) -> KernelName:
    """Take a name apart; text that is no C++ name is its own base."""
    full = _bare(name)
    if full.startswith("_Z"):
        base = _mangled(full)
        return KernelName(full, base or full, signature=True)
    base = _demangled(full)
    return KernelName(full, base or full, signature=base not in {"", full})


def _bare(name: str) -> str:
    """Return a name without the quotes and suffixes around it, in whatever order tools put them there."""
    bare = name.strip()
    while True:
        shorter = _SUFFIX.sub("", bare[1:-1].strip() if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare).strip()
        if shorter == bare:
            return bare
        bare = shorter


def same(left: str, right: str) -> bool:
    """Return True when two spellings can mean one kernel.

    Equal after normalisation; or of equal base, when at least one is shortened or they are a symbol and a signature,
    which cannot be compared further without a demangler.
    """
    a, b = parsed(left), parsed(right)
    if a.full == b.full:
        return True
    comparable = a.signature and b.signature and a.full.startswith("_Z") == b.full.startswith("_Z")
    return a.base == b.base and not comparable


def _demangled(text: str) -> str:
    """Return the qualified name within ``ret ns::name<args>(params)``; empty when the text has another form."""
    if "operator" in text:
        return ""
    depth = 0
    kept: list[str] = []
    position = 0
    while position < len(text):
        if text.startswith(_ANONYMOUS, position):
            kept.append(_ANONYMOUS if depth == 0 else "")
            position += len(_ANONYMOUS)
            continue
        char = text[position]
        if char == "(" and depth == 0:
            break
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif depth == 0:
            kept.append(char)
        if depth < 0:
            return ""
        position += 1
    head = "".join(kept).replace(_ANONYMOUS, "\0").split()
    return head[-1].replace("\0", _ANONYMOUS) if head and depth == 0 else ""


def _mangled(symbol: str) -> str:
    """Return the qualified name of an Itanium symbol, without template arguments; empty for forms not understood."""
    position = 2
    nested = symbol.startswith("N", position)
    position += nested
    parts: list[str] = []
    while position < len(symbol):
        char = symbol[position]
        length = _LENGTH.match(symbol, position)
        if length:
            end = length.end() + int(length.group())
            parts.append(
                "(anonymous namespace)" if symbol.startswith("_GLOBAL__N", length.end()) else symbol[length.end() : end]
            )
            position = end
        elif char == "I" and nested:
            position = _skip_arguments(symbol, position)
        elif symbol.startswith("St", position):
            parts.append("std")
            position += 2
        elif char in "LKVr" and (nested or not parts):
            position += 1
        else:
            break
        if not nested and parts and parts[-1] != "std":
            break
    return "::".join(parts) if parts and position <= len(symbol) else ""


def _skip_arguments(symbol: str, position: int) -> int:
    """Return the place after the template argument list that begins here, or the end of the symbol."""
    depth = 0
    while position < len(symbol):
        char = symbol[position]
        length = _LENGTH.match(symbol, position)
        if length:
            position = length.end() + int(length.group())
            continue
        if char == "L" and symbol[position + 1 : position + 2].islower():
            # a literal: its digits are a value, not the length of a name
            position = symbol.find("E", position) + 1 or len(symbol)
            continue
        depth += char in "INXJF"
        depth -= char == "E"
        position += 1
        if depth == 0:
            break
    return position
