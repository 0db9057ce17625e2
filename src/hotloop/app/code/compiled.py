"""Machine code that has to be made first, or that a compiler has kept: source files, variants, Triton's cache."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.code.content import sentence
from hotloop.app.spec import BEST, change
from hotloop.errors import MachineError, UsageError
from hotloop.isa.dialect import load
from hotloop.isa.kernels import Listed, functions, resourced, sass
from hotloop.isa.summary.build import Source
from hotloop.model.record import Scalar

if TYPE_CHECKING:
    from hotloop.compilers.offer import Compiled

SOURCES = frozenset({".py", ".hip", ".cl", ".cu", ".cpp", ".ttir", ".ttgir"})
_LINES, _LINE_OPTIONS = frozenset({"", ".hip", ".cl", ".cpp"}), ("-gline-tables-only",)
"""Sources that clang compiles, and what makes it write where instructions come from; Triton always does."""
_PLACED = re.compile(r"\w+: at \d+:\d+:")
"""How Triton's errors begin."""
_NO_POINTER = "Unsupported ptr type"
_GUESSED = "; parameters are taken for pointers when their names end in ptr, or declare hl.offline(..., signature=dict(x='*fp32'))"
"""Added to Triton's message about a parameter whose type was guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A file to analyse: its kernel, target and compile options."""

    text: str
    """The word on the command line."""
    target: str = ""
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    kernel: str = ""
    """Only this kernel; empty: all kernels of the file."""
    sources: bool = False
    """True to compile with debug lines."""


def cached(folder: Path) -> tuple[Listed, ...]:
    """Return the kernels of a Triton cache folder. Raises UsageError when none can be read."""
    from hotloop.app.code.offline import read_cache
    from hotloop.compilers.offer import Compiled

    entries = read_cache(folder)
    kernels = [item for entry in entries if isinstance(entry, Compiled) for item in listed(entry, str(folder))]
    if not kernels:
        reasons = "; ".join(f"{e.path.name}: {e.reason}" for e in entries if not isinstance(e, Compiled))
        raise UsageError(f"{folder} has no kernel that can be read: {reasons}.")
    return tuple(kernels)


def entry(path: Path) -> tuple[Listed, ...]:
    """Return a kernel of Triton's cache with what its launch brings, by one of its files; empty when that is no such file."""
    from hotloop.app.code.offline import read_cache
    from hotloop.compilers.offer import Compiled

    try:
        entries = read_cache(path.parent)
    except UsageError:
        return ()
    chosen = [entry for entry in entries if isinstance(entry, Compiled) and entry.kernel == path.stem]
    return tuple(item for entry in chosen for item in listed(entry, str(path)))


def compiled(spec: str, wish: str, request: Request) -> tuple[Listed, ...]:
    """Compile a source file or a family's variant for a GPU, or for this machine's CPU when no target is named."""
    from hotloop.app.code.offline import compile_offline
    from hotloop.compilers.offer import Compiled
    from hotloop.model.outcome import CompileFailed, Crashed, NotApplicable, TimedOut

    parameters = {**_changes(request.text, wish), **request.parameters}
    if not request.target:
        return _here(spec, wish, request)
    lines = request.sources and Path(spec.partition(":")[0]).suffix in _LINES
    made = compile_offline(spec, request.target, parameters=parameters, options=_LINE_OPTIONS if lines else ())
    if isinstance(made, Compiled):
        return listed(made, request.text)
    where = f"{request.text} for {request.target}"
    match made:
        case NotApplicable():
            raise UsageError(f"{where}: the configuration is ruled out: {sentence(made.reason)}")
        case CompileFailed():
            raise UsageError(f"{where} does not compile: {_first(made.log)}.")
        case Crashed():
            raise UsageError(f"{where}: the compiler crashed: {_first(made.message)}.")
        case TimedOut():
            raise UsageError(f"{where}: the compiler did not end within its limit; try a smaller kernel.")


def _first(log: str) -> str:
    """Return what a compiler says first: clang's line with ``error``; of Triton the place, and the reason below the caret."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if "^" in lines[:-1] and _PLACED.match(lines[0]):
        reason = lines[lines.index("^") + 1]
        return f"{lines[0]} {reason}{_GUESSED if _NO_POINTER in reason else ''}".rstrip(".")
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message").rstrip(".")


def uncompiled(spec: str) -> bool:
    """Tell whether a text names a source of which only a compiler for a named GPU makes code: ``FILE.cl``, ``FILE.py:kernel`` ..."""
    from hotloop.app.code.offline import is_bare

    path = Path(spec.partition(":")[0])
    return not path.is_dir() and (path.suffix in SOURCES - {".py"} or is_bare(path))


def _changes(text: str, wish: str) -> dict[str, Scalar]:
    """Return the parameters behind the ``@`` of a variant. Raises UsageError, for the best known one too: no store is read."""
    if wish == BEST:
        raise UsageError(
            f"{text}: what is best is not looked up for this; name its values, as hotloop history --best has them."
        )
    return dict(change(text, pair) for pair in wish.split(",") if pair.strip())


def listed(made: Compiled, origin: str) -> tuple[Listed, ...]:
    """Return the kernels of what a compiler made, ready for analysis."""
    source = Source(dialect=made.dialect, origin=origin, compiler=made.compiler, notes=made.notes)
    resources = {row.name: row for row in made.resources}
    if made.dialect == "sass":
        kernels = sass(made.listing, source, made.binary)
    else:
        kernels = functions(load(made.dialect).parse(made.listing), source, made.listing)
    named = [item for item in kernels if not made.kernel or item.function.name == made.kernel] or list(kernels)
    return tuple(resourced(item, resources.get(item.function.name)) for item in named)


def _here(spec: str, wish: str, request: Request) -> tuple[Listed, ...]:
    """Return the machine code that this machine's OpenCL runtime makes of a family's variant or kernel file."""
    if uncompiled(spec):
        raise UsageError(f"{spec} must be compiled first: name a GPU with --target, e.g. --target gfx942 or sm_90.")
    from hotloop.app.code import here

    changes = ",".join(f"{name}={value}" for name, value in request.parameters.items())
    asked = f"{spec}@{','.join(part for part in (wish, changes) if part)}" if wish or changes else spec
    try:
        function, dialect, note = here.compiled(asked)
    except MachineError as error:
        raise MachineError(f"{str(error).rstrip('.')}; or name a GPU with --target to compile for that.") from None
    return (Listed(function=function, source=Source(dialect=dialect, origin=asked, notes=(note,))),)
