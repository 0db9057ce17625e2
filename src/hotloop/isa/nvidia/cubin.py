"""Kernels of a cubin: their code and what the compiler says about them.

A cubin is an ELF file for machine 190. The processor stands in its flags: bits 0..7 with OS ABI 51, bits 8..15 with OS ABI 65
(CUDA 12.9 and later write it for newer processors); suffixes such as the ``a`` of ``sm_90a`` are not in there. Every
kernel has its section ``.text.<name>``; device functions called by it may lie in the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hotloop.isa.elf import MAGIC, damage, read
from hotloop.isa.nvidia.attributes import Attributes, parse
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

MACHINE = 190
_MACHINE_OFFSET = 18
_OLD_ABI = 51
_KERNEL = 0x10
"""Bit of a symbol's ``st_other`` that marks what the host may launch."""
_OTHER_OFFSET = 5
_BARRIERS_SHIFT, _BARRIERS_MASK = 20, 0x7F


@dataclass(frozen=True, slots=True)
class Symbol:
    """One function of a cubin."""

    name: str
    address: int
    """Offset in its section, as listings number it."""
    code: bytes
    resources: KernelResources | None
    """None for device functions, which count to the kernel that calls them."""


def recognises(binary: bytes) -> bool:
    """Tell by the header whether this is a cubin."""
    machine = binary[_MACHINE_OFFSET : _MACHINE_OFFSET + 2]
    return binary.startswith(MAGIC) and int.from_bytes(machine, "little") == MACHINE


def symbols(binary: bytes) -> dict[str, Symbol]:
    """Return the functions of a cubin by name, kernels and device functions.

    Raises:
        ValueError: not a cubin, or damaged; the text is the reason.
        MissingExtraError: pyelftools is not installed.
    """
    if not recognises(binary):
        raise ValueError("not a cubin (an ELF file for CUDA): give the .cubin that nvcc, ptxas or Triton wrote")
    with damage("the cubin is damaged"):
        return {symbol.name: symbol for symbol in _symbols(read(binary, "reading cubins"))}


def codes(binary: bytes) -> dict[str, bytes]:
    """Return the machine code by symbol, as `hotloop.isa.nvidia.scheduled.read` takes it; raises like `symbols`."""
    return {name: symbol.code for name, symbol in symbols(binary).items()}


def kernels(binary: bytes) -> tuple[KernelResources, ...]:
    """Return the resources of all kernels, in name order; raises like `symbols`."""
    entries = symbols(binary)
    return tuple(r for name in sorted(entries) if (r := entries[name].resources) is not None)


def _symbols(file: Any) -> Iterator[Symbol]:  # noqa: ANN401 - pyelftools has no types
    sections = {section.name: section for section in file.iter_sections()}
    shared = sections.get(".nv.info")
    common = parse(shared.data()) if shared is not None else Attributes(registers={}, stack_bytes={})
    target = _target(file)
    table = sections.get(".symtab")
    if table is None:
        return
    for index, symbol in enumerate(table.iter_symbols()):
        home = symbol["st_shndx"]
        if symbol["st_info"]["type"] != "STT_FUNC" or not isinstance(home, int) or not symbol["st_size"]:
            continue
        section = file.get_section(home)
        start, name = symbol["st_value"], str(symbol.name)
        code = bytes(section.data()[start : start + symbol["st_size"]])
        other = table.data()[index * int(table["sh_entsize"]) + _OTHER_OFFSET]
        resources = _resources(name, target, sections, section, index, common) if other & _KERNEL else None
        yield Symbol(name, start, code, resources)


def _resources(
    name: str,
    target: str,
    sections: dict[str, Any],
    section: Any,  # noqa: ANN401
    index: int,
    common: Attributes,
) -> KernelResources:
    info = sections.get(f".nv.info.{name}")
    own = parse(info.data()) if info is not None else Attributes(registers={}, stack_bytes={})
    memory = sections.get(f".nv.shared.{name}")
    flagged = int(section["sh_flags"]) >> _BARRIERS_SHIFT & _BARRIERS_MASK
    return KernelResources(
        name=name,
        target=target,
        vgprs=common.registers.get(index),
        scratch_bytes=common.stack_bytes.get(index),
        lds_bytes=int(memory["sh_size"]) if memory is not None else 0,
        workgroup_max=own.workgroup_max,
        wave_size=Target.of(target).wave_size,
        barriers=own.barriers if own.barriers is not None else flagged,
        code_bytes=int(section["sh_size"]),
    )


def _target(file: Any) -> str:  # noqa: ANN401
    flags = int(file["e_flags"])
    return f"sm_{flags & 0xFF if file['e_ident']['EI_OSABI'] == _OLD_ABI else flags >> 8 & 0xFF}"
