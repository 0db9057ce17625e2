"""The same OpenCL C program in which some work-items overwrite their private variables where these are declared.

Where kernels become functions that are called (`hotloop.verify.remnants.wrapped`) a compiler for CPUs makes no vectors of neighbouring work-items. A
kernel can see that: what it finds in a variable was left by the item before it, not by the one that had the same place in a vector. So what
the text declares is also overwritten in the kernel as it stands, by items whose places in a vector are all of them. What overwriting
costs is known from the program that writes what is there already.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.verify.remnants.emptied import HOW, declared
from hotloop.verify.remnants.text import ME, OWN, TURN, bare, bodies, prelude

if TYPE_CHECKING:
    from hotloop.model.program import Program

_PRELUDE = (
    f"void {OWN}_empty(volatile uint *a, const uint words, const uint how) {{ if ((({ME}) / 16u + {TURN}) % 4u == 0u)"
    " for (uint k = 0; k < words; ++k) { const uint old = a[k]; a[k] = how == 2u ? 0x7FC3A5A5u : old; } }"
    f"\n#define {HOW} "
)
"""Sixteen items one after the other are all places of any vector; the 48 that follow are too few to pay for a table. Which sixteen of a group differs from
group to group, for those that are never looked at could keep one."""


def among(program: Program, *, other: bool) -> Program | None:
    """Return a program whose functions overwrite their private variables, or write what is there already; None where its text declares none."""
    if program.language != "opencl":
        return None
    text, made, end = bare(program.source), list[str](), 0
    for begin, close in bodies(text):
        body = text[begin:close]
        made += [text[end:begin], declared(body, text) or body]
        end = close
    source = "".join([*made, text[end:]])
    return None if source == text else replace(program, source=prelude(f"{_PRELUDE}{2 if other else 1}") + source)
