"""Directives of the assembler that make code which a listing does not show, as inline assembly may have them.

The assembler repeats, expands or leaves out lines, or takes numbers for instructions; who reads the listing line by line executes
something else. Source: the GNU assembler's manual, "Assembler Directives", which LLVM's assembler follows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hotloop.emulate.errors import EmulateError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.isa.instruction import Function

_HIDING = re.compile(
    r"\s*\.(rept?|irpc?|endr|macro|endm\w*|if\w*|else\w*|endif|long|int|word|[hw]word|short|[248]byte|quad|octa|byte|fill|space|skip"
    r"|zero|org|include|incbin)\b"
)
_LABEL = re.compile(r"\s*[\w.$@?]+:")
_WORD = re.compile(r"\s*[A-Za-z]\w*(?:\s+[^\s=:]|\s*(?:;|//|$))")
"""A line that begins as an instruction or the call of a macro does; none that gives a name to a number."""


def refuse(text: str, functions: Sequence[Function]) -> None:
    """Refuse a listing with such a directive, or with the call of a macro, between the instructions of its functions. Raises EmulateError."""
    lines, plain = text.split("\n"), "/*" not in text
    for function in functions:
        rows = {item.line for item in function.instructions if item.line is not None}
        for number in range(_begin(lines, min(rows)), max(rows)) if rows else ():
            found = _HIDING.match(lines[number - 1]) if number not in rows else None
            if found:
                raise EmulateError(
                    f"line {number}: what .{found[1]} makes of the code does not stand in the listing; assemble it, and give the "
                    "code object instead."
                )
            if plain and number not in rows and not function.addressed and _WORD.match(lines[number - 1]):
                raise EmulateError(
                    f"line {number}: {lines[number - 1].strip()[:40]!r} is no instruction; a macro's code does not stand in the listing: "
                    "assemble it, and give the code object instead."
                )


def _begin(lines: Sequence[str], first: int) -> int:
    """Return the line behind the nearest label before a function's first instruction: its own name."""
    return next((number + 1 for number in range(first, 0, -1) if _LABEL.match(lines[number - 1])), 1)
