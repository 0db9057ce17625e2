"""Take each wait and each barrier of ladder rungs away in turn: which are reported, which are proven redundant, which are neither.

    python benchmarks/emulate_deletions.py gfx942 gfx1030 --family gemm --seconds 900 --out deletions.json

Rungs are executed on small problems in four orders, the shortest listings first, until the seconds are spent; a rung whose
code another one has already is not repeated. Each row is one instruction.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import rungs

from hotloop.app.emulate import rung
from hotloop.app.emulate.deletions import deletions
from hotloop.app.emulate.task import Task
from hotloop.errors import HotloopError
from hotloop.verify.cases import cases, draw


def tasks(targets: list[str], families: list[str], names: list[str]) -> list[tuple[tuple[str, str, str], Task]]:
    """Return the rungs that compile here, the shortest code first, each code once."""
    found: dict[tuple[str, ...], tuple[tuple[str, str, str], Task]] = {}
    for key in rungs.named(targets, families, names):
        target, family, name = key
        try:
            kernel, pose = rung.of(family, name, target)
            case = cases(kernel, kernel.problem, "quick", 1)[0]
            task = pose(case.problem, draw(kernel, case), case.poison)
        except (HotloopError, ValueError) as error:
            print("left out:", *key, str(error)[:150], flush=True)
            continue
        found.setdefault(tuple(step.listing for step in task.steps), (key, task))
    return sorted(found.values(), key=lambda one: sum(len(step.program.code) for step in one[1].steps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--rung", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    rows: list[dict[str, object]] = []
    made, began = tasks(chosen.targets, chosen.family, chosen.rung), time.monotonic()
    for number, ((target, family, name), task) in enumerate(made):
        if time.monotonic() - began > chosen.seconds:
            print(f"{len(made) - number} of {len(made)} rungs left out: the seconds are spent")
            break
        told: dict[str, object] = {"target": target, "family": family, "rung": name}
        try:
            cuts = deletions(task, 20_000_000)
        except HotloopError as error:
            rows.append({**told, "need": "not executed", "why": str(error)})
            print(*told.values(), rows[-1]["why"], flush=True)
            continue
        rows += [
            {**told, "line": c.line, "instruction": c.instruction, "need": str(c.need), "why": c.why} for c in cuts
        ]
        print(target, family, name, dict(Counter(str(c.need) for c in cuts)), flush=True)
        if chosen.out:
            chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    print(len({(r["target"], r["family"], r["rung"]) for r in rows}), "rungs:", dict(Counter(r["need"] for r in rows)))


if __name__ == "__main__":
    main()
