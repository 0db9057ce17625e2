"""How often a loop runs: of AMD code where its counter begins, steps and ends at constants; of NVIDIA's the most where one begins at 0.

Read from the scalar unit's code only: ``s_mov`` of a constant before the loop, one ``s_add`` or ``s_sub`` of a constant in
it, and a comparison with a constant that decides the branch. Everything else gives no answer, never a guess. A thread's counter
begins at its own number as a rule, so that of NVIDIA's code only a bound is told.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import compress

from hotloop.isa.instruction import Function, Instruction, InstructionKind

_ADDRESS, _TRAITS = (operator.itemgetter(Instruction._fields.index(name)) for name in ("address", "traits"))
_ENDS = operator.attrgetter("ends_block")
_LIMIT = 1 << 16
"""Iterations that are followed; beyond that a loop does not end as it seems to."""
_BITS32 = 0xFFFFFFFF
_COMPARE = re.compile(r"s_cmpk?_(eq|lg|lt|le|gt|ge)_([iu])32")
_ADD = re.compile(r"s_add(k_co_i|k_i|_co_i|_co_u|_i|_u|_nc_u)32")
_SUBTRACT = re.compile(r"s_sub(_co_i|_co_u|_i|_u|_nc_u)32")
_SET = re.compile(r"s_mov(k_i|_b)32")
_WIDE = re.compile(r"s\[(\d+):(\d+)\]")
_SINGLE = re.compile(r"s(\d+)$")
_LANES_TEST = re.compile(r"v_cmpx?_(?:lt|le)_[iu]32")
_LANES_BOUND = re.compile(r"(?:vcc(?:_lo)?|s\[\d+:\d+\]|s\d+), ([^,\s]+), (v\d+)$")
_LANES_STEP = re.compile(r"(v\d+), (0x[0-9a-f]+|\d+|[sv]\d+), ([sv]\d+)$")
_LATCH = re.compile(r"@(!?)(P\d) ")
_BOUND = re.compile(r"(P\d), PT, (R\d+)(?:\.reuse)?, (-?)0x([0-9a-f]+), PT$")
_ISETP = re.compile(r"ISETP\.(GE|GT|LT|LE)\.")
_COUNTED = re.compile(r"(R\d+), (R\d+)(?:\.reuse)?, (?:0x([0-9a-f]+)|c\[0x0\]\[0x(?:0|360)\])(?:, RZ)?$")
"""What the counter grows by: a constant, or the size of the group."""
_GROUP = 32
"""Least size of a group that shares a loop, where the launch tells it."""
_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "lg": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def trip_count(function: Function, body: Sequence[Instruction]) -> int | None:
    """Return the iterations of a loop of AMD code each time it is entered; None unless constants in the code tell.

    Args:
        function: the whole of it.
        body: instructions of the loop that belong to no inner loop; of straight-line code nothing is told.
    """
    latch = next((i for i in reversed(body) if i.mnemonic.startswith("s_cbranch_scc")), None)
    compare = _compared(body, latch) if latch is not None else None
    if latch is None or latch.target is None or compare is None:
        return None
    register, bound, test = compare
    first = body[0].address
    code = function.instructions
    begin, end = bisect_left(code, first, key=_ADDRESS), bisect_right(code, body[-1].address, key=_ADDRESS)
    steps = [i for i in code[begin:end] if i.operands[:1] == "s" and _writes(i, register)]
    branches = _branches(code) if len(steps) == 1 else []
    if len(steps) != 1 or not _straight(branches, steps[0].address, latch.address):
        return None
    step, start = _step(steps[0], register), _start(code[:begin], branches, latch.target, register, first)
    relation = _COMPARE.fullmatch(test.mnemonic)
    if step is None or start is None or relation is None:
        return None
    again = latch.mnemonic.endswith("1") == (latch.target in {i.address for i in body})
    stepped = steps[0].address < test.address
    return _followed(start, step, bound, relation[1], signed=relation[2] == "i", again=again, stepped=stepped)


def _branches(code: Sequence[Instruction]) -> list[Instruction]:
    """Return the branches of a function, found by look-ups rather than tests."""
    ends = compress(code, map(_ENDS, map(_TRAITS, code)))
    return [i for i in ends if i.traits.kind is InstructionKind.BRANCH]


def lanes_trips(function: Function, body: Sequence[Instruction]) -> int | None:
    """Return about how often a loop of AMD code runs whose counter each lane steps up to a constant; None unless the code tells.

    A lane's counter begins at its own number as a rule, as where a group fills a table: the last step goes beyond the bound. A step
    that the launch brings is the group's size: the answer is then the most that it can be.
    """
    test = next((i for i in reversed(body) if _LANES_TEST.match(i.mnemonic)), None)
    compared = _LANES_BOUND.match(test.operands) if test else None
    if compared is None:
        return None
    counter = compared[2]
    written = f"{counter}, "
    steps = [
        (i, match)
        for i in body
        if i.operands.startswith(written) and (match := _LANES_STEP.match(i.operands)) and counter in match.group(2, 3)
    ]
    bound = _told(function, body[0].address, compared[1])
    if len(steps) != 1 or not steps[0][0].mnemonic.startswith(("v_add_u32", "v_add_nc_u32")) or bound is None:
        return None
    by = steps[0][1][2] if steps[0][1][3] == counter else steps[0][1][3]
    step = _GROUP if by != counter and by[0] in "sv" else _constant(by)
    return bound // step + 1 if step and step > 0 and bound >= 0 else None


def _told(function: Function, first: int, text: str) -> int | None:
    """Return a constant, or what a scalar register was set to before a loop that begins at `first`."""
    if _SINGLE.match(text) is None:
        return _constant(text)
    code = function.instructions
    before = code[: bisect_left(code, first, key=_ADDRESS)]
    last = next((i for i in reversed(before) if i.operands[:1] == "s" and _writes(i, text)), None)
    return _constant(last.operands.rpartition(",")[2]) if last is not None and _SET.fullmatch(last.mnemonic) else None


def most_trips(body: Sequence[Instruction]) -> int | None:
    """Return the most iterations of a loop of NVIDIA's code whose counter grows by a constant to one; None unless they tell.

    Args:
        body: instructions of the loop that belong to no inner loop.
    """
    latch = next((i for i in reversed(body) if i.mnemonic == "BRA" and _LATCH.match(i.operands)), None)
    taken = _LATCH.match(latch.operands) if latch else None
    if latch is None or taken is None or latch.target not in {i.address for i in body}:
        return None
    for test in (i for i in reversed(body) if i.mnemonic.startswith("ISETP")):
        compared, relation = _BOUND.match(test.operands), _ISETP.match(test.mnemonic)
        if compared and relation and compared[1] == taken[2]:
            return _bounded(body, test, compared, relation, again=not taken[1])
    return None


def _bounded(
    body: Sequence[Instruction], test: Instruction, compared: re.Match[str], relation: re.Match[str], *, again: bool
) -> int | None:
    """Return how often a counter that begins at 0 goes on; `_GROUP` is the least that the launch makes it grow by."""
    steps = [(i, match) for i in body if (match := _COUNTED.match(i.operands)) and match[1] == match[2] == compared[2]]
    if len(steps) != 1 or not steps[0][0].mnemonic.startswith(("IADD3", "VIADD", "IADD")):
        return None
    counted, step = steps[0][0], int(steps[0][1][3], 16) if steps[0][1][3] else _GROUP
    sign = -1 if compared[3] else 1
    stepped = counted.address < test.address
    return _followed(0, step, sign * int(compared[4], 16), relation[1].lower(), again=again, stepped=stepped)


def _straight(branches: Sequence[Instruction], begin: int, end: int, latch_target: int | None = None) -> bool:
    """Tell whether control passes from `begin` to `end` without another way in or out; `latch_target` is a way in allowed."""
    leaving = any(begin <= i.address < end for i in branches)
    entering = any(i.target is not None and begin < i.target <= end and i.target != latch_target for i in branches)
    return not leaving and not entering


def _compared(body: Sequence[Instruction], latch: Instruction) -> tuple[str, int, Instruction] | None:
    """Return counter, bound and the comparison whose result the branch takes."""
    place = body.index(latch)
    for index in range(place - 1, -1, -1):
        if body[index].traits.kind is not InstructionKind.SCALAR:
            continue
        if _COMPARE.fullmatch(body[index].mnemonic):
            register, _, bound = body[index].operands.partition(",")
            value = _constant(bound)
            return None if value is None or not _SINGLE.match(register) else (register, value, body[index])
        if _sets_condition(body[index]):
            return None
    return None


def _sets_condition(instruction: Instruction) -> bool:
    """Tell whether a scalar instruction may overwrite the condition bit; moves and selects do not."""
    kept = ("s_mov", "s_cselect", "s_pack", "s_mul_i32", "s_mul_hi", "s_cmov", "s_sext", "s_getpc", "s_brev")
    return not instruction.mnemonic.startswith(kept)


def _writes(instruction: Instruction, register: str) -> bool:
    """Tell whether an instruction's first operand is, or contains, a scalar register."""
    if instruction.mnemonic.startswith(("s_cmp", "s_bitcmp", "s_cbranch", "s_store", "s_buffer_store")):
        return False
    first = instruction.operands.partition(",")[0].strip()
    if first == register:
        return True
    wide = _WIDE.fullmatch(first)
    return wide is not None and int(wide[1]) <= int(register[1:]) <= int(wide[2])


