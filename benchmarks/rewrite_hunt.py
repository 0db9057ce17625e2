"""Random kernels under every rewrite that applies, against their own texts: results bit by bit where a rewrite keeps bits.

    python benchmarks/rewrite_hunt.py --seed 1 --count 200 [--kind any|loops|bodies|...] [--forms 24] [--out hunt.jsonl]

`tests/common/drawn*.py` draw the kernels (`any`: plain loops or one of the other kinds, by chance); each runs at several sizes, on values as drawn and with NaN, infinities and zeros of both signs
among them, beside pages that nobody may touch. A form is a rewrite alone, what is offered, or rewrites by chance together.
Prints a line of JSON for each wrong form, and a summary.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "common"))

from against import Bench, Verdict, forms  # type: ignore[import-not-found]
from drawn import Drawn, drawn  # type: ignore[import-not-found]
from drawn_groups import EVERY, of_kind  # type: ignore[import-not-found]


def main() -> None:
    """Go through seeds."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--count", type=int, default=100)
    asked.add_argument("--kind", choices=("any", "loops", *EVERY), default="any")
    asked.add_argument("--forms", type=int, default=24)
    asked.add_argument("--within", type=float, default=1e9, help="seconds after which no kernel is begun")
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    seen, wrong, began = Counter[str](), Counter[str](), time.time()
    bench = Bench()
    for seed in range(given.seed, given.seed + given.count):
        if time.time() - began > given.within:
            break
        for verdict in bench.judged(
            _kernel(seed, given.kind), seed, lambda prepared, at=seed: forms(prepared, at, given.forms)
        ):
            _count(verdict, seen, wrong)
            if verdict.wrong:
                row = json.dumps({"seed": seed, "form": verdict.changes, "wrong": verdict.wrong})
                print(row, flush=True)
                if given.out:
                    with given.out.open("a") as file:
                        file.write(row + "\n")
    bench.close()
    print(json.dumps({"seen": seen, "wrong": wrong, "seconds": round(time.time() - began)}))


def _kernel(seed: int, kind: str) -> Drawn:
    """Return the kernel of a seed; of any kind, every third is plain loops."""
    if kind == "loops" or (kind == "any" and seed % 3 == 0):
        return drawn(seed)
    return of_kind(seed, "" if kind == "any" else kind)


def _count(verdict: Verdict, seen: Counter[str], wrong: Counter[str]) -> None:
    seen[verdict.kind] += 1
    for name in verdict.changes:
        seen[name] += 1
        wrong[name] += bool(verdict.wrong)


if __name__ == "__main__":
    main()
