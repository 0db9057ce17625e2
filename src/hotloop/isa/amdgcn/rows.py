"""Lines of a listing interpreted once each, and rows cut into functions; shared by both kinds of listing."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from hotloop.errors import UsageError
from hotloop.isa.amdgcn.classify import UNDECODED, classify, known, operands_matter, spilled
from hotloop.isa.instruction import Function, Instruction, InstructionKind, Traits

Entry = tuple[str, str, Traits]
"""Mnemonic, operands and meaning of a line, wherever it stands."""
_LOCAL = re.compile(r"\.|(?:BB|bb|label|LBB|L)_?\d|__unnamed")
_WORD = re.compile(r"(?:[a-z]\w*|[A-Z]{1,8}_\w+)$")
_PADDING = frozenset({"s_nop", "s_code_end", UNDECODED})


class ListingError(UsageError, ValueError):
    """A text or file that is no AMD GPU code, or a damaged one; the message is one sentence."""


def entry(code: str, remark: str = "") -> Entry | None:
    """Return what a line says without its comment; None when its first word cannot be an instruction.

    LLVM's assembler takes an instruction's name in capitals, too, as inline assembly has it: here it becomes small.
    """
    words = code.split(None, 1)
    mnemonic = words[0]
    plan = _plan(mnemonic)
    if plan is None and mnemonic[:1].isupper():
        mnemonic = mnemonic.lower()
        plan = _plan(mnemonic)
    if plan is None:
        return None
    traits, careful = plan
    operands = words[1].rstrip() if len(words) > 1 else ""
    return mnemonic, operands, seen(mnemonic, operands, remark) if careful else traits


def seen(mnemonic: str, operands: str, remark: str) -> Traits:
    """Return what an instruction does whose operands, or the compiler's remark about it, may say more than its name."""
    if operands_matter(mnemonic, operands):
        traits = classify(mnemonic, operands)
        return spilled(traits) if "Folded" in remark and mnemonic.startswith("buffer_") else traits
    return _spilled(mnemonic) if "Folded" in remark and mnemonic.startswith("buffer_") else classify(mnemonic)


@lru_cache(maxsize=1 << 14)
def _plan(mnemonic: str) -> tuple[Traits, bool] | None:
    """Return what a mnemonic does, and whether operands or the compiler's remark may change that."""
    if not known(mnemonic) and mnemonic != UNDECODED:
        return None
    return classify(mnemonic), mnemonic.startswith(("buffer_", "v_dual_", "s_set", "v_alignbit_b32", "v_bfi_b32"))


@lru_cache(maxsize=1 << 10)
def _spilled(mnemonic: str) -> Traits:
    """Return what a spill of this name does; by name, as looking up what it does takes long."""
    return spilled(classify(mnemonic))


@lru_cache(maxsize=1 << 14)
def named(word: str) -> tuple[Traits, bool] | None:
    """Return the same for a line's first word that is nothing but a name; None for all others."""
    return _plan(word) if word.isidentifier() else None


def word(code: str) -> str | None:
    """Return the first word of a line if it has the form of an instruction's name."""
    first = code.split(None, 1)[0]
    return first if _WORD.match(first) else None


def local(label: str) -> bool:
    """Tell whether a label only marks a place inside a function."""
    return _LOCAL.match(label) is not None


def cut(
    rows: Sequence[Instruction], starts: Sequence[tuple[int, str]], target: str, *, addressed: bool
) -> tuple[Function, ...]:
    """Return functions, given the row at which each begins; rows before the first belong to a function without name."""
    places = starts if starts and starts[0][0] == 0 else [(0, ""), *starts]
    ends = [*(place for place, _ in places[1:]), len(rows)]
    runs = ((name, trimmed(rows[begin:end])) for (begin, name), end in zip(places, ends, strict=True))
    return tuple(Function(name, run, None, target, None, addressed) for name, run in runs if run)


def trimmed(rows: Sequence[Instruction]) -> tuple[Instruction, ...]:
    """Return the rows without the padding that follows the end of a program."""
    end = len(rows)
    while end and rows[end - 1].mnemonic in _PADDING:
        end -= 1
    ended = end and not rows[end - 1].traits.falls_through
    return tuple(rows[:end] if ended else rows)


def row_at(numbers: Sequence[int], line: int) -> int:
    """Return the index of the first instruction at or after a line."""
    return bisect_left(numbers, line)


def branches(entry: Entry) -> bool:
    """Tell whether an entry may have a target."""
    return entry[2].kind is InstructionKind.BRANCH


def destination(operands: str) -> str:
    """Return the operand of a branch that names where it goes."""
    return operands.rpartition(",")[2].strip()


def halves(code: Sequence[Instruction]) -> Iterator[Instruction]:
    """Yield the instructions, the two of a pair that issues as one (``v_dual_fmac_f32 … :: v_dual_mov_b32 …``) apart."""
    for instruction in code:
        first, paired, rest = instruction.operands.partition("::")
        if not paired:
            yield instruction
            continue
        name, _, second = rest.strip().partition(" ")
        for mnemonic, operands in ((instruction.mnemonic, first.strip()), (name, second.strip())):
            alone = mnemonic.replace("v_dual_", "v_", 1)
            yield instruction._replace(mnemonic=alone, operands=operands, traits=classify(alone, operands))
