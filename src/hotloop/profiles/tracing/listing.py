"""The machine code in a thread trace or in samples of it, as a listing that the analysis of code reads."""

from __future__ import annotations

import re

from hotloop.profiles.trace import TracedKernel

NAME = "traced_kernel"
"""Label of the code: a kernel's own name may be a signature, which is no label."""
_BRANCH = re.compile(r"s_c?branch\w*")


def listing(kernel: TracedKernel) -> str:
    """Return the kernel's instructions as assembler text; branches whose targets are known go to labels."""
    targets = {i.target for i in kernel.instructions if i.target is not None}
    rows = [f"{NAME}:"]
    for instruction in kernel.instructions:
        if instruction.address in targets:
            rows.append(_label(instruction.address) + ":")
        if instruction.source:
            rows.append(f"\t; {instruction.source}")
        text = instruction.text.partition(" // ")[0].strip()
        branch = _BRANCH.match(text)
        if branch and instruction.target is not None:
            text = f"{branch[0]} {_label(instruction.target)}"
        rows.append(f"\t{text}")
    return "\n".join(rows) + "\n"


def _label(address: int) -> str:
    return f".L{address:x}"
