"""What compilers say about kernels: listing remarks, ``.amdhsa_`` directives, and the metadata document.

The metadata document is the YAML text of a listing or the same as MessagePack in an ELF note ("Code Object V3 and later
Metadata", LLVM's "User Guide for AMDGPU Backend"). LLVM writes the YAML with a fixed indentation, which is all that is
read here. On gfx90a and later CDNA its ``.vgpr_count`` is the sum of vector and accumulation registers as allocated
(256 + 11 gives 267); elsewhere it is the vector registers alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from hotloop.isa.amdgcn import scratch
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

_ITEM = re.compile(r"^  - ", re.MULTILINE)
_FIELD = re.compile(r"^(?:  - |    )(\.\w+):[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_ARGUMENT_KIND = re.compile(r"^ {6,}(?:- )?\.value_kind:[ \t]+(\w+)", re.MULTILINE)
_TARGET = re.compile(r"^amdhsa\.target:[ \t]+(\S+)", re.MULTILINE)
_AMDGCN_TARGET = re.compile(r"\.amdgcn_target[ \t]+\"([^\"\n]+)\"")
_REMARK = re.compile(r"^; (\w+)(?: ?: ?| = )(\d+)", re.MULTILINE)
_SIZE = re.compile(r"\.size[ \t]+\"?([^\s,\"]+)")
_KERNEL = re.compile(r"[ \t]+(\S+)[ \t]*\n")
_DIRECTIVE = re.compile(r"\.amdhsa_(\w+)[ \t]+(\d+)")
_TRAITS = itemgetter(Instruction._fields.index("traits"))
_DYNAMIC = "hidden_dynamic_lds_size"
_Fields = Mapping[str, object]
"""One kernel's entry of the metadata document; every value may be missing or of a wrong type."""


def described(text: str) -> dict[str, KernelResources]:
    """Return what a listing says about its kernels, by symbol; remarks add what the metadata lacks.

    Raises:
        ListingError: the metadata name another processor than the code.
    """
    remarks = dict(_remarks(text))
    directives = dict(_descriptors(text))
    fields, stated = _document(text)
    target = _agreed(text, stated)
    resources = {}
    for name in dict.fromkeys([*fields, *directives]):
        base = (
            from_fields(name, fields[name], target)
            if name in fields
            else KernelResources(name=name, target=_name(target))
        )
        base = _with_directives(base, directives.get(name, {}))
        resources[name] = _with_remarks(base, remarks.get(name, {}), target)
    return resources


def from_fields(name: str, fields: _Fields, target: Target | None) -> KernelResources:
    """Return the resources that one entry of the metadata document states; what it lacks or garbles is None."""
    unified = target is not None and target.unified
    count, agprs = _number(fields, ".vgpr_count"), _number(fields, ".agpr_count")
    total = count if unified else None
    vgprs = count if not unified or count is None or not agprs else max(0, count - agprs)
    lds = _number(fields, ".group_segment_fixed_size")
    return KernelResources(
        name=name,
        target=_name(target),
        vgprs=vgprs,
        agprs=agprs,
        total_vgprs=total,
        sgprs=_number(fields, ".sgpr_count"),
        vgpr_spills=_number(fields, ".vgpr_spill_count"),
        sgpr_spills=_number(fields, ".sgpr_spill_count"),
        scratch_bytes=_number(fields, ".private_segment_fixed_size"),
        lds_bytes=lds,
        dynamic_lds=True if _DYNAMIC in _kinds(fields) else None,
        workgroup_max=_number(fields, ".max_flat_workgroup_size"),
        wave_size=_number(fields, ".wavefront_size"),
    )


def with_code(resources: KernelResources, function: Function) -> KernelResources:
    """Add what only the code tells: whether local memory is used, and then whether its size comes with the launch.

    Triton states 0 bytes and lets the launch bring all of it; a kernel that states some may still get more, which only a
    hidden argument tells.
    """
    uses = _uses_local(function.instructions)
    dynamic = resources.dynamic_lds
    if dynamic is None and (resources.lds_bytes == 0 or not uses):
        dynamic = uses
    code_bytes = function.code_bytes if resources.code_bytes is None else resources.code_bytes
    return replace(resources, dynamic_lds=dynamic, code_bytes=code_bytes)


def attached(functions: Sequence[Function], resources: Mapping[str, KernelResources]) -> tuple[Function, ...]:
    """Return functions with the resources and the processor of their kernels, accesses of private memory marked."""
    return tuple(_attached(function, resources) for function in functions)


def _attached(function: Function, resources: Mapping[str, KernelResources]) -> Function:
    resource = resources.get(function.name)
    if resource is None:
        return scratch.marked(function, None)
    full = with_code(resource, function)
    whole = replace(function, resources=full, target=full.target or function.target, code_bytes=full.code_bytes)
    return scratch.marked(whole, full.scratch_bytes)


def _uses_local(code: Sequence[Instruction]) -> bool:
    """Tell whether code touches local memory; without names for what is asked, as all code of most kernels is looked at."""
    for traits in map(_TRAITS, code):
        if traits.space is MemorySpace.LOCAL or traits.kind is InstructionKind.COPY:
            return True
    return False


