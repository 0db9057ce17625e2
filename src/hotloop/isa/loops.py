"""Natural loops of a control-flow graph and how they nest.

A loop is a back edge, that is an edge to a block that dominates its source, with everything that reaches the source
without passing the header. Whether a block dominates another is told by that walk back: it does not where the entry is reached.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from operator import itemgetter

from hotloop.isa.blocks import Block
from hotloop.isa.instruction import Instruction

_SWAP = re.compile(r"cmpswap|cmpst|cmpxchg|\bCAST?\b|\.cas\b|\bstl?xrb?h?\b|\bcasp?a?l?[bh]?\b")
"""Part of the mnemonics of compare-and-swap, and of the stores that may fail: amdgcn, x86, SASS, PTX, AArch64."""
_MNEMONIC = itemgetter(Instruction._fields.index("mnemonic"))
_PLACE = re.compile(r"\[[%A-Za-z][^\]]*\]")
"""An address in brackets; amdgcn has none, ``v[2:3]`` are registers."""


@dataclass(frozen=True, slots=True)
class Loop:
    """All back edges to one header together."""

    header: int
    """Index of the block that every iteration passes."""
    blocks: frozenset[int]
    """Indices of its blocks, those of inner loops included."""
    own: frozenset[int]
    """Indices of its blocks that belong to no inner loop."""
    depth: int
    """1 for an outermost loop."""


def loops(graph: Sequence[Block], *, retries: bool = True) -> tuple[Loop, ...]:
    """Return the loops in order of their headers; cycles with several entries are no natural loops and are left out.

    Args:
        graph: of one function.
        retries: False to leave out loops that repeat a compare-and-swap until no other lane comes between. They are passed once as
            a rule, so that their blocks belong to the code around them.
    """
    bodies = _bodies(graph)
    if not retries and any(map(_swaps, _names(graph, frozenset().union(*bodies.values())))):
        innermost = {h for h, body in bodies.items() if not any(o != h and o in body for o in bodies)}
        bodies = {h: body for h, body in bodies.items() if h not in innermost or not _retries(graph, body)}
    heads = frozenset(bodies)
    depths = Counter(chain.from_iterable(heads & body for body in bodies.values()))
    regions = []
    for header, body in sorted(bodies.items()):
        inner = [bodies[other] for other in heads & body if other != header]
        regions.append(Loop(header, body, body.difference(*inner), depths[header]))
    return tuple(regions)


def _names(graph: Sequence[Block], members: Iterable[int]) -> set[str]:
    """Return the mnemonics of some blocks."""
    return set[str]().union(*(map(_MNEMONIC, graph[block].instructions) for block in members))


def _retries(graph: Sequence[Block], body: Iterable[int]) -> bool:
    """Tell whether the only place in memory that a loop touches is the one that it compares and swaps."""
    if not any(map(_swaps, _names(graph, body))):
        return False
    code = (i for block in body for i in graph[block].instructions)
    accesses = [i for i in code if i.traits.reads_memory or i.traits.writes_memory]
    swaps = [i for i in accesses if _swaps(i.mnemonic)]
    places = {place for i in swaps if (place := _place(i))}
    return bool(swaps) and all(_swaps(i.mnemonic) or _place(i) in places for i in accesses)


@lru_cache(maxsize=1 << 12)
def _swaps(mnemonic: str) -> bool:
    return _SWAP.search(mnemonic) is not None


def _place(instruction: Instruction) -> str:
    """Return the address that an instruction accesses; empty where it stands in registers of its own."""
    return next(reversed(_PLACE.findall(instruction.operands)), "")


def _bodies(graph: Sequence[Block]) -> dict[int, frozenset[int]]:
    """Return the blocks of each loop by header.

    A block is the header of the loop of an edge back to it where nothing else leads into what reaches that edge without passing it: the
    entry then comes there through the header only.
    """
    if not any(following and min(following) <= index for index, (_, following) in enumerate(graph)):
        return {}  # every cycle has a way back
    order = reverse_postorder(graph)
    place = dict(zip(order, count()))
    latches: dict[int, list[int]] = {}
    for latch in order:
        for header in graph[latch].successors:
            if place[header] <= place[latch]:
                latches.setdefault(header, []).append(latch)
    before = _predecessors(graph, order) if latches else ()
    return {header: body for header, sources in latches.items() if (body := _body(header, sources, before))}


def _body(header: int, latches: Sequence[int], before: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the blocks of the loop to a header, empty where none of the edges back to it makes one."""
    body = _reaching(latches, header, before)
    if not header or 0 not in body:
        return body
    found = [body for latch in latches if 0 not in (body := _reaching([latch], header, before))]
    return frozenset[int]().union(*found)


def _reaching(latches: Sequence[int], header: int, before: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the blocks from which a latch is reached without passing the header, and the header; not all once the entry is among them."""
    body, todo = {header, *latches}, [latch for latch in latches if latch != header]
    while todo and (0 not in body or not header):
        for block in before[todo.pop()]:
            if block not in body:
                body.add(block)
                todo.append(block)
    return frozenset(body)


def reverse_postorder(graph: Sequence[Block]) -> list[int]:
    """Return the blocks that the entry reaches, each before its successors except along back edges."""
    order: list[int] = []
    seen = set[int]()
    stack = [0] if graph else []
    while stack:
        block = stack.pop()
        if block < 0:  # what follows it has been gone through
            order.append(~block)
        elif block not in seen:
            seen.add(block)
            stack.append(~block)
            stack += graph[block][1][::-1]
    return order[::-1]


def _predecessors(graph: Sequence[Block], reached: Iterable[int]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in graph]
    for block in reached:
        for successor in graph[block][1]:
            before[successor].append(block)
    return before
