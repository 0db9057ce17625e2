"""A processor as somebody names it, and what is known about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from hotloop.errors import UnknownNameError, UsageError
from hotloop.targets import data
from hotloop.targets.machine import AmdMachine, NvidiaMachine, machine
from hotloop.targets.span import Span
from hotloop.targets.words import Words

_AMD = re.compile(r"(?P<name>gfx\d{1,2}[0-9a-f]{2})(?P<features>(?::[a-z]+[+-])*)(?::wave(?P<wave>32|64))?")
_NVIDIA = re.compile(r"(?P<name>sm_\d{2,3})(?P<features>[af]?)")
_SPOKEN = re.compile(r"(?:sm_?)?(?P<number>\d+)(?P<features>[af]*)")
_VERSION = re.compile(r"gfx(?P<major>\d{1,2})(?P<minor>[0-9a-f])(?P<step>[0-9a-f])")
_MAJOR = re.compile(r"gfx(\d{1,2})(?:[0-9a-f]{2})?(?:-[\d-]*generic)?")
_IDENTIFIER = re.compile(r"(gfx[0-9a-f]{3,4}|gfx\d+-\d*-?generic)((?::[a-z]+[+-])*)")


COMPUTE = "gfx9"
"""Target whose formulas are used for AMD counters where nothing names the chip: those that all compute chips share."""
GRAPHICS = "gfx11"
"""The same of counters that only RDNA has."""


@dataclass(frozen=True, slots=True)
class Target:
    """One processor, with what somebody asks of it beyond its name; a fact that is not known is absent."""

    name: str = ""
    """``gfx942``, ``sm_90``, ``x86-64-avx2``; a family such as ``gfx9``; empty: not stated."""
    asked_wave: int | None = None
    """Work-items of a wave where somebody asks for others than the default."""
    features: str = ""
    """Suffix of the name in the compiler's spelling: ``:xnack-``, or ``a`` of ``sm_90a``."""

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read a GPU to compile for: ``gfx942``, ``gfx90a:xnack-``, ``gfx1012:wave64``, ``sm_90`` or ``sm_90a``.

        Raises:
            UsageError: it is none of these.
        """
        match = _AMD.fullmatch(text) or _NVIDIA.fullmatch(text)
        if match is None:
            raise UsageError(f"target {text!r} is not understood; write gfx942, gfx1012:wave64 or sm_90.")
        target = cls(match["name"], None, match["features"])
        wave = match.groupdict().get("wave")
        return target.with_wave(int(wave)) if wave else target

    @classmethod
    def of(cls, text: str) -> Target:
        """Read what a file or a person calls a processor, in any spelling; every text is one, perhaps an unknown one.

        >>> Target.of("GFX942:xnack-").name, Target.of("SM90a").name, Target.of("90").name
        ('gfx942', 'sm_90', 'sm_90')
        """
        return _spoken(text)

    @classmethod
    def named(cls, text: str) -> Target:
        """Read a GPU that the data files name. Raises UnknownNameError when they do not."""
        target = _spoken(text)
        if not target.listed:
            raise UnknownNameError("GPU target", text, data.gpus())
        return target

    @classmethod
    def in_identifier(cls, text: str) -> Target | None:
        """Return the AMD processor at the end of a triple or of a code object's identifier; None when none is named.

        >>> Target.in_identifier("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-")
        Target(name='gfx90a', asked_wave=None, features=':sramecc+:xnack-')
        """
        matches = _IDENTIFIER.findall(text)
        return cls(matches[-1][0], None, matches[-1][1]) if matches else None

    @classmethod
    def of_elf_flags(cls, flags: int) -> Target | None:
        """Return the AMD processor that the flags of an ELF header name; None for one that is not in the table."""
        name = next((name for name, number in data.table("elf")["machines"].items() if number == flags & 0xFF), None)
        return None if name is None else cls(name)

    def with_wave(self, size: int) -> Target:
        """Return the target with waves of a size. Raises UsageError when it has none."""
        if size not in self.wave_sizes:
            sizes = " or ".join(map(str, self.wave_sizes))
            raise UsageError(f"target {self.name}:wave{size}: {self.name} has waves of {sizes} only.")
        return replace(self, asked_wave=None if size == self.wave_sizes[0] else size)

    # -- whose it is, and which one ------------------------------------------------------------------------------------

    @property
    def amd(self) -> bool:
        """True for AMD's GPUs."""
        return self.name.startswith("gfx")

    @property
    def nvidia(self) -> bool:
        """True for NVIDIA's GPUs."""
        return self.name.startswith("sm_")

    @property
    def cpu(self) -> bool:
        """True for processors that are no GPUs."""
        return self.text("kind") == "cpu"

    @property
    def vendor(self) -> str:
        """Return ``amd`` or ``nvidia`` for GPUs; empty where the name does not tell it."""
        return "amd" if self.amd else "nvidia" if self.nvidia else ""

    @property
    def listed(self) -> bool:
        """True for a GPU that the data files name in full."""
        return self.name in data.gpus()

    @property
    def generation(self) -> str:
        """Instruction set: ``gfx9`` to ``gfx12`` or ``gfx1250`` with AMD, ``sm_9`` with NVIDIA; empty when not known."""
        if self.nvidia:
            return f"sm_{self.capability // 10}"
        major = _MAJOR.fullmatch(self.name)
        return self.text("generation") or (f"gfx{major[1]}" if major else "")

    @property
    def version(self) -> tuple[int, int, int] | None:
        """Major, minor and stepping of an AMD processor's instruction set; None for all others."""
        match = _VERSION.fullmatch(self.name)
        return (int(match["major"]), int(match["minor"], 16), int(match["step"], 16)) if match else None

    @property
    def capability(self) -> int:
        """Compute capability of an NVIDIA GPU: 90 for ``sm_90a``. Raises UsageError for all others."""
        digits = self.name.removeprefix("sm_")
        if not self.nvidia or not digits.isdecimal():
            raise UsageError(f"{self.name or 'an unnamed processor'} has no compute capability; give an NVIDIA GPU.")
        return int(digits)

    def at_least(self, capability: int) -> bool:
        """Tell whether this is an NVIDIA GPU of a compute capability or a newer one.

        >>> Target.of("sm_90").at_least(80), Target.of("gfx942").at_least(80)
        (True, False)
        """
        return self.nvidia and self.name.removeprefix("sm_").isdecimal() and self.capability >= capability

    def among(self, *patterns: str) -> bool:
        """Tell whether the name is one of these, or begins as one of these with a star.

        >>> Target.of("gfx942").among("gfx90a", "gfx94*")
        True
        """
        return any(data.fits(self.name, pattern) for pattern in patterns)

    def has(self, feature: str) -> bool:
        """Tell whether the processor has something that features.toml lists. Raises UnknownNameError for other texts."""
        return data.has(self.name, feature)

    # -- as compilers spell it -----------------------------------------------------------------------------------------

    @property
    def processor(self) -> str:
        """Name and features as compilers spell them."""
        return self.name + self.features

    @property
    def wide(self) -> bool:
        """True for waves of 64 on a processor whose default is 32."""
        return self.asked_wave == 64

    def __str__(self) -> str:
        return self.processor + (f":wave{self.asked_wave}" if self.asked_wave else "")

    # -- what is known about it ----------------------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[data.Fact, ...]:
        """Sizes of register files, memories and waves, with units and sources."""
        return data.facts(self.name, "group")

    def fact(self, name: str) -> data.Fact | None:
        """Return any fact, None when it is not known."""
        rows = (*data.facts(self.name, "group"), *data.facts(self.name, "trait"))
        return next((row for row in rows if row.name == name), None)

    def number(self, name: str) -> int | None:
        """Return a fact that is a whole number, None when it is not known."""
        row = self.fact(name)
        return int(row.value) if row and isinstance(row.value, int | float) else None

    def rate(self, name: str) -> float | None:
        """Return a fact that is a number, None when it is not known."""
        row = self.fact(name)
        return float(row.value) if row and isinstance(row.value, int | float) else None

    def span(self, name: str) -> Span | None:
        """Return a fact that is a range, or one number as a range without width; None when it is not known."""
        row = self.fact(name)
        ends = row.value if row and isinstance(row.value, tuple) else (row.value, row.value) if row else ()
        bounds = [float(end) for end in ends if isinstance(end, int | float)]
        return Span(bounds[0], bounds[-1]) if bounds else None

    def text(self, name: str) -> str:
        """Return a fact that is a word, empty when it is not known."""
        row = self.fact(name)
        return str(row.value) if row else ""

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a fact that is a list of whole numbers, empty when it is not known."""
        row = self.fact(name)
        values = row.value if row and isinstance(row.value, tuple) else ()
        return tuple(value for value in values if isinstance(value, int))

    def names(self, name: str) -> tuple[str, ...]:
        """Return a fact that is a list of words, empty when it is not known."""
        row = self.fact(name)
        return tuple(map(str, row.value)) if row and isinstance(row.value, tuple) else ()

    def rates(self, name: str) -> dict[str, float]:
        """Return a fact that is a table of numbers, empty when it is not known."""
        row = self.fact(name)
        value = row.value if row else ()
        return dict(pair for pair in value if isinstance(pair, tuple)) if isinstance(value, tuple) else {}

    @property
    def wave_sizes(self) -> tuple[int, ...]:
        """Work-items that a wave can have, the default first; empty when not known."""
        warp = self.number("warp")
        return self.numbers("wave_sizes") or ((warp,) if warp else ())

    @property
    def wave_size(self) -> int:
        """Work-items of a wave, as asked for or by default. Raises UsageError when it is not known."""
        if not self.wave_sizes:
            raise UsageError(f"it is not known how many work-items a wave of {self.name or 'this processor'} has.")
        return self.asked_wave or self.wave_sizes[0]

    @property
    def local_bytes(self) -> int | None:
        """Local memory that a group may have without asking for more at launch, None when not known."""
        return self.number("lds_workgroup") or self.number("local_static")

    @property
    def unified(self) -> bool:
        """True where vector and accumulation registers share one file (gfx90a and later CDNA)."""
        return self.text("agprs") == "unified"

    @property
    def machine(self) -> AmdMachine | NvidiaMachine:
        """What the occupancy calculators take. Raises UnknownNameError for what the data files do not name."""
        return machine(Target.named(self.name).name)

    @property
    def words(self) -> Words:
        """What its parts are called."""
        return Words(**{word: self.text(f"word_{word}") for word in Words.__slots__})


@lru_cache(maxsize=1 << 10)
def _spoken(text: str) -> Target:
    if match := _AMD.fullmatch(text) or _NVIDIA.fullmatch(text):
        wave = match.groupdict().get("wave")
        target = Target(match["name"], None, match["features"])
        return target.with_wave(int(wave)) if wave and int(wave) in target.wave_sizes else target
    name, colon, rest = text.strip().lower().partition(":")
    if spoken := _SPOKEN.fullmatch(name):
        return Target(f"sm_{spoken['number']}", None, spoken["features"])
    return Target(name, None, colon + rest)
