"""Machine code as it lies there: listings and code objects, each kernel ready for analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hotloop.errors import MachineError, UsageError
from hotloop.isa import detect, elf
from hotloop.isa.amdgcn import objects
from hotloop.isa.dialect import load
from hotloop.isa.instruction import Function, InstructionKind, MemorySpace
from hotloop.isa.nvidia import cubin, scheduled
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary.build import Source
from hotloop.targets.target import Target

_LISTINGS = (".s", ".amdgcn")
_SYSTEM_BYTES, _RESERVING = 1024, 90
"""Shared memory that the system takes of every block, and the compute capability from which it does."""
_STUB_INSTRUCTIONS = 64
"""clang's OpenCL kernels for NVIDIA call their body; what calls and is longer than this has work of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One function, ready for analysis."""

    function: Function
    source: Source
    scheduled: Scheduled | None = None
    """With scheduling control, where a cubin or encodings gave it."""
    listing: str = field(default="", repr=False)
    """The text that it was read from; empty: decoded from bytes."""


def read(data: bytes, origin: str, target: str = "", path: Path | None = None) -> tuple[Listed, ...]:
    """Return the kernels of a listing or code object, whatever its name; what lies beside `path` is read where it helps.

    Raises:
        UsageError: nothing that can be read, damaged, or of several architectures and none is `target`.
        MachineError: a tool that is needed is not installed.
    """
    try:
        if data.startswith((elf.MAGIC, objects.BUNDLE, objects.COMPRESSED)):
            return _object(data, origin, target, path)
        return _listing(data.decode("utf-8", "replace"), origin, path)
    except MachineError:
        raise
    except (UsageError, ValueError) as error:
        raise UsageError(f"{origin}: {sentence(error)}") from None


def sentence(error: Exception) -> str:
    """Return an error's text with its full stop."""
    text = str(error).strip()
    return text if text.endswith(".") else f"{text}."


def _listing(text: str, origin: str, path: Path | None) -> tuple[Listed, ...]:
    dialect = detect.dialect_of(text)
    source = Source(dialect=dialect, origin=origin)
    if dialect == "sass":
        binary, note = _beside(path)
        return sass(text, replace(source, notes=(note,) if note else ()), binary)
    if dialect == "amdgcn" and ".amdgcn_target" in text and ".amdgpu_metadata" not in text:
        if not text.endswith("\n"):
            raise UsageError("it is cut off: the last line is not whole and the metadata are missing; write it again")
        source = replace(source, notes=("there are no metadata: device functions only, or the listing is cut off",))
    return functions(load(dialect).parse(text), source, text)


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


def functions(functions: Iterable[Function], source: Source, text: str = "") -> tuple[Listed, ...]:
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


def _object(data: bytes, origin: str, target: str, path: Path | None) -> tuple[Listed, ...]:
    if cubin.recognises(data):
        from hotloop.host import disassemble

        return sass(disassemble.sass(data), Source(dialect="sass", origin=origin), data)
    if data.startswith(elf.MAGIC) and elf.header(data).machine == "EM_X86_64" and b".hip_fatbin\0" not in data:
        found = [load("x86").decode(s.code, s.address, s.name) for s in elf.functions(data).values() if s.code]
        return functions(found, Source(dialect="x86", origin=origin))
    return _amd(data, origin, target, path)


def _amd(data: bytes, origin: str, target: str, path: Path | None) -> tuple[Listed, ...]:
    found = objects.code_objects(data)
    names = [item.target.name if item.target else "unknown" for item in found]
    if target:
        wanted = Target.of(target).name
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
        return functions(load("amdgcn").parse(listing), source, listing)
    return functions(objects.functions(item, text), Source(dialect="amdgcn", origin=origin))


def sass(text: str, source: Source, binary: bytes) -> tuple[Listed, ...]:
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
