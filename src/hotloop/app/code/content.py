"""Machine code as it lies there: listings and code objects, read with what lies beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from hotloop.errors import MachineError, UsageError
from hotloop.host import disassemble, toolchain
from hotloop.isa import detect, elf, remarks
from hotloop.isa.amdgcn import bundles, objects
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.dialect import load, telltales
from hotloop.isa.instruction import Function
from hotloop.isa.kernels import Listed, functions, sass
from hotloop.isa.nvidia import cubin
from hotloop.isa.summary.build import Source
from hotloop.targets.target import Target

_FAT = b".nv_fatbin\0"
"""Section name of an object that nvcc made, as its string table has it."""
_PROBE = 512
_SAID = "these are a compiler's messages, which tell registers and memory; the code, and what memory the launch adds, is not in them"
_LISTINGS = (".s", ".amdgcn")


def read(data: bytes, origin: str, target: str = "", path: Path | None = None) -> tuple[Listed, ...]:
    """Return the kernels of a listing or code object, whatever its name; what lies beside `path` is read where it helps.

    Raises:
        UsageError: nothing that can be read, damaged, or of several architectures and none is `target`.
        MachineError: a tool that is needed is not installed.
    """
    try:
        if data.startswith((elf.MAGIC, objects.BUNDLE, bundles.MAGIC)):
            return _object(data, origin, target, path)
        return _listing(data.decode("utf-8", "replace"), origin, path)
    except MachineError:
        raise
    except (UsageError, ValueError) as error:
        raise UsageError(f"{origin}: {sentence(str(error))}") from None


@contextmanager
def told(name: str) -> Iterator[None]:
    """Add the file's name to errors about a listing."""
    try:
        yield
    except ListingError as error:
        raise ListingError(f"{name}: {sentence(str(error))}") from None


def sentence(reason: str) -> str:
    """Return a reason with its full stop."""
    text = reason.strip()
    return text if text.endswith(".") else f"{text}."


def _listing(text: str, origin: str, path: Path | None) -> tuple[Listed, ...]:
    if said := _said(text, origin):
        return said
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


def _said(text: str, origin: str) -> tuple[Listed, ...]:
    """Return the kernels that a compiler's messages are about, without code; empty for a text that has any."""
    kernels = () if "\0" in text[:_PROBE] else remarks.read(text)
    with suppress(UsageError):
        detect.dialect_of(text)
        return ()
    return tuple(
        Listed(
            function=Function(kernel.name, (), None, kernel.target, kernel),
            source=Source(dialect="sass" if kernel.target else "amdgcn", origin=origin, notes=(_SAID,)),
        )
        for kernel in kernels
    )


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


def _object(data: bytes, origin: str, target: str, path: Path | None) -> tuple[Listed, ...]:
    """Return the kernels of an object. Raises MachineError where the disassembler does not end."""
    try:
        return _held(data, origin, target, path)
    except toolchain.ToolSilentError as silent:
        raise MachineError(
            f"{origin}: the disassembler gave {silent}: the machine is busy or the file large; give one cubin or code object of it."
        ) from None


def _held(data: bytes, origin: str, target: str, path: Path | None) -> tuple[Listed, ...]:
    if cubin.recognises(data):
        return sass(disassemble.sass(data), Source(dialect="sass", origin=origin), data)
    if _FAT in data:
        return _embedded(data, origin, target)
    cpu = _processor(data) if data.startswith(elf.MAGIC) and b".hip_fatbin\0" not in data else ""
    if cpu:
        decoded = [load(cpu).decode(s.code, s.address, s.name) for s in elf.functions(data).values() if s.code]
        return functions(decoded, Source(dialect=cpu, origin=origin))
    return _amd(data, origin, target, path)


def _processor(data: bytes) -> str:
    """Return the dialect of the CPU that an ELF file is for, empty where it is for none that is known."""
    machine = elf.header(data).machine
    return next((told.name for told in telltales() if told.cpu and told.machine == machine), "")


def _embedded(data: bytes, origin: str, target: str) -> tuple[Listed, ...]:
    """Return the kernels in an object file or program made by nvcc, without its host code."""
    # linking adds a cubin without any function
    held = [item for item in disassemble.cubins(data) if cubin.recognises(item) and cubin.kernels(item)]
    if not held:
        raise UsageError("it holds PTX only, no machine code of an NVIDIA GPU; compile with -gencode code=sm_90, say")
    names = [next((kernel.target for kernel in cubin.kernels(item)), "unknown") for item in held]
    if target:
        wanted = Target.of(target).name
        held = [item for item, name in zip(held, names, strict=True) if name == wanted]
        if not held:
            raise UsageError(f"it holds code for {', '.join(names)}, not for {wanted}")
    elif len(set(names)) > 1:
        raise UsageError(f"it holds code for {', '.join(dict.fromkeys(names))}; choose one with --target")
    source = Source(dialect="sass", origin=origin)
    return tuple(listed for item in held for listed in sass(disassemble.sass(item), source, item))


def _amd(data: bytes, origin: str, target: str, path: Path | None) -> tuple[Listed, ...]:
    return tuple(listed for item in chosen(data, target) for listed in _code_object(item, origin, path))


def chosen(data: bytes, target: str) -> tuple[objects.CodeObject, ...]:
    """Return the code objects of a file that are for a processor; without one they must all be for the same.

    Raises:
        UsageError: none is, or they are for several.
        ValueError: a file that holds none, or is damaged.
    """
    held = objects.code_objects(data)
    names = [item.target.name if item.target else "unknown" for item in held]
    if target:
        wanted = Target.of(target).name
        held = tuple(item for item, name in zip(held, names, strict=True) if name == wanted)
        if not held:
            raise UsageError(f"it holds code for {', '.join(names)}, not for {wanted}")
    elif len(set(names)) > 1:
        raise UsageError(f"it holds code for {', '.join(dict.fromkeys(names))}; choose one with --target")
    return held


def _code_object(item: objects.CodeObject, origin: str, path: Path | None) -> tuple[Listed, ...]:
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