def _step(instruction: Instruction, register: str) -> int | None:
    """Return the constant that an instruction adds to the counter."""
    parts = [part.strip() for part in instruction.operands.split(",")]
    amount = _constant(parts[-1])
    if amount is None or (len(parts) == 3 and parts[1] != register):
        return None
    if _ADD.fullmatch(instruction.mnemonic):
        return amount
    return -amount if _SUBTRACT.fullmatch(instruction.mnemonic) else None


def _start(
    code: Sequence[Instruction], branches: Sequence[Instruction], header: int, register: str, first: int
) -> int | None:
    """Return the counter's value before the loop at `first`: a constant moved into it on the only way there, in the `code` before."""
    last = next((i for i in reversed(code) if i.operands[:1] == "s" and _writes(i, register)), None)
    if last is None or not _SET.fullmatch(last.mnemonic):
        return None
    alone = _straight(branches, last.address, first, latch_target=header)
    return _constant(last.operands.rpartition(",")[2]) if alone else None


def _followed(
    start: int, step: int, bound: int, relation: str, *, signed: bool = True, again: bool, stepped: bool
) -> int | None:
    """Run the counter; `again` tells which outcome of the comparison goes on, `stepped` whether it sees the new value."""
    holds, end = _RELATIONS[relation], _as(bound, signed=signed)
    seen = start + step if stepped else start
    for trip in range(1, _LIMIT):
        if holds(_as(seen, signed=signed), end) is not again:
            return trip
        seen += step
    return None


def _as(value: int, *, signed: bool) -> int:
    """Return a number as the 32 bits of a register would be read."""
    bits = value & _BITS32
    return bits - (1 << 32) if signed and bits >> 31 else bits


def _constant(text: str) -> int | None:
    try:
        return int(text.strip(), 0)
    except ValueError:
        return None
