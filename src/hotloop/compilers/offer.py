"""What a compiler for a GPU that is not here is asked, and what it answers.

A front end takes a `Request` and returns what the compiler made of it as a value: `Compiled`, or one of the failures
that candidates have everywhere in hotloop. Every compiler runs in a process of its own that is killed at its limit, so
that an abort inside LLVM or a compiler that never ends is an outcome too. A missing tool is not: it raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hotloop.isa.resources import KernelResources
from hotloop.model.outcome import CompileFailed, Crashed, TimedOut
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

LIMIT_S = 120.0
STAGE = "build"
"""Stage that crashes and time-outs name."""


@dataclass(frozen=True, slots=True)
class Passed:
    """An argument of the launch that code is compiled for."""

    kind: str = ""
    """Triton's type, ``*fp16`` for an array; empty: nothing is passed (Python's None)."""
    value: int | float | None = None
    """Value of a number; None for an array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A kernel to compile, for which target and with which options."""

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
    search: tuple[str, ...] = ()
    """Folders that a Python file's own imports are looked for in, beside its own."""
    package: str = ""
    """Package that its relative imports start from, where it is not the file's own place."""
    passed: tuple[Passed | None, ...] = ()
    """Arguments of the launch in order, as far as they are known (Triton and Gluon only); None stands for an argument without a parameter of
    the kernel."""
    vacant: str = ""
    """What masked loads of Triton that do not say it bring to lanes that are off (`hotloop.compilers.vacant`); empty: it stays undefined."""
    optimization: int = 3
    """Optimization level, as in ``-O3``; used for C only."""
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
    """Dialect of the listing: ``amdgcn``, ``sass``, or ``ptx`` where no disassembler for the cubin is installed."""
    binary: bytes = field(repr=False)
    """hsaco or cubin; empty where nothing could assemble the listing."""
    resources: tuple[KernelResources, ...]
    """Per kernel, as far as the compiler says."""
    compiler: str
    """Name and version of everything that took part."""
    options: tuple[str, ...] = ()
    """Options, besides the source, on which the result depends."""
    ptx: str = field(default="", repr=False)
    """Input of ptxas; NVIDIA only."""
    log: str = ""
    notes: tuple[str, ...] = ()
    """Remarks for the reader about how the result was made."""
    folded: tuple[int, ...] = ()
    """Places of the passed arguments that are constants in the code, which does not take them."""
    vacant: tuple[tuple[str, int], ...] = ()
    """File and line of masked loads of Triton that leave undefined what lanes get that are off."""
    duration_ns: int = 0
    """Wall time of the compiler's process, its start included."""


Failed = CompileFailed | Crashed | TimedOut
Result = Compiled | Failed


class Compiler(Protocol):
    """A front end: compiles one language for GPUs that are not here."""

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
