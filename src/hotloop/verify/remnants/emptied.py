"""Private variables in plain sight of kernels with barriers: their frame is one with that of whatever overwrites stacks, which therefore lies below them.

A compiler for CPUs puts a function with a barrier in its place, so that nothing that is called before it has had the place of its variables. Variables of
32 bytes and more that its text declares, and does not set there, are overwritten where they are declared.
"""

from __future__ import annotations

import re

from hotloop.verify.remnants.text import ME, OWN, closing

_EXTENTS = r"\s*(?:\[[^\[\];{}=]*\]\s*)*"
_DECLARED = re.compile(
    r"(?:\A|(?<=[;{}\n]))\s*(?:(?:volatile|unsigned|signed|private|__private|struct|union)\s+)*([A-Za-z_]\w*)\s+"
    rf"([A-Za-z_]\w*{_EXTENTS}(?:,\s*[A-Za-z_]\w*{_EXTENTS})*);"
)
_NO_TYPES = frozenset({"return", "goto", "case", "typedef", "extern", "static", "else", "const"})
_TYPE = re.compile(r"\b(?:struct|union|enum)\b[^;{}()=]*\{")
"""The beginning of a type's definition, whose members are no variables."""
_BARRIER = re.compile(r"\b(?:barrier|work_group_\w+)\s*\(")
_VOLATILE = re.compile(r"\bvolatile\b")
_LEAST_BYTES = 32
"""Smaller variables stay in registers where they are not volatile and nobody takes their address; several items together may have a table in those."""
HOW = f"{OWN}_emptied"
EMPTY = (
    f"void {OWN}_empty(volatile uint *a, const uint words, const uint how) {{{{ if (how && {ME} % {{each}}u == 0u)"
    " for (uint k = 0; k < words; ++k) {{ const uint old = a[k]; a[k] = how == 2u ? 0x7FC3A5A5u : old; }} }}"
)
"""The number says whether nothing is written, what is there already, or something else."""


def emptied(body: str) -> str | None:
    """Return a kernel's body that overwrites its private variables first, as a number of the name `HOW` says; None where it has no barrier or no such ones.

    >>> print(emptied("int a[4]; barrier(0);").replace(OWN, "own"))
    int a[4]; if (sizeof(a) >= 32) own_empty((volatile uint *)&a, sizeof(a) / 4, own_emptied); barrier(0);
    >>> emptied("int a[4]; a[0] = 1;"), emptied("int a[4] = {0}; barrier(0); return b;")
    (None, None)
    """
    return declared(body) if _BARRIER.search(body) else None


def declared(body: str) -> str | None:
    """Return the same whether it has a barrier or not; None where it declares no such variables."""
    made, end = list[str](), 0
    for found in _TYPE.finditer(body):
        if found.end() <= end:
            continue
        close = closing(body, found.end(), "{}")
        if close is None:
            return None
        made += [_DECLARED.sub(_with, body[end : found.start()]), body[found.start() : close]]
        end = close
    text = "".join([*made, _DECLARED.sub(_with, body[end:])])
    return None if text == body else text


def _with(found: re.Match[str]) -> str:
    if found[1] in _NO_TYPES:
        return found[0]
    names = [part.partition("[")[0].strip() for part in found[2].split(",")]
    whole, text, begin = _VOLATILE.search(found[0]), found.string, found.end()
    return found[0] + "".join(
        f" if (sizeof({name}) >= {1 if whole or _taken(name, text, begin) else _LEAST_BYTES})"
        f" {OWN}_empty((volatile uint *)&{name}, sizeof({name}) / 4, {HOW});"
        for name in names
    )


def _taken(name: str, text: str, begin: int) -> bool:
    """Tell whether the address of a variable is taken: it lies in memory then, however small it is."""
    return re.search(rf"&\s*{name}\b", text[begin:]) is not None
