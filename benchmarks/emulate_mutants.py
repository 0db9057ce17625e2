"""Plant bugs in compiled Triton kernels that packages launch, and see which the executor reports.

    EMU_TARGET=gfx90a EMU_KEEP=FOLDER python benchmarks/emulate_calls.py --calls CALLS.toml       # keeps each launch
    python benchmarks/emulate_mutants.py FOLDER --each 6 --seed 3 --out mutants.json

A bug is one edit of the listing: a wait or a barrier less, a wait that leaves one operation more in flight, lanes that a mask had
switched off, a store to local or device memory less, an initial zero less, addresses twice as far apart. Which places are edited is drawn by the seed, among those that the
launch executes. A row is an edit of a launch: `reported` (with the first sentence), `changed` (another result, the same in both orders, and no report), `same`
(neither). What is `same` is mostly no bug: a wait that another one covers, a mask that was full, a zero that a load replaces.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from hotloop.compilers import executor
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import Program, load
from hotloop.emulate.sanitizer.findings import Met
from hotloop.emulate.sanitizer.lost import lost
from hotloop.errors import HotloopError

WAIT, COUNT = re.compile(r"\s*s_wait(?!cnt_depctr|_alu|_event|_idle)"), re.compile(r"((?:vm|lgkm|vs)cnt\()(\d+)\)")
SAVE = re.compile(r"(\s*)s_and_saveexec_b(32|64) (\S+), .*")
STORE = re.compile(r"\s*(global|buffer|flat)_store_")
ATOMIC = re.compile(r"_atomic_|ds_(add|sub|inc|dec|min|max|and|or|xor|pk_add|cmpst|wrxchg|append|consume)")
ZERO = re.compile(r"\s*v_mov_b32\S* v\d+, 0\s*$")
SHIFT = re.compile(r"(\s*v_lshl\w*_\S+ .*?\b)2(,.*)")
BUDGET = 20_000_000


def alive(program: Program, counts: Any) -> set[int]:
    """Return the lines that were executed, from 0."""
    return {item.line - 1 for item, count in zip(program.code, counts, strict=True) if count and item.line}


def plants(lines: list[str], executed: set[int]) -> dict[str, list[tuple[int, str]]]:
    """Return the edits of a listing by kind: the line's place and what stands there then."""
    found: dict[str, list[tuple[int, str]]] = {}
    for place in sorted(executed):
        line = lines[place]
        code = line.split(";")[0].rstrip()
        if WAIT.match(code):
            found.setdefault("wait", []).append((place, ""))
            if COUNT.search(code):
                text = COUNT.sub(lambda m: f"{m[1]}{int(m[2]) + 1})", code, count=1)
                found.setdefault("later wait", []).append((place, text))
        elif re.match(r"\s*s_barrier\b", code):
            found.setdefault("barrier", []).append((place, ""))
        elif made := SAVE.match(code):
            move = f"{made[1]}s_mov_b{made[2]} {made[3]}, {'exec' if made[2] == '64' else 'exec_lo'}"
            found.setdefault("mask", []).append((place, move))
        elif re.match(r"\s*ds_(write|store)_", code):
            found.setdefault("local store", []).append((place, ""))
        elif STORE.match(code):
            found.setdefault("store", []).append((place, ""))
        elif ZERO.match(code):
            found.setdefault("zero", []).append((place, ""))
        elif made := SHIFT.match(code):
            found.setdefault("stride", []).append((place, f"{made[1]}3{made[2]}"))
    return found


def plain(done: Any) -> list[bytes]:
    """Return the bytes of a launch's arrays."""
    return [np.ascontiguousarray(getattr(v, "array", v)).tobytes() for v in done.arrays]


def executed(text: str, name: str, launch: Launch) -> tuple[list[Any], list[list[bytes]], set[int]]:
    """Return what was found first in two orders, what each left, and the lines that the first one executed."""
    program, found = load(text, name), list[Any]()
    orders = (
        Options(budget=BUDGET, first=True),
        Options(late=False, order=Order.DESCENDING, backwards=True, budget=BUDGET, first=True),
    )
    try:
        told = [run(program, launch, order, backend=executor.native()) for order in orders]
    except Met as met:
        return [met.finding], [], set()
    found += lost(text, program.name, program.code, told[0].counts)
    return found, [plain(done) for done in told], alive(program, told[0].counts)


def row(text: str, name: str, launch: Launch, clean: list[list[bytes]]) -> dict[str, Any]:
    """Execute a listing with a bug in it."""
    try:
        findings, left, _ = executed(text, name, launch)
    except HotloopError as error:
        return {"status": "refused", "first": str(error)[:200]}
    if findings:
        first = findings[0]
        return {"status": "reported", "first": f"{first.trouble}: {first.text} (line {first.line})"[:200]}
    if clean[0] == clean[1] and left[0] != left[1] and not ATOMIC.search(text):
        return {"status": "reported", "first": "depends on order"}  # as `emulate` says where no atomic explains it
    return {"status": "same" if left == clean else "changed"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=6, help="edits of a kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument(
        "--longest", type=float, default=3.0, help="leave kernels out whose clean execution takes longer"
    )
    parser.add_argument("--places", type=int, default=1, help="edits of each kind of a kernel")
    parser.add_argument("--kind", action="append", default=[], help="only edits of these kinds")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    rng, rows, began = random.Random(chosen.seed), list[dict[str, Any]](), time.monotonic()
    files = sorted(chosen.folder.glob("*.pickle"))
    rng.shuffle(files)
    for file in files:
        text, name, launch = pickle.loads(file.read_bytes())  # written by emulate_calls, here
        start = time.process_time()
        try:
            findings, clean, lines_executed = executed(text, name, launch)
        except HotloopError as error:
            print("left out:", file.stem, error)
            continue
        if findings:
            print("reported as it is:", file.stem, findings[0].trouble, findings[0].line, findings[0].text)
        if findings or time.process_time() - start > chosen.longest:
            continue
        lines = text.splitlines()
        kinds = plants(lines, lines_executed)
        kinds = {kind: places for kind, places in kinds.items() if not chosen.kind or kind in chosen.kind}
        drawn = rng.sample(sorted(kinds), min(chosen.each, len(kinds)))
        for kind, place, new in [
            (k, *edit) for k in drawn for edit in rng.sample(kinds[k], min(chosen.places, len(kinds[k])))
        ]:
            if time.monotonic() - began > chosen.seconds:
                break
            edited = "\n".join((*lines[:place], new, *lines[place + 1 :]))
            told = {
                "kernel": file.stem,
                "kind": kind,
                "line": place + 1,
                "was": lines[place].strip(),
                **row(edited, name, launch, clean),
            }
            rows.append(told)
            print(told, flush=True)
            if chosen.out:
                chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    print(Counter((one["kind"], one["status"]) for one in rows), Counter(one["status"] for one in rows))


if __name__ == "__main__":
    main()
