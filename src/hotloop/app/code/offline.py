"""Compiling a kernel for a GPU that this machine does not have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop import registry
from hotloop.compilers import reading
from hotloop.compilers.offer import LIMIT_S, Compiler, Passed, Request, Result
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.language import language
from hotloop.model.outcome import NotApplicable
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.compilers.cache import Unreadable
    from hotloop.compilers.offer import Compiled
    from hotloop.diagnose.sources import Mistake

COMPILERS = "hotloop.frontends"
_GLUON = re.compile(r"\bgluon\b")
_FLYDSL = re.compile(r"^\s*(?:import|from)\s+flydsl\b", re.MULTILINE)
_TRITON = re.compile(r"^\s*(?:from\s+triton\b|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*triton\b)", re.MULTILINE)
"""Imports that tell the language of a Python file; such kernels are compiled from the file itself, not from a text."""
_OURS = re.compile(r"^\s*(?:from|import)\s+hotloop\b", re.MULTILINE)


def compile_offline(
    spec: str,
    target: str,
    *,
    parameters: Mapping[str, Scalar] | None = None,
    options: tuple[str, ...] = (),
    passed: tuple[Passed | None, ...] = (),
    vacant: str = "",
    optimization: int = 3,
    limit_s: float = LIMIT_S,
) -> Result | NotApplicable:
    """Compile what a text names for a GPU, in a process of its own.

    Args:
        spec: ``FILE.py:kernel`` (Triton, Gluon, FlyDSL, or a hotloop kernel file with OpenCL C), ``FILE.hip``, ``.cpp``, ``.cl``,
            ``.cu``, ``.ptx``, ``.ttir`` or ``.ttgir``, each with ``:kernel`` if wanted, or a kernel family such as ``gemm``.
        target: ``gfx942``, ``gfx1012:wave64``, ``sm_90`` ...
        parameters: macros in C; constexprs and compiler options (``num_warps``) in Triton; a family's parameters.
        options: further options for the compiler, C only.
        passed: what the launch passes, which decides types and constants of a Triton or Gluon kernel.
        vacant: what masked loads of Triton without ``other`` bring to lanes that are off.
        optimization: as in ``-O3``, C only.
        limit_s: wall time after which the compiler is killed.

    Returns:
        What was compiled, or how it failed; NotApplicable when a family rules the configuration out.

    Raises:
        UsageError: the file, the kernel or the target is not understood, or the language cannot reach the target.
        MissingExtraError: a tool is not installed; the text names the extra that brings it.
    """
    aim = Target.parse(target)
    path, _, kernel = spec.partition(":")
    given = tuple((parameters or {}).items())
    if not Path(path).suffix or (path.endswith(".py") and not _is_jitted(Path(path))):
        return _family(spec, aim, dict(given), optimization, limit_s)
    request = Request(
        source=Path(path),
        target=aim,
        kernel=kernel,
        parameters=given,
        options=options,
        passed=passed,
        vacant=vacant,
        optimization=optimization,
        limit_s=limit_s,
    )
    return _run(compiler_of(Path(path)), request)


def read_cache(folder: Path) -> tuple[Compiled | Unreadable, ...]:
    """Return the kernels of a Triton cache folder. Raises UsageError when there are none."""
    from hotloop.compilers import cache as _cache

    return _cache.read(folder)


def compiler_of(path: Path) -> Compiler:
    """Return the front end for a file, by its ending, and for Python by what it imports: FlyDSL, Gluon, else Triton.

    Raises:
        UsageError: no front end takes such files.
    """
    compilers: list[Compiler] = list(registry.load_all(COMPILERS, "COMPILER"))
    fitting = [compiler for compiler in compilers if path.suffix in compiler.suffixes]
    if not fitting:
        endings = ", ".join(sorted({suffix for compiler in compilers for suffix in compiler.suffixes}))
        raise UsageError(f"{path} cannot be compiled offline; endings that can: {endings}.")
    language = _python(path) if len(fitting) > 1 else fitting[0].name
    return next((compiler for compiler in fitting if compiler.name == language), fitting[0])


def mistakes(spec: str) -> tuple[Mistake, ...]:
    """Return what is wrong with the source text of a FlyDSL file, ``FILE.py`` or ``FILE.py:launcher``; other files: nothing."""
    path = Path(spec.partition(":")[0])
    if path.suffix != ".py" or not path.is_file() or _python(path) != "flydsl":
        return ()
    from hotloop.diagnose.sources import flydsl

    return flydsl.mistakes(_text(path))


def _run(compiler: Compiler, request: Request) -> Result:
    if not request.source.is_file() and not request.text:
        raise UsageError(f"there is no file {request.source}; give an existing source file.")
    if refusal := compiler.refusal(request.target):
        raise UsageError(refusal)
    return compiler.compile(request)


def _python(path: Path) -> str:
    text = _text(path)
    if _FLYDSL.search(text):
        return "flydsl"
    return "gluon" if _GLUON.search(text) else "triton"


def is_bare(path: Path) -> bool:
    """Tell whether a Python file has functions for a GPU's compiler and no kernel of ours, which says where it runs."""
    return path.suffix == ".py" and path.is_file() and _is_jitted(path) and _OURS.search(_text(path)) is None


def _is_jitted(path: Path) -> bool:
    text = _text(path)
    return bool(_TRITON.search(text) or _FLYDSL.search(text))


def _text(path: Path) -> str:
    try:
        return reading.text(path, "replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give an existing source file.") from None


def _family(
    spec: str, target: Target, changes: Mapping[str, Scalar], optimization: int, limit_s: float
) -> Result | NotApplicable:
    """Compile the OpenCL C program that a family, or a user's kernel file, plans for its default problem."""
    from hotloop.app import userfile

    kernel = userfile.find(spec)
    variant = userfile.starting(kernel, changes=changes)
    path, _, _ = spec.partition(":")
    if language(variant.implementation.language).jit and path.endswith(".py"):
        given = tuple(changes.items())
        entry = variant.implementation.plan(kernel.problem, variant.config, device_for(target)).launches[-1].entry
        request = Request(source=Path(path), target=target, kernel=entry, parameters=given, limit_s=limit_s)
        return _run(registry.load(COMPILERS, variant.implementation.language, "COMPILER"), request)
    try:
        program = variant.implementation.plan(kernel.problem, variant.config, device_for(target))
    except ValueError as error:
        return NotApplicable(str(error))
    compiler: Compiler = registry.load(COMPILERS, program.language, "COMPILER")
    request = Request(
        source=Path(program.source_name or "kernel.cl"),
        text=program.source,
        target=target,
        kernel=program.launches[-1].entry if program.launches else "",
        options=program.options,
        optimization=optimization,
        limit_s=limit_s,
    )
    return _run(compiler, request)


def device_for(target: Target) -> Device:
    """Return the little that plans ask about a device that is not there."""
    return Device(
        name=target.name,
        kind="gpu",
        backend="offline",
        runtime="offline compilation",
        runtime_key="offline",
        target=target.name,
        local_mem_bytes=target.local_bytes,
        local_mem_dedicated=True,
        max_workgroup=1024,
        fp16=True,
        fp64=True,
    )
