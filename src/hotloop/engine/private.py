"""How much of a thread's stack the variables of a program's kernels take, where kernels run on a CPU.

A runtime tells private memory of an item, or of as many as it computes together. Where items wait for one another all items of a
group keep theirs at once (found out by asking which pages of the stack Intel's runtime had touched). Registers that the compiler spills
are in no such number, but in the frame that the code takes.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.outcome import Artifact
    from hotloop.model.program import Program

_WAITS = re.compile(r"barrier|group_")
_LARGEST_GROUP = 8192
"""Items of a group whose size the runtime chooses, at most."""


def needed_bytes(program: Program, built: Artifact) -> int:
    """Return the most that any launch needs; nothing where neither the runtime nor the code tells."""
    together = bool(_WAITS.search(program.source) or _WAITS.search(" ".join(program.options)))
    used = {entry: resources.private_bytes or 0 for entry, resources in built.resources}
    items = {
        launch.entry: prod(launch.local_size) if launch.local_size else _LARGEST_GROUP for launch in program.launches
    }
    reported_bytes = max((size * (items.get(entry, 1) if together else 1) for entry, size in used.items()), default=0)
    return max(reported_bytes, built.frame_bytes)


def met_bytes(program: Program, built: Artifact) -> int:
    """Return the same with local memory, which Intel's runtime lays on the stack, too.

    With less left open, a kernel with 52 KiB of local memory ended at a closed page.
    """
    return needed_bytes(program, built) + max((each.local_bytes or 0 for _, each in built.resources), default=0)
