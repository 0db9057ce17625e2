"""What a person names for ``hotloop isa``: a listing, a code object, a Triton cache, a source file, a variant, or ``-``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.targets import change
from hotloop.errors import MachineError, UsageError
from hotloop.isa import detect, elf
from hotloop.isa.amdgcn import objects
from hotloop.isa.dialect import load
from hotloop.isa.instruction import Function, InstructionKind, MemorySpace
from hotloop.isa.nvidia import cubin, scheduled
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary.build import Source
from hotloop.model.record import Scalar

if TYPE_CHECKING:
    from hotloop.backends.offline import Compiled

STDIN = "-"
_SOURCES = frozenset({".py", ".hip", ".cl", ".cu", ".cpp", ".ttir", ".ttgir"})
_CACHED = frozenset({".amdgcn", ".hsaco", ".cubin"})
_LINES, _LINE_OPTIONS = frozenset({"", ".hip", ".cl", ".cpp"}), ("-gline-tables-only",)
"""Sources that clang compiles, and what makes it write where instructions come from; Triton always does."""
_LISTINGS = (".s", ".amdgcn")
_SYSTEM_BYTES, _RESERVING = 1024, 90
"""Shared memory that the system takes of every block, and the compute capability from which it does."""
_STUB_INSTRUCTIONS = 64
"""clang's OpenCL kernels for NVIDIA call their body; what calls and is longer than this has work of its own."""
_NO_POINTER = "Unsupported ptr type"
_GUESSED = "; parameters are taken for pointers when their names end in ptr, or declare hl.offline(..., signature=dict(x='*fp32'))"
"""What is behind Triton's message about a parameter whose type was guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to read."""

    text: str
    """The word on the command line."""
    target: str = ""
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    kernel: str = ""
    """Only this kernel; empty: all."""
    sources: bool = False
    """True to compile with debug lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One function, ready for analysis."""

    function: Function
    source: Source
    scheduled: Scheduled | None = None
    """With scheduling control, where a cubin or encodings gave it."""
    listing: str = field(default="", repr=False)
    """The text that it was read from; empty: decoded from bytes."""


def read(request: Request) -> tuple[Listed, ...]:
    """Return the kernels that a request names, in order.

    Raises:
        UsageError: nothing that can be read, damaged, of several architectures, or it does not compile.
        MachineError: a tool that is needed is not installed.
    """
    found = tuple(_aimed(item, request.target) for item in _read(request))
    chosen = [item for item in found if not request.kernel or item.function.name == request.kernel]
    if not chosen:
        names = ", ".join(dict.fromkeys(item.function.name or "(without name)" for item in found))
        raise UsageError(f"{request.text} has no kernel {request.kernel!r}; it has {names}.")
    return tuple(chosen)


def _aimed(item: Listed, target: str) -> Listed:
    """Return a function with the asked processor where the text names none, as that of llvm-objdump."""
    vendor = {"amdgcn": "gfx", "sass": "sm_", "ptx": "sm_"}.get(item.source.dialect, " ")
    if item.function.target or not target.startswith(vendor):
        return item
    function = replace(item.function, target=target.partition(":")[0])
    timed = replace(item.scheduled, function=function) if item.scheduled else None
    return replace(item, function=function, scheduled=timed)


def _read(request: Request) -> tuple[Listed, ...]:
    if request.text == STDIN:
        return _content(sys.stdin.buffer.read(), "standard input", request, None)
    spec, _, wish = request.text.partition("@")
    path = Path(request.text)
    if path.is_dir():
        return _cache(path)
    if path.suffix in _CACHED and path.with_suffix(".json").is_file() and (found := _entry(path)):
        return found
    if path.is_file() and path.suffix not in _SOURCES and not (path.suffix == ".ptx" and request.target):
        return _content(_bytes(path), str(path), request, path)
    file, colon, _ = spec.rpartition(":")
    named = Path(file) if colon and file.endswith(tuple(_SOURCES)) else Path(spec)
    if named.suffix and not named.is_file():
        raise UsageError(
            f"there is no file {named}; give a listing, a code object, a source file, or a family such as gemm."
        )
    return _compiled(spec, wish, request)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give a readable file.") from None


# -- content ----------------------------------------------------------------------------------------------------------


def contained(data: bytes, origin: str) -> tuple[Listed, ...]:
    """Return the kernels of a code object in memory. Raises as `read`."""
    return _content(data, origin, Request(text=origin), None)


