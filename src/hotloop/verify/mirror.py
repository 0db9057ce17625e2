"""The same OpenCL C program with its work-groups and work-items in other orders.

Nothing in the language says in which order they run. A CPU runs them upwards, so that what reads what an earlier item wrote is
right there by luck; and the compiler makes vectors of items next to each other, which then wait for one another without any
barrier. So a program is also compiled without optimization, where each item runs alone from one barrier to the next, and every
work-item takes the place of the one opposite: the functions that tell a kernel where it is are replaced.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.program import Launch, Program

_PRELUDE = (
    "size_t hotloop_group(uint d) { return get_num_groups(d) - 1 - get_group_id(d); } "
    "size_t hotloop_local(uint d) { return get_local_size(d) - 1 - get_local_id(d); } "
    "size_t hotloop_global(uint d) { return get_global_offset(d) + hotloop_group(d) * get_local_size(d) + hotloop_local(d); }\n"
    "#define get_group_id hotloop_group\n#define get_local_id hotloop_local\n#define get_global_id hotloop_global\n#line 1\n"
)
_PLACED = re.compile(r"\bget_(?:group|local|global)_id\b")
_APART = re.compile(r"sub_?group|linear_id|enqueued|\bsimd|\basm\b|hotloop_|\bpipe\b|#\s*(?:define|undef)\s+get_")
"""Code that identifies neighbours by other means, or defines such functions itself."""
_SPINS = re.compile(r"\bwhile\b|\bdo\b")
_SHARED = re.compile(r"\bvolatile\b|\batom")
"""Code that shares memory between groups: together with a loop of `_SPINS`, a group may wait for an earlier one, which would never be started."""
_GATHERED = re.compile(r"\w\s*\[[^;\[\]]*\w\s*\[[^;{}=]*\]\s*\]\s*(?:(?:[-+*/|&^]|<<|>>)=|\+\+|--)")
"""An element whose place is read from an array is changed: of several items that meet there one may be lost."""
_ADDED = re.compile(r"\b(\w+)\s*\[([^;{}\[\]]*)\]\s*(?:(?:[-+*/|&^]|<<|>>)=|\+\+|--)")
"""An element that is changed: the array and its place."""
_NON_UNIFORM = re.compile(r"-cl-std=CL[23]")
_ALONE = "-cl-opt-disable"


@dataclass(frozen=True, slots=True)
class Order:
    """A program that does the same in another order."""

    program: Program
    words: str
    """The order, as part of a sentence."""
    contended: bool = False
    """True where work-groups add to what others add to: what one of them loses is lost by chance, so once is not enough."""


def orders(program: Program) -> tuple[Order, ...]:
    """Return programs that do the same in other orders; none where that cannot be said of its text."""
    text = program.source
    if program.language != "opencl" or not _PLACED.search(text) or _APART.search(text):
        return ()
    if _SPINS.search(text) and _SHARED.search(text):
        return ()
    alone = replace(program, options=(*program.options, _ALONE))
    turned = _mirrored(alone)
    together = bool(_SHARED.search(text) or gathers(text))
    order = Order(alone, "the program compiled without optimization", together)
    return (order, Order(turned, "its work-groups and work-items in the opposite order")) if turned else (order,)


def gathers(text: str) -> bool:
    """Tell whether elements are changed whose place was read from an array: in an index, or into a variable before.

    >>> gathers("hist[bin[i]] += w;"), gathers("const int u = edge[i], v = 3; out[u] += w;"), gathers("const int u = 3 * i; out[u] += x[u];")
    (True, True, False)
    """
    if _GATHERED.search(text):
        return True
    names = {name for found in _ADDED.finditer(text) for name in re.findall(r"[A-Za-z_]\w*", found[2])}
    return any(re.search(rf"\b{name}\s*=[^=;,][^;,]*\[", text) for name in names)


def loses(text: str) -> bool:
    """Tell whether what is changed so is memory that all work-items have: one may lose what another adds, which one core never shows.

    >>> loses("k(__global int *out) { const int u = edge[i]; out[u] += 1; }"), loses("k(__global int *out) { int n[9]; n[edge[i]] += 1; }")
    (True, False)
    """
    shared = {
        name
        for found in re.finditer(r"\b(?:__global|global)\b[^,(){};]*?(\w+)\s*(?=[,)])", text)
        for name in found.groups()
    }
    kept = [
        found for found in re.finditer(r"\b(\w+)\s*\[[^;{}=]*\]\s*(?:[-+|&^]=|\+\+|--)", text) if found[1] in shared
    ]
    return any(gathers(text[: found.end()]) for found in kept)


def _mirrored(program: Program) -> Program | None:
    """Return the program in the opposite order; None where groups may be uneven."""
    uneven = any(map(_uneven, program.launches)) or any(map(_NON_UNIFORM.search, program.options))
    return None if uneven else replace(program, source=_PRELUDE + program.source)


def _uneven(launch: Launch) -> bool:
    return launch.local_size is not None and any(
        extent % local for extent, local in zip(launch.global_size, launch.local_size, strict=True)
    )
