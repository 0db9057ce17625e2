"""A matrix instruction as text: its formulas, and a picture of who holds what."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import ElementMap, stored_k

_NAMES = {"A": ("row", "k"), "B": ("k", "column"), "D": ("row", "column")}


def formulas(instruction: Instruction, where: ElementMap) -> tuple[str, ...]:
    """Return the map of one operand in words that can be typed into a kernel; `i` is the item, `lane` the lane."""
    match instruction.family:
        case Family.MFMA | Family.SMFMAC:
            return _mfma(instruction, where)
        case Family.WMMA_GFX11:
            if where.operand == "D":
                return f"row = {instruction.lanes // 16} * i + lane / 16", "column = lane % 16"
            return f"{_outer(where)} = lane % 16", "k = i (lanes 16 apart hold the same)"
        case Family.WMMA_GFX12:
            if where.operand == "D":
                return f"row = {where.items} * (lane / 16) + i", "column = lane % 16"
            return f"{_outer(where)} = lane % 16", f"k = {where.items} * (lane / 16) + i"
        case Family.MMA | Family.WGMMA:
            return _mma(instruction, where)


def _outer(where: ElementMap) -> str:
    return _NAMES[where.operand][0 if where.operand == "A" else 1]


def _mfma(instruction: Instruction, where: ElementMap) -> tuple[str, ...]:
    if where.operand == "D":
        return _mfma_output(instruction, where)
    extent, blocks = (instruction.m if where.operand == "A" else instruction.n), instruction.blocks
    first = f"{_outer(where)} = lane % {extent}"
    kind = instruction.a_type if where.operand == "A" else instruction.b_type
    name = "stored k" if stored_k(instruction, where.operand) != instruction.k else "k"
    groups = 64 // (extent * blocks)
    if kind == "f8":
        k = f"{name} = 16 * (lane / {extent}) + i % 16 + {16 * groups} * (i / 16)"
    elif groups == 1:
        k = f"{name} = i"
    else:
        k = f"{name} = {where.items} * (lane / {extent * blocks}) + i"
    block = (f"block = lane / {extent} % {blocks}",) if blocks > 1 else ()
    return (first, k, *block)


def _mfma_output(instruction: Instruction, where: ElementMap) -> tuple[str, ...]:
    m, n = instruction.m, instruction.n
    tall = 1 if where.bits == 64 else 4
    each = m * n // 64
    column = f"column = lane % {n}"
    if each == 0 or (tall == 1 and m == n == 4):
        row = "row = i" if tall == 4 else f"row = lane / {n * instruction.blocks}"
        block = f"block = lane / {n}" + (f" % {instruction.blocks}" if tall == 1 else "")
        return row, column, block
    local = "i" if instruction.blocks == 1 else f"(i % {each})"
    group = f"(lane / {n})"
    row = (
        f"row = {64 // n} * {local} + {group}"
        if tall == 1
        else f"row = {4 * 64 // n} * ({local} / 4) + 4 * {group} + i % 4"
    )
    if each <= tall and tall == 4:
        row = f"row = 4 * {group} + i % 4" if instruction.blocks > 1 else f"row = 4 * {group} + i"
    block_text = (f"block = i / {each}",) if instruction.blocks > 1 else ()
    return (row, column, *block_text)


def _mma(instruction: Instruction, where: ElementMap) -> tuple[str, ...]:
    group, thread = "lane % 32 / 4" if instruction.lanes > 32 else "lane / 4", "lane % 4"
    warp = "16 * (lane / 32) + " if instruction.lanes > 32 else ""
    tall = instruction.m > 8
    if where.operand == "D":
        row = f"row = {warp}{group}" + (" + 8 * (i / 2 % 2)" if tall else "")
        return row, f"column = 2 * ({thread}) + i % 2" + (
            f" + 8 * (i / {4 if tall else 2})" if where.items > (4 if tall else 2) else ""
        )
    packed = max(1, 32 // where.bits)
    inside = f" + i % {packed}" if packed > 1 else ""
    scale = f"{packed} * ({thread})" if packed > 1 else thread
    register = f"i / {packed}" if packed > 1 else "i"
    if where.operand == "A" and tall:
        return f"row = {warp}{group} + 8 * ({register} % 2)", f"k = {scale}{inside} + {4 * packed} * (i / {2 * packed})"
    return f"{_outer(where)} = {group}", f"k = {scale}{inside}" + (
        f" + {4 * packed} * ({register})" if where.items > packed else ""
    )


def rows(where: ElementMap, most: int = 40) -> Iterator[str]:
    """Yield one line per row of the first block: who holds its columns, runs put together."""
    holders: dict[tuple[int, int], tuple[int, int]] = {}
    lanes, items = where.row.shape
    for lane in reversed(range(lanes)):
        for item in range(items):
            if where.block[lane, item] == 0:
                holders[int(where.row[lane, item]), int(where.column[lane, item])] = (lane, item)
    _, height, width = where.shape
    name, across = _NAMES[where.operand]
    for row in range(min(height, most)):
        runs = _runs([holders[row, column] for column in range(width)])
        yield f"{name} {row:2}: " + "  ".join(_run(where, across, run) for run in runs)
    if height > most:
        yield f"... {height - most} rows more"


def _runs(holders: list[tuple[int, int]]) -> list[tuple[int, int, tuple[int, int], str]]:
    """Return (first, last, holder of the first, what walks) of maximal runs along a row."""
    runs: list[tuple[int, int, tuple[int, int], str]] = []
    start = 0
    while start < len(holders):
        end, walks = start, "one"
        for kind, step in (("lane", (1, 0)), ("item", (0, 1))):
            last = start
            while last + 1 < len(holders) and _next(holders[last], step) == holders[last + 1]:
                last += 1
            if last > end:
                end, walks = last, kind
        runs.append((start, end, holders[start], walks))
        start = end + 1
    return runs


def _next(holder: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
    return holder[0] + step[0], holder[1] + step[1]


def _run(where: ElementMap, across: str, run: tuple[int, int, tuple[int, int], str]) -> str:
    first, last, (lane, item), walks = run
    span = f"{across} {first}-{last}" if last > first else f"{across} {first}"
    if walks == "lane":
        return f"{span} = lanes {lane}-{lane + last - first} {_item(where, item)}"
    if walks == "item":
        return f"{span} = lane {lane} {_item(where, item)}..{_item(where, item + last - first)}"
    return f"{span} = lane {lane} {_item(where, item)}"


def _item(where: ElementMap, item: int) -> str:
    register, low = where.place(item)
    if where.slot_bits >= 32:
        return f"v{register}" if where.slot_bits == 32 else f"v{register}:{register + 1}"
    return f"v{register}[{low}]" if where.slot_bits != where.bits or where.bits < 32 else f"v{register}"
