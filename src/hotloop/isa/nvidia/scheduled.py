"""SASS functions with the scheduling bits of every instruction and the possible successors of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.nvidia.classify import classify
from hotloop.isa.nvidia.control import Control, decode, encodings
from hotloop.isa.nvidia.listing import INSTRUCTION_BYTES, Routine, Row, routines

_DESCRIBED = frozenset({"LD", "LDG", "ST", "STG", "ATOM", "ATOMG", "RED", "LDGSTS"})
_NO_REGISTER = 63


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One function; entry n of every tuple belongs to instruction n."""

    function: Function
    controls: tuple[Control, ...]
    successors: tuple[tuple[int, ...], ...]
    """Indices of the instructions that may follow, those of indexed branches included; calls are stepped over."""
    descriptors: tuple[frozenset[str], ...] = ()
    """Uniform registers that an instruction reads but its listing does not show; empty: none of the function does."""


def read(listing: str, code: Mapping[str, bytes] | None = None) -> tuple[Scheduled, ...]:
    """Return the functions of a listing with encodings, or of any listing with `code`, the machine code by symbol.

    Raises:
        UsageError: neither the listing nor `code` has the encodings of a function, or they do not fit each other.
    """
    return tuple(_scheduled(routine, (code or {}).get(routine.name)) for routine in routines(listing))


def function(routine: Routine) -> Function:
    """Return the rows of a function as classified instructions."""
    code = tuple(_instruction(row) for row in routine.rows)
    return Function(routine.name, code, INSTRUCTION_BYTES * len(code), routine.target)


def _instruction(row: Row) -> Instruction:
    address, guard, mnemonic, operands, line, _, targets = row
    traits = classify(mnemonic, operands, guard)
    target = targets[0] if targets and len(targets) == 1 and traits.kind is InstructionKind.BRANCH else None
    shown = f"{guard} {operands}".strip() if guard else operands
    return tuple.__new__(Instruction, (address, mnemonic, shown, traits, target, line))


def _scheduled(routine: Routine, code: bytes | None) -> Scheduled:
    words = [row.encoding for row in routine.rows] if code is None else _words(routine, code)
    missing = next((row for row, word in zip(routine.rows, words, strict=True) if word is None), None)
    if missing is not None:
        raise UsageError(
            f"line {missing.line}: {missing.mnemonic} of {routine.name or 'the listing'} has no complete encoding; list with "
            "'nvdisasm -c -hex' or 'cuobjdump -sass', or give the cubin too."
        )
    present = [word for word in words if word is not None]
    hidden = tuple(_descriptor(row, word) for row, word in zip(routine.rows, present, strict=True))
    controls = tuple(decode(word) for word in present)
    return Scheduled(function(routine), controls, _successors(routine), hidden if any(hidden) else ())


def _descriptor(row: Row, encoding: int) -> frozenset[str]:
    """Return the descriptor of ``LDG [R2.64]`` on Ampere and Ada, whose listings leave it out (later ones do not).

    Its number stands in bits 32..37 of plain loads and in bits 64..69 of everything else, as nvdisasm's life ranges tell.
    """
    root = row.mnemonic.partition(".")[0]
    if root not in _DESCRIBED or ".64" not in row.operands.partition("]")[0 if root != "LDGSTS" else 2]:
        return frozenset()
    if "desc[" in row.operands:
        return frozenset()
    number = encoding >> (32 if root in ("LD", "LDG") else 64) & 63
    return frozenset() if number == _NO_REGISTER else frozenset({f"UR{number}", f"UR{number + 1}"})


def _words(routine: Routine, code: bytes) -> list[int | None]:
    """Return the encodings that belong to the rows; the code begins with the function's first instruction."""
    words: list[int | None] = list(encodings(code))
    if len(words) < len(routine.rows):
        raise UsageError(
            f"{routine.name} has {len(routine.rows)} instructions in the listing but {len(words)} in the cubin: give the "
            "listing of this cubin."
        )
    return words[: len(routine.rows)]


def _successors(routine: Routine) -> tuple[tuple[int, ...], ...]:
    places = {row.address: index for index, row in enumerate(routine.rows)}
    last = len(routine.rows) - 1
    successors = []
    for index, row in enumerate(routine.rows):
        traits = classify(row.mnemonic, row.operands, row.guard)
        following = [index + 1] if traits.falls_through and index < last else []
        if traits.kind is InstructionKind.BRANCH:
            following += [places[target] for target in row.targets if target in places]
        successors.append(tuple(dict.fromkeys(following)))
    return tuple(successors)