def _document(text: str) -> tuple[dict[str, dict[str, object]], Target | None]:
    """Return the entries of a listing's metadata by kernel, and the processor they name."""
    block = next(_between(text, ".amdgpu_metadata", ".end_amdgpu_metadata"), None)
    if block is None:
        return {}, None
    head, mark, body = block.partition("amdhsa.kernels:")
    kernels, rest = _split(body) if mark else ([], head)
    entries = [{**dict(_FIELD.findall("  - " + kernel)), ".args": _ARGUMENT_KIND.findall(kernel)} for kernel in kernels]
    stated = _TARGET.search(rest)
    by_name = {symbol(entry): entry for entry in entries}
    return {name: entry for name, entry in by_name.items() if name}, Target.in_identifier(stated[1]) if stated else None


def _between(text: str, begin: str, end: str) -> Iterator[str]:
    """Yield the parts between two marks; plain search, as a pattern would take longer than all the rest."""
    place = text.find(begin)
    while place >= 0:
        stop = text.find(end, place)
        if stop < 0:
            return
        yield text[place + len(begin) : stop]
        place = text.find(begin, stop)


def _descriptors(text: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the directives of each kernel descriptor."""
    for block in _between(text, "\t.amdhsa_kernel", ".end_amdhsa_kernel"):
        name = _KERNEL.match(block)
        if name:
            yield name[1], _numbers(_DIRECTIVE.findall(block))


def _split(body: str) -> tuple[list[str], str]:
    """Return the kernels' items, and what follows them: the first line that begins at the margin."""
    end = re.search(r"^\S", body, re.MULTILINE)
    items = body[: end.start()] if end else body
    return _ITEM.split(items)[1:], body[end.start() :] if end else ""


def symbol(fields: _Fields) -> str:
    """Return the symbol of a kernel's code, which is its descriptor's without ``.kd``; empty when it is not stated."""
    name = str(fields.get(".symbol") or fields.get(".name") or "").strip("'\"")
    return name.removesuffix(".kd")


def _agreed(text: str, stated: Target | None) -> Target | None:
    directive = _AMDGCN_TARGET.search(text)
    named = Target.in_identifier(directive[1]) if directive else None
    if named and stated and named.name != stated.name:
        raise ListingError(
            f"the listing is for {named.name} but its metadata for {stated.name}; give one listing at a time"
        )
    return named or stated


def _remarks(text: str) -> list[tuple[str, dict[str, int]]]:
    """Return the numbers that LLVM's assembly printer adds in comments after each function."""
    remarks = []
    place = text.find("; codeLenInByte")
    while place >= 0:
        end = text.find("\n\t.", place)
        begin = text.rfind("\t.size\t", 0, place)
        name = _SIZE.search(text, begin) if begin >= 0 else None
        if name:
            remarks.append((name[1], _numbers(_REMARK.findall(text[place : end if end >= 0 else None]))))
        place = text.find("; codeLenInByte", place + 1)
    return remarks


def _with_directives(base: KernelResources, stated: Mapping[str, int]) -> KernelResources:
    """Fill what the metadata lacks from the kernel descriptor's directives."""
    lds = base.lds_bytes if base.lds_bytes is not None else stated.get("group_segment_fixed_size")
    scratch = base.scratch_bytes if base.scratch_bytes is not None else stated.get("private_segment_fixed_size")
    wave = base.wave_size
    if wave is None and "wavefront_size32" in stated:
        wave = 32 if stated["wavefront_size32"] else 64
    return replace(
        base, lds_bytes=lds, scratch_bytes=scratch, wave_size=wave, barriers=stated.get("named_barrier_count")
    )


def _with_remarks(base: KernelResources, remarks: Mapping[str, int], target: Target | None) -> KernelResources:
    """Add the printer's figures; its register counts are exact where the metadata round."""
    agprs = remarks.get("NumAgprs", base.agprs)
    return replace(
        base,
        vgprs=remarks.get("NumVgprs", base.vgprs),
        agprs=agprs,
        total_vgprs=remarks.get("TotalNumVgprs", base.total_vgprs) if target is not None and target.unified else None,
        sgprs=base.sgprs if base.sgprs is not None else remarks.get("TotalNumSgprs"),
        scratch_bytes=base.scratch_bytes if base.scratch_bytes is not None else remarks.get("ScratchSize"),
        lds_bytes=base.lds_bytes if base.lds_bytes is not None else remarks.get("LDSByteSize"),
        code_bytes=remarks.get("codeLenInByte"),
        occupancy_waves=remarks.get("Occupancy"),
    )


def _kinds(fields: _Fields) -> Sequence[object]:
    """Return the kinds of a kernel's arguments."""
    arguments = fields.get(".args")
    if not isinstance(arguments, list):
        return ()
    return [argument.get(".value_kind") if isinstance(argument, dict) else argument for argument in arguments]


def _number(fields: _Fields, name: str) -> int | None:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if number >= 0 else None


def _numbers(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    return {name: int(value) for name, value in pairs}


def _name(target: Target | None) -> str:
    return target.name if target else ""
