"""Results that nothing reads: what a compiler leaves behind when the instruction that used them is lost.

An optimising compiler removes whatever computes or loads a value that nobody needs, so its code has no such results (in the listings of
this project's ladders: none but copies between registers). Where one is found, its reader is missing: a store or a comparison was
taken away, or an operand was changed.

A result is unused if no path of the code reads any of its registers before all of them are written anew. Vector instructions write the
active lanes only, so a write counts as an end unless lanes may have been off that the result was made for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hotloop.isa.amdgcn.pressure import live_out, masks
from hotloop.isa.amdgcn.registers import EXEC, SGPR, access, lds_copy
from hotloop.isa.bitset import holding, members
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction

_LANES = holding((EXEC, EXEC + 1))
_VECTOR = (1 << SGPR) - 1
_OPAQUE = re.compile(r"s_(swappc|setpc|set_pc|add_pc|call|movrel|set_gpr_idx|set_vgpr|rfe)|v_movrel")
"""Calls, computed jumps and registers by a computed number: what reads a register cannot be told."""
_EFFECTS = re.compile(
    r"s_(getpc|get_pc|memtime|memrealtime|getreg|get_reg|sendmsg|barrier)|v_nop"
    r"|ds_(\w*xchg|wrap|append|consume|ordered|gws|bvh)|\w*atomic_(csub|cond_sub|ordered)"
)
"""Instructions that do something beside their result, without a form that has none; other atomics return the old value only if it is used."""
_COPY = re.compile(
    r"v_(mov|accvgpr_(read|write|mov)|swap|readlane|writelane)_|s_mov_|s_(buffer_)?load_|v_dual_mov_|scratch_load"
    r"|s_(and|or|xor|nand|nor|xnor|andn\d|orn\d|and_not\d|or_not\d|not|cselect)_b(32|64)"
)
"""What compilers do leave unused, and what is no reader by itself: copies between registers, spilled scalars, reloads, scalar loads
(arguments for runtimes that do not preload them), and the masks of lanes with which they build branches."""
_RELOAD = re.compile(r"buffer_load_\w+ [av][^,]+, off,")
"""What gfx90a and gfx10 have for reloads from private memory: compilers load arrays through a buffer with an offset in a register."""
_ORDERED = re.compile(r"\b(glc|dlc|sc0|sc1|scope:)")
"""Marks of atomic and volatile loads, which stay where nobody wants their value."""
_WIDE = re.compile(
    r"(global|buffer|flat)_load_(dwordx2|dwordx4|b64|b128)$|ds_(read|load)_(b64|b128)$|ds_(read|load)_?2"
)
"""Vector loads of several words. Of Triton's each word is read; clang loads a whole `float2` for one of its numbers, and 64 bits of an index
of which it needs 32 where it has joined two loads."""
TRITON = '.asciz\t"triton"'
"""How debug information names the compiler."""
_INLINE = re.compile(r"\s*;+\s*#?(?:(APP|ASMSTART)|NO_APP|ASMEND)\b")
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a search stands: before an instruction, with registers still to be followed."""

    block: int
    index: int
    followed: int
    depth: int
    """How often lanes were switched off since most of them were on, the result's own among them.

    Where all that a branch switched off are on again, the next branch that begins may be of others: the lanes of an `else` are none of
    those that wrote in the `if` before it.
    """


def unused(function: Function, *, parts: bool = True) -> tuple[tuple[Instruction, tuple[int, ...]], ...]:
    """Return the instructions whose results nothing reads, with the registers; none where that cannot be told (calls, computed jumps).

    Copies that nothing reads are no readers themselves. `parts`: of a wide load each word must be read.
    """
    if any(_OPAQUE.match(item.mnemonic) for item in function.instructions):
        return ()
    graph, found, copies = blocks(function), list[tuple[Instruction, int]](), set[int]()
    while True:
        found = list(_dead(graph, parts=parts))
        more = {item.address for item, _ in found if _copies(item)}
        if more <= copies:
            break
        copies |= more
        graph = tuple(_emptied(block, copies) for block in graph)
    told = ((item, tuple(members(made))) for item, made in found if not _copies(item))
    return tuple(sorted(told, key=lambda one: one[0].address))


