"""What a GPU's machine code says about a launch: the hot loop, registers and spills, shared memory, occupancy."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hotloop.app.code import analysis as isa
from hotloop.app.code import content as isa_content
from hotloop.errors import HotloopError
from hotloop.isa import cxx
from hotloop.isa.static import NAMES
from hotloop.isa.summary.build import report
from hotloop.isa.summary.facts import room_evidence
from hotloop.isa.summary.nvidia import NvidiaTiming
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.program import Local

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.program import Launch

BACKENDS = frozenset({"cuda", "hip", "triton", "gluon"})
"""Backends whose binaries are code objects of one GPU."""


def machine_evidence(binary: bytes, launch: Launch, device: Device) -> Evidence:
    """Return the ``static.*`` and ``isa.*`` facts of the code that a launch runs; absent, with the reason, without tools."""
    try:
        if not binary:
            raise ValueError("the runtime gave no code object")
        contents = isa_content.read(binary, f"code object of {launch.entry}")
        name = cxx.find(launch.entry, [item.function.name for item in contents])
        item = next(item for item in contents if item.function.name == name)
    except (HotloopError, ValueError) as error:
        return Evidence(absent=tuple(Absent(name, str(error)) for name in NAMES))
    bare = report(item.function, item.source, NvidiaTiming(item.scheduled) if item.scheduled else None)
    dynamic_bytes = sum(a.local_bytes for a in launch.arguments if isinstance(a, Local))
    workgroup = prod(launch.local_size) if launch.local_size else None
    asked = isa.Request(
        text=item.source.origin, target=device.target, workgroup=workgroup, dynamic_lds_bytes=dynamic_bytes
    )
    return bare.evidence.merged(room_evidence(isa.occupied(bare, asked)))
