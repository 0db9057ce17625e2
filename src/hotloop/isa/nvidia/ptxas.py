"""Resources from what ``ptxas -v`` (``nvcc -Xptxas -v``, ``--resource-usage``) prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

_ENTRY = re.compile(r"Compiling entry function '([^']+)' for '(sm_\w+)'")
_REGISTERS = re.compile(r"Used (\d+) registers")
_BARRIERS = re.compile(r"used (\d+) barriers")
_SHARED = re.compile(r"(\d+) bytes smem")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores")
_REGISTER_BYTES = 4


def parse(text: str) -> tuple[KernelResources, ...]:
    """Return the resources of the kernels that the text tells of, in its order; empty when it has none.

    Spills are bytes of spill stores divided by the size of a register. Dynamic shared memory is not in there.
    """
    return tuple(_entries(text.splitlines()))


def _entries(lines: list[str]) -> Iterator[KernelResources]:
    name = target = ""
    frame = spills = None
    for line in lines:
        if (match := _ENTRY.search(line)) is not None:
            name, target, frame, spills = match[1], match[2], None, None
        elif (match := _STACK.search(line)) is not None and name:
            frame, spills = int(match[1]), int(match[2]) // _REGISTER_BYTES
        elif (match := _REGISTERS.search(line)) is not None and name:
            yield KernelResources(
                name=name,
                target=target,
                vgprs=int(match[1]),
                vgpr_spills=spills,
                scratch_bytes=frame,
                lds_bytes=_number(_SHARED, line) or 0,
                barriers=_number(_BARRIERS, line) or 0,
                wave_size=Target.of(target).wave_size,
            )
            name = ""


def _number(pattern: re.Pattern[str], line: str) -> int | None:
    match = pattern.search(line)
    return int(match[1]) if match else None