def _content(data: bytes, origin: str, request: Request, path: Path | None) -> tuple[Listed, ...]:
    """Read a listing or code object, whatever its name."""
    try:
        if data.startswith((elf.MAGIC, objects.BUNDLE, objects.COMPRESSED)):
            return _object(data, origin, request, path)
        return _listing(data.decode("utf-8", "replace"), origin, path)
    except MachineError:
        raise
    except (UsageError, ValueError) as error:
        raise UsageError(f"{origin}: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    text = str(error).strip()
    return text if text.endswith(".") else f"{text}."


def _listing(text: str, origin: str, path: Path | None) -> tuple[Listed, ...]:
    dialect = detect.dialect_of(text)
    source = Source(dialect=dialect, origin=origin)
    if dialect == "sass":
        binary, note = _beside(path)
        return _sass(text, replace(source, notes=(note,) if note else ()), binary)
    if dialect == "amdgcn" and ".amdgcn_target" in text and ".amdgpu_metadata" not in text:
        if not text.endswith("\n"):
            raise UsageError("it is cut off: the last line is not whole and the metadata are missing; write it again")
        source = replace(source, notes=("there are no metadata: device functions only, or the listing is cut off",))
    return _functions(load(dialect).parse(text), source, text)


def _beside(path: Path | None) -> tuple[bytes, str]:
    """Return the cubin beside a listing, and a note about it; empty without a cubin that can be read."""
    other = path.with_suffix(".cubin") if path else None
    if other is None or not other.is_file():
        return b"", ""
    data = other.read_bytes()
    try:
        cubin.kernels(data)
    except ValueError as error:
        return b"", f"{other.name} beside it cannot be used: {error}"
    return data, f"registers, memory and scheduling from {other.name} beside it"


def _functions(functions: Iterable[Function], source: Source, text: str = "") -> tuple[Listed, ...]:
    """Return the kernels of a text: functions with metadata if any has, else all that have code."""
    coded = [f for f in functions if f.instructions]
    if not coded:
        raise UsageError("it has no function with instructions; is it cut off? Write it again")
    if text:
        _complete(coded[-1])
    kernels = [f for f in coded if f.resources is not None] or coded
    return tuple(_item(f, coded, source, text) for f in kernels)


def _item(kernel: Function, parsed: Iterable[Function], source: Source, text: str) -> Listed:
    body, note = _body(kernel, parsed)
    named = source if body is kernel else replace(source, notes=(*source.notes, note))
    return Listed(function=replace(body, name=kernel.name, resources=kernel.resources), source=named, listing=text)


def _body(kernel: Function, parsed: Iterable[Function]) -> tuple[Function, str]:
    """Return what does a kernel's work: itself, or the function of the same name that clang's OpenCL kernels call."""
    calls = any(i.kind is InstructionKind.CALL for i in kernel.instructions)
    if not calls or len(kernel.instructions) >= _STUB_INSTRUCTIONS:
        return kernel, ""
    marks = (f"${kernel.name}$", f"__clang_ocl_kern_imp_{kernel.name}")
    bodies = [f for f in parsed if f is not kernel and f.name.startswith(marks)]
    body = max(bodies, key=lambda f: len(f.instructions), default=kernel)
    return body, f"the kernel is a stub that calls {body.name}; the loops are those of that function"


def _complete(last: Function) -> None:
    """Refuse a text whose last function does not end: control would run out of it."""
    code = [i for i in last.instructions if i.kind is not InstructionKind.NOP]
    if code and code[-1].traits.falls_through and code[-1].kind is not InstructionKind.CALL:
        where = f"line {code[-1].line}" if code[-1].line else f"{code[-1].address:#x}"
        raise UsageError(f"it is cut off: {last.name or 'the code'} ends at {where} in the middle; write it again")


def _object(data: bytes, origin: str, request: Request, path: Path | None) -> tuple[Listed, ...]:
    if cubin.recognises(data):
        from hotloop.host import disassemble

        return _sass(disassemble.sass(data), Source(dialect="sass", origin=origin), data)
    if data.startswith(elf.MAGIC) and elf.header(data).machine == "EM_X86_64" and b".hip_fatbin\0" not in data:
        functions = [load("x86").decode(s.code, s.address, s.name) for s in elf.functions(data).values() if s.code]
        return _functions(functions, Source(dialect="x86", origin=origin))
    return _amd(data, origin, request, path)


def _amd(data: bytes, origin: str, request: Request, path: Path | None) -> tuple[Listed, ...]:
    found = objects.code_objects(data)
    names = [item.target.processor if item.target else "unknown" for item in found]
    if request.target:
        wanted = request.target.partition(":")[0]
        found = tuple(item for item, name in zip(found, names, strict=True) if name == wanted)
        if not found:
            raise UsageError(f"it holds code for {', '.join(names)}, not for {wanted}")
    elif len(set(names)) > 1:
        raise UsageError(f"it holds code for {', '.join(dict.fromkeys(names))}; choose one with --target")
    return tuple(listed for item in found for listed in _code_object(item, origin, path))


def _code_object(item: objects.CodeObject, origin: str, path: Path | None) -> tuple[Listed, ...]:
    from hotloop.host import disassemble

    try:
        text = disassemble.amdgcn(item.blob)
    except MachineError as error:
        beside = next((p for p in map(path.with_suffix, _LISTINGS) if p.is_file()), None) if path else None
        if beside is None:
            raise
        note = f"read from {beside.name} beside it, because {str(error).rstrip('.')}"
        source = Source(dialect="amdgcn", origin=str(beside), notes=(note,))
        listing = beside.read_text(encoding="utf-8", errors="replace")
        return _functions(load("amdgcn").parse(listing), source, listing)
    return _functions(objects.functions(item, text), Source(dialect="amdgcn", origin=origin))


def _sass(text: str, source: Source, binary: bytes) -> tuple[Listed, ...]:
    """Return the kernels of a SASS listing, with scheduling and resources where there are a cubin or encodings."""
    try:
        scheduled_ = scheduled.read(text, cubin.codes(binary) if binary else None)
    except UsageError as error:
        scheduled_ = ()
        source = (
            replace(source, notes=(*source.notes, f"waits are not known: {str(error).rstrip('.')}"))
            if binary
            else source
        )
    known = {r.name: r for r in cubin.kernels(binary)} if binary else {}
    parsed = [s.function for s in scheduled_] or [f for f in load("sass").parse(text) if f.instructions]
    if not parsed:
        raise UsageError("it has no function with instructions; is it cut off? Write it again")
    by_name = {s.function.name: s for s in scheduled_}
    _complete(parsed[-1])
    kernels = [f for f in parsed if f.name in known] or [f for f in parsed if not f.name.startswith("$")] or parsed
    made = (_kernel(f, parsed, by_name, known.get(f.name), source) for f in kernels)
    return tuple(replace(item, listing=text) for item in made)


def _kernel(
    kernel: Function,
    parsed: Iterable[Function],
    by_name: Mapping[str, Scheduled],
    resources: KernelResources | None,
    source: Source,
) -> Listed:
    """Return a kernel; where it is only a stub that calls its body, the body under the kernel's name."""
    body, note = _body(kernel, parsed)
    notes = source.notes if body is kernel else (*source.notes, note)
    named = replace(body, name=kernel.name, resources=_launched(resources, body))
    timed = by_name.get(body.name)
    return Listed(
        function=named,
        source=replace(source, notes=notes),
        scheduled=replace(timed, function=named) if timed else None,
    )


def _launched(known: KernelResources | None, body: Function) -> KernelResources | None:
    """Add whether the launch brings shared memory: it must where code uses some and the cubin has none of its own."""
    if known is None or known.dynamic_lds is not None or known.lds_bytes is None:
        return known
    uses = any(i.traits.space is MemorySpace.LOCAL or i.kind is InstructionKind.COPY for i in body.instructions)
    capability = int("".join(filter(str.isdecimal, known.target)) or 0)
    own = max(0, known.lds_bytes - (_SYSTEM_BYTES if capability >= _RESERVING else 0))
    return replace(known, lds_bytes=own, dynamic_lds=uses and not own)


# -- compilers --------------------------------------------------------------------------------------------------------


def _cache(folder: Path) -> tuple[Listed, ...]:
    from hotloop.app.offline import read_cache
    from hotloop.backends.offline import Compiled

    entries = read_cache(folder)
    found = [listed for entry in entries if isinstance(entry, Compiled) for listed in _made(entry, str(folder))]
    if not found:
        reasons = "; ".join(f"{e.path.name}: {e.reason}" for e in entries if not isinstance(e, Compiled))
        raise UsageError(f"{folder} has no kernel that can be read: {reasons}.")
    return tuple(found)


def _entry(path: Path) -> tuple[Listed, ...]:
    """Return a kernel of Triton's cache with what its launch brings, by one of its files; empty when that is no such file."""
    from hotloop.app.offline import read_cache
    from hotloop.backends.offline import Compiled

    try:
        entries = read_cache(path.parent)
    except UsageError:
        return ()
    chosen = [entry for entry in entries if isinstance(entry, Compiled) and entry.kernel == path.stem]
    return tuple(listed for entry in chosen for listed in _made(entry, str(path)))


def _compiled(spec: str, wish: str, request: Request) -> tuple[Listed, ...]:
    """Compile a source file or a family's variant for a GPU, or for this machine's CPU when no target is named."""
    from hotloop.app.offline import compile_offline
    from hotloop.backends.offline import Compiled
    from hotloop.model.outcome import CompileFailed, Crashed, NotApplicable, TimedOut

    parameters = {**_changes(request.text, wish), **request.parameters}
    if not request.target:
        return _here(spec, wish, request)
    lines = request.sources and Path(spec.partition(":")[0]).suffix in _LINES
    made = compile_offline(spec, request.target, parameters=parameters, options=_LINE_OPTIONS if lines else ())
    if isinstance(made, Compiled):
        return _made(made, request.text)
    where = f"{request.text} for {request.target}"
    match made:
        case NotApplicable():
            raise UsageError(f"{where}: the configuration is ruled out: {_sentence(ValueError(made.reason))}")
        case CompileFailed():
            raise UsageError(f"{where} does not compile: {_first(made.log)}.")
        case Crashed():
            raise UsageError(f"{where}: the compiler crashed: {_first(made.message)}.")
        case TimedOut():
            raise UsageError(f"{where}: the compiler did not end within its limit; try a smaller kernel.")


def _first(log: str) -> str:
    """Return what a compiler says first: clang's line with ``error``; of Triton the place, and the reason below the caret."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if "^" in lines[:-1] and lines[0].startswith("CompilationError"):
        reason = lines[lines.index("^") + 1]
        return f"{lines[0]} {reason}{_GUESSED if _NO_POINTER in reason else ''}".rstrip(".")
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message").rstrip(".")


def _changes(text: str, wish: str) -> dict[str, Scalar]:
    """Return the parameters behind the ``@`` of a variant."""
    return dict(change(text, pair) for pair in wish.split(",") if pair.strip())


def _made(made: Compiled, origin: str) -> tuple[Listed, ...]:
    source = Source(dialect=made.dialect, origin=origin, compiler=made.compiler)
    said = {row.name: row for row in made.resources}
    if made.dialect == "sass":
        found = _sass(made.listing, source, made.binary)
    else:
        found = _functions(load(made.dialect).parse(made.listing), source, made.listing)
    named = [item for item in found if not made.kernel or item.function.name == made.kernel] or list(found)
    return tuple(_resourced(item, said.get(item.function.name)) for item in named)


def _resourced(item: Listed, said: KernelResources | None) -> Listed:
    """Add what the compiler said: launch size and local memory that only the launch brings."""
    if said is None:
        return item
    known = item.function.resources
    merged = said if known is None else _merged(known, said)
    function = replace(item.function, resources=merged)
    timed = replace(item.scheduled, function=function) if item.scheduled else None
    return replace(item, function=function, scheduled=timed)


def _merged(known: KernelResources, said: KernelResources) -> KernelResources:
    fields = {name: getattr(said, name) for name in known.__slots__ if getattr(known, name) is None}
    if said.dynamic_lds is False:
        fields |= {"lds_bytes": said.lds_bytes, "dynamic_lds": False, "workgroup_max": said.workgroup_max}
    return replace(known, **fields)


def _here(spec: str, wish: str, request: Request) -> tuple[Listed, ...]:
    """Return the machine code that this machine's OpenCL runtime makes of a family's variant or kernel file."""
    if Path(spec.partition(":")[0]).suffix in _SOURCES - {".py"}:
        raise UsageError(f"{spec} must be compiled first: name a GPU with --target, e.g. --target gfx942 or sm_90.")
    from hotloop.app import isa_here

    changes = ",".join(f"{name}={value}" for name, value in request.parameters.items())
    asked = f"{spec}@{','.join(part for part in (wish, changes) if part)}" if wish or changes else spec
    try:
        function, dialect, note = isa_here.compiled(asked)
    except MachineError as error:
        raise MachineError(f"{str(error).rstrip('.')}; or name a GPU with --target to compile for that.") from None
    return (Listed(function=function, source=Source(dialect=dialect, origin=asked, notes=(note,))),)
