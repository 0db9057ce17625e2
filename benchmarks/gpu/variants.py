"""Variants of a family's kernels beside each other and beside its peers, at named shapes: what a new parameter brings.

    PYTHONPATH=src python benchmarks/gpu/variants.py OUT.jsonl --spec attention@gluon,groups=2,keys=128,stages=2 --spec attention@gluon,groups=2,keys=128,stages=3 \\
        --shape batch=4,heads=16,kv_heads=16,length_q=4096,length_k=4096,size=64 [--limit-s 100] [--jobs 4]

The first spec is what the others' speeds are told against. All are verified against float64, then timed in the same interleaved rounds (the engine's
clock, CUDA graphs), and what the timed calls wrote is judged again. A shape is a process, so that kernels compile side by side; a shape is a line of OUT.jsonl as soon
as it is measured. Exit status 1: a variant was wrong or did not run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import tables  # beside this file


def contested(specs, shape, ends):
    """Return what every contender took at a shape: its speed over the first one's in each round, or why there is none."""
    from hotloop.app import spec, userfile
    from hotloop.app.run import faceoff
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Measured, Outcome, describe

    if time.time() > ends:
        return {"shape": shape, "left": "no time"}
    asked = [spec.parse(text) for text in specs]
    kernel = asked[0].kernel
    problem = userfile.problem_of(kernel, shape)
    made = tables.desk_of(asked[0].chosen.language, "")
    workload = Workload(made.engine, kernel, problem, made.device, made.seed)
    try:
        answer = faceoff.contest(
            made,
            workload,
            [(text, each.variant(problem, made.device, None)) for text, each in zip(specs, asked, strict=True)],
        )
    finally:
        workload.discard()
    rows = [
        {
            "name": row.name,
            "us": row.outcome.call_ns / 1e3 if isinstance(row.outcome, Measured) else None,
            "said": "" if isinstance(row.outcome, Measured) else describe(row.outcome)[:300],
            "over_first": list(row.ratios),
            "raw": encode(row.outcome, Outcome),
        }
        for row in answer.rows
    ]
    return {"shape": shape, "device": made.device.name, "rows": rows}


def told(answer):
    """Return a line for each contender."""
    for row in answer.get("rows", ()):
        ratios = row["over_first"]
        speed = f"{median(ratios):.3f} of the first one's speed" if ratios else row["said"]
        yield f"{answer['shape']}: {row['name'][-90:]}: {round(row['us'], 1) if row['us'] else '-'} us, {speed}"
    if "left" in answer:
        yield f"{answer['shape']}: {answer['left']}"


def main():
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--spec", action="append", required=True)
    parser.add_argument("--shape", action="append", required=True)
    parser.add_argument("--limit-s", type=float, default=120.0)
    parser.add_argument("--jobs", type=int, default=4)
    given = parser.parse_args()
    ends, sound = time.time() + given.limit_s, True
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool, given.out.open("a") as out:
        for done in as_completed([pool.submit(contested, given.spec, shape, ends) for shape in given.shape]):
            answer = done.result()
            print("\n".join(told(answer)), flush=True)
            out.write(json.dumps(answer) + "\n")
            out.flush()
            sound &= all(row["us"] for row in answer.get("rows", ()))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
