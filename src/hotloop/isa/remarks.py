"""What compilers print about registers and memory: ptxas ``-v``, and clang's ``-Rpass-analysis=kernel-resource-usage``.

Both tell the resources of each kernel and nothing of its code. ptxas names the processor, clang's remarks do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.isa.resources import KernelResources

_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)'(?: for '(?P<target>[^']+)')?")
_USED = re.compile(r"Used (?P<registers>\d+) registers(?P<rest>[^\n]*)")
_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores")
_BARRIERS, _SHARED = re.compile(r"used (\d+) barriers"), re.compile(r"(\d+)(?:\+(\d+))? bytes smem")
_KERNEL = re.compile(r"remark:[^\n]*?Function Name: (?P<name>\S+)")
_REMARK = re.compile(r"remark:[^\n]*?\s(?P<key>[A-Z][A-Za-z]*(?: [A-Z][a-z]+)?)(?: \[[^\]\n]+\])?: (?P<value>\S+)")
_REGISTER_BYTES = 4


def read(text: str) -> tuple[KernelResources, ...]:
    r"""Return the kernels that a compiler's messages are about, in order; empty for any other text.

    >>> log = "ptxas info    : Compiling entry function 'k' for 'sm_90'\\nptxas info    : Used 40 registers, 512 bytes smem"
    >>> [(kernel.name, kernel.target, kernel.vgprs, kernel.lds_bytes) for kernel in read(log)]
    [('k', 'sm_90', 40, 512)]
    """
    return (*of_ptxas(text), *of_clang(text))


def of_ptxas(log: str) -> Iterator[KernelResources]:
    """Yield what ptxas says of each kernel; functions that kernels call have no registers of their own."""
    for entry, body in _parts(log, _ENTRY):
        used, spilled = _USED.search(body), _SPILLS.search(body)
        if used is None:
            continue
        shared, barriers = _SHARED.search(used["rest"]), _BARRIERS.search(used["rest"])
        yield KernelResources(
            name=entry["name"],
            target=entry["target"] or "",
            vgprs=int(used["registers"]),
            vgpr_spills=int(spilled[2]) // _REGISTER_BYTES if spilled else None,
            scratch_bytes=int(spilled[1]) if spilled else None,
            lds_bytes=sum(int(part or 0) for part in shared.groups()) if shared else 0,
            barriers=int(barriers[1]) if barriers else None,
        )


def of_clang(log: str) -> Iterator[KernelResources]:
    """Yield what clang's remarks say of each kernel."""
    for head, body in _parts(log, _KERNEL):
        said = {match["key"]: match["value"] for match in _REMARK.finditer(body)}

        def number(*names: str, said: dict[str, str] = said) -> int | None:
            return next((int(said[name]) for name in names if said.get(name, "").isdigit()), None)

        yield KernelResources(
            name=head["name"],
            target="",
            vgprs=number("VGPRs"),
            agprs=number("AGPRs"),
            sgprs=number("TotalSGPRs", "SGPRs"),
            vgpr_spills=number("VGPRs Spill"),
            sgpr_spills=number("SGPRs Spill"),
            scratch_bytes=number("ScratchSize"),
            lds_bytes=number("LDS Size"),
            occupancy_waves=number("Occupancy"),
        )


def _parts(log: str, head: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each kernel's head and the text from there to the next one."""
    heads = list(head.finditer(log))
    ends = [*(match.start() for match in heads[1:]), len(log)]
    yield from ((match, log[match.end() : end]) for match, end in zip(heads, ends, strict=False))
