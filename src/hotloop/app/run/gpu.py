"""What a GPU's machine code says about a launch: the hot loop, registers and spills, shared memory, occupancy."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hotloop.app.code import content
from hotloop.app.code.analysis import bare
from hotloop.diagnose.code import Launched, placed
from hotloop.errors import HotloopError
from hotloop.isa import cxx
from hotloop.isa.static import NAMES
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.program import Local

if TYPE_CHECKING:
    from hotloop.model.program import Launch


def machine_evidence(binary: bytes, launch: Launch) -> Evidence:
    """Return the ``static.*`` and ``isa.*`` facts of the code that a launch runs; absent with a reason if no tool can read it."""
    try:
        if not binary:
            raise ValueError("the runtime gave no code object")
        contents = content.read(binary, f"code object of {launch.entry}")
        name = cxx.find(launch.entry, [item.function.name for item in contents])
        item = next(item for item in contents if item.function.name == name)
    except (HotloopError, ValueError) as error:
        return Evidence(absent=tuple(Absent(name, str(error)) for name in NAMES))
    report = bare(item)
    dynamic_bytes = sum(a.local_bytes for a in launch.arguments if isinstance(a, Local))
    workgroup = prod(launch.local_size) if launch.local_size else None
    return placed(report, Launched(workgroup=workgroup, dynamic_lds_bytes=dynamic_bytes)).evidence
