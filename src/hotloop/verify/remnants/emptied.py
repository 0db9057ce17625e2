"""Private variables in plain sight of kernels with barriers: their frame is one with that of whatever overwrites stacks, which therefore lies below them.

A compiler for CPUs puts a function with a barrier in its place, so that nothing that is called before it has had the place of its variables. Variables of
32 bytes and more that its text declares, and does not set there, are overwritten where they are declared.
"""

from __future__ import annotations

import re

from hotloop.verify.remnants.declarations import Declared, declarations
from hotloop.verify.remnants.text import ME, OWN, TURN

_BARRIER = re.compile(r"\b(?:barrier|work_group_\w+)\s*\(")
_TYPES = re.compile(r"\btypedef\b[^;{}]*?(?:\{[^{}]*\}[^;{}]*?)?\b(\w+)\s*(?:\[[^\[\]]*\]\s*)*;")
_LEAST_BYTES = 32
"""Smaller variables stay in registers where they are not volatile and nobody takes their address; several items together may have a table in those."""
HOW = f"{OWN}_emptied"
EMPTY = (
    f"void {OWN}_empty(volatile uint *a, const uint words, const uint how) {{{{ if (how && ({ME} + {TURN}) % {{each}}u == 0u)"
    " for (uint k = 0; k < words; ++k) {{ const uint old = a[k]; a[k] = how == 2u ? 0x7FC3A5A5u : old; }} }}"
)
"""The number says whether nothing is written, what is there already, or something else."""


def emptied(body: str) -> str | None:
    """Return a kernel's body that overwrites its private variables first, as a number of the name `HOW` says; None where it has no barrier or no such ones.

    >>> print(emptied("int a[4]; barrier(0);").replace(OWN, "own"))
    int a[4]; if (sizeof(a) >= 32) own_empty((volatile unsigned *)&a, (sizeof(a) > __alignof__(a) ? sizeof(a) : __alignof__(a)) / 4, own_emptied); barrier(0);
    >>> emptied("int a[4]; a[0] = 1;"), emptied("int a[4] = {0}; barrier(0); return b;")
    (None, None)
    """
    return declared(body) if _BARRIER.search(body) else None


def declared(body: str, whole: str = "") -> str | None:
    """Return the same whether it has a barrier or not; None where it declares no such variables. `whole`: the text that it stands in."""
    made, end = list[str](), 0
    for found in declarations(body, frozenset(_TYPES.findall(whole or body))):
        if not found.names:
            continue
        place = found.end - 1 if found.in_head else found.end
        made += [body[end:place], _emptying(found, body)]
        end = place
    return "".join([*made, body[end:]]) if made else None


def _emptying(found: Declared, body: str) -> str:
    """Return what overwrites the variables of a declaration: statements, or in the head of a loop one more variable."""
    least = {name: 1 if found.volatile or _taken(name, body, found.end) else _LEAST_BYTES for name in found.names}
    calls = {name: f"{OWN}_empty((volatile unsigned *)&{name}, {_words(name)}, {HOW})" for name in least}
    if not found.in_head:
        return "".join(f" if (sizeof({name}) >= {least[name]}) {call};" for name, call in calls.items())
    every = ", ".join(f"sizeof({name}) >= {least[name]} ? {call} : (void)0" for name, call in calls.items())
    return f", *{OWN}_{found.end} = ({every}, (void *)0)" if every else ""


def _words(name: str) -> str:
    """Return the words of a variable, with the gap behind it where it is aligned to more than its size."""
    return f"(sizeof({name}) > __alignof__({name}) ? sizeof({name}) : __alignof__({name})) / 4"


def _taken(name: str, text: str, begin: int) -> bool:
    """Tell whether the address of a variable is taken, or a pointer leads to it: it lies in memory then, however small it is.

    >>> [_taken("a", f"float a[4]; {use};", 11) for use in ("b = a[1]", "p = (T *)a", "p = &a[1]", "f(a)", "p = a + 1")]
    [False, True, True, True, True]
    >>> [_taken("a", f"S a; {use};", 4) for use in ("b = a", "p = a.v", "b = a.s0 + a.xy")]
    [False, True, False]
    """
    rest, declared = text[begin:], text[text.rfind(";", 0, begin - 1) + 1 : begin]
    is_array = re.search(rf"\b{name}\s*\[", declared) is not None
    used = (
        rf"|\b{name}\b(?!\s*\[)"
        if is_array
        else rf"|\b{name}\s*\.\s*(?!(?:[xyzw]{{1,4}}|s[0-9a-fA-F]+|lo|hi|odd|even)\b)"
    )
    return re.search(rf"&\s*{name}\b{used}", rest) is not None
