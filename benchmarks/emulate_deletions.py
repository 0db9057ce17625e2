"""Take each wait and each barrier of ladder rungs away in turn: which are reported, which are proven redundant, which are neither.

    python benchmarks/emulate_deletions.py gfx942 gfx1030 --family gemm --seconds 900 --keep FOLDER --out deletions.json

Rungs are executed on small problems in four orders, the shortest listings first, until the seconds are spent; a rung whose
code another one has already is not repeated. Each row is one instruction. With `--keep`, compiled rungs are kept in a folder, where
the next run finds them; rungs that `--out` has already are not done again.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections import Counter
from pathlib import Path

import rungs

from hotloop.app.emulate import rung
from hotloop.app.emulate.deletions import deletions
from hotloop.app.emulate.task import Step, Task
from hotloop.emulate import program as executable
from hotloop.errors import HotloopError
from hotloop.verify.cases import cases, draw

Key = tuple[str, str, str]
Row = dict[str, object]


def posed(key: Key) -> Task:
    """Compile a rung."""
    target, family, name = key
    kernel, pose = rung.of(family, name, target)
    case = cases(kernel, kernel.problem, "quick", 1)[0]
    return pose(case.problem, draw(kernel, case), case.poison)


def flat(task: Task) -> tuple[object, ...]:
    """Return what a task is made of without the functions of its instructions."""
    steps = [
        (s.program.name, s.program.target.name, s.listing, s.arguments, s.grid, s.workgroup, s.shared_bytes)
        for s in task.steps
    ]
    return task.label, task.target, steps, dict(task.arrays), task.fresh


def whole(kept: tuple) -> Task:  # type: ignore[type-arg]
    """Return a task of what `flat` kept."""
    label, target, steps, arrays, fresh = kept
    made = tuple(
        Step(
            program=executable.load(listing, name, processor),
            listing=listing,
            arguments=arguments,
            grid=grid,
            workgroup=group,
            shared_bytes=shared,
        )
        for name, processor, listing, arguments, grid, group, shared in steps
    )
    return Task(label=label, target=target, steps=made, arrays=arrays, fresh=fresh)


def found(keys: list[Key], folder: Path | None) -> list[tuple[Key, tuple]]:  # type: ignore[type-arg]
    """Return the rungs that compile here, the shortest code first, each code once."""
    made: dict[tuple[str, ...], tuple[Key, tuple]] = {}  # type: ignore[type-arg]
    for key in keys:
        place = folder / ("-".join(key).replace("/", "_") + ".pickle") if folder else None
        if place and place.exists():
            kept = pickle.loads(place.read_bytes())  # written here
        else:
            try:
                kept = flat(posed(key))
            except (HotloopError, ValueError) as error:
                print("left out:", *key, str(error)[:150], flush=True)
                continue
            if place:
                place.write_bytes(pickle.dumps(kept))
        made.setdefault(tuple(step[2] for step in kept[2]), (key, kept))
    return sorted(made.values(), key=lambda one: sum(len(step[2]) for step in one[1][2]))


def rows_of(key: Key, kept: tuple, budget: int) -> list[Row]:  # type: ignore[type-arg]
    """Return a row for each wait and barrier of a rung, or one that says why there are none."""
    told: Row = {"target": key[0], "family": key[1], "rung": key[2]}
    began = time.process_time()
    try:
        cuts = deletions(whole(kept), budget)
    except HotloopError as error:
        return [{**told, "need": "not executed", "why": str(error)}]
    spent = round((time.process_time() - began) / max(1, len(cuts)), 4)
    return [
        {**told, "line": c.line, "instruction": c.instruction, "need": str(c.need), "why": c.why, "cpu_s": spent}
        for c in cuts
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--rung", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--budget", type=int, default=20_000_000, help="wave instructions of an execution")
    parser.add_argument("--keep", type=Path, help="folder of compiled rungs")
    parser.add_argument("--out", type=Path, help="rows, also those of earlier runs, which are not done again")
    chosen = parser.parse_args()
    began = time.monotonic()
    rows: list[Row] = json.loads(chosen.out.read_text()) if chosen.out and chosen.out.exists() else []
    done = {(r["target"], r["family"], r["rung"]) for r in rows}
    made = found(list(rungs.named(chosen.targets, chosen.family, chosen.rung)), chosen.keep)
    left = [(key, kept) for key, kept in made if key not in done]
    print(len(made), "rungs of different code,", len(left), "to do", flush=True)
    for number, (key, kept) in enumerate(left):
        if time.monotonic() - began > chosen.seconds:
            print(f"{len(left) - number} rungs left out: the seconds are spent")
            break
        rows += (new := rows_of(key, kept, chosen.budget))
        print(*key, dict(Counter(str(r["need"]) for r in new)), new[0].get("cpu_s", new[0]["why"]), flush=True)
        if chosen.out:
            chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    print(len({(r["target"], r["family"], r["rung"]) for r in rows}), "rungs:", dict(Counter(r["need"] for r in rows)))


if __name__ == "__main__":
    main()
