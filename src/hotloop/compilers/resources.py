"""What compilers say about registers and memory, as `KernelResources`.

Sources: what an amdgcn listing says of its kernels (`hotloop.isa.amdgcn.metadata`), clang's remarks
``-Rpass-analysis=kernel-resource-usage``, ptxas ``-v`` and cuobjdump.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.host.disassemble import Usage
from hotloop.isa import remarks
from hotloop.isa.amdgcn import metadata
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target


def from_metadata(listing: str, target: Target) -> tuple[KernelResources, ...]:
    """Return every kernel that an amdgcn listing describes; where it does not tell the wave size, the target's.

    Raises:
        ListingError: the metadata name another processor than the code; a UsageError.
    """
    return tuple(
        replace(kernel, target=target.name, wave_size=kernel.wave_size or target.wave_size)
        for kernel in metadata.described(listing).values()
    )


def with_remarks(kernels: tuple[KernelResources, ...], log: str) -> tuple[KernelResources, ...]:
    """Add what clang's remarks say: vector registers without accumulation registers, and the occupancy."""
    by_name = {kernel.name: kernel for kernel in remarks.of_clang(log)}
    return tuple(_remarked(kernel, by_name.get(kernel.name, kernel)) for kernel in kernels)


def _remarked(kernel: KernelResources, remark: KernelResources) -> KernelResources:
    return replace(
        kernel,
        vgprs=kernel.vgprs if remark.vgprs is None else remark.vgprs,
        occupancy_waves=kernel.occupancy_waves if remark.occupancy_waves is None else remark.occupancy_waves,
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
    reports = {kernel.name: kernel for kernel in remarks.of_ptxas(ptxas_log)}
    return tuple(_cubin_kernel(row, reports.get(row.name), target) for row in usage)


def _cubin_kernel(row: Usage, printed: KernelResources | None, target: Target) -> KernelResources:
    return KernelResources(
        name=row.name,
        target=target.name,
        vgprs=row.registers,
        vgpr_spills=printed.vgpr_spills if printed else None,
        scratch_bytes=row.local_bytes + row.stack_bytes,
        lds_bytes=printed.lds_bytes if printed else row.shared_bytes,
        wave_size=target.wave_size,
        barriers=printed.barriers if printed else None,
    )


def launched(kernel: KernelResources, symbol: str, shared_bytes: int, threads: int) -> KernelResources:
    """Add what Triton's launch adds: its local memory is dynamic, so the code object says nothing of it."""
    if kernel.name != symbol:
        return kernel
    return replace(kernel, lds_bytes=shared_bytes, dynamic_lds=False, workgroup_max=threads)
