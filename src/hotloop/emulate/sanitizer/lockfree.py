"""Loads of local memory that belong to a compare-and-swap: what a lock-free loop reads to decide what it will swap.

A relaxed atomic load looks like a plain one in local memory. One is taken for atomic where a compare-and-swap can follow it,
straight on or round a loop, before the wave meets a barrier. A phase that reads what an earlier phase swapped is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.instruction import Decoded

_SWAPS = ("ds_cmpst_", "ds_cmpstore_", "flat_atomic_cmpswap")
READS = ("ds_read", "ds_load", "flat_load")
"""Loads that read local memory, or may."""


def swaps(ins: Decoded | None) -> bool:
    """Tell whether an instruction is a compare-and-swap of local memory, or may be one."""
    return ins is not None and ins.name.startswith(_SWAPS)


def before_swaps(code: Sequence[Decoded]) -> frozenset[int]:
    """Return the loads of local memory, also by generic addresses, behind which a compare-and-swap comes, on some way, before a barrier and before the end."""
    ways: list[list[int]] = [[] for _ in code]
    for ins in code:
        for after in follow(ins, len(code)):
            ways[after].append(ins.index)
    waiting = [ins.index for ins in code if swaps(ins)]
    reached = set(waiting)
    while waiting:
        for earlier in ways[waiting.pop()]:
            if earlier not in reached and "barrier" not in code[earlier].name:
                reached.add(earlier)
                waiting.append(earlier)
    return frozenset(index for index in reached if code[index].name.startswith(READS))


def follow(ins: Decoded, count: int) -> list[int]:
    """Return what may be executed after an instruction; a call is taken to come back."""
    ends = ins.name in ("s_endpgm", "s_branch", "s_setpc_b64")
    after = [] if ends or ins.index + 1 >= count else [ins.index + 1]
    return after if ins.target is None else [*after, ins.target]
