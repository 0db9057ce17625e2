"""Edits of lines, moves, waits that nothing needs, results that nobody reads, and wait states of what was put in."""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.errors import UsageError
from hotloop.isa.amdgcn.needs import Need, audit
from hotloop.isa.amdgcn.registers import EXEC, SGPR
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.patch import scope
from hotloop.isa.patch.change import Applied, Change
from hotloop.isa.patch.pattern import fields
from hotloop.isa.patch.recipe import Edit, Move
from hotloop.targets.target import Target

_SOLID = (
    InstructionKind.BARRIER, InstructionKind.WAIT, InstructionKind.BRANCH, InstructionKind.CALL, InstructionKind.RETURN,
    InstructionKind.CONTROL, InstructionKind.CACHE,
)  # fmt: skip
_DOT = "v_dot"
_SUM = 3
"""Place of a dot product's third source among its operands."""


def text_of(one: Instruction) -> str:
    """Return an instruction as it is written."""
    return f"{one.mnemonic} {one.operands}".strip()


def edit(edits: Sequence[Edit], function: Function, change: Change) -> None:
    """Replace lines.

    Raises:
        UsageError: a line is not what the edit expects.
    """
    texts = {instruction.line: text_of(instruction) for instruction in function.instructions}
    for edited in edits:
        text = texts.get(edited.line, "no instruction of the kernel")
        if _bare(text) != _bare(edited.expect):
            raise UsageError(
                f"line {edited.line} is {_bare(text)!r}, not {_bare(edited.expect)!r} as the edit expects."
            )
        change.put(edited.line, edited.lines)
        change.applied.append(Applied("edit", edited.line, (_bare(text),), edited.lines))


def _bare(line: str) -> str:
    return " ".join(line.split(";", maxsplit=1)[0].split("//", maxsplit=1)[0].split())


def move(moves: Sequence[Move], function: Function, change: Change) -> None:
    """Put instructions before others of their blocks.

    Raises:
        UsageError: the lines are not of one block, or an instruction on the way depends on the moved one.
    """
    for moving in moves:
        code, at, before = _both(moving, function)
        moved = code[at]
        reason = _stuck(code, at, before)
        if reason:
            raise UsageError(f"line {moving.line} ({text_of(moved)}) cannot go before line {moving.before}: {reason}.")
        change.put(moving.line, ())
        change.put(moving.before, (text_of(moved), text_of(code[before])))
        change.applied.append(Applied("move", moving.line, (text_of(moved),), (f"before line {moving.before}",)))


def _both(one: Move, function: Function) -> tuple[Sequence[Instruction], int, int]:
    for block in scope.Scope.of(function).graph:
        places = {instruction.line: at for at, instruction in enumerate(block.instructions)}
        if one.line in places and one.before in places:
            return block.instructions, places[one.line], places[one.before]
    raise UsageError(f"lines {one.line} and {one.before} are not two instructions of one block of {function.name}.")


def _stuck(code: Sequence[Instruction], at: int, before: int) -> str:
    reads, writes = scope.touched(code[at])
    if _solid(code[at]):
        return "it orders what is around it"
    for place in range(before, at) if before < at else range(at + 1, before):
        other = code[place]
        theirs, made = scope.touched(other)
        if _solid(other):
            return f"line {other.line} ({other.mnemonic}) orders what is around it"
        if made & (reads | writes) or theirs & writes or EXEC in made:
            return f"line {other.line} ({text_of(other)}) depends on it, or it on that"
        if _memory(code[at]) and _memory(other):
            return f"line {other.line} accesses memory, too"
    return ""


def _solid(one: Instruction) -> bool:
    return one.kind in _SOLID


def _memory(one: Instruction) -> bool:
    return one.traits.reads_memory or one.traits.writes_memory


def drop_waits(function: Function, change: Change) -> int:
    """Drop waits whose counters cannot have anything in flight that old; return how many lines go.

    A wait of several counters goes only when none of them is needed. Where nothing but an order of memory speaks for a wait, or
    another wait merely happens to come first, it stays.
    """
    needs: dict[int, list[Need]] = {}
    where: dict[int, Instruction] = {}
    for needed in audit(function):
        line = needed.wait.instruction.line or 0
        needs.setdefault(line, []).append(needed.need)
        where[line] = needed.wait.instruction
    idle = [
        line for line, reasons in needs.items() if line and set(reasons) == {Need.IDLE} and line not in change.lines
    ]
    for line in sorted(idle):
        change.put(line, ())
        change.applied.append(Applied("wait", line, (text_of(where[line]),), (), note=str(Need.IDLE)))
    return len(idle)


def sweep(function: Function, change: Change) -> int:
    """Drop vector instructions of arithmetic whose results nobody reads; return how many."""
    around, done = scope.Scope.of(function), 0
    for number, block in enumerate(around.graph):
        for at, instruction in enumerate(block.instructions):
            writes = scope.touched(instruction)[1]
            if not _pure(instruction, writes) or (instruction.line or 0) in change.lines:
                continue
            if any(around.readers(number, at, r) or around.leaves(number, at, r) for r in writes):
                continue
            change.put(instruction.line or 0, ())
            change.applied.append(Applied("sweep", instruction.line or 0, (text_of(instruction),), ()))
            done += 1
    return done


def _pure(one: Instruction, writes: frozenset[int]) -> bool:
    plain = one.mnemonic.startswith("v_") and not _memory(one) and not _solid(one)
    return plain and bool(writes) and all(r < SGPR for r in writes)


def settle(function: Function, change: Change) -> int:
    """Add the wait states that dot products ask for where an instruction comes too early; return how many lines.

    Compilers do so for their own; other hazards of instructions that a recipe puts in are not looked after.
    """
    waiting = Target.of(function.target).number("dot_wait_states")
    if not waiting:
        return 0
    done = 0
    for block in scope.Scope.of(function).graph:
        for at, instruction in enumerate(block.instructions):
            if instruction.mnemonic.startswith(_DOT) and (nops := _missing(block.instructions, at, waiting)):
                user, states = nops
                line = block.instructions[user].line or 0
                if line not in change.lines:
                    change.put(line, (f"s_nop {states - 1}", text_of(block.instructions[user])))
                    change.applied.append(Applied("wait states", line, (), (f"s_nop {states - 1}",)))
                    done += 1
    return done


def _missing(code: Sequence[Instruction], at: int, waiting: int) -> tuple[int, int] | None:
    """Return who comes earlier than `waiting` states after a dot product, and the states that are missing; None: nobody."""
    results, passed = scope.touched(code[at])[1], 0
    for place in range(at + 1, len(code)):
        instruction = code[place]
        if passed >= waiting:
            return None
        if instruction.mnemonic.startswith("v_") and _clashes(instruction, code[at], results):
            return place, waiting - passed
        if results <= scope.touched(instruction)[1]:
            return None  # another dot product, which is looked at itself
        passed += int(instruction.operands, 0) + 1 if instruction.mnemonic == "s_nop" else 1
    return None


def _clashes(one: Instruction, dot: Instruction, results: frozenset[int]) -> bool:
    reads, writes = scope.touched(one)
    if not (reads | writes) & results:
        return False
    if one.mnemonic != dot.mnemonic:
        return True
    first = fields(dot.operands)[0]
    return first in fields(one.operands)[1:_SUM]
