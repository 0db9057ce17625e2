"""Processor names of AMD GPUs, as compilers and code objects write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"(gfx[0-9a-f]{3,4}|gfx\d+-\d*-?generic)((?::[a-z]+[+-])*)")
_MACH = {
    0x2C: "gfx900", 0x2F: "gfx906", 0x30: "gfx908", 0x32: "gfx90c", 0x3F: "gfx90a", 0x4C: "gfx942", 0x4F: "gfx950",
    0x33: "gfx1010", 0x34: "gfx1011", 0x35: "gfx1012", 0x36: "gfx1030", 0x37: "gfx1031", 0x38: "gfx1032", 0x39: "gfx1033",
    0x3E: "gfx1034", 0x3D: "gfx1035", 0x45: "gfx1036", 0x41: "gfx1100", 0x46: "gfx1101", 0x47: "gfx1102", 0x44: "gfx1103",
    0x43: "gfx1150", 0x4A: "gfx1151", 0x55: "gfx1152", 0x58: "gfx1153", 0x48: "gfx1200", 0x4E: "gfx1201", 0x49: "gfx1250",
}  # fmt: skip
"""EF_AMDGPU_MACH values of an ELF header's flags, from LLVM's "User Guide for AMDGPU Backend", table of e_flags."""
_UNIFIED = frozenset({"gfx90a", "gfx942", "gfx950"})
_CDNA = _UNIFIED | {"gfx908"}


@dataclass(frozen=True, slots=True)
class Target:
    """One processor with the features that a code object was built for."""

    processor: str
    """For example ``gfx942``."""
    features: tuple[str, ...] = ()
    """For example ``sramecc+``, ``xnack-``."""

    @property
    def generation(self) -> int:
        """Major version of the instruction set: 9, 10, 11 or 12; gfx1250 is 12 too."""
        version, dash, _ = self.processor.removeprefix("gfx").partition("-")
        return int(version if dash else version[:-2])

    @property
    def cdna(self) -> bool:
        """True for gfx908 and its successors with MFMA instructions."""
        return self.processor in _CDNA

    @property
    def unified(self) -> bool:
        """True where vector and accumulation registers share one file (gfx90a and later CDNA)."""
        return self.processor in _UNIFIED

    @property
    def wave_size(self) -> int:
        """Work-items of a wave unless the compiler was asked for the other size."""
        return 64 if self.generation < 10 else 32


def parse(text: str) -> Target | None:
    """Return the target named at the end of a triple or target identifier; None when none is named.

    >>> parse("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-")
    Target(processor='gfx90a', features=('sramecc+', 'xnack-'))
    """
    found = _NAME.findall(text)
    if not found:
        return None
    processor, features = found[-1]
    return Target(processor, tuple(part for part in features.split(":") if part))


def from_flags(flags: int) -> Target | None:
    """Return the target that an ELF header's flags name; None for one that is not in the table."""
    name = _MACH.get(flags & 0xFF)
    return None if name is None else Target(name)
