"""Ways through a kernel from one instruction to another, and what they meet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence

from hotloop.isa.blocks import Block


def meets(graph: Sequence[Block], starts: Sequence[int], begin: int, end: int, stops: Collection[int]) -> bool:
    """Tell whether one of the ways from an instruction to another meets one of `stops`; all are places in the code.

    Args:
        graph: blocks in the order of the code.
        starts: place of each block's first instruction.
        begin: place that the ways leave.
        end: place where they end.
        stops: places of which one is to be met before that.
    """
    todo = [(bisect_right(starts, begin) - 1, begin + 1, False)]
    seen: set[tuple[int, bool]] = set()
    while todo:
        block, place, met = todo.pop()
        last = starts[block] + len(graph[block].instructions)
        met = met or any(place <= stop < (end if place <= end < last else last) for stop in stops)
        if place <= end < last:
            if met:
                return True
            continue
        fresh = [(following, met) for following in graph[block].successors if (following, met) not in seen]
        seen.update(fresh)
        todo += [(following, starts[following], flag) for following, flag in fresh]
    return False
