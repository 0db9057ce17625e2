"""Kernels of machine code, each ready for analysis: the function that does the work, under the kernel's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from hotloop.errors import UsageError
from hotloop.isa.dialect import load
from hotloop.isa.instruction import Function, InstructionKind, MemorySpace
from hotloop.isa.nvidia import cubin, scheduled
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary.build import Source

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
    """The code with its scheduling control, where a cubin or encodings gave it; None elsewhere."""
    listing: str = field(default="", repr=False)
    """The text that it was read from; empty: decoded from bytes."""


def functions(parsed: Iterable[Function], source: Source, text: str = "") -> tuple[Listed, ...]:
    """Return the kernels of a text: functions with metadata if any has, else all that have code."""
    coded = [f for f in parsed if f.instructions]
    if not coded:
        raise UsageError("it has no function with instructions; is it cut off? Write it again")
    if text:
        source = _ended(coded[-1], source)
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


def _ended(last: Function, source: Source) -> Source:
    """Refuse a file whose last function does not end, as control would run out of it; code without a name was pasted from the middle of some."""
    code = [i for i in last.instructions if i.kind is not InstructionKind.NOP]
    if not code or not code[-1].traits.falls_through or code[-1].kind is InstructionKind.CALL:
        return source
    where = f"line {code[-1].line}" if code[-1].line else f"{code[-1].address:#x}"
    if last.name:
        raise UsageError(f"it is cut off: {last.name} ends at {where} in the middle; write it again")
    return replace(source, fragment=f"a fragment: the code has no name and goes on behind {where}")


def sass(text: str, source: Source, binary: bytes) -> tuple[Listed, ...]:
    """Return the kernels of a SASS listing, with scheduling and resources where there are a cubin or encodings."""
    try:
        timed = scheduled.read(text, cubin.codes(binary) if binary else None)
    except UsageError as error:
        timed = ()
        note = f"waits are not known: {str(error).rstrip('.')}"
        source = replace(source, notes=(*source.notes, note)) if binary else source
    resources = {r.name: r for r in cubin.kernels(binary)} if binary else {}
    parsed = [s.function for s in timed] or [f for f in load("sass").parse(text) if f.instructions]
    if not parsed:
        raise UsageError("it has no function with instructions; is it cut off? Write it again")
    by_name = {s.function.name: s for s in timed}
    source = _ended(parsed[-1], source)
    kernels = [f for f in parsed if f.name in resources] or [f for f in parsed if not f.name.startswith("$")] or parsed
    made = (_kernel(f, parsed, by_name, resources.get(f.name), source) for f in kernels)
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


def resourced(item: Listed, said: KernelResources | None) -> Listed:
    """Add what the compiler said: launch size and local memory that only the launch brings."""
    if said is None:
        return item
    resources = item.function.resources
    merged = said if resources is None else _merged(resources, said)
    function = replace(item.function, resources=merged)
    timed = replace(item.scheduled, function=function) if item.scheduled else None
    return replace(item, function=function, scheduled=timed)


def _merged(known: KernelResources, said: KernelResources) -> KernelResources:
    fields = {name: getattr(said, name) for name in known.__slots__ if getattr(known, name) is None}
    if said.dynamic_lds is False:
        fields |= {"lds_bytes": said.lds_bytes, "dynamic_lds": False, "workgroup_max": said.workgroup_max}
    return replace(known, **fields)
