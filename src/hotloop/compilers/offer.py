"""What a compiler for a GPU that is not here is asked, and what it answers.

A front end takes a `Request` and returns what the compiler made of it as a value: `Compiled`, or one of the failures
that candidates have everywhere in hotloop. Every compiler runs in a process of its own that is killed at its limit, so
that an abort inside LLVM or a compiler that never ends is an outcome too. A missing tool is not: it raises.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hotloop.errors import UsageError
from hotloop.isa.resources import KernelResources
from hotloop.model.outcome import CompileFailed, Crashed, TimedOut
from hotloop.model.record import Scalar

LIMIT_S = 120.0
STAGE = "build"
"""Stage that crashes and time-outs name."""
_AMD = re.compile(
    r"(?P<name>gfx(?P<major>\d{1,2})(?P<rest>[0-9a-f]{2}))(?P<features>(?::[a-z]+[+-])*)(?P<wave>:wave(?:32|64))?"
)
_NVIDIA = re.compile(r"(?P<name>sm_(?P<number>\d{2,3}))(?P<features>[af]?)")
_FIRST_WAVE32 = 10


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU to compile for."""

    name: str
    """``gfx942``, ``sm_90``."""
    wave_size: int
    """Work-items of a wave (warp)."""
    features: str = ""
    """What follows the name in the compiler's spelling: ``:xnack-``, or ``a`` of ``sm_90a``."""

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read ``gfx942``, ``gfx90a:xnack-``, ``gfx1012:wave64``, ``sm_90`` or ``sm_90a``.

        Raises:
            UsageError: it is none of these.
        """
        if amd := _AMD.fullmatch(text):
            default = 64 if int(amd["major"]) < _FIRST_WAVE32 else 32
            wave = int(amd["wave"].removeprefix(":wave")) if amd["wave"] else default
            if wave < default:
                raise UsageError(f"target {text}: {amd['name']} has waves of 64 only.")
            return cls(amd["name"], wave, amd["features"])
        if nvidia := _NVIDIA.fullmatch(text):
            return cls(nvidia["name"], 32, nvidia["features"])
        raise UsageError(f"target {text!r} is not understood; write gfx942, gfx1012:wave64 or sm_90.")

    @property
    def amd(self) -> bool:
        """True for AMD's GPUs, False for NVIDIA's."""
        return self.name.startswith("gfx")

    @property
    def processor(self) -> str:
        """Name and features as compilers spell them."""
        return self.name + self.features

    @property
    def capability(self) -> int:
        """Compute capability of an NVIDIA GPU: 90 for ``sm_90a``."""
        return int(self.name.removeprefix("sm_"))

    @property
    def wide(self) -> bool:
        """True for waves of 64 on a processor whose default is 32."""
        amd = _AMD.fullmatch(self.name)
        return amd is not None and int(amd["major"]) >= _FIRST_WAVE32 and self.wave_size == 64

    def __str__(self) -> str:
        return self.processor + (":wave64" if self.wide else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to compile."""

    source: Path
    target: Target
    text: str = ""
    """Source text; empty: what the file holds."""
    kernel: str = ""
    """Which kernel of the file; empty: its only one, and in C all of them."""
    parameters: tuple[tuple[str, Scalar], ...] = ()
    """Macros in C; constexprs, or options such as ``num_warps``, in Triton and Gluon."""
    options: tuple[str, ...] = ()
    """Further options of the compiler, C only."""
    optimization: int = 3
    """As in ``-O3``, C only."""
    limit_s: float = LIMIT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A code object with its listing."""

    kernel: str
    """Symbol of the asked kernel, or of the only one; empty where a C file has several and none was named."""
    language: str
    """``triton``, ``gluon``, ``hip``, ``opencl`` or ``cuda``."""
    target: str
    listing: str = field(repr=False)
    dialect: str
    """What the listing is: ``amdgcn``, ``sass``, or ``ptx`` where nothing can disassemble the cubin."""
    binary: bytes = field(repr=False)
    """hsaco or cubin; empty where nothing could assemble the listing."""
    resources: tuple[KernelResources, ...]
    """Per kernel, as far as the compiler says."""
    compiler: str
    """Name and version of everything that took part."""
    options: tuple[str, ...] = ()
    """What the result depends on besides the source."""
    ptx: str = field(default="", repr=False)
    """What ptxas was given, NVIDIA only."""
    log: str = ""
    duration_ns: int = 0
    """Wall time of the compiler's process, its start included."""


Failed = CompileFailed | Crashed | TimedOut
Result = Compiled | Failed


class Compiler(Protocol):
    """One front end."""

    name: str
    suffixes: tuple[str, ...]
    """Endings of the files that it compiles."""

    def refusal(self, target: Target) -> str:
        """Return why it cannot reach a target at all, or an empty text."""

    def compile(self, request: Request) -> Result:
        """Compile in a process of its own.

        Raises:
            MissingExtraError: a tool is not installed; the text says which extra brings it.
            UsageError: the file is not what the request says (no such kernel, a file that raises when loaded).
        """
