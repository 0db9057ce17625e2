"""The same OpenCL C program in which some work-items overwrite their private variables where these are declared.

Where kernels become functions that are called (`hotloop.verify.remnants.wrapped`) a compiler for CPUs makes no vectors of neighbouring work-items. A
kernel can see that: what it finds in a variable was left by the item before it, not by the one that had the same place in a vector. So what
the text declares is also overwritten in the kernel as it stands, by items whose places in a vector are all of them. What overwriting
costs is known from the program that writes what is there already.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.program import Value
from hotloop.verify.remnants.emptied import HOW, declared
from hotloop.verify.remnants.text import ME, OWN, alike, bare, longer, prelude

if TYPE_CHECKING:
    from hotloop.model.program import Program

_PRELUDE = prelude(
    f"void {OWN}_empty(volatile uint *a, const uint words, const uint how) {{ if (how && (({ME}) / 16u) % 4u == 0u)"
    " for (uint k = 0; k < words; ++k) { const uint old = a[k]; a[k] = how == 2u ? 0x7FC3A5A5u : old; } }"
)
"""Sixteen items one after the other are all places of any vector; the 48 that follow are too few to pay for a table."""


def among(program: Program, *, other: bool) -> Program | None:
    """Return a program that overwrites private variables, or writes what is there already; None where its text declares none or hides its kernels."""
    if program.language != "opencl":
        return None
    text = bare(program.source)
    every = alike(program, text) or []
    bodies = [declared(text[kernel.body : kernel.end - 1]) for kernel in every]
    if not any(bodies):
        return None
    made, end = [_PRELUDE], 0
    for kernel, body in zip(every, bodies, strict=True):
        given = longer(text[kernel.parameters : kernel.close], HOW)
        own = body or text[kernel.body : kernel.end - 1]
        made += [text[end : kernel.parameters], given, text[kernel.close : kernel.body], own]
        end = kernel.end - 1
    how = Value(2 if other else 1, "uint32")
    launches = tuple(replace(launch, arguments=(*launch.arguments, how)) for launch in program.launches)
    return replace(program, source="".join([*made, text[end:]]), launches=launches)
