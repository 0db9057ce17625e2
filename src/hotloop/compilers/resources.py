"""What compilers say about registers and memory, as `KernelResources`.

Sources: what an amdgcn listing says of its kernels (`hotloop.isa.amdgcn.metadata`), clang's remarks
``-Rpass-analysis=kernel-resource-usage``, ptxas ``-v`` and cuobjdump.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.host.disassemble import Usage
from hotloop.isa.amdgcn import metadata
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

_REMARK = re.compile(r"remark:\s+(?P<key>[^:\n]+): (?P<value>\S+)(?: \[-Rpass)?")
_PTXAS = re.compile(
    r"Compiling entry function '(?P<name>[^']+)'.*?(?P<stores>\d+) bytes spill stores.*?Used (?P<registers>\d+) registers"
    r"(?P<rest>[^\n]*)",
    re.DOTALL,
)
_BARRIERS, _SHARED = re.compile(r"used (\d+) barriers"), re.compile(r"(\d+) bytes smem")


def from_metadata(listing: str, target: Target) -> tuple[KernelResources, ...]:
    """Return every kernel that an amdgcn listing describes; where it does not tell the wave size, the target's.

    Raises:
        ListingError: the metadata name another processor than the code; a UsageError.
    """
    return tuple(
        replace(kernel, target=target.name, wave_size=kernel.wave_size or target.wave_size)
        for kernel in metadata.described(listing).values()
    )


def with_remarks(kernels: tuple[KernelResources, ...], remarks: str) -> tuple[KernelResources, ...]:
    """Add what clang's remarks say: vector registers without accumulation registers, and the occupancy."""
    parts = remarks.split("Function Name: ")[1:]
    remarked = {
        part.split(maxsplit=1)[0]: {m["key"].strip(): m["value"] for m in _REMARK.finditer(part)} for part in parts
    }
    return tuple(_remarked(kernel, remarked.get(kernel.name, {})) for kernel in kernels)


def _remarked(kernel: KernelResources, remarks: dict[str, str]) -> KernelResources:
    def number(key: str, default: int | None) -> int | None:
        return int(remarks[key]) if remarks.get(key, "").isdigit() else default

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
    reports = {match["name"]: match for match in _PTXAS.finditer(ptxas_log)}
    return tuple(_cubin_kernel(row, reports.get(row.name), target) for row in usage)


def _cubin_kernel(row: Usage, printed: re.Match[str] | None, target: Target) -> KernelResources:
    shared, barriers = row.shared_bytes, None
    if printed:
        smem, used = _SHARED.search(printed["rest"]), _BARRIERS.search(printed["rest"])
        shared, barriers = int(smem[1]) if smem else 0, int(used[1]) if used else None
    return KernelResources(
        name=row.name,
        target=target.name,
        vgprs=row.registers,
        vgpr_spills=int(printed["stores"]) // 4 if printed else None,
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
