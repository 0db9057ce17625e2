"""What compilers say about registers and memory, as `KernelResources`.

Sources: the ``.amdgpu_metadata`` block of an amdgcn listing (also an ELF note; AMDGPU back-end guide of LLVM, code
object V5), clang's remarks ``-Rpass-analysis=kernel-resource-usage``, ptxas ``-v`` and cuobjdump.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.backends.offline import Target
from hotloop.host.disassemble import Usage
from hotloop.isa.resources import KernelResources

_BLOCK = re.compile(r"^\s*\.amdgpu_metadata\s*$(.*?)^\s*\.end_amdgpu_metadata", re.MULTILINE | re.DOTALL)
_KERNEL = re.compile(r"^  - ", re.MULTILINE)
_KEY = re.compile(r"^    \.(\w+):\s+(\S+)\s*$", re.MULTILINE)
_REMARK = re.compile(r"remark:\s+(?P<key>[^:\n]+): (?P<value>\S+)(?: \[-Rpass)?")
_PTXAS = re.compile(
    r"Compiling entry function '(?P<name>[^']+)'.*?(?P<stores>\d+) bytes spill stores.*?Used (?P<registers>\d+) registers"
    r"(?P<rest>[^\n]*)",
    re.DOTALL,
)
_COMMENT_CHARACTERS = 4000
"""Of the block of comments after a function."""
_CODE_BYTES, _OCCUPANCY = re.compile(r"; codeLenInByte = (\d+)"), re.compile(r"; Occupancy: (\d+)")
_BARRIERS, _SHARED = re.compile(r"used (\d+) barriers"), re.compile(r"(\d+) bytes smem")


def from_metadata(listing: str, target: Target) -> tuple[KernelResources, ...]:
    """Return every kernel that an amdgcn listing's metadata names; CDNA's ``.vgpr_count`` is the unified total."""
    found = _BLOCK.search(listing)
    if not found:
        return ()
    kernels = found[1].partition("amdhsa.kernels:")[2].partition("\namdhsa.")[0]
    rows = [dict(_KEY.findall(f"    {part}")) for part in _KERNEL.split(kernels)[1:]]
    return tuple(_commented(_kernel(row, target), listing) for row in rows if "name" in row)


def _kernel(row: dict[str, str], target: Target) -> KernelResources:
    def number(key: str) -> int | None:
        text = row.get(key, "")
        return int(text) if text.isdigit() else None

    total, agprs = number("vgpr_count"), number("agpr_count")
    unified = agprs is not None and total is not None
    return KernelResources(
        name=row["name"].strip("'\""),
        target=target.name,
        vgprs=None if unified else total,  # V is padded before A is added
        agprs=agprs,
        total_vgprs=total if unified else None,
        sgprs=number("sgpr_count"),
        vgpr_spills=number("vgpr_spill_count"),
        sgpr_spills=number("sgpr_spill_count"),
        scratch_bytes=number("private_segment_fixed_size"),
        lds_bytes=number("group_segment_fixed_size"),
        workgroup_max=number("max_flat_workgroup_size"),
        wave_size=number("wavefront_size") or target.wave_size,
    )


def _commented(kernel: KernelResources, listing: str) -> KernelResources:
    """Add what LLVM's assembly printer writes after the function: vector registers alone, code size, occupancy."""
    symbol = re.search(rf"^\s*\.set (?:\.L)?{re.escape(kernel.name)}\.num_vgpr, (\d+)", listing, re.MULTILINE)
    if not symbol:
        return kernel
    after = listing[symbol.end() : symbol.end() + _COMMENT_CHARACTERS]
    code, waves = _CODE_BYTES.search(after), _OCCUPANCY.search(after)
    return replace(
        kernel,
        vgprs=int(symbol[1]),
        code_bytes=int(code[1]) if code else None,
        occupancy_waves=int(waves[1]) if waves else None,
    )


def with_remarks(kernels: tuple[KernelResources, ...], remarks: str) -> tuple[KernelResources, ...]:
    """Add what clang's remarks say: vector registers without accumulation registers, and the occupancy."""
    parts = remarks.split("Function Name: ")[1:]
    said = {part.split(maxsplit=1)[0]: {m["key"].strip(): m["value"] for m in _REMARK.finditer(part)} for part in parts}
    return tuple(_remarked(kernel, said.get(kernel.name, {})) for kernel in kernels)


def _remarked(kernel: KernelResources, said: dict[str, str]) -> KernelResources:
    def number(key: str, known: int | None) -> int | None:
        return int(said[key]) if said.get(key, "").isdigit() else known

    return replace(
        kernel,
        vgprs=number("VGPRs", kernel.vgprs),
        occupancy_waves=number("Occupancy [waves/SIMD]", kernel.occupancy_waves),
    )


def without_remarks(log: str) -> str:
    """Return a compiler's messages less the resource remarks and the source lines that they quote."""
    kept, skipping = [], False
    for line in log.splitlines():
        quote = skipping and bool(re.match(r"\s*\d*\s*\|", line))
        skipping = "[-Rpass-analysis=kernel-resource-usage]" in line or quote
        if not skipping:
            kept.append(line)
    return "\n".join(kept).strip()


def from_cubin(usage: tuple[Usage, ...], ptxas_log: str, target: Target) -> tuple[KernelResources, ...]:
    """Return every kernel of a cubin; what ptxas said is preferred, because it leaves out what the system reserves."""
    said = {match["name"]: match for match in _PTXAS.finditer(ptxas_log)}
    return tuple(_cubin_kernel(row, said.get(row.name), target) for row in usage)


def _cubin_kernel(row: Usage, said: re.Match[str] | None, target: Target) -> KernelResources:
    shared, barriers = row.shared_bytes, None
    if said:
        smem, used = _SHARED.search(said["rest"]), _BARRIERS.search(said["rest"])
        shared, barriers = int(smem[1]) if smem else 0, int(used[1]) if used else None
    return KernelResources(
        name=row.name,
        target=target.name,
        vgprs=row.registers,
        vgpr_spills=int(said["stores"]) // 4 if said else None,
        scratch_bytes=row.local_bytes + row.stack_bytes,
        lds_bytes=shared,
        wave_size=target.wave_size,
        barriers=barriers,
    )


def launched(kernel: KernelResources, symbol: str, shared_bytes: int, threads: int) -> KernelResources:
    """Add what Triton's launch adds: its local memory is dynamic, so the code object says nothing of it."""
    if kernel.name != symbol:
        return kernel
    return replace(kernel, lds_bytes=shared_bytes, dynamic_lds=False, workgroup_max=threads)
