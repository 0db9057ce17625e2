"""Take away each wait of real compiler output and see whether the wait analysis finds it.

Run: ``python benchmarks/waits_proof.py LISTING...``. For each counter of each wait three programs are analysed: as compiled
(any hazard is a false alarm), without it, and one count weaker. Which waits are needed is decided by walks
(`hotloop.isa.amdgcn.needs`), independently of the analysis that is judged.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys

from hotloop.isa.amdgcn.counters import Counter
from hotloop.isa.amdgcn.needs import Need, audit
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import Function, Instruction

NEVER = 9999
"""No counter gets there: never waits. The assembler would refuse it; the analysis does not."""


def weakened(instruction: Instruction, counter: Counter, count: int | None) -> Instruction:
    """Return a wait with another count for one of its counters; None: the largest, which never waits."""
    name, text = counter.value, instruction.operands
    value = NEVER if count is None else count
    if f"{name}(" in text:
        return instruction._replace(operands=re.sub(rf"{name}\(\d+\)", f"{name}({value})", text))
    if re.fullmatch(r"s_wait_\w+cnt_\w+cnt", instruction.mnemonic):
        if count is None:
            return instruction._replace(
                mnemonic=instruction.mnemonic.replace(f"_{name}", "", 1), operands=_other(text, counter)
            )
        both, shift = int(text, 0), 0 if counter is Counter.DS else 8
        return instruction._replace(operands=hex(both & ~(0x3F << shift) | value << shift))
    head, comma, _ = text.rpartition(",")
    return instruction._replace(operands=f"{head}{comma} {value:#x}")


def _other(text: str, counter: Counter) -> str:
    """Return the count that a paired wait has for its other counter."""
    return hex(int(text, 0) >> 8 if counter is Counter.DS else int(text, 0) & 0x3F)


def changed(function: Function, wait: Instruction, counter: Counter, count: int | None) -> Function:
    """Return the function with one wait weakened."""
    rows = tuple(weakened(i, counter, count) if i is wait else i for i in function.instructions)
    return Function(function.name, rows, function.code_bytes, function.target, function.resources, function.addressed)


def prove(function: Function, tally: collections.Counter[str], *, verbose: bool) -> None:
    """Add the figures of one function."""
    tally["functions"] += 1
    tally["instructions"] += len(function.instructions)
    tally["false alarms"] += len(analyse(function).hazards)
    for entry in audit(function):
        wait = entry.wait
        tally["waits"] += 1
        tally[f"  {entry.need.name}"] += 1
        found = bool(analyse(changed(function, wait.instruction, wait.counter, None)).hazards)
        if entry.need is Need.NEEDED:
            tally["needed, deleted: found" if found else "needed, deleted: MISSED"] += 1
            if entry.exact:
                weaker = bool(analyse(changed(function, wait.instruction, wait.counter, wait.count + 1)).hazards)
                tally["exact, one weaker: found" if weaker else "exact, one weaker: MISSED"] += 1
                found = found and weaker
            if verbose and not found:
                print("missed", function.target, function.name, wait.instruction.line, wait.counter, wait.count)
        elif found:
            tally[f"not needed by walks ({entry.need.name}), yet found"] += 1
            if verbose:
                print("extra", entry.need.name, function.target, function.name, wait.instruction.line, wait.counter)


def main(paths: list[str]) -> None:
    """Print the figures of all listings together."""
    tally: collections.Counter[str] = collections.Counter()
    for path in paths:
        if path == "-v":
            continue
        tally["listings"] += 1
        for function in DIALECT.parse(pathlib.Path(path).read_text()):
            if "-v" in paths:
                print(path.rpartition("/")[2], function.name, len(function.instructions), flush=True)
            prove(function, tally, verbose="-v" in paths)
    for name, number in tally.items():
        print(f"{number:8d} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
