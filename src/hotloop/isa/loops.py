"""Natural loops of a control-flow graph and how they nest.

A loop is a back edge, that is an edge to a block that dominates its source, with everything that reaches the source
without passing the header. Dominators follow K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance
Algorithm", 2001.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from hotloop.isa.blocks import Block
from hotloop.isa.instruction import Instruction

_SWAP = re.compile(r"cmpswap|cmpst|cmpxchg|\bCAST?\b|\.cas\b")
"""Part of the mnemonics of compare-and-swap: amdgcn, x86, SASS, PTX."""
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
    """Return the blocks of each loop by header."""
    if not any(following and min(following) <= index for index, (_, following) in enumerate(graph)):
        return {}  # every cycle has a way back
    order = reverse_postorder(graph)
    before = _predecessors(graph, set(order))
    dominator = _dominators(order, before)
    place = {block: index for index, block in enumerate(order)}
    bodies: dict[int, frozenset[int]] = {}
    for latch in order:
        for header in graph[latch].successors:
            if place[header] <= place[latch] and _dominates(header, latch, dominator):
                bodies[header] = bodies.get(header, frozenset()) | _reaching(latch, header, before)
    return bodies


def _reaching(latch: int, header: int, before: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the blocks from which the latch is reached without passing the header, and the header."""
    body, todo = {header, latch}, [latch] if latch != header else []
    while todo:
        for block in before[todo.pop()]:
            if block not in body:
                body.add(block)
                todo.append(block)
    return frozenset(body)


def reverse_postorder(graph: Sequence[Block]) -> list[int]:
    """Return the blocks that the entry reaches, each before its successors except along back edges."""
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(graph[0].successors))] if graph else []
    while stack:
        block, following = stack[-1]
        for fresh in following:
            if fresh not in seen:
                seen.add(fresh)
                stack.append((fresh, iter(graph[fresh].successors)))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]


def _predecessors(graph: Sequence[Block], reached: set[int]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in graph]
    for block in sorted(reached):
        for successor in graph[block].successors:
            before[successor].append(block)
    return before


def _dominators(order: Sequence[int], before: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the immediate dominator of each reached block; the entry dominates itself."""
    rank = {block: index for index, block in enumerate(order)}
    dominator = {block: block for block in order[:1]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            ways = before[block]
            if len(ways) == 1:  # of most blocks, which then need no second look
                dominator[block] = ways[0]
                continue
            reached = [b for b in ways if b in dominator]
            best = reached[0]
            for other in reached[1:]:
                best = _meet(best, other, dominator, rank)
            changed |= dominator.get(block) != best
            dominator[block] = best
    return dominator


def _meet(one: int, two: int, dominator: dict[int, int], rank: dict[int, int]) -> int:
    """Return the closest common dominator of two blocks."""
    while one != two:
        while rank[one] > rank[two]:
            one = dominator[one]
        while rank[two] > rank[one]:
            two = dominator[two]
    return one


def _dominates(header: int, block: int, dominator: dict[int, int]) -> bool:
    """Tell whether every path from the entry to `block` passes `header`."""
    while block != header and dominator[block] != block:
        block = dominator[block]
    return block == header