def _emptied(block: Block, away: Collection[int]) -> Block:
    """Return a block without some instructions; its last one stays, as it says where the block ends."""
    kept = tuple(i for i in block.instructions[:-1] if i.address not in away)
    return block._replace(instructions=(*kept, *block.instructions[-1:]))


def _dead(graph: Sequence[Block], *, parts: bool) -> Iterator[tuple[Instruction, int]]:
    for number, (block, leaving) in enumerate(zip(graph, live_out(graph), strict=True)):
        for index, made in _candidates(block, leaving, parts=parts):
            if not _read(graph, _Place(number, index + 1, made, 0)):
                yield block.instructions[index], made


def inlined(listing: str) -> frozenset[int]:
    """Return the lines that inline assembly wrote, whose results may be meant to be dropped."""
    found, inside = set[int](), False
    for number, line in enumerate(listing.split("\n"), 1):
        if mark := _INLINE.match(line):
            inside = mark[1] is not None
        elif inside:
            found.add(number)
    return frozenset(found)


def compiled(listing: str) -> bool:
    """Tell whether a compiler wrote a listing: LLVM says where each function begins. Assembly written by hand may have such results."""
    return "; -- Begin function" in listing


def _candidates(block: Block, live: int, *, parts: bool) -> Iterator[tuple[int, int]]:
    """Yield instructions whose results are not live behind them, last first, with their registers."""
    for index in range(len(block.instructions) - 1, -1, -1):
        item = block.instructions[index]
        made = holding(access(item.mnemonic, item.operands).writes)
        if made and not made & _LANES and _counts(item):
            dead = made & ~live
            if dead == made or (
                dead and ((parts and _WIDE.match(item.mnemonic) and not _high(made, dead)) or _half(item, dead))
            ):
                yield index, dead
        reads, ends = masks(item)
        live = live & ~ends | reads


def _copies(item: Instruction) -> bool:
    """Tell whether an instruction only moves values: of a dual one, both halves."""
    if _RELOAD.match(f"{item.mnemonic} {item.operands}"):
        return True
    second = item.operands.partition("::")[2].strip()
    return _COPY.match(item.mnemonic) is not None and (not second or _COPY.match(second) is not None)


def _high(made: int, dead: int) -> bool:
    """Tell whether nothing but upper words of 64-bit numbers is unread, of which their lower words are: indices that are cut to 32 bits."""
    words = tuple(members(made))
    upper = holding(words[1::2])
    return not dead & ~upper and upper == holding(one + 1 for one in words[::2])


def _half(item: Instruction, dead: int) -> bool:
    """Tell whether nothing reads the result of one half of a dual instruction, and that half is no copy."""
    first, found, second = item.operands.partition("::")
    word, _, rest = second.strip().partition(" ")
    halves = ((item.mnemonic, first.strip()), (word, rest.strip())) if found else ()
    made = (holding(access(name, operands).writes) for name, operands in halves if not _COPY.match(name))
    return any(not one & ~dead for one in made)


def _counts(item: Instruction) -> bool:
    ordered = "_load_" in item.mnemonic and _ORDERED.search(item.operands)
    return not (ordered or _EFFECTS.match(item.mnemonic) or lds_copy(item.mnemonic, item.operands))


def _read(graph: Sequence[Block], start: _Place) -> bool:
    """Tell whether a path from a place reads what is followed, lanes that were switched off in between included."""
    seen, waiting = {start}, [start]
    while waiting:
        place = waiting.pop()
        after = _through(graph[place.block], place)
        if after is None:
            return True
        for successor in graph[place.block].successors if after.followed else ():
            one = _Place(successor, 0, after.followed, after.depth)
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return False


def _through(block: Block, place: _Place) -> _Place | None:
    """Follow registers to the end of a block; None: they are read."""
    followed, depth = place.followed, place.depth
    for item in block.instructions[place.index :]:
        reads, ends = masks(item)
        if reads & followed:
            return None
        followed &= ~(ends & ~_VECTOR if depth > 0 else ends)
        depth = _depth(item, depth)
    return _Place(place.block, place.index, followed, depth)


def _depth(item: Instruction, depth: int) -> int:
    if not holding(access(item.mnemonic, item.operands).writes) & _LANES:
        return depth
    if item.mnemonic.startswith("s_or_b"):
        return max(depth - 1, 0)
    if item.mnemonic.startswith("s_mov_b") and item.operands.endswith("-1"):
        return 0
    return min(depth + 1, _DEEPEST)
