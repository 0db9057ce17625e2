"""Take away each wait of real compiler output and see whether the wait analysis finds it.

Run: ``python benchmarks/waits_proof.py LISTING...``. For each counter of each wait three programs are analysed: as compiled
(any hazard is a false alarm), without it, and one count weaker. Which waits are needed is decided by walks
(`hotloop.isa.amdgcn.needs`), independently of the analysis that is judged.
"""

from __future__ import annotations

import collections
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "common"))

from whatif import weakened

from hotloop.isa.amdgcn.needs import Need, audit
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import Function


def prove(function: Function, tally: collections.Counter[str], *, verbose: bool) -> None:
    """Add the figures of one function."""
    tally["functions"] += 1
    tally["instructions"] += len(function.instructions)
    tally["false alarms"] += len(analyse(function).hazards)
    tally["false doubts"] += len(analyse(function).doubts)
    for entry in audit(function):
        wait = entry.wait
        tally["waits"] += 1
        tally[f"  {entry.need.name}"] += 1
        caught = bool(analyse(weakened(function, wait, None)).hazards)
        if entry.need is Need.NEEDED:
            tally["needed, deleted: found" if caught else "needed, deleted: MISSED"] += 1
            if entry.exact:
                weaker = bool(analyse(weakened(function, wait, wait.count + 1)).hazards)
                tally["exact, one weaker: found" if weaker else "exact, one weaker: MISSED"] += 1
                caught = caught and weaker
            if verbose and not caught:
                print("missed", function.target, function.name, wait.instruction.line, wait.counter, wait.count)
        elif caught:
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
        for function in DIALECT.parse(Path(path).read_text(encoding="utf-8")):
            if "-v" in paths:
                print(path.rpartition("/")[2], function.name, len(function.instructions), flush=True)
            prove(function, tally, verbose="-v" in paths)
    for name, number in tally.items():
        print(f"{number:8d} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
